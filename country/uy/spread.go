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

// rounding is by how much the rounded lines exceed a sub_total that the caller rounded once
// at the end; 0 for one that is the sum of rounded lines, and below 0 when they fall short.
func (s sums) rounding(subTotal money.Decimal) money.Decimal {
	if subTotal.Equal(s.atOnce) {
		return s.gross.Sub(s.atOnce)
	}
	return money.Zero
}

// division is how the rows of a document divide what its lines come to.
type division struct {
	rows  []events.TotalTax
	gross bool
	slack money.Decimal // how far a share may be beyond the discount, for the rounding of lines
}

// shares is how the bases of a document divide the discount on the whole: the issuer
// chooses how much of it falls on each rate (IndFactDR), and the bases say so. Where the
// caller rounded once at the end, the cents between that and the rounded lines may be in
// the bases too; they are told as a discount or, below 0, a surcharge. False when
// no division gives these bases. Where prices have IVA in them a base stands for one or
// two amounts of cents; the amounts that come to the whole are taken, the lower discount
// of the earlier row first, so that check and CFE agree.
func (s sums) shares(rows []events.TotalTax, t events.Totals, gross bool) ([]share, bool) {
	whole, cents := t.Discount.Sub(s.discount), s.rounding(t.SubTotal)
	if list, ok := (division{rows: rows, gross: gross}).divide(s.taxes, whole); ok || cents.IsZero() {
		return list, ok
	}
	return division{rows: rows, gross: gross, slack: cents.Abs()}.divide(s.taxes, whole.Add(cents))
}

func (d division) divide(parts []sum, left money.Decimal) ([]share, bool) {
	if len(parts) == 0 {
		return nil, left.IsZero()
	}
	x := parts[0]
	for _, covered := range candidates(baseRow(d.rows, x.tax.name), x.tax, d.gross) {
		off := x.lines.Sub(covered)
		if off.Less(d.slack.Neg()) || left.Add(d.slack).Less(off) {
			continue
		}
		if rest, ok := d.divide(parts[1:], left.Sub(off)); ok {
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

// sharesOf divides the discount on the whole of a checked document, for DscRcgGlobal. An
// amount below 0 is a surcharge, which the caller's rounding makes.
// Shares of nothing are left out.
func sharesOf(d events.Document) []share {
	s, ok := summed(d.Items)
	if !ok || d.OfficialCode == codeRemito {
		return nil
	}
	h, _ := ParseHeader(d.HeaderInfo)
	shares, _ := s.shares(d.Totals.Taxes, d.Totals, h.GrossPrices)
	return slices.DeleteFunc(shares, func(x share) bool { return x.amount.IsZero() })
}
