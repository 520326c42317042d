package ar

import (
	"errors"

	"folio/country"
	"folio/events"
	"folio/money"
)

// Order is where a caller's system rounds.
type Order int

// The two orders in use.
const (
	PerRate Order = iota // lines keep their decimals, each rate's base and tax are rounded
	PerLine              // each line's net and tax are rounded, then summed
)

// ErrTooLarge is returned for items whose product leaves the bounds of Check.
var ErrTooLarge = errors.New("amounts are out of bounds: see items[].unit_price")

// Calculate implements country.Rules. It rounds per rate. A tributo without a base has the
// net of the document as its base, and one without an amount has its rate of the base. A
// tributo whose rate of the base rounds to 0.00 is left out, as ARCA takes none of 0.
func (Rules) Calculate(d events.Document) (events.Document, error) {
	s, ok := summed(d.Items)
	if !ok {
		return d, ErrTooLarge
	}
	items, totals, err := Calculate(d.Items, nil, s.whole(d.Totals.Discount).Round(2), PerRate)
	if err != nil {
		return d, err
	}
	d = country.CloneDocument(d)
	d.Items, d.Totals = items, totals
	told := d.GlobalTaxes[:0]
	for _, g := range d.GlobalTaxes {
		if !country.Bounded(g.BaseAmount) || !country.Bounded(g.Amount) || g.Rate.WholeDigits() > 3 {
			return d, ErrTooLarge
		}
		if g.BaseAmount.IsZero() {
			g.BaseAmount = totals.SubTotal.Sub(totals.Discount)
		}
		if g.Amount.IsZero() {
			g.Amount = g.BaseAmount.Percent(g.Rate).Round(2)
		}
		if g.Amount.IsZero() && g.Rate.Sign() > 0 {
			continue
		}
		told, d.Totals.Total = append(told, g), d.Totals.Total.Add(g.Amount)
	}
	d.GlobalTaxes = told
	return d, nil
}

// Calculate fills in what follows from the items of a class A, B or C document: the
// tax of each line (from its type) and the totals. whole is the discount on the whole
// document, beyond those of the lines; it is spread over the rates in proportion,
// and the last takes what is left. Check accepts what it makes.
//
// Per line, the tax of a rate is the sum of its lines unless ARCA would refuse that
// sum (10051: 100 lines of 0.30 come to 6.00 of VAT where 6.30 is due): then it is
// that of the base.
func Calculate(items []events.Item, taxes []events.GlobalTax, whole money.Decimal,
	order Order) ([]events.Item, events.Totals, error) {
	if _, ok := summed(items); !ok || !country.Bounded(whole) {
		return nil, events.Totals{}, ErrTooLarge
	}
	filled := country.CloneDocument(events.Document{Items: items}).Items
	var s sums
	for i := range filled {
		l := measure(filled[i])
		if order == PerLine {
			l.gross, l.discount = l.gross.Round(2), l.discount.Round(2)
			l.net = l.gross.Sub(l.discount)
		}
		if l.tax.name != "" {
			l.amount = l.net.Percent(l.tax.rate).Round(2)
			filled[i].Taxes[0].Rate, filled[i].Taxes[0].Amount = l.tax.rate, l.amount
		}
		s.add(l)
	}
	if s.kinds == nil { // class C
		s.kinds = []sum{{net: s.net}}
	}
	return filled, s.totals(taxes, whole, order), nil
}

// totals rounds the sums so that the equations of the total hold exactly.
func (s sums) totals(taxes []events.GlobalTax, whole money.Decimal, order Order) events.Totals {
	var t events.Totals
	bases := spread(country.Collect(s.kinds, func(k sum) money.Decimal { return k.net.Round(2) }), whole)
	t.Discount = s.discount.Round(2).Add(whole)
	t.SubTotal = money.Sum(bases...).Add(t.Discount)
	t.Total = money.Sum(bases...)
	for i, k := range s.kinds {
		if k.tax.name == "" {
			continue
		}
		want := bases[i].Percent(k.tax.rate)
		row := events.TotalTax{Type: k.tax.name, BaseAmount: bases[i], Amount: want.Round(2)}
		takes := inMargin(k.amount, want) || within(k.amount, want, k.amount.Percent(cent))
		if order == PerLine && whole.IsZero() && takes && bases[i].Sign() > 0 && k.amount.Sign() > 0 {
			row.Amount = k.amount
		}
		t.Taxes = append(t.Taxes, row)
	}
	liftVAT(t.Taxes)
	for _, row := range t.Taxes {
		t.Total = t.Total.Add(row.Amount)
	}
	for _, g := range taxes {
		t.Total = t.Total.Add(g.Amount)
	}
	return t
}

// spread takes whole off the bases in proportion. Shares are differences of the
// rounded running sum, so that they come to whole exactly and none exceeds its base.
func spread(bases []money.Decimal, whole money.Decimal) []money.Decimal {
	net := money.Sum(bases...)
	if whole.Sign() <= 0 || net.Sign() <= 0 {
		return bases
	}
	share, running, taken := whole.Quo(net), money.Zero, money.Zero
	left := make([]money.Decimal, len(bases))
	for i, b := range bases {
		running = running.Add(b)
		upTo := running.Mul(share).Round(2)
		if i == len(bases)-1 {
			upTo = whole
		}
		left[i] = b.Sub(upTo.Sub(taken))
		taken = upTo
	}
	return left
}

// liftVAT gives the cent without which ARCA refuses a document whose VAT rounds to
// nothing at a rate above 0 (10018).
func liftVAT(rows []events.TotalTax) {
	first := -1
	for i, row := range rows {
		t, _ := findLineTax(row.Type)
		if !row.Amount.IsZero() {
			return
		}
		if first < 0 && t.rate.Sign() > 0 && row.BaseAmount.Sign() > 0 {
			first = i
		}
	}
	if first >= 0 {
		rows[first].Amount = cent
	}
}
