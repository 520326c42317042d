package country

import (
	"time"

	"folio/events"
	"folio/money"
)

// Example is a complete request of a company: its sums are made, and its issuer is left out,
// which is the company. One whose Name is an invoice_type is the plain example of that kind;
// others show how something is done.
type Example struct {
	Name     string
	Title    string // what it shows, in English
	Document events.Document
}

// ExampleDay are the dates of examples, counted from the day on which they are asked for.
type ExampleDay struct{ time.Time }

// Local is the date and time of a document of this day.
func (d ExampleDay) Local() string { return d.Format(time.DateOnly) + " 10:30:00" }

// In is the date so many days later, or before.
func (d ExampleDay) In(days int) string { return d.AddDate(0, 0, days).Format(time.DateOnly) }

// ExampleItem is a line without its sums; taxes are types.
func ExampleItem(description, quantity, price string, taxes ...string) events.Item {
	i := events.Item{Quantity: money.MustParse(quantity), UnitOfMeasure: "u", UnitPrice: money.MustParse(price),
		Description: description}
	for _, t := range taxes {
		i.Taxes = append(i.Taxes, events.ItemTax{Type: t})
	}
	return i
}

// ExamplesOf makes the plain example of each kind, then the recipes: each a name, what it shows,
// its kind and what is changed of that one's. Their sums are made at the end.
func ExamplesOf(r Rules, plain func(DocumentType) events.Document, recipes []Recipe) []Example {
	var all []Example
	for _, k := range r.DocumentTypes() {
		all = append(all, Example{k.InvoiceType, k.Name, plain(k)})
	}
	for _, x := range recipes {
		k, _ := r.DocumentType(x.Type)
		d := plain(k)
		x.Change(&d)
		all = append(all, Example{x.Name, x.Title, d})
	}
	for i := range all {
		d := &all[i].Document
		for _, item := range d.Items {
			d.Totals.Discount = d.Totals.Discount.Add(item.Discount)
		}
		if filled, err := r.Calculate(*d); err == nil { // the tests hold each against Check
			*d = filled
		}
	}
	return all
}

// Recipe changes the plain example of a kind.
type Recipe struct {
	Name, Title, Type string
	Change            func(*events.Document)
}
