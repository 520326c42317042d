package uy

import (
	"time"

	"folio/country"
	"folio/events"
	"folio/money"
)

// foreignNumber is a number that examples name, of a document of another system.
const foreignNumber = 900_001

// Examples implements country.Rules.
func (r Rules) Examples(day time.Time) []country.Example {
	on := country.ExampleDay{Time: day.In(location)}
	recipes := []country.Recipe{
		{Name: "unidentified_consumer", Title: "An e-Ticket to nobody in particular", Type: "TIC",
			Change: func(*events.Document) {}},
		{Name: "gross_prices", Title: "Prices with IVA in them", Type: "TIC", Change: func(d *events.Document) {
			d.HeaderInfo = []byte(`{"gross_prices":true}`)
		}},
		{Name: "discount", Title: "A discount on a line, and one on the whole", Type: "EFA",
			Change: func(d *events.Document) {
				d.Items[0].Discount, d.Totals.Discount = money.FromInt(50), money.FromInt(30)
			}},
		{Name: "exempt_lines", Title: "Exempt and not invoiceable lines beside taxed ones", Type: "EFA",
			Change: func(d *events.Document) {
				d.Items = append(d.Items, country.ExampleItem("Libro de texto", "2", "400", exempt),
					country.ExampleItem("Redondeo", "1", "0.40", notInvoiceable))
			}},
		{Name: "foreign_currency", Title: "In dollars, at the rate that is given", Type: "EFA",
			Change: func(d *events.Document) {
				d.Currency = events.Currency{Code: "USD", Rate: money.MustParse("40.125")}
				d.Items = []events.Item{country.ExampleItem("Licencia anual", "1", "250", basicRate)}
			}},
		{Name: "credit_note_partial", Title: "A credit note over a part of an invoice of another system", Type: "NCF",
			Change: func(d *events.Document) {
				d.Items, d.BillingReference[0].ReasonCode = d.Items[:1], country.CorrectsAmount
			}},
	}
	return country.ExamplesOf(r, func(k country.DocumentType) events.Document { return plainExample(k, on) }, recipes)
}

func plainExample(t country.DocumentType, on country.ExampleDay) events.Document {
	d := events.Document{Type: t.InvoiceType, Date: on.Local(),
		Recipient: events.Party{LegalName: "Distribuidora del Este S.A.", DocumentType: "RUT",
			DocumentNumber: "214844360018", Address: events.Address{Country: "UY", Region: "UY-CA", Address: "Ruta 8 km 20"}},
		Currency:      events.Currency{Code: localCurrency, Rate: money.FromInt(1)},
		PaymentMethod: &events.PaymentMethod{Code: "CON", Description: "Contado"},
		Items: []events.Item{country.ExampleItem("Yerba mate 1 kg", "10", "189.50", minimumRate),
			country.ExampleItem("Termo de acero 1 l", "2", "1450", basicRate)},
		HeaderInfo: []byte(`{"recipient":{"city":"Pando"}}`)}
	switch {
	case IsTicket(t.Code):
		d.Recipient, d.HeaderInfo = events.Party{}, nil
		d.Items = d.Items[:1]
	case IsExport(t.Code):
		d.Recipient = events.Party{LegalName: "Acme Inc.", DocumentType: "NIFE", DocumentNumber: "US-123",
			Address: events.Address{Country: "US", Address: "1 Main St"}}
		d.Currency = events.Currency{Code: "USD", Rate: money.MustParse("40.125")}
		d.Items = []events.Item{country.ExampleItem("Carne vacuna, caja", "30", "105.50", exempt)}
		d.HeaderInfo = []byte(`{"recipient":{"city":"Springfield","department":"Oregon"}}`)
		d.ExportInfo = []byte(`{"sale_clause":"FOB","sale_mode":1,"transport_route":1}`)
	case t.Code == codeRemito:
		d.Items = []events.Item{country.ExampleItem("Yerba mate 1 kg", "10", "0")}
		d.HeaderInfo = []byte(`{"transfer_type":2,"recipient":{"city":"Pando"}}`)
	}
	switch {
	case t.Code == codeExportRemito:
		d.HeaderInfo = []byte(`{"transfer_type":1,"recipient":{"city":"Springfield","department":"Oregon"}}`)
		d.PaymentMethod = nil
	case t.Code == codeRemito:
		d.PaymentMethod = nil
	case t.IsNote():
		original, _ := kindOf(t.Code/10*10 + 1)
		ref := events.Reference{Type: original.InvoiceType, Series: "Z", Number: foreignNumber, Date: on.In(0),
			ReasonCode: country.Cancels}
		if t.Class == country.DebitNote {
			ref.ReasonCode = country.CorrectsAmount
		}
		if rate := d.Currency.Rate; d.Currency.Code != localCurrency {
			ref.Currency, ref.Rate = d.Currency.Code, &rate
		}
		d.BillingReference = []events.Reference{ref}
	}
	return d
}
