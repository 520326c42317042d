package ar_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"folio/country"
	"folio/country/ar"
	"folio/country/countrytest"
	"folio/events"
)

// A tax is right when its difference, rounded half to even to cents, is 0.01 at most.
func TestTheMarginOfATax(t *testing.T) {
	three := func(tax, row, total string) events.Document {
		d := product("FCA")
		d.Items = nil
		for range 3 {
			i := item("1", "10.55", "0", "iva21")
			i.Taxes[0].Rate, i.Taxes[0].Amount = dec("21"), dec(tax)
			d.Items = append(d.Items, i)
		}
		d.Totals = events.Totals{SubTotal: dec("31.65"), Total: dec(total), Taxes: []events.TotalTax{
			{Type: "iva21", BaseAmount: dec("31.65"), Amount: dec(row)}}}
		return d
	}
	for _, c := range []struct {
		tax, row, total string
		want            []string
	}{
		{"2.22", "6.66", "38.31", nil}, // 2.2155 and 6.6465 are due
		{"2.22", "6.65", "38.30", nil},
		{"2.21", "6.63", "38.28", []string{"totals.taxes[0].amount AR-TOTAL-07"}},
		{"2.22", "6.67", "38.32", []string{"totals.taxes[0].amount AR-TOTAL-07"}},
		{"2.23", "6.66", "38.31", nil}, // 0.0145 rounds to 0.01
		{"2.24", "6.66", "38.31", []string{"items[0].taxes[0].amount AR-TAX-05", "items[1].taxes[0].amount AR-TAX-05",
			"items[2].taxes[0].amount AR-TAX-05"}},
	} {
		_, vs := check(three(c.tax, c.row, c.total))
		countrytest.MustRefuse(t, vs, c.want...)
		for _, v := range vs {
			if strings.Contains(v.Message, "is "+c.tax) || strings.Contains(v.Message, "is 6.66,") {
				t.Errorf("the message contradicts itself: %s", v.Message)
			}
		}
	}
	half := product("FCA") // 10.5 % of 0.50 is 0.0525; 0.04 and 0.06 are 0.0125 and 0.0075 away
	half.Items = []events.Item{item("1", "0.50", "0", "iva105")}
	recalculate(&half, ar.PerRate)
	for tax, want := range map[string][]string{"0.04": nil, "0.06": nil, "0.07": {"items[0].taxes[0].amount AR-TAX-05"}} {
		half.Items[0].Taxes[0].Amount = dec(tax)
		_, vs := check(half)
		countrytest.MustRefuse(t, vs, want...)
	}
}

func TestAReferenceTakesANumberAsItIsPrinted(t *testing.T) {
	for _, c := range []struct {
		ref    events.Reference
		office int
		want   []string
	}{
		{events.Reference{Type: "FCA", Folio: "0003-00000017", Date: "2026-11-20"}, 3, nil},
		{events.Reference{Type: "FCA", Folio: "12345-00000017", Date: "2026-11-20"}, 12345, nil},
		{events.Reference{Type: "FCA", BranchOffice: 3, Folio: "00000017", Date: "2026-11-20"}, 3, nil},
		{events.Reference{Type: "FCA", BranchOffice: 3, Folio: "0003-00000017", Date: "2026-11-20"}, 3, nil},
		{events.Reference{Type: "FCA", BranchOffice: 4, Folio: "0003-00000017"}, 0,
			[]string{"billing_reference[0].branch_office AR-REFERENCE-03"}},
		{events.Reference{Type: "FCA", BranchOffice: 4, Folio: "17-A"}, 0,
			[]string{"billing_reference[0].number AR-REFERENCE-03"}},
		{events.Reference{Type: "FCA", Folio: "-17"}, 0,
			[]string{"billing_reference[0].branch_office AR-REFERENCE-03", "billing_reference[0].number AR-REFERENCE-03"}},
	} {
		d := product("NCA")
		d.BillingReference = []events.Reference{c.ref}
		checked, vs := check(d)
		countrytest.MustRefuse(t, vs, c.want...)
		if c.want == nil {
			if got := checked.Document.BillingReference[0]; got.BranchOffice != c.office || got.Number != 17 || got.Folio != "" {
				t.Errorf("%+v became %+v", c.ref, got)
			}
		}
		for _, v := range vs { // what a message tells to write can be written
			if _, advice, found := strings.Cut(v.Message, "such as "); found && !json.Valid([]byte("{"+advice+"}")) {
				t.Errorf("no JSON: %s", advice)
			}
		}
	}
	d := product("FCA")
	d.BillingReference = []events.Reference{{Type: "FCA", BranchOffice: 1, Number: 5}}
	_, vs := check(d)
	if len(vs) != 1 || !strings.Contains(vs[0].Message, "the official codes 88, 991") {
		t.Errorf("%v", vs)
	}
}

