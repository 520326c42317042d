package ar_test

import (
	"reflect"
	"strings"
	"testing"

	"folio/country"
	"folio/country/ar"
	"folio/country/countrytest"
	"folio/events"
)

func TestGlobalTaxes(t *testing.T) {
	valid := events.GlobalTax{Type: "perc_iibb", Description: "IIBB CABA", Rate: dec("3"), BaseAmount: dec("1000"),
		Amount: dec("30")}
	for _, c := range []struct {
		name   string
		change func(*events.GlobalTax)
		want   []string
	}{
		{"a perception", func(*events.GlobalTax) {}, nil},
		{"ARCA's number", func(g *events.GlobalTax) { g.Type = "7" }, nil},
		{"a fixed amount has rate 0", func(g *events.GlobalTax) { g.Rate, g.Amount = dec("0"), dec("12.34") }, nil},
		{"a cent of rounding", func(g *events.GlobalTax) { g.Amount = dec("30.01") }, nil},
		{"an unknown type", func(g *events.GlobalTax) { g.Type = "iva21" }, []string{"global_taxes[0].type AR-GLOBAL-02"}},
		{"other without description", func(g *events.GlobalTax) { g.Type, g.Description = "other", "" },
			[]string{"global_taxes[0].description AR-GLOBAL-03"}},
		{"a negative rate", func(g *events.GlobalTax) { g.Rate = dec("-3") }, []string{"global_taxes[0].rate AR-GLOBAL-04"}},
		{"a rate of four digits", func(g *events.GlobalTax) { g.Rate = dec("1000") },
			[]string{"global_taxes[0].rate AR-GLOBAL-04"}},
		{"three decimals of a rate", func(g *events.GlobalTax) { g.Rate = dec("3.125") },
			[]string{"global_taxes[0].rate AR-GLOBAL-04"}},
		{"a negative base", func(g *events.GlobalTax) { g.BaseAmount, g.Rate = dec("-1"), dec("0") },
			[]string{"global_taxes[0].base_amount AR-GLOBAL-04"}},
		{"an amount that its rate does not explain", func(g *events.GlobalTax) { g.Amount = dec("30.02") },
			[]string{"global_taxes[0].amount AR-GLOBAL-06"}},
		{"parts of a cent", func(g *events.GlobalTax) { g.Amount = dec("30.001") },
			[]string{"global_taxes[0].amount AR-LIMIT-04", "totals.total AR-LIMIT-04"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			d, g := product("FCA"), valid
			c.change(&g)
			d.GlobalTaxes = []events.GlobalTax{g}
			recalculate(&d, ar.PerRate)
			_, vs := check(d)
			countrytest.MustRefuse(t, vs, c.want...)
		})
	}
	t.Run("a tax of nothing is left out", func(t *testing.T) {
		d := product("FCA")
		d.GlobalTaxes = []events.GlobalTax{{Type: "iibb"}}
		_, vs := check(d)
		countrytest.MustRefuse(t, vs, "global_taxes[0].amount AR-GLOBAL-04")
	})
	t.Run("an FCE describes every tributo", func(t *testing.T) {
		kind, _ := ar.Rules{}.DocumentType("FMA")
		d, _ := example(kind)
		d.GlobalTaxes = []events.GlobalTax{{Type: "iibb", Amount: dec("1")}}
		recalculate(&d, ar.PerRate)
		_, vs := check(d)
		countrytest.MustRefuse(t, vs, "global_taxes[0].description AR-GLOBAL-03")
	})
	t.Run("no categorizado in class B needs its perception", func(t *testing.T) {
		d := consumer()
		d.Recipient = events.Party{LegalName: "Sin categoría", DocumentType: "CUIT", DocumentNumber: "23000000000",
			TaxCondition: "no_categorizado"}
		_, vs := check(d)
		countrytest.MustRefuse(t, vs, "global_taxes AR-GLOBAL-05")
		d.GlobalTaxes = []events.GlobalTax{{Type: "13", Rate: dec("10.5"), BaseAmount: dec("1000"), Amount: dec("105")}}
		recalculate(&d, ar.PerRate)
		mustAccept(t, d)
	})
	t.Run("the manual's invoice of 184.05", func(t *testing.T) {
		d := product("FCA")
		d.Items = []events.Item{item("1", "100", "0", "iva21"), item("1", "50", "0", "iva105")}
		d.GlobalTaxes = []events.GlobalTax{{Type: "other", Description: "Impuesto Municipal Matanza", BaseAmount: dec("150"),
			Rate: dec("5.2"), Amount: dec("7.80")}}
		recalculate(&d, ar.PerRate)
		d.Totals.Taxes = append(d.Totals.Taxes, row("other", "150", "7.80")) // repeating it is allowed, it counts once
		got := mustAccept(t, d).Taxes.Amounts
		want := events.AppliedAmounts{Net: dec("150.00"), Untaxed: dec("0.00"), Exempt: dec("0.00"), Tax: dec("26.25"),
			Other: dec("7.80"), Total: dec("184.05")}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("told %v, want %v", got, want)
		}
	})
}

