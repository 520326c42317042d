package projections

import (
	"time"

	"folio/events"
	"folio/projections/engine"
	"folio/tables"
)

// Purchase is a document that a supplier issued to a company.
type Purchase struct {
	engine.Place

	events.PurchaseReceived
	ReceivedAt time.Time `json:"received_at"` // UTC
}

// Purchases keeps each purchase, in the list of its company.
var Purchases = engine.Define("purchases", 3,
	engine.On(func(_ events.Recorded, e events.PurchaseReceived) string { return e.Purchase },
		func(d *Purchase, r events.Recorded, e events.PurchaseReceived) {
			d.PurchaseReceived, d.ReceivedAt = e, r.Meta.At.UTC()
		}),
	engine.On(func(_ events.Recorded, e events.PurchaseCorrected) string { return e.Purchase },
		func(d *Purchase, _ events.Recorded, e events.PurchaseCorrected) { e.Apply(&d.PurchaseReceived) }),
	engine.On(func(_ events.Recorded, e events.PurchaseVerified) string { return e.Purchase },
		func(d *Purchase, _ events.Recorded, e events.PurchaseVerified) { e.Apply(&d.PurchaseReceived) }),
	engine.Listed[Purchase](func(_ events.Recorded, e events.PurchaseReceived) string { return e.Company }),
	engine.Attributes(func(d *Purchase) map[string]string {
		return map[string]string{"date": d.Date, "supplier": d.Supplier.DocumentNumber}
	}, tables.Attribute{Name: "date", Indexed: true}, tables.Attribute{Name: "supplier", Indexed: true}),
)
