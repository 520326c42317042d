package cl_test

import (
	"slices"
	"testing"
	"time"

	"folio/country"
	"folio/country/cl"
	"folio/country/countrytest"
	"folio/country/figures"
	"folio/events"
	"folio/fault"
	"folio/money"
)

const (
	issuerRUT    = "77111222-6"
	recipientRUT = "76192083-9"
)

// noon of a Friday in Chile.
var now = time.Date(2026, 11, 27, 15, 0, 0, 0, time.UTC)

// nobodyIsAsked lets boletas of any amount name nobody.
var nobodyIsAsked = countrytest.Figures("CL", figures.ConsumerThreshold, "2026-01-01", "9999999999999")

var company = country.Issuer{TaxIdentifier: issuerRUT,
	Profile: events.IssuerProfile{LegalName: "Comercial Araucaria de Prueba SpA", TaxIdentifier: issuerRUT,
		Address: events.Address{Country: "CL", Region: "CL-RM", Address: "Av. Libertador Bernardo O'Higgins 1234, of. 56",
			Phone: "+56 2 2345 6789"}},
	Fields: map[string]string{cl.FieldGiro: "Venta al por menor de artículos de ferretería",
		cl.FieldActeco: "475201,466301", cl.FieldComuna: "Santiago",
		cl.FieldCity: "Santiago", cl.FieldResolutionNumber: "80", cl.FieldResolutionDate: "2014-08-22",
		cl.FieldSIIOffice: "Santiago Centro"}}

func dec(s string) money.Decimal { return money.MustParse(s) }

var (
	item = countrytest.Item
	one  = countrytest.One
)

// calculated fills in what follows from the items.
func calculated(d events.Document, whole string) events.Document {
	items, totals, err := cl.Calculate(d.Type, d.Currency.Code, d.Items, dec(whole))
	if err != nil {
		panic(err)
	}
	d.Items, d.Totals = items, totals
	return d
}

// recipient is what SII wants to know of one.
const recipient = `"recipient":{"giro":"Servicios informáticos","comuna":"Providencia","city":"Santiago"}`

// document is one of this kind with one line, as a caller writes it.
func document(kind string) events.Document {
	d := events.Document{
		Type: kind, Date: "2026-11-27 10:00:00",
		Issuer: events.Party{LegalName: "Comercial Araucaria", DocumentType: "RUT", DocumentNumber: "77.111.222-6"},
		Recipient: events.Party{LegalName: "Ñandú & Cía Ltda", DocumentType: "RUT", DocumentNumber: recipientRUT,
			Address: events.Address{Country: "CL", Region: "CL-RM", Address: "Los Leones 567"}},
		Currency:   events.Currency{Code: "CLP", Rate: dec("1")},
		Items:      []events.Item{item("2", "10500", "0", "iva19")},
		HeaderInfo: []byte(`{` + recipient + `}`),
	}
	t, ok := cl.Rules{}.DocumentType(kind)
	if !ok {
		panic(kind)
	}
	exempt := []int{34, 41, 110, 111, 112}
	if slices.Contains(exempt, t.Code) {
		d.Items = []events.Item{item("2", "10500", "0", "exempt")}
	}
	switch t.Code {
	case 39, 41:
		d.Recipient, d.HeaderInfo = events.Party{}, nil
	case 52:
		d.HeaderInfo = []byte(`{"transfer_type":5,"dispatch_type":2,"transport":{"plate":"ABCD12","driver_rut":"12.345.678-5","driver_name":"Juan Pérez","carrier_rut":"76.192.083-9","departure_at":"2026-11-27 14:30:00","address":"Ruta 5 Sur km 20","comuna":"San Bernardo"},` + recipient + `}`)
	case 56, 61:
		d.BillingReference = []events.Reference{{Type: "FAC", Number: 60, Date: "2026-11-20", ReasonCode: "3"}}
	case 110, 111, 112:
		d.Currency = events.Currency{Code: "USD", Rate: dec("945.12")}
		d.Recipient = events.Party{LegalName: "Acme Inc.", DocumentType: "EXTRANJERO", DocumentNumber: "US-123",
			Address: events.Address{Country: "US", Address: "1 Main St"}}
		d.Items, d.HeaderInfo = []events.Item{item("3", "10.55", "0", "exempt")}, nil
		d.ExportInfo = []byte(`{"nationality":"225","sale_mode":1,"sale_clause":5,"clause_total":31.65,"transport_route":4,"port_of_loading":901,"gross_weight":12.5,"gross_weight_unit":6,"total_packages":1,"packages":[{"type":73,"count":1,"container":"CSVU6111863","seal":"10973348","seal_issuer":"CONTENEDOR"}],"freight":2.5,"insurance":1,"recipient_country":225,"destination_country":225}`)
		if t.Code != 110 {
			d.BillingReference = []events.Reference{{Type: "110", Number: 7, Date: "2026-11-20", ReasonCode: "3"}}
		}
	}
	return calculated(d, "0")
}

func check(d events.Document) (country.Checked, []fault.Violation) {
	return cl.Rules{}.Check(d, company, now, country.Config{})
}

func mustAccept(t *testing.T, d events.Document) country.Checked {
	t.Helper()
	checked, vs := check(d)
	if len(vs) > 0 {
		t.Errorf("refused: %v", vs)
	}
	return checked
}

// issued is a checked document as SII accepted it.
func issued(c country.Checked, number int64) country.Issued {
	return country.Issued{
		ID: "01JDPW3K7B0000000000000000", Document: c.Document, Profile: company.Profile, Taxes: c.Taxes, Number: number,
		Authorization: events.Authorization{Type: "CAF", Code: "9876543210"}, AcceptedAt: now,
	}
}
