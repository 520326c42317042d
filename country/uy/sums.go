package uy

import (
	"slices"

	"folio/country"
	"folio/events"
	"folio/money"
)

// places are the decimals of every amount in a CFE, whatever the currency.
const places = 2

// cents is an amount as DGI gets it.
func cents(a money.Decimal) string { return a.Round(places).String() }

// sum is what the lines of one way of meeting IVA come to.
type sum struct {
	tax   lineTax
	lines money.Decimal // Σ MontoItem; of what is not invoiceable Σ6 − Σ7
}

// sums are those of a whole document. Each line is rounded by itself, as MontoItem is:
// half a cent goes up (CFE25 B-C24). A discount has cents only, so that it is the same
// whether it is taken off before or after.
type sums struct {
	gross    money.Decimal // Σ of the rounded quantity × unit_price
	atOnce   money.Decimal // the same, rounded once at the end
	discount money.Decimal // of the lines
	taxes    []sum         // in order of first appearance
}

// grossOf is the rounded quantity × unit_price.
func grossOf(i events.Item) money.Decimal { return i.Quantity.Mul(i.UnitPrice).Round(places) }

// amountOf is what a line comes to: MontoItem (CFE25 B-C24), but negative for a
// not_invoiceable line with a negative price, whose MontoItem is told without the sign
// under IndFact 7.
func amountOf(i events.Item) money.Decimal { return grossOf(i).Sub(i.Discount) }

// summed adds the lines up; false when a bound makes that impossible.
func summed(items []events.Item) (sums, bool) {
	var s sums
	exact := money.Zero
	if len(items) > country.MaxItems {
		return s, false
	}
	for _, i := range items {
		if !country.BoundedProduct(i.Quantity, i.UnitPrice) || !country.Bounded(i.Discount) {
			return s, false
		}
		s.gross, s.discount, exact = s.gross.Add(grossOf(i)), s.discount.Add(i.Discount),
			exact.Add(i.Quantity.Mul(i.UnitPrice))
		if t, ok := lineTaxOf(i); ok {
			s.add(t, amountOf(i))
		}
	}
	s.atOnce = exact.Round(places)
	return s, true
}

func (s *sums) add(t lineTax, lines money.Decimal) {
	i := slices.IndexFunc(s.taxes, func(x sum) bool { return x.tax.name == t.name })
	if i < 0 {
		s.taxes = append(s.taxes, sum{t, lines})
		return
	}
	s.taxes[i].lines = s.taxes[i].lines.Add(lines)
}

// netOf is the net amount of one with IVA in it: divided by 1.10 or 1.22 and rounded, as
// CFE25 A-C116 and A-C117 say. The IVA is then computed from the net (A-C121, A-C122), so
// both together may miss the gross amount by a cent: 0.14 is 0.11 and 0.02.
func netOf(gross, rate money.Decimal) money.Decimal {
	hundred := money.FromInt(100)
	return gross.Mul(hundred).Quo(hundred.Add(rate)).Round(places)
}

// ivaOf is the IVA of a net amount.
func ivaOf(net, rate money.Decimal) money.Decimal { return net.Percent(rate).Round(places) }

// baseOf is the base of what the lines of a tax come to.
func baseOf(lines money.Decimal, t lineTax, gross bool) money.Decimal {
	if gross && !t.rate.IsZero() {
		return netOf(lines, t.rate)
	}
	return lines
}