func TestReferences(t *testing.T) {
	ref := func(kind string, number int64) events.Reference {
		return events.Reference{Type: kind, BranchOffice: 1, Number: number, Date: "2026-11-20"}
	}
	period := events.Reference{PeriodFrom: "2026-10-01", PeriodTo: "2026-10-31"}
	foreign := ref("FCA", 5)
	foreign.DocumentNumber = recipientCUIT
	undated := ref("FMA", 5)
	undated.Date = ""
	late := ref("FCA", 5)
	late.Date = "2026-11-28"
	for _, c := range []struct {
		name, kind string
		refs       []events.Reference
		want       []string
	}{
		{"a note that names its invoice", "NCA", []events.Reference{ref("FCA", 5)}, nil},
		{"a note that names it by official code", "NCA", []events.Reference{ref("001", 5)}, nil},
		{"a note that names a paper that Folio does not issue", "NCA", []events.Reference{ref("991", 5)}, nil},
		{"a note over a period", "NDB", []events.Reference{period}, nil},
		{"a note over two documents", "NCB", []events.Reference{ref("FCB", 5), ref("NDB", 5)}, nil},
		{"an invoice that names its remito", "FCA", []events.Reference{ref("91", 5)},
			[]string{"billing_reference[0].type AR-REFERENCE-02"}},
		{"an FCE that names its remito", "FMA", []events.Reference{ref("91", 5)}, nil},
		{"a note that names nothing", "NCA", nil, []string{"billing_reference AR-REFERENCE-01"}},
		{"a class A note on a class B invoice", "NCA", []events.Reference{ref("FCB", 5)},
			[]string{"billing_reference[0].type AR-REFERENCE-02"}},
		{"an ordinary note on an FCE", "NCA", []events.Reference{ref("FMA", 5)},
			[]string{"billing_reference[0].type AR-REFERENCE-02"}},
		{"a note on an unknown type", "NCA", []events.Reference{ref("bill", 5)},
			[]string{"billing_reference[0].type AR-REFERENCE-02"}},
		{"a note on nobody's point of sale and number", "NCA", []events.Reference{{Type: "FCA"}},
			[]string{"billing_reference[0].branch_office AR-REFERENCE-03", "billing_reference[0].number AR-REFERENCE-03"}},
		{"a note on the last number that ARCA takes", "NCA", []events.Reference{ref("FCA", 99_999_998)}, nil},
		{"a note on one more", "NCA", []events.Reference{ref("FCA", 99_999_999)},
			[]string{"billing_reference[0].number AR-REFERENCE-03"}},
		{"a note on somebody else's invoice", "NCA", []events.Reference{foreign},
			[]string{"billing_reference[0].document_number AR-REFERENCE-04"}},
		{"an FCE note without the date (known-faults 89)", "CMA", []events.Reference{undated},
			[]string{"billing_reference[0].date AR-REFERENCE-05"}},
		{"an FCE note of a credit note alone", "DMA", []events.Reference{ref("CMA", 5)},
			[]string{"billing_reference AR-REFERENCE-10"}},
		{"and of its invoice", "DMA", []events.Reference{ref("FMA", 5), ref("CMA", 5)}, nil},
		{"an FCE note of two invoices", "CMA", []events.Reference{ref("FMA", 5), ref("FMA", 6)},
			[]string{"billing_reference AR-REFERENCE-10"}},
		{"an FCE note of an invoice of another class", "CMA", []events.Reference{ref("FMB", 5)},
			[]string{"billing_reference[0].type AR-REFERENCE-02"}},
		{"a note on a later document", "NCA", []events.Reference{late},
			[]string{"billing_reference[0].date AR-REFERENCE-05"}},
		{"the same document twice", "NCA", []events.Reference{ref("FCA", 5), ref("1", 5)},
			[]string{"billing_reference[1].number AR-REFERENCE-06"}},
		{"documents and a period", "NCA", []events.Reference{ref("FCA", 5), period},
			[]string{"billing_reference AR-REFERENCE-07"}},
		{"two periods", "NCA", []events.Reference{period, period}, []string{"billing_reference AR-REFERENCE-07"}},
		{"an invoice over a period", "FCA", []events.Reference{period},
			[]string{"billing_reference[0].period_from AR-REFERENCE-08"}},
		{"an FCE note over a period", "CMA", []events.Reference{period},
			[]string{"billing_reference[0].period_from AR-REFERENCE-08"}},
		{"half a period", "NCA", []events.Reference{{PeriodFrom: "2026-10-01"}},
			[]string{"billing_reference[0].period_from AR-REFERENCE-09"}},
		{"a period backwards", "NCA", []events.Reference{{PeriodFrom: "2026-10-31", PeriodTo: "2026-10-01"}},
			[]string{"billing_reference[0].period_to AR-REFERENCE-09"}},
		{"a period of the future", "NCA", []events.Reference{{PeriodFrom: "2026-10-01", PeriodTo: "2026-12-31"}},
			[]string{"billing_reference[0].period_to AR-REFERENCE-09"}},
		{"a period of 2006-01-01", "NCA", []events.Reference{{PeriodFrom: "2006-01-01", PeriodTo: "2006-01-31"}},
			[]string{"billing_reference[0].period_from AR-REFERENCE-09"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			kind, _ := ar.Rules{}.DocumentType(c.kind)
			d, who := example(kind)
			d.BillingReference = c.refs
			_, vs := ar.Rules{}.Check(d, who, now, country.Config{})
			countrytest.MustRefuse(t, vs, c.want...)
		})
	}
	t.Run("codes and the CUIT are filled in", func(t *testing.T) {
		d := product("NCA")
		d.BillingReference = []events.Reference{ref("fca", 5)}
		got := mustAccept(t, d).Document.BillingReference[0]
		if got.Type != "FCA" || got.OfficialCode != 1 || got.DocumentNumber != issuerCUIT {
			t.Errorf("filled to %+v", got)
		}
	})
}

