package cl

import (
	"slices"

	"folio/country"
	"folio/events"
	"folio/money"
)

// sum is what the lines of one tax come to.
type sum struct {
	tax    lineTax
	lines  money.Decimal // Σ MontoItem
	amount money.Decimal // Σ of the tax, as the lines say
}

// sums are those of a whole document. Each line is rounded by itself, as SII's
// MontoItem is: half away from zero, to whole pesos, or to cents in another currency.
type sums struct {
	gross    money.Decimal // Σ of the rounded quantity × unit_price
	discount money.Decimal // of the lines
	taxes    []sum         // in order of first appearance
}

// decimals are those of amounts in a currency: none in pesos and yen.
func decimals(currency string) int {
	if currency == localCurrency || currency == "JPY" {
		return 0
	}
	return 2
}

// grossOf is the rounded quantity × unit_price.
func grossOf(i events.Item, places int) money.Decimal {
	return i.Quantity.Mul(i.UnitPrice).Round(places)
}

// amountOf is MontoItem.
func amountOf(i events.Item, places int) money.Decimal { return grossOf(i, places).Sub(i.Discount) }

// summed adds the lines up; false when a bound makes that impossible.
func summed(items []events.Item, places int) (sums, bool) {
	var s sums
	if len(items) > country.MaxItems {
		return s, false
	}
	for _, i := range items {
		if !country.BoundedProduct(i.Quantity, i.UnitPrice) || !country.Bounded(i.Discount) {
			return s, false
		}
		s.gross, s.discount = s.gross.Add(grossOf(i, places)), s.discount.Add(i.Discount)
		for _, t := range i.Taxes {
			if !country.Bounded(t.Amount) {
				return s, false
			}
			if known, ok := findTax(t.Type); ok {
				s.add(known, amountOf(i, places), t.Amount)
			}
		}
	}
	return s, true
}

func (s *sums) add(t lineTax, lines, amount money.Decimal) {
	i := slices.IndexFunc(s.taxes, func(x sum) bool { return x.tax.name == t.name })
	if i < 0 {
		s.taxes = append(s.taxes, sum{tax: t, lines: lines, amount: amount})
		return
	}
	s.taxes[i].lines, s.taxes[i].amount = s.taxes[i].lines.Add(lines), s.taxes[i].amount.Add(amount)
}

// of is what the lines with a tax come to.
func (s sums) of(name string) money.Decimal {
	for _, x := range s.taxes {
		if x.tax.name == name {
			return x.lines
		}
	}
	return money.Zero
}

// net is the base of a gross amount, and the IVA in it: what is left, so that both
// come to the gross amount. Recomputing IVA from the base would miss every sixth total
// by a peso.
func netOf(gross money.Decimal) (base, tax money.Decimal) {
	base = gross.Mul(money.FromInt(100)).Quo(money.FromInt(119)).Round(0)
	return base, gross.Sub(base)
}
