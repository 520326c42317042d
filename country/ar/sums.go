package ar

import (
	"folio/country"
	"folio/events"
	"folio/money"
)

// sum is what the lines of one kind of tax come to, unrounded.
type sum struct {
	tax    lineTax
	net    money.Decimal
	amount money.Decimal // of the tax, as the lines say
	odd    int
}

// sums are those of a whole document.
type sums struct {
	gross    money.Decimal
	discount money.Decimal // of the lines
	net      money.Decimal
	odd      int
	kinds    []sum // in order of first appearance; none in class C
}

// measure multiplies one item. It is only called on bounded ones.
func measure(item events.Item) line {
	l := line{gross: item.Quantity.Mul(item.UnitPrice), discount: item.Discount}
	l.net = l.gross.Sub(l.discount)
	if l.gross.Decimals() > 2 {
		l.odd++
	}
	if l.discount.Decimals() > 2 {
		l.odd++
	}
	if len(item.Taxes) == 1 {
		l.tax, _ = findLineTax(item.Taxes[0].Type)
		l.amount = item.Taxes[0].Amount
	}
	return l
}

// add folds a line in.
func (s *sums) add(l line) {
	s.gross, s.discount, s.net = s.gross.Add(l.gross), s.discount.Add(l.discount), s.net.Add(l.net)
	s.odd += l.odd
	if l.tax.name == "" {
		return
	}
	for i := range s.kinds {
		if k := &s.kinds[i]; k.tax.name == l.tax.name {
			k.net, k.amount, k.odd = k.net.Add(l.net), k.amount.Add(l.amount), k.odd+l.odd
			return
		}
	}
	s.kinds = append(s.kinds, sum{tax: l.tax, net: l.net, amount: l.amount, odd: l.odd})
}

// slack is how far a sum in cents may be from what it sums up: not at all when
// every part is in cents; else half a cent for each part that had to be rounded and
// for the sum itself. So both orders of rounding are accepted and nothing else.
func slack(odd int) money.Decimal {
	if odd == 0 {
		return money.Zero
	}
	return money.MustParse("0.005").Mul(money.FromInt(int64(odd) + 1))
}

// summed adds the lines up; false when a bound makes that impossible.
func summed(items []events.Item) (sums, bool) {
	var s sums
	if len(items) > country.MaxItems {
		return s, false
	}
	for _, item := range items {
		if !country.BoundedProduct(item.Quantity, item.UnitPrice) || !country.Bounded(item.Discount) {
			return s, false
		}
		for _, t := range item.Taxes {
			if !country.Bounded(t.Amount) {
				return s, false
			}
		}
		s.add(measure(item))
	}
	return s, true
}

// wholeDiscount is the part of the net that a discount on the whole document takes
// off, from 0 to 1; false when there is none.
func (c *checker) wholeDiscount() (share money.Decimal, ok bool) {
	if !c.summable {
		return money.Zero, false
	}
	return country.Share(c.sums.whole(c.d.Totals.Discount), c.sums.net)
}

// whole is the discount on the whole document: what totals.discount has beyond the
// discounts of the lines. Where lines have parts of a cent it may be the rounding of
// those discounts: below them it then counts as none, above the net as the whole net.
func (s sums) whole(discount money.Decimal) money.Decimal {
	if !country.Bounded(discount) {
		return money.Zero
	}
	rest, odd := discount.Sub(s.discount), slack(s.odd)
	switch {
	case rest.Sign() < 0 && within(rest, money.Zero, odd):
		return money.Zero
	case s.net.Less(rest) && within(rest, s.net, odd):
		return s.net
	}
	return rest
}
