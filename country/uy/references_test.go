package uy_test

import (
	"slices"
	"strings"
	"testing"

	"folio/country"
	"folio/country/uy"
	"folio/events"
)

// inDollars gives the reference of an export's note this rate, in dollars if not said.
func inDollars(rate string, code ...string) func(*events.Document) {
	return func(d *events.Document) {
		r := &d.BillingReference[0]
		r.Currency, r.Rate = append(code, "USD")[0], ptr(dec(rate))
	}
}

func reasoned(why string, r events.Reference) func(*events.Document) {
	return func(d *events.Document) {
		d.BillingReference = []events.Reference{r}
		d.HeaderInfo = []byte(`{"period_reason":"` + why + `","recipient":{"city":"Pando"}}`)
	}
}

// DGI is told of each named document how much of it changes, its currency and its rate
// (CFE25 F-C8 to F-C10), and of a period why its documents cannot be named.
func TestWhatANoteTellsOfWhatItNames(t *testing.T) {
	for _, c := range []struct {
		name, kind string
		change     func(*events.Document)
		want       string
	}{
		{"not ours, in dollars", "NCX", inDollars("39.5"),
			"<MntCFEref>31.65</MntCFEref><TpoMonedaRef>USD</TpoMonedaRef><TpoCambioRef>39.500</TpoCambioRef>"},
		{"not ours, in pesos", "NCF", func(*events.Document) {},
			"<MntCFEref>2440.00</MntCFEref><TpoMonedaRef>UYU</TpoMonedaRef></Referencia>"},
		{"its amount", "NCF", func(d *events.Document) { d.BillingReference[0].Amount = ptr(dec("12.5")) },
			"<MntCFEref>12.50</MntCFEref>"},
		{"at most its total", "NDF", func(d *events.Document) { d.BillingReference[0].Total = ptr(dec("100")) },
			"<MntCFEref>100.00</MntCFEref>"},
		{"a period", "NCF", reasoned("Liquidación Res. 545/2025",
			events.Reference{PeriodFrom: "2026-10-01", PeriodTo: "2026-10-31"}),
			"<IndGlobal>1</IndGlobal><RazonRef>Período 2026-10-01 a 2026-10-31: Liquidación Res. " +
				"545/2025</RazonRef></Referencia>"},
	} {
		d := document(c.kind)
		c.change(&d)
		checked := mustAccept(t, d)
		cae := uy.CAE{RUC: issuerRUT, Type: checked.Document.OfficialCode, Series: "A", From: 1, To: 9}
		out, err := uy.CFE(country.Issued{Document: checked.Document, Taxes: checked.Taxes, Profile: company.Profile,
			Number: 1},
			cae, now)
		if reason := "Liquidación Res. 545/2025"; strings.Contains(c.want, reason) {
			notes := uy.Rules{}.Form(country.Issued{Document: checked.Document, Profile: company.Profile, Taxes: checked.Taxes,
				Number: 1}).Notes
			if want := "Referencia 1: comprobantes del 01/10/2026 al 31/10/2026: " + reason +
				"."; !slices.Contains(notes, want) {
				t.Errorf("no %q is printed: %q", want, notes)
			}
		}
		if err != nil || !strings.Contains(string(out), c.want) {
			t.Errorf("%s: no %s in %s, %v", c.name, c.want, out, err)
		}
	}
}