// Class A and B say the condition, the profile says that of class C, and of an export
// nothing is printed that nobody gave.
func TestTheConditionThatIsPrinted(t *testing.T) {
	bare := country.Issuer{TaxIdentifier: issuerCUIT}
	condition := func(kind string, who country.Issuer) string {
		k, _ := ar.Rules{}.DocumentType(kind)
		d, _ := example(k)
		for _, l := range printed(t, d, who, 1, false).IssuerLines {
			if l.Caption == "Condición frente al IVA" {
				return l.Value
			}
		}
		return ""
	}
	_, mono := simple()
	for _, c := range []struct {
		kind string
		who  country.Issuer
		want string
	}{
		{"FCA", bare, "IVA RESPONSABLE INSCRIPTO"}, {"FCB", bare, "IVA RESPONSABLE INSCRIPTO"},
		{"FCM", bare, "IVA RESPONSABLE INSCRIPTO"},
		{"FCC", bare, ""}, {"FCX", bare, ""}, {"FCC", mono, "RESPONSABLE MONOTRIBUTO"},
		{"FCX", mono, "RESPONSABLE MONOTRIBUTO"},
	} {
		if got := condition(c.kind, c.who); got != c.want {
			t.Errorf("%s of %q prints %q", c.kind, c.who.Profile.TaxCondition, got)
		}
	}
	registered := company
	for _, c := range []struct {
		kind string
		who  country.Issuer
		want []string
	}{
		{"FCA", bare, nil}, {"FCM", bare, nil}, {"FCX", bare, nil}, {"FCC", mono, nil},
		{"FCC", bare, []string{"tax_condition"}}, {"CMC", bare, []string{"tax_condition"}},
		{"FCC", registered, []string{"a tax_condition that issues class C (responsable_inscripto does not)"}},
	} {
		e := events.InvoiceCreated{Document: events.Document{Type: c.kind}, Profile: c.who.Profile}
		if got := country.Lacking(ar.Rules{}, e); !slices.Equal(got, c.want) {
			t.Errorf("%s lacks %q", c.kind, got)
		}
	}
}

func TestASaleToAConsumerSaysSoOnce(t *testing.T) {
	for _, c := range []struct {
		party events.Party
		name  string
	}{
		{events.Party{}, "A CONSUMIDOR FINAL"},
		{events.Party{LegalName: "Consumidor Final"}, "A CONSUMIDOR FINAL"},
		{events.Party{LegalName: " a  consumidor final", DocumentType: "99", DocumentNumber: "0"}, "A CONSUMIDOR FINAL"},
		{events.Party{LegalName: "Mostrador", DocumentType: "99"}, "A CONSUMIDOR FINAL Mostrador"},
	} {
		d := consumer()
		d.Recipient = c.party
		f := printed(t, d, company, 1, false)
		text, err := json.Marshal(f.RecipientLines)
		if err != nil || f.RecipientLines[0].Value != c.name ||
			strings.Count(strings.ToUpper(string(text)), "CONSUMIDOR FINAL") != 1 {
			t.Errorf("%+v: %s", c.party, text)
		}
	}
}

func TestWhoAuthorizedWhatHasNoValue(t *testing.T) {
	checked := mustAccept(t, product("FCA"))
	i := issued(checked, 1)
	i.Profile, i.Sandbox = company.Profile, true
	simulator := ar.Rules{}.Form(i)
	i.Authorization.Extra = map[string]string{ar.Ambiente: ar.Homologation}
	homologation := ar.Rules{}.Form(i)
	if !strings.Contains(simulator.Authority, "simulador") || strings.Contains(homologation.Authority, "simulador") ||
		!strings.Contains(homologation.Authority, "homologación de ARCA") || homologation.Watermark != "SIN VALOR FISCAL" {
		t.Errorf("%q, %q", simulator.Authority, homologation.Authority)
	}
}
