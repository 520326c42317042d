package uy_test

import (
	"strconv"
	"testing"
	"time"

	"folio/country"
	"folio/country/countrytest"
	"folio/country/figures"
	"folio/country/uy"
	"folio/events"
	"folio/fault"
	"folio/money"
)

const (
	issuerRUT    = "217111220014"
	recipientRUT = "214844360018"
)

// now is noon of a Friday in Uruguay.
var now = time.Date(2026, 11, 27, 15, 0, 0, 0, time.UTC)

// unitValues make 5,000 UI 30,000 pesos for the documents of 2026.
var unitValues = countrytest.Figures("UY", figures.UnitValue, "2021-01-01", "4", "2022-01-01", "5", "2025-01-01", "5.5",
	"2026-01-01", "6")

var company = country.Issuer{TaxIdentifier: issuerRUT,
	Profile: events.IssuerProfile{LegalName: "Almacén Ñandú de Prueba S.A.", TaxIdentifier: issuerRUT,
		Address: events.Address{Country: "UY", Region: "UY-MO", Address: "Avda. 18 de Julio 1234, of. 56",
			Phone: "+598 2 345 6789"}},
	Fields: map[string]string{uy.FieldBranchCode: "1", uy.FieldCity: "Montevideo", uy.FieldDepartment: "Montevideo",
		uy.FieldResolution: "4055/2024",
		uy.FieldTradeName:  "Ñandú", uy.FieldGiro: "Venta al por menor", uy.FieldEmail: "ventas@example.com"}}

func dec(s string) money.Decimal { return money.MustParse(s) }

var (
	item = countrytest.Item
	one  = countrytest.One
)

// calculated fills in what follows from the items.
func calculated(d events.Document, whole string) events.Document {
	h, _ := uy.ParseHeader(d.HeaderInfo)
	items, totals, err := uy.Calculate(d.Type, h.GrossPrices, d.Items, dec(whole))
	if err != nil {
		panic(err)
	}
	d.Items, d.Totals = items, totals
	return d
}

// document is one of this kind with one line, as a caller writes it.
func document(kind string) events.Document {
	t, ok := uy.Rules{}.DocumentType(kind)
	if !ok {
		panic(kind)
	}
	d := events.Document{
		Type: kind, Date: "2026-11-27 10:00:00",
		Issuer: events.Party{LegalName: "Almacén Ñandú", DocumentType: "RUT", DocumentNumber: issuerRUT},
		Recipient: events.Party{LegalName: "Dirección & Cía", DocumentType: "RUT", DocumentNumber: "21 484436 0018",
			Address: events.Address{Country: "UY", Region: "UY-CA", Address: "Ruta 8 km 20"}},
		Currency:   events.Currency{Code: "UYU", Rate: dec("1")},
		Items:      one("2", "1000", "0", "iva22"),
		HeaderInfo: []byte(`{"recipient":{"city":"Pando"}}`),
	}
	switch {
	case uy.IsTicket(t.Code):
		d.Recipient, d.HeaderInfo = events.Party{}, nil
	case uy.IsExport(t.Code):
		d.Currency = events.Currency{Code: "USD", Rate: dec("40.125")}
		d.Recipient = events.Party{LegalName: "Acme Inc.", DocumentType: "NIFE", DocumentNumber: "US-123",
			Address: events.Address{Country: "US", Address: "1 Main St"}}
		d.Items, d.HeaderInfo = one("3", "10.55", "0", "exempt"),
			[]byte(`{"recipient":{"city":"Springfield","department":"Oregon"}}`)
		d.ExportInfo = []byte(`{"sale_clause":"FOB","sale_mode":1,"transport_route":1}`)
	}
	switch {
	case t.Code == 181:
		d.Items, d.HeaderInfo = one("2", "0", "0"), []byte(`{"transfer_type":2,"recipient":{"city":"Pando"}}`)
	case t.Code == 124:
		d.HeaderInfo = []byte(`{"transfer_type":1,"recipient":{"city":"Springfield","department":"Oregon"}}`)
	case t.Class == country.CreditNote, t.Class == country.DebitNote:
		first := t.Code/10*10 + 1
		named, _ := uy.Rules{}.DocumentType(strconv.Itoa(first))
		d.BillingReference = []events.Reference{{Type: named.InvoiceType, Series: "A", Number: 60, Date: "2026-11-20",
			ReasonCode: "3"}}
	}
	return calculated(d, "0")
}

func check(d events.Document) (country.Checked, []fault.Violation) {
	return uy.Rules{}.Check(d, company, now, unitValues)
}

func mustAccept(t *testing.T, d events.Document) country.Checked {
	t.Helper()
	checked, vs := check(d)
	if len(vs) > 0 {
		t.Errorf("refused: %v", vs)
	}
	return checked
}
