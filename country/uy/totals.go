package uy

import (
	"slices"

	"folio/country"
	"folio/events"
	"folio/money"
)

// checkAmounts compares the caller's totals with the lines, exactly, and notes what DGI
// is told: the caller's own figures, so that what is accepted is what is on paper.
func (c *checker) checkAmounts() {
	t := c.d.Totals
	if n := len(t.Taxes); n > maxTaxRows {
		c.Add("totals.taxes", "UY-TOTAL-08", "it has %d rows, at most %d are allowed", n, maxTaxRows)
		t.Taxes = nil
	}
	fit := country.FittingTotals(t, func(path string, a money.Decimal) bool {
		return c.bounded(path, a, country.MaxWholeDigits, places)
	})
	if !c.summable {
		return
	}
	if fit.SubTotal {
		c.checkSubTotal()
	}
	whole, net := money.Zero, c.sums.gross.Sub(c.sums.discount)
	if fit.Discount {
		whole = t.Discount.Sub(c.sums.discount)
	}
	known := fit.Discount && c.checkDiscount(whole, net)
	if !c.known || len(c.d.Totals.Taxes) > maxTaxRows {
		return
	}
	filled := c.fillRow(net.Sub(whole))
	if filled {
		fit.Rows = []bool{known}
	}
	rows, ok := c.checkRows(fit.Rows)
	if ok && known && c.typed && fit.SubTotal && fit.AllRows() {
		c.checkBases(rows, whole)
	}
	if !fit.AllRows() {
		return
	}
	c.tell(rows)
	if fit.Total {
		c.checkTotal(rows)
	}
}

// checkSubTotal takes the sum of rounded lines, and the sum that is rounded once.
func (c *checker) checkSubTotal() {
	switch given := c.d.Totals.SubTotal; {
	case given.Equal(c.sums.gross) || given.Equal(c.sums.atOnce):
	case c.sums.gross.Equal(c.sums.atOnce):
		c.Add("totals.sub_total", "UY-TOTAL-02", "the sum of quantity × unit_price is %s, not %s", c.sums.gross, given)
	default:
		c.Add("totals.sub_total", "UY-TOTAL-02", "the sum of quantity × unit_price is %s with each line rounded, or %s "+
			"rounded once at the end, not %s",
			c.sums.gross, c.sums.atOnce, given)
	}
}

// checkDiscount says whether what is taken off the whole can be.
func (c *checker) checkDiscount(whole, net money.Decimal) bool {
	switch {
	case whole.Sign() < 0:
		c.Add("totals.discount", "UY-TOTAL-03", "the discounts of the lines are %s, more than %s", c.sums.discount,
			c.d.Totals.Discount)
	case whole.Sign() > 0 && c.kind.Code == codeExportRemito:
		c.Add("totals.discount", "UY-TOTAL-10", "an e-Remito de exportación has no discounts: give the prices that are left")
	case whole.Sign() > 0 && net.Less(whole):
		c.Add("totals.discount", "UY-TOTAL-03", "it exceeds what the lines come to, %s", net)
	default:
		return true
	}
	return false
}

// fillRow adds the only row that a document without IVA can have.
func (c *checker) fillRow(base money.Decimal) bool {
	if c.kind.taxed() || len(c.d.Totals.Taxes) > 0 || len(c.sums.taxes) != 1 || c.sums.taxes[0].tax.name != exempt {
		return false
	}
	c.d.Totals.Taxes = []events.TotalTax{{Type: exempt, BaseAmount: base}}
	return true
}

// checkRows finds the row of every tax that the lines have, and no other. Lines that come
// to nothing need no row. Lines are compared where all of them have their taxes, and the tax
// of a row with its base where the row fits.
func (c *checker) checkRows(fits []bool) ([]events.TotalTax, bool) {
	return c.Rows(c.d.Totals.Taxes, country.RowRules{
		MissingCode: "UY-TOTAL-04", TypeCode: "UY-TOTAL-05", Names: taxTypeList, Typed: c.typed,
		Find: func(text string) (string, bool) {
			t, ok := findTax(text)
			return t.name, ok
		},
		Sums: country.Collect(c.sums.taxes,
			func(s sum) country.TaxSum { return country.TaxSum{Tax: s.tax.name, Sum: s.lines} }),
		Required: func(s country.TaxSum) bool { return !s.Sum.IsZero() },
		Check:    func(i int, row events.TotalTax) bool { return !fits[i] || c.checkRow(i, row) },
	})
}

