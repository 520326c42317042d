package projections

import (
	"folio/country"
	"folio/events"
	"folio/money"
	"folio/projections/engine"
	"folio/summary"
	"folio/tables"
)

// PurchaseLine is one document of the book of purchases. Only a supplier's signed XML tells of the
// taxes: a QR code and typed fields have the total alone, and then they are unknown, which is not
// the same as 0.
type PurchaseLine struct {
	engine.Place
	Purchase events.PurchaseReceived `json:"purchase"`
	Sign     int                     `json:"sign"`  // -1 for a credit note, 0 for what bills nothing
	Total    money.Exact             `json:"total"` // with its sign, in the document's currency
	// Net and Tax have their sign, too; nil is unknown.
	Net *money.Exact `json:"net,omitempty"`
	Tax *money.Exact `json:"tax,omitempty"`
	// Refused: the authority does not know the document, so it counts in no sum.
	Refused bool `json:"refused,omitzero"`
}

func (d *PurchaseLine) complete() {
	p := d.Purchase
	d.Sign, d.Refused = 1, p.Verification == "authority_refused"
	if rules, ok := summary.Countries.ByCode(p.Country); ok {
		switch country.ClassOf(rules, p.OfficialCode) {
		case country.CreditNote:
			d.Sign = -1
		case country.DispatchGuide:
			d.Sign = 0
		}
	}
	total, err := money.ParseExact(p.Total)
	if err != nil {
		total = money.Exact{} // of before totals were checked
	}
	d.Total = total.Times(d.Sign)
	d.Net, d.Tax = nil, nil
	if p.Taxes == nil {
		return
	}
	net, err := money.ParseExact(p.Taxes.Net)
	tax, err2 := money.ParseExact(p.Taxes.Tax)
	if err == nil && err2 == nil {
		net, tax = net.Times(d.Sign), tax.Times(d.Sign)
		d.Net, d.Tax = &net, &tax
	}
}

// taxes says whether they are known: yes or no. Text is 0 where they are not.
func (d *PurchaseLine) taxes() (known, text string) {
	if d.Tax == nil {
		return "no", "0"
	}
	return "yes", d.Tax.String()
}

// Counted says whether the document counts in sums: yes or no.
func (d *PurchaseLine) counted() string {
	if d.Refused || d.Sign == 0 {
		return "no"
	}
	return "yes"
}

// PurchaseBook keeps each document that a supplier issued to a company, for the company.
var PurchaseBook = engine.Define("purchase_book", 3,
	engine.On(func(_ events.Recorded, e events.PurchaseReceived) string { return e.Purchase },
		func(d *PurchaseLine, _ events.Recorded, e events.PurchaseReceived) {
			d.Purchase = e
			d.complete()
		}),
	engine.On(func(_ events.Recorded, e events.PurchaseCorrected) string { return e.Purchase },
		func(d *PurchaseLine, _ events.Recorded, e events.PurchaseCorrected) {
			e.Apply(&d.Purchase)
			d.complete()
		}),
	engine.On(func(_ events.Recorded, e events.PurchaseVerified) string { return e.Purchase },
		func(d *PurchaseLine, _ events.Recorded, e events.PurchaseVerified) {
			e.Apply(&d.Purchase)
			d.complete()
		}),
	engine.Owned(func(d *PurchaseLine) string { return d.Purchase.Company }),
	engine.Attributes(func(d *PurchaseLine) map[string]string {
		known, tax := d.taxes()
		return map[string]string{"month": d.Purchase.Date[:min(7, len(d.Purchase.Date))], "date": d.Purchase.Date,
			"supplier_document": d.Purchase.Supplier.DocumentNumber, "currency": d.Purchase.Currency, "counted": d.counted(),
			"total": d.Total.String(), "taxes_known": known, "tax": tax}
	},
		tables.Attribute{Name: "month", Kind: tables.Month, Indexed: true},
		tables.Attribute{Name: "date", Kind: tables.Date, Indexed: true},
		tables.Attribute{Name: "supplier_document", Indexed: true},
		tables.Attribute{Name: "currency"},
		tables.Attribute{Name: "counted"},
		tables.Attribute{Name: "total", Kind: tables.Decimal, Indexed: true},
		tables.Attribute{Name: "taxes_known"},
		tables.Attribute{Name: "tax", Kind: tables.Decimal},
	),
)
