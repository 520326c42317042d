package cl

import (
	"slices"

	"folio/country"
	"folio/events"
	"folio/money"
)

// checkAmounts compares the caller's totals with the lines, exactly, and notes what
// SII is told: the caller's own figures, so that what is accepted is what is on paper.
func (c *checker) checkAmounts() {
	t := c.d.Totals
	if n := len(t.Taxes); n > maxTaxRows {
		c.Add("totals.taxes", "CL-TOTAL-08", "it has %d rows, at most %d are allowed", n, maxTaxRows)
		t.Taxes = nil
	}
	fit := country.FittingTotals(t, func(path string, a money.Decimal) bool {
		return c.bounded(path, a, country.MaxWholeDigits, c.places)
	})
	if fit.Total && c.known {
		c.checkReasonTotal()
	}
	if !c.summable {
		return
	}
	if fit.SubTotal && !t.SubTotal.Equal(c.sums.gross) {
		c.Add("totals.sub_total", "CL-TOTAL-02", "the sum of quantity × unit_price, each line rounded, is %s, not %s",
			c.sums.gross, t.SubTotal)
	}
	whole, net := money.Zero, c.sums.gross.Sub(c.sums.discount)
	if fit.Discount {
		whole = t.Discount.Sub(c.sums.discount)
	}
	known := fit.Discount && c.checkDiscount(whole, net)
	if !c.known || len(c.d.Totals.Taxes) > maxTaxRows {
		return
	}
	if c.fillRow(net.Sub(whole)) {
		fit.Rows = []bool{known}
	}
	if !known || !c.typed {
		whole = money.FromInt(-1)
	}
	rows, ok := c.checkRows(whole, fit.Rows)
	if !fit.AllRows() {
		return
	}
	if ok && known && c.typed {
		c.checkShares(rows, whole)
	}
	c.tell(rows)
	if fit.Total && fit.SubTotal && known {
		c.checkTotal(rows)
	}
	if c.typed && c.kind.Code == codeInvoice && reason(c.d) != country.CorrectsText && !t.Total.IsZero() &&
		c.taxes.Amounts.Net.IsZero() {
		c.Add("invoice_type", "CL-TOTAL-10", "a factura afecta has something taxed: use FEX (34) when all is exempt")
	}
}

// checkDiscount says whether what is taken off the whole can be.
func (c *checker) checkDiscount(whole, net money.Decimal) bool {
	switch {
	case whole.Sign() < 0:
		c.Add("totals.discount", "CL-TOTAL-03", "the discounts of the lines are %s, more than %s", c.sums.discount,
			c.d.Totals.Discount)
	case net.Less(whole):
		c.Add("totals.discount", "CL-TOTAL-03", "it exceeds what the lines come to, %s", c.sums.gross)
	default:
		return true
	}
	return false
}

// fillRow adds the only row that a document of an exempt kind can have.
func (c *checker) fillRow(base money.Decimal) bool {
	if c.kind.taxed || len(c.d.Totals.Taxes) > 0 || len(c.sums.taxes) != 1 || c.sums.taxes[0].tax.name != exempt {
		return false
	}
	c.d.Totals.Taxes = []events.TotalTax{{Type: exempt, BaseAmount: base}}
	return true
}

// checkRows finds the row of every tax that the lines have, and no other. A row is compared
// where it fits, and with its lines where all of them have their taxes. Whole is below 0 where
// what is taken off the whole is not known.
func (c *checker) checkRows(whole money.Decimal, fits []bool) ([]events.TotalTax, bool) {
	return c.Rows(c.d.Totals.Taxes, country.RowRules{
		MissingCode: "CL-TOTAL-04", TypeCode: "CL-TOTAL-05", Names: taxTypeList, Typed: c.typed,
		Find: func(text string) (string, bool) {
			t, ok := findTax(text)
			return t.name, ok
		},
		Sums: country.Collect(c.sums.taxes,
			func(s sum) country.TaxSum { return country.TaxSum{Tax: s.tax.name, Sum: s.lines} }),
		Required: func(country.TaxSum) bool { return true },
		Check:    func(i int, row events.TotalTax) bool { return fits[i] && c.checkRow(i, row, whole) },
	})
}

// covered is what a row has of its lines: base and tax together where prices are gross.
func (c *checker) covered(row events.TotalTax) money.Decimal {
	if c.kind.gross && row.Type == iva {
		return row.BaseAmount.Add(row.Amount)
	}
	return row.BaseAmount
}

