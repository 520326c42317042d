package ar_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
	"time"

	"folio/country"
	"folio/country/ar"
	"folio/events"
	"folio/fault"
	"folio/money"
)

const (
	issuerCUIT    = "30500010912"
	recipientCUIT = "33693450239"
)

// noon of a Friday in Argentina.
var now = time.Date(2026, 11, 27, 15, 0, 0, 0, time.UTC)

var company = country.Issuer{TaxIdentifier: issuerCUIT, Profile: events.IssuerProfile{
	LegalName: "Molinos del Plata S.A.", TaxIdentifier: issuerCUIT, StartActivitiesDate: "1999-03-01",
	TaxCondition: "responsable_inscripto", GrossIncomeNumber: "901-123456-7",
	Address: events.Address{Country: "AR", Region: "AR-C", Address: "Av. Corrientes 1234", Phone: "+54 11 4321-0000"}}}

func dec(s string) money.Decimal { return money.MustParse(s) }

// request is a create's body as the specification writes it.
type request struct {
	BranchOffice      int             `json:"branch_office"`
	InvoiceType       string          `json:"invoice_type"`
	InvoiceDate       string          `json:"invoice_date"`
	PaymentDueDate    string          `json:"payment_due_date"`
	ServiceStart      string          `json:"service_start_date"`
	ServiceEnd        string          `json:"service_end_date"`
	Concept           string          `json:"concept"`
	Observations      string          `json:"observations"`
	ExternalReference string          `json:"external_reference"`
	Issuer, Recipient events.Party    `json:"-"`
	RawIssuer         json.RawMessage `json:"issuer"`
	RawRecipient      json.RawMessage `json:"recipient"`
	Currency          struct {
		Code string      `json:"code"`
		Rate json.Number `json:"exchange_rate"`
	} `json:"currency"`
	PaymentMethod *events.PaymentMethod `json:"payment_method"`
	Items         []struct {
		Quantity    json.Number      `json:"quantity"`
		Unit        string           `json:"code_unit_of_measure"`
		UnitPrice   json.Number      `json:"unit_price"`
		Discount    json.Number      `json:"discount_amount"`
		Description string           `json:"description"`
		Code        *events.ItemCode `json:"code"`
		Taxes       []struct {
			Type         string `json:"type"`
			Amount, Rate json.Number
		} `json:"taxes"`
	} `json:"items"`
	Totals struct {
		SubTotal        json.Number `json:"sub_total"`
		Discount, Total json.Number
		Taxes           []struct {
			Type   string      `json:"type"`
			Amount json.Number `json:"amount"`
			Base   json.Number `json:"base_amount"`
		} `json:"taxes"`
	} `json:"totals"`
}

// sample is the specification's body as a document.
func sample(t testing.TB) events.Document {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join("testdata", "specification_sample.json"))
	if err != nil {
		t.Fatal(err)
	}
	var r request
	for _, step := range []error{json.Unmarshal(raw, &r), json.Unmarshal(r.RawIssuer, &r.Issuer),
		json.Unmarshal(r.RawRecipient, &r.Recipient)} {
		if step != nil {
			t.Fatal(step)
		}
	}
	n := func(x json.Number) money.Decimal { return dec(x.String()) }
	d := events.Document{
		Type: r.InvoiceType, BranchOffice: r.BranchOffice, Date: r.InvoiceDate, PaymentDueDate: r.PaymentDueDate,
		ServiceStart: r.ServiceStart, ServiceEnd: r.ServiceEnd, Concept: r.Concept, Observations: r.Observations,
		ExternalReference: r.ExternalReference, Issuer: r.Issuer, Recipient: r.Recipient, PaymentMethod: r.PaymentMethod,
		Currency: events.Currency{Code: r.Currency.Code, Rate: n(r.Currency.Rate)},
		Totals:   events.Totals{SubTotal: n(r.Totals.SubTotal), Discount: n(r.Totals.Discount), Total: n(r.Totals.Total)},
	}
	for _, i := range r.Items {
		item := events.Item{Quantity: n(i.Quantity), UnitOfMeasure: i.Unit, UnitPrice: n(i.UnitPrice),
			Discount: n(i.Discount), Description: i.Description, Code: i.Code}
		for _, x := range i.Taxes {
			item.Taxes = append(item.Taxes, events.ItemTax{Type: x.Type, Amount: n(x.Amount), Rate: n(x.Rate)})
		}
		d.Items = append(d.Items, item)
	}
	for _, x := range r.Totals.Taxes {
		d.Totals.Taxes = append(d.Totals.Taxes, events.TotalTax{Type: x.Type, Amount: n(x.Amount), BaseAmount: n(x.Base)})
	}
	return d
}

// product is an invoice of one line of 1000.00 at 21 %.
func product(kind string) events.Document {
	d := events.Document{
		Type: kind, BranchOffice: 1, Date: "2026-11-27 10:00:00", Concept: "1",
		Issuer:    events.Party{LegalName: "Molinos del Plata S.A.", DocumentType: "CUIT", DocumentNumber: issuerCUIT},
		Recipient: events.Party{LegalName: "Ñandú & Cía S.R.L.", DocumentType: "CUIT", DocumentNumber: recipientCUIT},
		Currency:  events.Currency{Code: "ARS", Rate: dec("1")},
		Items:     []events.Item{item("1", "1000.00", "0", "iva21")},
	}
	recalculate(&d, ar.PerRate)
	return d
}

// item is a line with its tax still to be calculated; no tax for class C.
func item(quantity, price, discount, tax string) events.Item {
	i := events.Item{Quantity: dec(quantity), UnitOfMeasure: "u", UnitPrice: dec(price), Discount: dec(discount),
		Description: "Artículo"}
	if tax != "" {
		i.Taxes = []events.ItemTax{{Type: tax}}
	}
	return i
}

func recalculate(d *events.Document, order ar.Order) {
	items, totals, err := ar.Calculate(d.Items, d.GlobalTaxes, money.Zero, order)
	if err != nil {
		panic(err)
	}
	d.Items, d.Totals = items, totals
}

// consumer is a class B invoice to nobody in particular.
func consumer() events.Document {
	d := product("FCB")
	d.Recipient = events.Party{}
	return d
}

// simple is a class C invoice of a monotributista.
func simple() (events.Document, country.Issuer) {
	d := product("FCC")
	d.Items[0].Taxes = nil
	d.Recipient = events.Party{}
	recalculate(&d, ar.PerRate)
	who := company
	who.Profile.TaxCondition = "monotributo"
	return d, who
}

func check(d events.Document) (country.Checked, []fault.Violation) {
	return ar.Rules{}.Check(d, company, now, country.Config{})
}

func mustAccept(t *testing.T, d events.Document) country.Checked {
	t.Helper()
	checked, vs := check(d)
	if len(vs) > 0 {
		t.Errorf("refused: %v", vs)
	}
	return checked
}
