package ar

import (
	"slices"

	"folio/country"
	"folio/events"
	"folio/money"
)

const maxRows = 50

// checkAmounts compares the caller's totals with the lines and with what ARCA
// compares, and notes what ARCA is told: the caller's own figures, so that the
// authorised total is the one on paper. Tolerances are absolute and per document:
//
//   - sub_total, discount and the bases follow the lines exactly, see slack;
//   - a tax is in the margin of base × rate (see inMargin), or is the sum of the lines' amounts and
//     within the 0.01 % that ARCA takes besides (10051);
//   - total is within 0.01 of sub_total − discount + taxes and of the parts that
//     ARCA adds up (10048). 0.01 passes, 0.02 does not.
//
// Tolerances of ARCA: WSFEv1 manual, "Validaciones", relative and absolute error.
func (c *checker) checkAmounts() {
	t := c.d.Totals
	if n := len(t.Taxes); n > maxRows {
		c.Add("totals.taxes", "AR-TOTAL-12", "it has %d rows, at most %d are allowed", n, maxRows)
		t.Taxes = nil
	}
	fit := country.FittingTotals(t, func(path string, a money.Decimal) bool { return c.bounded(path, a, 2) })
	if fit.Total && t.Total.Sign() < 0 {
		c.Add("totals.total", "AR-TOTAL-10", "the total may not be negative: what is given back is a credit note with "+
			"positive amounts")
	}
	other, bounded := c.globalTotal()
	if !c.summable {
		return
	}
	c.checkSubTotal(fit)
	if len(c.d.Totals.Taxes) > maxRows {
		return
	}
	rows := c.checkRows(fit)
	if fit.SubTotal && fit.Discount && fit.Total && fit.AllRows() && bounded {
		c.tell(rows, other)
		c.checkTotal(rows, other)
	}
}

// checkSubTotal compares sub_total and discount with the lines.
func (c *checker) checkSubTotal(fit country.Fitting) {
	t, s := c.d.Totals, c.sums
	if fit.SubTotal && !within(t.SubTotal, s.gross, slack(s.odd)) {
		c.Add("totals.sub_total", "AR-TOTAL-02", "the sum of quantity × unit_price is %s, not %s", s.gross.Trim(), t.SubTotal)
	}
	switch whole := s.whole(t.Discount); {
	case !fit.Discount:
	case whole.Sign() < 0:
		c.Add("totals.discount", "AR-TOTAL-03", "the discounts of the lines are %s, more than %s", s.discount.Trim(),
			t.Discount)
	case whole.Sign() > 0 && s.net.Less(whole):
		c.Add("totals.discount", "AR-TOTAL-03", "it exceeds what the lines come to, %s", s.gross.Trim())
	}
}

// checkRows finds the row of every kind of tax that the lines have and compares it.
// Class C has no rows (10071). Rows of tributos may be repeated here; they count once. A row
// is compared where it fits.
func (c *checker) checkRows(fit country.Fitting) []events.TotalTax {
	var rows []events.TotalTax
	for i := range c.d.Totals.Taxes {
		row := &c.d.Totals.Taxes[i]
		if g, ok := country.Find(globalTaxes, row.Type); ok {
			if row.Type = g.Code; fit.Rows[i] {
				c.checkGlobalRow(i, *row)
			}
			continue
		}
		known, ok := findLineTax(row.Type)
		empty := row.Amount.IsZero() && row.BaseAmount.IsZero()
		switch {
		case !ok:
			c.Add(country.RowPath(i, "type"), "AR-TOTAL-05", "%.20q is no tax: use one of %s", row.Type,
				country.Codes(taxTypeList))
			continue
		case slices.ContainsFunc(rows, func(r events.TotalTax) bool { return r.Type == known.name }): // 10022
			c.Add(country.RowPath(i, "type"), "AR-TOTAL-05", "%s has a row already", known.name)
			continue
		}
		row.Type = known.name
		rows = append(rows, *row)
		k := slices.IndexFunc(c.sums.kinds, func(s sum) bool { return s.tax.name == known.name })
		switch {
		case !c.kind.carriesVAT() && !empty:
			c.Add(country.RowPath(i, "type"), "AR-TOTAL-08", "class %c carries no VAT: its total is sub_total − discount + "+
				"global_taxes", c.kind.letter)
		case k >= 0 && fit.Rows[i]:
			c.checkRow(i, *row, c.sums.kinds[k], fit.Discount)
		case k >= 0:
		case !empty:
			c.Add(country.RowPath(i, "type"), "AR-TOTAL-05", "no line has %s", known.name)
		}
	}
	for _, k := range c.sums.kinds {
		if c.kind.carriesVAT() && !slices.ContainsFunc(rows, func(r events.TotalTax) bool { return r.Type == k.tax.name }) {
			base := c.reduced(k)
			c.Add("totals.taxes", "AR-TOTAL-04", "the row of %s is missing: base_amount %s, amount %s", k.tax.name,
				base.Round(2), base.Percent(k.tax.rate).Round(2))
		}
	}
	return rows
}

