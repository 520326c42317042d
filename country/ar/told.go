package ar

import (
	"slices"

	"folio/events"
	"folio/money"
)

// tell notes the amounts for ARCA (WSFEv1 manual, amounts of FECAEDetRequest). Rows
// without base are dropped: a row of 0 at a rate above 0 is refused (10018, 10020).
func (c *checker) tell(rows []events.TotalTax, other money.Decimal) {
	a := events.AppliedAmounts{Other: other, Total: c.d.Totals.Total}
	if !c.kind.carriesVAT() {
		a.Net = c.d.Totals.SubTotal.Sub(c.d.Totals.Discount) // "ImpNeto es igual al Sub Total"
		rows = nil
	}
	rows = slices.Clone(rows)
	slices.SortStableFunc(rows, func(x, y events.TotalTax) int { return rateOrder(x.Type) - rateOrder(y.Type) })
	for _, row := range rows {
		switch t, _ := findLineTax(row.Type); {
		case row.Type == exempt:
			a.Exempt = row.BaseAmount
		case row.Type == untaxed:
			a.Untaxed = row.BaseAmount
		case !row.BaseAmount.IsZero():
			a.Net, a.Tax = a.Net.Add(row.BaseAmount), a.Tax.Add(row.Amount)
			c.taxes.Rates = append(c.taxes.Rates, events.AppliedRate{
				Type: t.name, Code: t.code, Rate: t.rate, Base: row.BaseAmount.Round(2), Amount: row.Amount.Round(2)})
		}
	}
	for _, m := range []*money.Decimal{&a.Net, &a.Untaxed, &a.Exempt, &a.Tax, &a.Other, &a.Total} {
		*m = m.Round(2)
	}
	c.taxes.Amounts = a
}

// rateOrder is the place in the table of rates, so that what is told does not depend
// on the order in which the caller lists rows.
func rateOrder(name string) int {
	return slices.IndexFunc(lineTaxes, func(t lineTax) bool { return t.name == name })
}

// checkTotal holds the two equations of the total.
func (c *checker) checkTotal(rows []events.TotalTax, other money.Decimal) {
	t, a := c.d.Totals, c.taxes.Amounts
	taxes := other
	if c.kind.carriesVAT() {
		for _, row := range rows {
			taxes = taxes.Add(row.Amount)
		}
	}
	parts := money.Sum(a.Net, a.Untaxed, a.Exempt, a.Tax, a.Other)
	switch sum := t.SubTotal.Sub(t.Discount).Add(taxes); {
	case !within(t.Total, sum, cent) && !c.kind.carriesVAT():
		c.Add("totals.total", "AR-TOTAL-01", "in class %c the total is sub_total − discount + global_taxes = %s, not %s: "+
			"there is no VAT (0.01 either way is accepted)", c.kind.letter, sum, t.Total)
	case !within(t.Total, sum, cent):
		c.Add("totals.total", "AR-TOTAL-01", "sub_total − discount + taxes is %s, not %s (0.01 either way is accepted)", sum,
			t.Total)
	case !within(t.Total, parts, cent): // 10048
		c.Add("totals.total", "AR-TOTAL-01", "the bases and taxes of totals.taxes and global_taxes come to %s, not %s "+
			"(0.01 either way is accepted)", parts, t.Total)
	}
	sound := within(t.SubTotal, c.sums.gross, slack(c.sums.odd)) // told already
	if c.kind.letter == 'C' && a.Net.Sign() < 0 && sound {       // 10045
		c.Add("totals.discount", "AR-TOTAL-10", "sub_total − discount is %s, and ARCA takes none below 0: what is given "+
			"back is a credit note with positive amounts", a.Net)
	}
	// 10018: with ImpIVA 0 only the rate of 0 % may appear.
	above := slices.ContainsFunc(c.taxes.Rates, func(r events.AppliedRate) bool { return r.Rate.Sign() > 0 })
	if a.Tax.IsZero() && above {
		c.Add("totals.taxes", "AR-TOTAL-11", "the VAT of the whole document rounds to 0.00, which ARCA refuses with a "+
			"rate above 0: give 0.01")
	}
}
