package cl

import (
	"cmp"
	"errors"
	"slices"

	"folio/country"
	"folio/events"
	"folio/money"
)

// ErrTooLarge is returned for items whose product leaves the bounds of Check.
var ErrTooLarge = errors.New("amounts are out of bounds: see items[].unit_price")

// ErrNoKind is returned for an invoice_type that Chile does not have.
var ErrNoKind = errors.New("it is no Chilean document type: see /api/document-types")

// Calculate implements country.Rules.
func (Rules) Calculate(d events.Document) (events.Document, error) {
	currency := cmp.Or(d.Currency.Code, localCurrency)
	s, ok := summed(d.Items, decimals(currency))
	if !ok || !country.Bounded(d.Totals.Discount) {
		return d, ErrTooLarge
	}
	items, totals, err := Calculate(d.Type, currency, d.Items, d.Totals.Discount.Sub(s.discount))
	if err == nil {
		d.Items, d.Totals = items, totals
	}
	return d, err
}

// Calculate fills in what follows from the items of a document: the tax of each line
// (from its type) and the totals. Whole is the discount on the whole document, beyond
// those of the lines; it is spread in proportion over what is taxed, exempt and not
// invoiceable, and the last takes what is left. Check accepts what it makes.
func Calculate(invoiceType, currency string, items []events.Item,
	whole money.Decimal) ([]events.Item, events.Totals, error) {
	k, ok := findKind(invoiceType)
	if !ok {
		return nil, events.Totals{}, ErrNoKind
	}
	places := decimals(currency)
	filled := country.CloneDocument(events.Document{Items: items}).Items
	if !k.taxed {
		country.ExemptUnsaid(filled, exempt)
	}
	for i := range filled {
		if !country.BoundedProduct(filled[i].Quantity, filled[i].UnitPrice) || !country.Bounded(filled[i].Discount) {
			return nil, events.Totals{}, ErrTooLarge
		}
		fillTaxes(&filled[i], k, places)
	}
	s, ok := summed(filled, places)
	if !ok || !country.Bounded(whole) {
		return nil, events.Totals{}, ErrTooLarge
	}
	return filled, s.totals(k, whole, places), nil
}

// fillTaxes gives a line the rates and amounts of its types.
func fillTaxes(item *events.Item, k kind, places int) {
	net := amountOf(*item, places)
	for j := range item.Taxes {
		t, ok := findTax(item.Taxes[j].Type)
		if !ok {
			continue
		}
		amount := t.signed(net.Percent(t.rate).Round(0))
		if k.gross && t.name == iva {
			_, amount = netOf(net)
		}
		item.Taxes[j] = events.ItemTax{Type: t.name, Rate: t.rate, Amount: amount}
	}
}

// totals are the sums as SII computes them.
func (s sums) totals(k kind, whole money.Decimal, places int) events.Totals {
	t := events.Totals{SubTotal: s.gross, Discount: s.discount.Add(whole), Total: s.gross.Sub(s.discount).Sub(whole)}
	shares := s.spread(whole, places)
	for _, x := range s.taxes {
		row := events.TotalTax{Type: x.tax.name, BaseAmount: x.lines}
		if x.tax.isAdditional() {
			row.BaseAmount = x.lines.Sub(shareOf(x.lines, shares[iva], s.of(iva)))
		} else {
			row.BaseAmount = x.lines.Sub(shares[x.tax.name])
		}
		switch {
		case k.gross && x.tax.name == iva:
			row.BaseAmount, row.Amount = netOf(row.BaseAmount)
		default:
			row.Amount = x.tax.signed(row.BaseAmount.Percent(x.tax.rate).Round(0))
			t.Total = t.Total.Add(row.Amount)
		}
		t.Taxes = append(t.Taxes, row)
	}
	return t
}

// spread is the share that each way of meeting IVA has of a discount on the whole.
func (s sums) spread(whole money.Decimal, places int) map[string]money.Decimal {
	parts := slices.DeleteFunc(slices.Clone(s.taxes), func(x sum) bool { return x.tax.isAdditional() })
	lines := country.Collect(parts, func(x sum) money.Decimal { return x.lines })
	shares := map[string]money.Decimal{}
	for i, amount := range country.Spread(whole, lines, places) {
		shares[parts[i].tax.name] = amount
	}
	return shares
}

// shareOf is the part of a discount on all taxed lines that falls on some of them.
func shareOf(lines, discount, all money.Decimal) money.Decimal {
	if discount.IsZero() || all.Sign() <= 0 {
		return money.Zero
	}
	return lines.Mul(discount.Quo(all)).Round(0)
}