// reduced is the base of a kind after its proportional share of a discount on the
// whole document.
func (c *checker) reduced(k sum) money.Decimal {
	share, ok := c.wholeDiscount()
	if !ok {
		return k.net
	}
	return k.net.Sub(k.net.Mul(share))
}

// checkRow compares one row with its lines, where what is taken off the whole fits, and its
// tax with its base.
func (c *checker) checkRow(i int, row events.TotalTax, k sum, discounted bool) {
	base, tolerance := c.reduced(k), slack(k.odd)
	_, spread := c.wholeDiscount()
	if spread { // every share is rounded, the last takes what is left
		tolerance = tolerance.Add(slack(c.sums.odd)).Add(slack(len(c.sums.kinds)))
	}
	if discounted && !within(row.BaseAmount, base, tolerance) {
		c.Add(country.RowPath(i, "base_amount"), "AR-TOTAL-06", "the lines with %s come to %s, not %s", k.tax.name,
			base.Round(2), row.BaseAmount)
	}
	if row.BaseAmount.Sign() < 0 || row.Amount.Sign() < 0 { // 10020, 10021, 10043 to 10047
		c.Add(country.RowPath(i, "base_amount"), "AR-TOTAL-10", "what the lines with %s come to may not be negative",
			k.tax.name)
		return
	}
	want := row.BaseAmount.Percent(k.tax.rate)
	onWhole := slack(c.sums.odd).Less(c.sums.whole(c.d.Totals.Discount))
	summedUp := !onWhole && row.Amount.Equal(k.amount) && within(row.Amount, want, row.Amount.Percent(cent))
	switch {
	case k.tax.rate.IsZero() && !row.Amount.IsZero(), !inMargin(row.Amount, want) && !summedUp:
		c.Add(country.RowPath(i, "amount"), "AR-TOTAL-07", "%s %% of %s is %s, not %s (ARCA takes 0.01 either way)",
			k.tax.rate, row.BaseAmount, want.Trim(), row.Amount)
	case row.BaseAmount.IsZero() && !row.Amount.IsZero(): // 10020
		c.Add(country.RowPath(i, "amount"), "AR-TOTAL-07", "a base of 0 has no tax")
	}
}

// checkGlobalRow compares a row of a tributo with global_taxes.
func (c *checker) checkGlobalRow(i int, row events.TotalTax) {
	var amount money.Decimal
	for _, g := range c.d.GlobalTaxes {
		if g.Type == row.Type {
			amount = amount.Add(g.Amount)
		}
	}
	if !row.Amount.Equal(amount) {
		c.Add(country.RowPath(i, "amount"), "AR-TOTAL-09", "global_taxes have %s of %s, not %s: every tributo is given there",
			amount, row.Type, row.Amount)
	}
}
