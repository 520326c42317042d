package ar

import (
	"time"

	"folio/country"
	"folio/events"
	"folio/money"
)

// Buyers of examples; they are invented, with right check digits.
var (
	exampleBuyer = events.Party{LegalName: "Distribuidora Andina S.A.", DocumentType: "CUIT",
		DocumentNumber: "30500010912",
		Address:        events.Address{Country: "AR", Region: "AR-X", Address: "Bv. San Juan 870, Córdoba"}}
	examplePerson = events.Party{LegalName: "Ana Núñez", DocumentType: "DNI", DocumentNumber: "28765432",
		Address: events.Address{Country: "AR", Region: "AR-B", Address: "Calle 7 N.º 1234, La Plata"}}
	exampleForeigner = events.Party{LegalName: "Importadora Guaíba Ltda.",
		Address: events.Address{Country: "BR", Address: "Av. Ipiranga 1200, Porto Alegre"}}
)

// A number that examples name, of a document of another system at a point of sale of its own.
const (
	foreignPoint  = 9
	foreignNumber = 99_000_001
)

// Examples implements country.Rules.
func (r Rules) Examples(day time.Time) []country.Example {
	on := country.ExampleDay{Time: day.In(location)}
	recipes := []country.Recipe{
		{Name: "unidentified_consumer", Title: "A sale to somebody who is not identified", Type: "FCB",
			Change: func(d *events.Document) { d.Recipient = events.Party{} }},
		{Name: "services", Title: "Services, with their period and day of payment", Type: "FCA",
			Change: func(d *events.Document) {
				d.Concept, d.ServiceStart, d.ServiceEnd = services, on.In(-9)+" 00:00:00", on.In(0)+" 23:59:59"
				d.PaymentDueDate = on.In(30)
				d.Items = []events.Item{country.ExampleItem("Mantenimiento mensual", "1", "120000", "iva21")}
			}},
		{Name: "discount", Title: "A discount on a line, and one on the whole", Type: "FCA",
			Change: func(d *events.Document) {
				d.Items[0].Discount, d.Totals.Discount = money.MustParse("1500"), money.MustParse("2000")
			}},
		{Name: "exempt_lines", Title: "Lines of several rates, exempt and untaxed ones among them", Type: "FCA",
			Change: func(d *events.Document) {
				d.Items = append(d.Items, country.ExampleItem("Rayuela, Julio Cortázar", "2", "15200", "exempt"),
					country.ExampleItem("Seña", "1", "1000", "untaxed"))
			}},
		{Name: "perceptions", Title: "Perceptions of IIBB and IVA", Type: "FCA", Change: func(d *events.Document) {
			d.GlobalTaxes = []events.GlobalTax{
				{Type: "iibb", Description: "Percepción IIBB", Rate: money.FromInt(3)},
				{Type: "perc_iva", Description: "Percepción IVA", Rate: money.FromInt(3)}}
		}},
		{Name: "foreign_currency", Title: "In dollars, at the rate that is given", Type: "FCA",
			Change: func(d *events.Document) {
				d.Currency = events.Currency{Code: "USD", Rate: money.MustParse("1450.50")}
			}},
		{Name: "credit_note_partial", Title: "A credit note over a part of an invoice of another system", Type: "NCA",
			Change: func(d *events.Document) { d.Items = d.Items[:1] }},
	}
	return country.ExamplesOf(r, func(k country.DocumentType) events.Document { return plainExample(k, on) }, recipes)
}

func plainExample(t country.DocumentType, on country.ExampleDay) events.Document {
	k, _ := findKind(t.InvoiceType)
	d := events.Document{Type: t.InvoiceType, BranchOffice: 1, Date: on.Local(), Concept: products,
		Recipient: exampleBuyer, Currency: events.Currency{Code: localCurrency, Rate: money.FromInt(1)},
		PaymentMethod: &events.PaymentMethod{Code: "CON", Description: "Contado"},
		Items: []events.Item{country.ExampleItem("Cuaderno rayado, tapa dura", "40", "2850.00", "iva21"),
			country.ExampleItem("Atlas geográfico escolar", "6", "18400.00", "iva105")}}
	switch {
	case k.letter == 'B' && !k.fce:
		d.Recipient = examplePerson
		d.Items = []events.Item{country.ExampleItem("Señalador de cuero", "2", "3100.00", "iva21")}
	case k.isExport():
		d.Recipient, d.Currency = exampleForeigner, events.Currency{Code: "USD", Rate: money.MustParse("1450.50")}
		d.ExportInfo = []byte(`{"destination_country":"BR","client_tax_id":"12.345.678/0001-95"}`)
		if t.Class == country.Export {
			d.ExportInfo = []byte(`{"destination_country":"BR","client_tax_id":"12.345.678/0001-95","incoterms":"FOB",` +
				`"payment_form":"30 días fecha factura"}`)
		}
	}
	if !k.carriesVAT() {
		d.Items = []events.Item{country.ExampleItem("Cuaderno rayado, tapa dura", "40", "28.50")}
	}
	switch {
	case k.fce && k.IsNote():
		d.HeaderInfo = []byte(`{"cancellation":"N"}`)
	case k.fce:
		d.PaymentDueDate = on.In(30)
		d.HeaderInfo = []byte(`{"cbu":"0170099220000012345678","cbu_alias":"folio.sa","transfer_system":"SCA"}`)
	}
	if k.IsNote() {
		d.BillingReference = []events.Reference{{Type: corrected(k), BranchOffice: foreignPoint, Number: foreignNumber,
			Date: on.In(0)}}
	}
	return d
}

// corrected is the invoice that a note of its letter corrects.
func corrected(note kind) string {
	for _, k := range kinds {
		if (k.Class == country.Invoice || k.Class == country.Export) && k.letter == note.letter && k.fce == note.fce &&
			k.retention == note.retention {
			return k.InvoiceType
		}
	}
	return ""
}
