package dgi_test

import (
	"testing"

	"folio/country"
	"folio/country/countrytest"
	"folio/country/figures"
	"folio/country/uy"
	"folio/events"
	"folio/money"
)

// document is one of this kind with one line, checked; i makes it another. E-Tickets are
// below the threshold: they are reported daily.
func document(t testing.TB, kind string, i int) country.Checked {
	t.Helper()
	k, ok := uy.Rules{}.DocumentType(kind)
	if !ok {
		t.Fatal(kind)
	}
	d := events.Document{
		Type: kind, Date: "2026-11-27 10:00:00", Observations: "Gracias",
		Issuer: events.Party{LegalName: company.Profile.LegalName, DocumentType: "RUT", DocumentNumber: issuerRUC},
		Recipient: events.Party{LegalName: "Peñarol <Hnos> & Cía S.R.L.", DocumentType: "RUT", DocumentNumber: recipientRUC,
			Address: events.Address{Country: "UY", Region: "UY-MO", Address: "Av. Italia 567"}},
		Currency: events.Currency{Code: "UYU", Rate: dec("1")},
		Items: []events.Item{{Quantity: dec("2"), UnitOfMeasure: "u", UnitPrice: money.FromInt(int64(1000 + i)),
			Description: "Taladro 1/2\" \"Ñuñoa\" & más",
			Taxes:       []events.ItemTax{{Type: "iva22"}}}},
		HeaderInfo: []byte(`{"recipient":{"city":"Montevideo"}}`),
	}
	switch {
	case uy.IsTicket(k.Code):
		d.Recipient, d.HeaderInfo = events.Party{}, nil
	case k.Code == 181:
		d.HeaderInfo, d.Items[0].Taxes, d.Items[0].UnitPrice = []byte(
			`{"transfer_type":1,"recipient":{"city":"Montevideo","department":"Montevideo"}}`), nil, money.Zero
	case uy.IsExport(k.Code):
		d.Currency = events.Currency{Code: "USD", Rate: dec("40.125")}
		d.Recipient = events.Party{LegalName: "Acme Inc.", DocumentType: "OTRO", DocumentNumber: "US-123",
			Address: events.Address{Country: "US", Address: "1 Main St"}}
		d.Items[0].Taxes = nil
		d.HeaderInfo, d.ExportInfo = []byte(`{"recipient":{"city":"Boston","department":"Massachusetts"}}`),
			[]byte(`{"sale_clause":"FOB","sale_mode":1,"transport_route":1}`)
		if k.Code == 124 {
			d.HeaderInfo = []byte(`{"transfer_type":1,"recipient":{"city":"Boston","department":"Massachusetts"}}`)
		}
	}
	if k.Class == country.CreditNote || k.Class == country.DebitNote {
		invoiced, _ := uy.Rules{}.DocumentType(map[bool]string{true: "TIC",
			false: map[bool]string{true: "EFX", false: "EFA"}[uy.IsExport(k.Code)]}[uy.IsTicket(k.Code)])
		d.BillingReference = []events.Reference{{Type: invoiced.InvoiceType, Series: "A", Number: 60, Date: "2026-11-20"}}
	}
	var err error
	if d.Items, d.Totals, err = uy.Calculate(kind, false, d.Items, money.Zero); err != nil {
		t.Fatal(err)
	}
	checked, wrong := uy.Rules{}.Check(d, company, noon, countrytest.Figures("UY", figures.UnitValue, "2026-01-01", "6.3"))
	if len(wrong) > 0 {
		t.Fatalf("%s: %v", kind, wrong)
	}
	return checked
}
