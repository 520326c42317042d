package cl

import (
	"time"

	"folio/country"
	"folio/events"
	"folio/money"
)

// foreignNumber is a folio that examples name, of a document of another system.
const foreignNumber = 900_001

// exampleRecipient is what SII wants to know of a buyer.
const exampleRecipient = `"recipient":{"giro":"Construcción","comuna":"Providencia","city":"Santiago"}`

// Examples implements country.Rules.
func (r Rules) Examples(day time.Time) []country.Example {
	on := country.ExampleDay{Time: day.In(location)}
	recipes := []country.Recipe{
		{Name: "unidentified_consumer", Title: "A boleta to nobody in particular", Type: "BOL",
			Change: func(*events.Document) {}},
		{Name: "named_consumer", Title: "A boleta to somebody", Type: "BOL", Change: func(d *events.Document) {
			d.Recipient = events.Party{LegalName: "Ana Núñez", DocumentType: "RUT", DocumentNumber: "12345678-5"}
		}},
		{Name: "discount", Title: "A discount on a line, and one on the whole", Type: "FAC",
			Change: func(d *events.Document) {
				d.Items[0].Discount, d.Totals.Discount = money.FromInt(5_000), money.FromInt(3_000)
			}},
		{Name: "exempt_lines", Title: "Exempt lines beside taxed ones", Type: "FAC", Change: func(d *events.Document) {
			d.Items = append(d.Items, country.ExampleItem("Capacitación", "1", "30000", exempt))
		}},
		{Name: "additional_tax", Title: "Wine, with its additional tax", Type: "FAC", Change: func(d *events.Document) {
			d.Items = []events.Item{country.ExampleItem("Vino carmenere 750 ml", "12", "4000", iva, "25")}
		}},
		{Name: "credit_note_partial", Title: "A credit note over a part of an invoice of another system", Type: "NCE",
			Change: func(d *events.Document) {
				d.Items, d.BillingReference[0].ReasonCode = d.Items[:1], country.CorrectsAmount
			}},
	}
	return country.ExamplesOf(r, func(k country.DocumentType) events.Document { return plainExample(k, on) }, recipes)
}

func plainExample(t country.DocumentType, on country.ExampleDay) events.Document {
	k, _ := findKind(t.InvoiceType)
	d := events.Document{Type: t.InvoiceType, Date: on.Local(),
		Recipient: events.Party{LegalName: "Constructora Ñuble Ltda.", DocumentType: "RUT", DocumentNumber: "76192083-9",
			Address: events.Address{Country: "CL", Region: "CL-RM", Address: "Los Leones 567"}},
		Currency:      events.Currency{Code: localCurrency, Rate: money.FromInt(1)},
		PaymentMethod: &events.PaymentMethod{Code: "CON", Description: "Contado"},
		Items: []events.Item{country.ExampleItem("Taladro percutor 13 mm", "2", "45000", iva),
			country.ExampleItem("Broca para hormigón 8 mm", "10", "1200", iva)},
		HeaderInfo: []byte(`{` + exampleRecipient + `}`)}
	if !k.taxed {
		d.Items = []events.Item{country.ExampleItem("Curso de soldadura", "2", "45000", exempt)}
	}
	switch {
	case k.isReceipt():
		d.Recipient, d.HeaderInfo = events.Party{}, nil
	case k.Code == codePurchase:
		d.Items = []events.Item{country.ExampleItem("Trigo, tonelada", "4", "210000", iva, "34")}
	case k.Code == codeDispatch:
		d.HeaderInfo = []byte(`{"transfer_type":5,"dispatch_type":2,"transport":{"plate":"ABCD12",` +
			`"driver_rut":"12345678-5","driver_name":"Juan Pérez","carrier_rut":"76192083-9","departure_at":"` +
			on.In(0) + ` 14:30:00","address":"Ruta 5 Sur km 20","comuna":"San Bernardo"},` + exampleRecipient + `}`)
		d.PaymentMethod = nil
	case k.isExport():
		d = exportExample(d)
	}
	if k.IsNote() {
		d.PaymentMethod = nil
		reason := country.Cancels
		if k.Class == country.DebitNote {
			reason = country.CorrectsAmount
		}
		named := codeInvoice
		if k.isExport() {
			named = codeExport
		}
		original, _ := kindOf(named)
		d.BillingReference = []events.Reference{{Type: original.InvoiceType, Number: foreignNumber, Date: on.In(0),
			ReasonCode: reason}}
	}
	return d
}

// exportExample is the sale of a container of wine to the United States.
func exportExample(d events.Document) events.Document {
	d.Recipient = events.Party{LegalName: "Acme Inc.", DocumentType: "EXTRANJERO", DocumentNumber: "US-123",
		Address: events.Address{Country: "US", Address: "1 Main St, Springfield"}}
	d.Currency, d.PaymentMethod = events.Currency{Code: "USD", Rate: money.MustParse("945.12")}, nil
	d.Items, d.HeaderInfo = []events.Item{country.ExampleItem("Vino carmenere, caja", "30", "42.50", exempt)}, nil
	d.ExportInfo = []byte(`{"nationality":"225","sale_mode":1,"sale_clause":5,"clause_total":1275,"transport_route":4,` +
		`"port_of_loading":901,"gross_weight":460.5,"gross_weight_unit":6,"total_packages":1,"packages":[{"type":73,` +
		`"count":1,"container":"CSVU6111863","seal":"10973348","seal_issuer":"CONTENEDOR"}],"freight":2.5,"insurance":1,` +
		`"recipient_country":225,"destination_country":225}`)
	return d
}
