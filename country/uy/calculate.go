package uy

import (
	"errors"

	"folio/country"
	"folio/events"
	"folio/money"
)

// ErrTooLarge is returned for items whose product leaves the bounds of Check.
var ErrTooLarge = errors.New("amounts are out of bounds: see items[].unit_price")

// ErrNoKind is returned for an invoice_type that Uruguay does not have.
var ErrNoKind = errors.New("it is no Uruguayan document type: see /api/document-types")

// Calculate implements country.Rules.
func (Rules) Calculate(d events.Document) (events.Document, error) {
	s, ok := summed(d.Items)
	if !ok || !country.Bounded(d.Totals.Discount) {
		return d, ErrTooLarge
	}
	h, _ := ParseHeader(d.HeaderInfo) // what is wrong with it is Check's to say
	items, totals, err := Calculate(d.Type, h.GrossPrices, d.Items, d.Totals.Discount.Sub(s.discount))
	if err == nil {
		d.Items, d.Totals = items, totals
	}
	return d, err
}

// Calculate fills in what follows from the items of a document: the tax of each line
// (from its type) and the totals. Gross says that unit prices have IVA in them
// (additional_header_info.gross_prices). Whole is the discount on the whole document,
// beyond those of the lines; it is spread in proportion over the rates, what is exempt
// and what is not invoiceable, and the last takes what is left. Check accepts what it
// makes.
func Calculate(invoiceType string, gross bool, items []events.Item,
	whole money.Decimal) ([]events.Item, events.Totals, error) {
	k, ok := findKind(invoiceType)
	if !ok {
		return nil, events.Totals{}, ErrNoKind
	}
	gross = gross && k.taxed()
	filled := country.CloneDocument(events.Document{Items: items}).Items
	if k.exempt() {
		country.ExemptUnsaid(filled, exempt)
	}
	for i := range filled {
		if !country.BoundedProduct(filled[i].Quantity, filled[i].UnitPrice) || !country.Bounded(filled[i].Discount) {
			return nil, events.Totals{}, ErrTooLarge
		}
		fillTax(&filled[i], k, gross)
	}
	s, ok := summed(filled)
	if !ok || !country.Bounded(whole) {
		return nil, events.Totals{}, ErrTooLarge
	}
	return filled, s.totals(whole, gross), nil
}

// fillTax gives a line the rate and amount of its type; one of an e-Remito has no tax.
func fillTax(item *events.Item, k kind, gross bool) {
	if k.Code == codeRemito {
		item.Taxes = nil
		return
	}
	for j := range item.Taxes {
		if t, ok := findTax(item.Taxes[j].Type); ok {
			item.Taxes[j] = events.ItemTax{Type: t.name, Rate: t.rate, Amount: ivaOf(baseOf(amountOf(*item), t, gross), t.rate)}
		}
	}
}

// totals are the sums as DGI computes them (CFE25 A-C112 to A-C130).
func (s sums) totals(whole money.Decimal, gross bool) events.Totals {
	t := events.Totals{SubTotal: s.gross, Discount: s.discount.Add(whole)}
	shares := s.spread(whole)
	for _, x := range s.taxes {
		covered := x.lines
		for _, off := range shares {
			if off.tax.name == x.tax.name {
				covered = covered.Sub(off.amount)
			}
		}
		base := baseOf(covered, x.tax, gross)
		row := events.TotalTax{Type: x.tax.name, BaseAmount: base, Amount: ivaOf(base, x.tax.rate)}
		t.Taxes, t.Total = append(t.Taxes, row), money.Sum(t.Total, row.BaseAmount, row.Amount)
	}
	return t
}
