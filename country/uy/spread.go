package uy

import (
	"slices"

	"folio/country"
	"folio/events"
	"folio/money"
)

// share is the part of a discount on the whole document that falls on one way of meeting
// IVA: one line of DscRcgGlobal with its IndFactDR (CFE25 zone D).
type share struct {
	tax    lineTax
	amount money.Decimal
}

// spread divides a discount on the whole in proportion to the lines; what is negative
// takes none.
func (s sums) spread(whole money.Decimal) []share {
	parts := slices.DeleteFunc(slices.Clone(s.taxes), func(x sum) bool { return x.lines.Sign() <= 0 })
	lines := country.Collect(parts, func(x sum) money.Decimal { return x.lines })
	var shares []share
	for i, amount := range country.Spread(whole, lines, places) {
		shares = append(shares, share{parts[i].tax, amount})
	}
	return shares
}

// shares is how the bases of a document divide the discount on the whole: the issuer
// chooses how much of it falls on each rate (IndFactDR), and the bases say so. False when
// no division gives these bases. Where prices have IVA in them a base stands for one or
// two amounts of cents; the amounts that come to the whole are taken, the lower discount
// of the earlier row first, so that check and CFE agree.
func (s sums) shares(rows []events.TotalTax, whole money.Decimal, gross bool) ([]share, bool) {
	return divide(s.taxes, rows, whole, gross)
}

func divide(parts []sum, rows []events.TotalTax, left money.Decimal, gross bool) ([]share, bool) {
	if len(parts) == 0 {
		return nil, left.IsZero()
	}
	x := parts[0]
	for _, covered := range candidates(baseRow(rows, x.tax.name), x.tax, gross) {
		off := x.lines.Sub(covered)
		if off.Sign() < 0 || left.Less(off) {
			continue
		}
		if rest, ok := divide(parts[1:], rows, left.Sub(off), gross); ok {
			return append([]share{{x.tax, off}}, rest...), true
		}
	}
	return nil, false
}

// candidates are the amounts that have this base, from the largest.
func candidates(base money.Decimal, t lineTax, gross bool) []money.Decimal {
	if !gross || t.rate.IsZero() {
		return []money.Decimal{base}
	}
	var list []money.Decimal
	near, cent := base.Add(base.Percent(t.rate)).Round(places), money.MustParse("0.01")
	for _, amount := range []money.Decimal{near.Add(cent), near, near.Sub(cent)} {
		if netOf(amount, t.rate).Equal(base) {
			list = append(list, amount)
		}
	}
	return list
}

// baseRow is the base of the row of a tax, 0 without one.
func baseRow(rows []events.TotalTax, name string) money.Decimal {
	for _, r := range rows {
		if r.Type == name {
			return r.BaseAmount
		}
	}
	return money.Zero
}

// sharesOf divides the discount on the whole of a checked document, for DscRcgGlobal.
// Shares of nothing are left out.
func sharesOf(d events.Document) []share {
	s, ok := summed(d.Items)
	if !ok || d.OfficialCode == codeRemito {
		return nil
	}
	h, _ := ParseHeader(d.HeaderInfo)
	shares, _ := s.shares(d.Totals.Taxes, d.Totals.Discount.Sub(s.discount), h.GrossPrices)
	return slices.DeleteFunc(shares, func(x share) bool { return x.amount.Sign() <= 0 })
}