// checkRow compares the tax of one row with its base, which is not below 0 (XSD Totales) but
// where lines that are not invoiceable take off more than the others come to.
func (c *checker) checkRow(i int, row events.TotalTax) bool {
	t, _ := findTax(row.Type)
	if row.BaseAmount.Sign() < 0 && t.name != notInvoiceable {
		c.Add(country.RowPath(i, "base_amount"), "UY-TOTAL-06", "the base of %s is not below 0: take off it at most what "+
			"its lines come to", t.name)
		return false
	}
	want := ivaOf(row.BaseAmount, t.rate)
	if row.Amount.Equal(want) {
		return true
	}
	c.Add(country.RowPath(i, "amount"), "UY-TOTAL-07", "%s %% of %s is %s, not %s", t.rate, row.BaseAmount, want,
		row.Amount)
	return false
}

// checkBases wants the bases to be what the lines come to, less a discount on the whole:
// the issuer chooses how much of it falls on each (IndFactDR), and the bases say so.
// Where prices have IVA in them, a base is the net of its lines (see netOf).
func (c *checker) checkBases(rows []events.TotalTax, whole money.Decimal) {
	t := c.d.Totals
	if c.kind.Code == codeExportRemito { // it has no DscRcgGlobal that could tell the caller's rounding
		t.SubTotal = c.sums.gross
	}
	if _, ok := c.sums.shares(rows, t, c.gross); ok {
		return
	}
	if !whole.IsZero() {
		c.Add("totals.taxes", "UY-TOTAL-06", "the bases do not divide the discount of %s on the whole: take it off the "+
			"bases%s", whole, c.grossHint())
		return
	}
	for i, row := range c.d.Totals.Taxes {
		for _, s := range c.sums.taxes {
			if want := baseOf(s.lines, s.tax, c.gross); s.tax.name == row.Type && !row.BaseAmount.Equal(want) {
				c.Add(country.RowPath(i, "base_amount"), "UY-TOTAL-06", "the lines with %s come to %s: the base is %s, not %s%s",
					s.tax.name, s.lines, want, row.BaseAmount, c.grossHint())
			}
		}
	}
}

func (c *checker) grossHint() string {
	if !c.gross {
		return ""
	}
	return "; prices have IVA in them, so a base is the sum divided by 1.22 or 1.10 and rounded"
}

// tell notes the amounts for DGI. Rows of nothing are not told.
func (c *checker) tell(rows []events.TotalTax) {
	rows = slices.Clone(rows)
	slices.SortStableFunc(rows, func(x, y events.TotalTax) int { return taxOrder(x.Type) - taxOrder(y.Type) })
	a := events.AppliedAmounts{}
	for _, row := range rows {
		switch t, _ := findTax(row.Type); {
		case row.Type == exempt || row.Type == smallIssuer: // both are in MntNoGrv
			a.Exempt = a.Exempt.Add(row.BaseAmount)
		case row.Type == notInvoiceable:
			a.Untaxed = row.BaseAmount
		case !row.BaseAmount.IsZero():
			a.Net, a.Tax = a.Net.Add(row.BaseAmount), a.Tax.Add(row.Amount)
			c.taxes.Rates = append(c.taxes.Rates, events.AppliedRate{Type: t.name, Code: t.code, Rate: t.rate,
				Base: row.BaseAmount, Amount: row.Amount})
		}
	}
	a.Total = money.Sum(a.Net, a.Exempt, a.Tax)
	rate := c.d.Currency.Rate.WholeDigits() // above 4 it is told already
	if c.d.Currency.Code != localCurrency && rate <= 4 && a.Total.WholeDigits()+rate > maxReportDigits {
		c.Add("totals.total", "UY-LIMIT-04", "at its exchange rate it is more pesos than DGI's daily report holds, whose "+
			"amounts have %d digits before the point", maxReportDigits)
	}
	c.taxes.Amounts, c.told = a, true
}

// checkTotal holds the equation of the total: MntPagar is the bases with their IVA, what
// is exempt and what is not invoiceable (CFE25 A-C124, A-C130). With IVA in the prices it
// may differ by a cent for each rate from sub_total − discount.
func (c *checker) checkTotal(rows []events.TotalTax) {
	want := money.Zero
	for _, row := range rows {
		want = money.Sum(want, row.BaseAmount, row.Amount)
	}
	switch t := c.d.Totals; {
	case !t.Total.Equal(want) && c.gross:
		c.Add("totals.total", "UY-TOTAL-01", "the bases and taxes come to %s, not %s: the net is rounded first and IVA "+
			"computed from it; a cent that is missing from the price can be a line of its own that is not_invoiceable", want,
			t.Total)
	case !t.Total.Equal(want):
		c.Add("totals.total", "UY-TOTAL-01", "sub_total − discount + taxes is %s, not %s", want, t.Total)
	case t.Total.Sign() < 0:
		c.Add("totals.total", "UY-TOTAL-09", "the total may not be negative: what is given back is a credit note")
	}
}