// checkRow compares one row with its lines and its tax with its base.
func (c *checker) checkRow(i int, row events.TotalTax, whole money.Decimal) bool {
	tax, _ := findTax(row.Type)
	lines := c.sums.of(tax.name)
	covered := c.covered(row)
	switch {
	case whole.Sign() < 0:
	case row.BaseAmount.Sign() < 0 || lines.Less(covered) || whole.IsZero() && !covered.Equal(lines):
		c.Add(country.RowPath(i, "base_amount"), "CL-TOTAL-06", "the lines with %s come to %s, not %s", tax.name, lines,
			covered)
		return false
	}
	want := tax.signed(row.BaseAmount.Percent(tax.rate).Round(0))
	if c.kind.gross && row.Type == iva {
		base, within := netOf(covered)
		if !row.BaseAmount.Equal(base) {
			c.Add(country.RowPath(i, "base_amount"), "CL-TOTAL-07", "prices of %s have IVA in them: of %s the base is %s and "+
				"the IVA %s", c.kind.InvoiceType, covered, base, within)
			return false
		}
		return true
	}
	if !row.Amount.Equal(want) {
		c.Add(country.RowPath(i, "amount"), "CL-TOTAL-07", "%s %% of %s is %s, not %s", tax.rate, row.BaseAmount, want,
			row.Amount)
		return false
	}
	return true
}

// checkShares wants a discount on the whole to be wholly in the bases: the issuer
// chooses how much of it falls on what is taxed, exempt and not invoiceable
// (IndExeDR), and the bases say so.
func (c *checker) checkShares(rows []events.TotalTax, whole money.Decimal) {
	left, taxed := money.Zero, money.Zero
	for _, row := range rows {
		if t, _ := findTax(row.Type); !t.isAdditional() {
			left = left.Add(c.covered(row))
		}
		if row.Type == iva {
			taxed = row.BaseAmount
		}
	}
	if want := c.sums.gross.Sub(c.sums.discount).Sub(whole); !left.Equal(want) {
		c.Add("totals.taxes", "CL-TOTAL-06", "sub_total − discount is %s, and the bases come to %s: take the discount off "+
			"the bases", want, left)
	}
	c.checkAdditional(taxed)
}

// checkAdditional: the lines of a tax beside IVA are some of the taxed ones, so that they bear
// at most what of the discount falls on those, and are at most what is left of those.
func (c *checker) checkAdditional(taxed money.Decimal) {
	share := c.sums.of(iva).Sub(taxed)
	for i, row := range c.d.Totals.Taxes {
		t, _ := findTax(row.Type)
		lines := c.sums.of(t.name)
		if t.isAdditional() && (row.BaseAmount.Less(lines.Sub(share)) || taxed.Less(row.BaseAmount)) {
			c.Add(country.RowPath(i, "base_amount"), "CL-TOTAL-06", "the lines with %s are among those with iva19, whose "+
				"discount of %s on the whole leaves %s: it cannot bring them from %s to %s", t.name, share, taxed, lines,
				row.BaseAmount)
		}
	}
}

// tell notes the amounts for SII.
func (c *checker) tell(rows []events.TotalTax) {
	rows = slices.Clone(rows)
	slices.SortStableFunc(rows, func(x, y events.TotalTax) int { return taxOrder(x.Type) - taxOrder(y.Type) })
	a := events.AppliedAmounts{Total: totalOf(c.d)}
	for _, row := range rows {
		t, _ := findTax(row.Type)
		switch row.Type {
		case exempt:
			a.Exempt = row.BaseAmount
			continue
		case notInvoiceable:
			a.Untaxed = row.BaseAmount
			continue
		case iva:
			a.Net, a.Tax = row.BaseAmount, row.Amount
		default:
			a.Other = a.Other.Add(row.Amount)
		}
		c.taxes.Rates = append(c.taxes.Rates, events.AppliedRate{Type: t.name, Code: t.code, Rate: t.rate,
			Base: row.BaseAmount, Amount: row.Amount})
	}
	c.taxes.Amounts = a
}

// checkTotal holds the equation of the total. In a boleta afecta the IVA is within it.
func (c *checker) checkTotal(rows []events.TotalTax) {
	t := c.d.Totals
	want := t.SubTotal.Sub(t.Discount)
	for _, row := range rows {
		if !c.kind.gross || row.Type != iva {
			want = want.Add(row.Amount)
		}
	}
	switch {
	case !t.Total.Equal(want) && c.kind.gross:
		c.Add("totals.total", "CL-TOTAL-01", "prices of %s have IVA in them: the total is sub_total − discount = %s, not %s",
			c.kind.InvoiceType, want, t.Total)
	case !t.Total.Equal(want):
		c.Add("totals.total", "CL-TOTAL-01", "sub_total − discount + taxes is %s, not %s", want, t.Total)
	case t.Total.Sign() < 0:
		c.Add("totals.total", "CL-TOTAL-01", "the total may not be negative")
	}
}

// checkReasonTotal: a note that only corrects a text has no amounts (CodRef 2), and
// every other document but a guía has some.
func (c *checker) checkReasonTotal() {
	text := reason(c.d) == country.CorrectsText
	switch total := c.d.Totals.Total; {
	case text && !total.IsZero():
		c.Add("totals.total", "CL-TOTAL-09", "a note that corrects a text (reason_code 2) has a total of 0, with a line "+
			"of price 0 that says what changes")
	case !text && total.IsZero() && c.kind.Code != codeDispatch:
		c.Add("totals.total", "CL-TOTAL-09", "a total of 0 is for guías de despacho and for notes with reason_code 2")
	}
}