// Receipts and invoices of class C may name nothing, so that there is no list to choose from.
func TestWhatNamesNoOtherDocumentIsToldSo(t *testing.T) {
	for _, name := range []string{"RCA", "RCB", "RCC", "RCM", "FCC"} {
		kind, _ := ar.Rules{}.DocumentType(name)
		d, who := example(kind)
		d.BillingReference = []events.Reference{{Type: "88", BranchOffice: 1, Number: 5}}
		_, vs := ar.Rules{}.Check(d, who, now, country.Config{})
		countrytest.MustRefuse(t, vs, "billing_reference[0].type AR-REFERENCE-02")
		if !strings.HasSuffix(vs[0].Message, "leave billing_reference out") {
			t.Errorf("%s is told %q", name, vs[0].Message)
		}
	}
}

func TestListsAreBounded(t *testing.T) {
	d := product("FCA")
	for range 51 {
		d.GlobalTaxes = append(d.GlobalTaxes, events.GlobalTax{Type: "iibb", Amount: dec("1")})
		d.Totals.Taxes = append(d.Totals.Taxes, row("iibb", "0", "1"))
		d.BillingReference = append(d.BillingReference, events.Reference{})
	}
	_, vs := check(d)
	countrytest.MustRefuse(t, vs, "global_taxes AR-GLOBAL-01", "totals.taxes AR-TOTAL-12",
		"billing_reference AR-REFERENCE-01")
}
