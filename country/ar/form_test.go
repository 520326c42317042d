package ar_test

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"folio/country"
	"folio/country/ar"
	"folio/country/countrytest"
	"folio/events"
)

// printed checks and prints a document as issued under a number.
func printed(t *testing.T, d events.Document, who country.Issuer, number int64, sandbox bool) country.Form {
	t.Helper()
	checked, vs := ar.Rules{}.Check(d, who, now, country.Config{})
	if len(vs) > 0 {
		t.Fatal(vs)
	}
	i := issued(checked, number)
	i.Profile, i.Sandbox = who.Profile, sandbox
	return ar.Rules{}.Form(i)
}

func TestPrintedForms(t *testing.T) {
	countrytest.GoldenForm(t, "class_a_services", printed(t, sample(t), company, 1, false))

	b := consumer()
	b.BranchOffice = 12345
	b.Items = []events.Item{item("3", "826.446281", "0", "iva21"), item("1", "100", "10", "iva105"),
		item("1", "250.50", "0", "exempt")}
	b.GlobalTaxes = []events.GlobalTax{
		{Type: "internal", Rate: dec("2"), BaseAmount: dec("1000"), Amount: dec("20")},
		{Type: "perc_iibb", Description: "Percepción IIBB CABA", Rate: dec("3"), BaseAmount: dec("1000"), Amount: dec("30")}}
	recalculate(&b, ar.PerLine)
	countrytest.GoldenForm(t, "class_b_consumer_sandbox", printed(t, b, company, 42, true))

	c, mono := simple()
	c.Items[0].Discount = dec("50")
	recalculate(&c, ar.PerRate)
	countrytest.GoldenForm(t, "class_c", printed(t, c, mono, 7, false))

	kind, _ := ar.Rules{}.DocumentType("FMA")
	fce, _ := example(kind)
	fce.Currency = events.Currency{Code: "USD", Rate: dec("1450.5")}
	fce.Recipient.TaxCondition = "monotributo"
	countrytest.GoldenForm(t, "fce_a_dollars", printed(t, fce, company, 128, false))

	note := product("NCM")
	note.BillingReference = []events.Reference{{Type: "FCM", BranchOffice: 1, Number: 5, Date: "2026-11-20"},
		{Type: "991", BranchOffice: 2, Number: 33}}
	countrytest.GoldenForm(t, "credit_note_with_retention", printed(t, note, company, 3, false))
}

// A voucher of a contingency has the word CAEA where others have CAE, its 14 digits, and the last
// day of its fortnight for an end. No legend of a contingency is known.
func TestPrintedFormUnderACAEA(t *testing.T) {
	checked, vs := ar.Rules{}.Check(consumer(), company, now, country.Config{})
	if len(vs) > 0 {
		t.Fatal(vs)
	}
	i := issued(checked, 12)
	i.Profile, i.BranchOffice = company.Profile, 9
	i.Authorization = events.Authorization{Type: "CAEA", Code: "36482345678901", ExpiresOn: "2026-11-30",
		Date: "2026-11-27"}
	f := ar.Rules{}.Form(i)
	countrytest.GoldenForm(t, "class_b_caea", f)
	want := []country.Label{{Caption: "CAEA N.º", Value: "36482345678901", Strong: true},
		{Caption: "Fecha de vto. de CAEA", Value: "30/11/2026", Strong: true}}
	if !slices.Equal(f.Authorization, want) {
		t.Errorf("%+v", f.Authorization)
	}
	if got := decodeQR(t, ar.Rules{}.QR(i)); !strings.Contains(got, `"tipoCodAut":"A","codAut":36482345678901`) {
		t.Errorf("the code holds %s", got)
	}
}

func TestWhatTheFormShowsWhen(t *testing.T) {
	period := product("NDA")
	period.BillingReference = []events.Reference{{PeriodFrom: "2026-10-01", PeriodTo: "2026-10-31"}}
	if f := printed(t, period, company, 1, false); !slices.Contains(f.Notes,
		"Período asociado: 01/10/2026 al 31/10/2026.") {
		t.Errorf("notes %q", f.Notes)
	}
	informed := product("FCA")
	informed.HeaderInfo = []byte(`{` + cbu + `}`)
	if f := printed(t, informed, company, 1, false); !slices.Contains(f.Legends,
		"PAGO EN CBU INFORMADA: 0170099220000012345678") {
		t.Errorf("legends %q", f.Legends)
	}
	fceNote, _ := ar.Rules{}.DocumentType("CMA")
	d, who := example(fceNote)
	if f := printed(t, d, who, 1, false); !slices.Contains(f.Legends, "Comprobante de anulación: NO.") ||
		f.Heading != "NOTA DE CRÉDITO ELECTRÓNICA MiPyMEs (FCE)" {
		t.Errorf("heading %q, legends %q", f.Heading, f.Legends)
	}
	receipt := printed(t, product("RCA"), country.Issuer{TaxIdentifier: issuerCUIT}, 1, false)
	if receipt.Heading != "RECIBO" || receipt.LetterCode != "COD. 04" || receipt.IssuerName != "Molinos del Plata S.A." {
		t.Errorf("%s %s by %q", receipt.Heading, receipt.LetterCode, receipt.IssuerName)
	}
	if !slices.ContainsFunc(receipt.IssuerLines,
		func(l country.Label) bool { return l.Value == "IVA RESPONSABLE INSCRIPTO" }) {
		t.Errorf("without profile class A still says who issues it: %v", receipt.IssuerLines)
	}
}

// Class B shows what the consumer pays: the lines come to the subtotal, and what a
// discount on the whole takes off is told apart.
func TestClassBWithADiscountOnTheWhole(t *testing.T) {
	d := consumer()
	d.Items = []events.Item{item("2", "100", "0", "iva21"), item("1", "100", "0", "iva105")}
	items, totals, err := ar.Calculate(d.Items, nil, dec("30"), ar.PerRate)
	if err != nil {
		t.Fatal(err)
	}
	d.Items, d.Totals = items, totals
	f := printed(t, d, company, 1, false)
	want := []country.Label{{Caption: "Subtotal", Value: "$ 352,50"}, {Caption: "Descuento general", Value: "-$ 35,25"},
		{Caption: "Importe total", Value: "$ 317,25", Strong: true}}
	if !slices.Equal(f.Totals, want) {
		t.Errorf("totals %v", f.Totals)
	}
	if len(f.Columns) != 6 || f.Rows[0][3] != "121,00" || f.Rows[0][5] != "242,00" || f.Breakdown != nil {
		t.Errorf("rows %v", f.Rows)
	}
	if f.Transparency == nil || f.Transparency.Lines[0].Value != "$ 47,25" {
		t.Errorf("the VAT contained is %v", f.Transparency)
	}
}

func TestAFormIsTheSameEachTime(t *testing.T) {
	d := sample(t)
	one, two := printed(t, d, company, 1, true), printed(t, d, company, 1, true)
	a, _ := json.Marshal(one)
	b, _ := json.Marshal(two)
	if !bytes.Equal(a, b) || !strings.Contains(string(a), "SIN VALOR FISCAL") {
		t.Error("two prints differ, or the sandbox does not say so")
	}
}

func TestTheEmptyDocumentDoesNotPanic(t *testing.T) {
	if f := (ar.Rules{}).Form(country.Issued{}); f.Letter != "" || f.LetterCode != "COD. 00" {
		t.Errorf("%q %q", f.Letter, f.LetterCode)
	}
}