func TestReferences(t *testing.T) {
	name := func(refs ...events.Reference) func(*events.Document) {
		return func(d *events.Document) { d.BillingReference = refs }
	}
	invoice := events.Reference{Type: "EFA", Series: "A", Number: 60, Date: "2026-11-20"}
	with := func(change func(*events.Reference)) func(*events.Document) {
		r := invoice
		change(&r)
		return name(r)
	}
	mustRefuseAll(t, []refusal{
		{"a note that names nothing", "NCF", name(), []string{"billing_reference UY-REFERENCE-01"}},
		{"a note without a reason", "NCF", name(invoice), nil},
		{"a note without a date of what it corrects", "NCF", with(func(r *events.Reference) { r.Date = "" }), nil},
		{"the official code", "NCF", with(func(r *events.Reference) { r.Type = "111" }), nil},
		{"a contingency copy", "NCF", with(func(r *events.Reference) { r.Type = "211" }), nil},
		{"an e-Factura that names a remito", "EFA", with(func(r *events.Reference) { r.Type = "REM" }), nil},
		{"an e-Factura that gives a reason", "EFA", with(func(r *events.Reference) { r.ReasonCode = "1" }),
			[]string{"billing_reference[0].reason_code UY-REFERENCE-05"}},
		{"an unknown document", "NCF", with(func(r *events.Reference) { r.Type = "801" }),
			[]string{"billing_reference[0].type UY-REFERENCE-03"}},
		{"no series", "NCF", with(func(r *events.Reference) { r.Series = "" }),
			[]string{"billing_reference[0].series UY-REFERENCE-04"}},
		{"a series of three letters", "NCF", with(func(r *events.Reference) { r.Series = "ABC" }),
			[]string{"billing_reference[0].series UY-REFERENCE-04"}},
		{"a digit and a letter", "NCF", with(func(r *events.Reference) { r.Series = "1A" }), nil},
		{"a letter and a digit", "NCF", with(func(r *events.Reference) { r.Series = "A1" }),
			[]string{"billing_reference[0].series UY-REFERENCE-04"}},
		{"no number", "NCF", with(func(r *events.Reference) { r.Number = 0 }),
			[]string{"billing_reference[0].number UY-REFERENCE-04"}},
		{"eight digits", "NCF", with(func(r *events.Reference) { r.Number = 10_000_000 }),
			[]string{"billing_reference[0].number UY-REFERENCE-04"}},
		{"later than the note", "NCF", with(func(r *events.Reference) { r.Date = "2026-11-28" }),
			[]string{"billing_reference[0].date UY-REFERENCE-04"}},
		{"an e-Ticket by a note of e-Facturas", "NCF", with(func(r *events.Reference) { r.Type = "TIC" }),
			[]string{"billing_reference[0].type UY-REFERENCE-03"}},
		{"a remito by a note", "NCX", with(func(r *events.Reference) { r.Type = "REX" }),
			[]string{"billing_reference[0].type UY-REFERENCE-03"}},
		{"a debit note that cancels a credit note", "NDF",
			with(func(r *events.Reference) { r.Type, r.ReasonCode = "NCF", country.Cancels }), nil},
		{"a debit note that cancels an e-Factura", "NDF", with(func(r *events.Reference) { r.ReasonCode = country.Cancels }),
			[]string{"billing_reference[0].type UY-REFERENCE-03"}},
		{"a credit note that cancels another", "NCF",
			with(func(r *events.Reference) { r.Type, r.ReasonCode = "NCF", country.Cancels }),
			[]string{"billing_reference[0].type UY-REFERENCE-03"}},
		{"an unknown reason", "NCF", with(func(r *events.Reference) { r.ReasonCode = "4" }),
			[]string{"billing_reference[0].reason_code UY-REFERENCE-05"}},
		{"two reasons", "NCF", name(events.Reference{Type: "EFA", Series: "A", Number: 1, ReasonCode: "1"},
			events.Reference{Type: "EFA", Series: "A", Number: 2, ReasonCode: "3"}),
			[]string{"billing_reference UY-REFERENCE-05"}},
		{"a text for a number", "NCF", name(events.Reference{Type: "EFA", Series: "A", Folio: "60", Date: "2026-11-20"}),
			[]string{"billing_reference[0].number UY-REFERENCE-04"}},
		{"a number as a record shows it", "NCF", name(invoice, events.Reference{Type: "EFA", Series: "A",
			Folio: "0000-00000060"}), []string{"billing_reference[1].number UY-REFERENCE-06"}},
		{"a point of sale", "NCF", name(events.Reference{Type: "EFA", Series: "A", Folio: "0001-00000060"}),
			[]string{"billing_reference[0].number UY-REFERENCE-04"}},
		{"the same document twice", "NCF", name(invoice, invoice), []string{"billing_reference[1].number UY-REFERENCE-06"}},
		{"the same number of another series", "NCF", name(invoice, events.Reference{Type: "111", Series: "B", Number: 60}),
			nil},
		{"another's document", "NCF", with(func(r *events.Reference) { r.DocumentNumber = recipientRUT }),
			[]string{"billing_reference[0].document_number UY-REFERENCE-07"}},
		{"the company's own, in other digits", "NCF", with(func(r *events.Reference) { r.DocumentNumber = "21.711122.0014" }),
			nil},
		{"no RUT", "NCF", with(func(r *events.Reference) { r.DocumentNumber = "1" }),
			[]string{"billing_reference[0].document_number UY-REFERENCE-07"}},
		{"a period", "NCF", name(events.Reference{PeriodFrom: "2026-10-01", PeriodTo: "2026-10-31"}), nil},
		{"half a period", "NCF", name(events.Reference{PeriodFrom: "2026-10-01"}),
			[]string{"billing_reference[0].period_to UY-DATE-02"}},
		{"a period that ends before", "NCF", name(events.Reference{PeriodFrom: "2026-10-01", PeriodTo: "2026-09-30"}),
			[]string{"billing_reference[0].period_to UY-REFERENCE-02"}},
		{"its currency", "NCF", with(func(r *events.Reference) { r.Currency = "uyu" }), nil},
		{"its currency and rate", "NCX", inDollars("40.125"), nil},
		{"another currency than the note's", "NCX", inDollars("40.125", "EUR"),
			[]string{"billing_reference[0].currency.code UY-REFERENCE-08"}},
		{"a currency of nowhere", "NCX", inDollars("40.125", "XXX"),
			[]string{"billing_reference[0].currency.code UY-REFERENCE-08"}},
		{"a rate of four decimals", "NCX", inDollars("40.1255"),
			[]string{"billing_reference[0].currency.exchange_rate UY-REFERENCE-08"}},
		{"a rate of nothing", "NCX", inDollars("0"), []string{"billing_reference[0].currency.exchange_rate UY-REFERENCE-08"}},
		{"pesos at a rate", "NCF", with(func(r *events.Reference) { r.Currency, r.Rate = "UYU", ptr(dec("2")) }),
			[]string{"billing_reference[0].currency.exchange_rate UY-REFERENCE-08"}},
		{"a currency in what is no note", "EFA", with(func(r *events.Reference) { r.Type, r.Currency = "REM", "UYU" }),
			[]string{"billing_reference[0].currency UY-REFERENCE-08"}},
		{"a period with a currency", "NCF", name(events.Reference{PeriodFrom: "2026-10-01", PeriodTo: "2026-10-31",
			Currency: "UYU"}), []string{"billing_reference[0].currency UY-REFERENCE-08"}},
		{"a period with its reason", "NCF", reasoned("Liquidación Res. 545/2025",
			events.Reference{PeriodFrom: "2026-10-01", PeriodTo: "2026-10-31"}), nil},
		{"a reason of 56 characters", "NCF", reasoned(strings.Repeat("x", 56),
			events.Reference{PeriodFrom: "2026-10-01", PeriodTo: "2026-10-31"}),
			[]string{"additional_header_info.period_reason UY-LIMIT-01"}},
		{"the reason of a period that is not named", "NCF", reasoned("x", invoice),
			[]string{"additional_header_info.period_reason UY-HEADER-06"}},
		{"41 documents", "NCF", func(d *events.Document) {
			d.BillingReference = nil
			for n := range int64(41) {
				d.BillingReference = append(d.BillingReference, events.Reference{Type: "EFA", Series: "A", Number: n + 1})
			}
		}, []string{"billing_reference UY-REFERENCE-01"}},
	})
}

func TestReferencesBecomeCanonical(t *testing.T) {
	d := document("NCF")
	d.BillingReference = []events.Reference{{OfficialCode: 111, Series: "A", Number: 7, BranchOffice: 3},
		{Type: "211", Series: "B", Number: 8}}
	got := mustAccept(t, d).Document.BillingReference
	want := []events.Reference{{Type: "EFA", OfficialCode: 111, Series: "A", Number: 7, DocumentNumber: issuerRUT},
		{Type: "211", OfficialCode: 211, Series: "B", Number: 8, DocumentNumber: issuerRUT}}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("%+v, want %+v", got[i], want[i])
		}
	}
}
