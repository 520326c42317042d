package ar

import (
	"folio/country"
	"folio/events"
	"folio/money"
)

// cent is the absolute tolerance of ARCA's comparisons (10023, 10029, 10048, 10051, 10061).
var cent = money.MustParse("0.01")

// line is what one item is worth, unrounded. All is in the document's currency.
type line struct {
	gross    money.Decimal // quantity × unit_price
	discount money.Decimal
	net      money.Decimal // gross − discount: the base of its tax
	tax      lineTax       // none in class C
	amount   money.Decimal // of the tax, as given
	odd      int           // how many of gross and discount have parts of a cent
}

// checkItems verifies every line by itself: texts, codes, bounds and its tax.
func (c *checker) checkItems() {
	switch n := len(c.d.Items); {
	case n == 0:
		c.Add("items", "AR-ITEM-01", "at least one item is required")
	case n > country.MaxItems:
		c.Add("items", "AR-ITEM-01", "it has %d items, at most %d are allowed", n, country.MaxItems)
		c.d.Items = nil // nothing below is worth saying of so many
	}
	for i := range c.d.Items {
		item := &c.d.Items[i]
		if country.Blank(item.Description) {
			c.Add(country.ItemPath(i, "description"), "AR-ITEM-02", "a description is required")
		}
		c.text(country.ItemPath(i, "description"), item.Description, maxDescription)
		c.checkItemCodes(i, item)
		c.checkItemTax(i, item)
		if c.checkItemAmounts(i, item) {
			c.checkItemTaxAmount(i, item)
		}
	}
}

func (c *checker) checkItemCodes(i int, item *events.Item) {
	if unit, ok := country.Find(units, item.UnitOfMeasure); ok {
		item.UnitOfMeasure = unitCode(item.UnitOfMeasure, unit)
	} else {
		c.Add(country.ItemPath(i, "code_unit_of_measure"), "AR-ITEM-03",
			"%.20q is no unit of measure: u, kg, l, hour ... or ARCA's number", item.UnitOfMeasure)
	}
	if item.Code == nil {
		return
	}
	c.text(country.ItemPath(i, "code.value"), item.Code.Value, maxShort)
	if country.Blank(item.Code.Value) {
		c.Add(country.ItemPath(i, "code.value"), "AR-ITEM-04", "a code needs its value; leave code out when there is none")
	}
	c.OneOf(country.ItemPath(i, "code.type"), "AR-ITEM-04", "type of code", itemCodes, &item.Code.Type)
}

// unitCode keeps 98 apart from the named units that share the number.
func unitCode(given string, found country.Catalogued) string {
	if given == found.OfficialCode && found.OfficialCode == "98" {
		return "other"
	}
	return found.Code
}

// checkItemAmounts bounds the line, so that it can be multiplied. Lines may be
// negative (an advance taken off): only sums go to ARCA, and those may not.
func (c *checker) checkItemAmounts(i int, item *events.Item) bool {
	ok := c.bounded(country.ItemPath(i, "quantity"), item.Quantity, country.MaxDecimals)
	ok = c.bounded(country.ItemPath(i, "unit_price"), item.UnitPrice, country.MaxDecimals) && ok
	ok = c.bounded(country.ItemPath(i, "discount_amount"), item.Discount, country.MaxDecimals) && ok
	for j, t := range item.Taxes {
		ok = c.bounded(country.TaxPath(i, j, "amount"), t.Amount, 2) && ok
	}
	if !ok {
		return false
	}
	if item.Quantity.Sign() <= 0 {
		c.Add(country.ItemPath(i, "quantity"), "AR-ITEM-05", "the quantity must be above 0; what is taken off has a "+
			"negative unit_price")
	}
	if !country.BoundedProduct(item.Quantity, item.UnitPrice) {
		c.Add(country.ItemPath(i, "unit_price"), "AR-LIMIT-03", "quantity × unit_price must have at most %d digits before "+
			"the point", country.MaxWholeDigits)
		return false
	}
	gross := item.Quantity.Mul(item.UnitPrice)
	if item.Discount.Sign() < 0 || item.Discount.Sign() > 0 && gross.Less(item.Discount) {
		c.Add(country.ItemPath(i, "discount_amount"), "AR-ITEM-06",
			"the discount must be from 0 to quantity × unit_price, %s", gross.Trim())
	}
	return true
}

// checkItemTax wants exactly one way for VAT to meet a line of class A or B, with
// the rate that belongs to it, and none in class C (10071).
func (c *checker) checkItemTax(i int, item *events.Item) {
	if !c.kind.carriesVAT() {
		if len(item.Taxes) > 0 {
			c.Add(country.ItemPath(i, "taxes"), "AR-TAX-01", "class %c carries no VAT: leave taxes empty", c.kind.letter)
		}
		return
	}
	if len(item.Taxes) != 1 {
		c.Add(country.ItemPath(i, "taxes"), "AR-TAX-02", "a line has exactly one tax: one of %s", country.Codes(taxTypeList))
	}
	for j := range item.Taxes {
		t := &item.Taxes[j]
		known, ok := findLineTax(t.Type)
		if !ok {
			c.Add(country.TaxPath(i, j, "type"), "AR-TAX-03", "%.20q is no tax of a line: use one of %s; tributos and "+
				"perceptions go to global_taxes", t.Type, country.Codes(taxTypeList))
			continue
		}
		t.Type = known.name
		if !t.Rate.Equal(known.rate) {
			c.Add(country.TaxPath(i, j, "rate"), "AR-TAX-04", "the rate of %s is %s, not %s", known.name, known.rate, t.Rate)
		}
	}
}

// checkItemTaxAmount compares the tax with its base (10051). A cent either way is
// accepted, because one rounds up, one to even and one cuts. With a discount on the
// whole document the tax may be that of the line before or after its share of it.
func (c *checker) checkItemTaxAmount(i int, item *events.Item) {
	if len(item.Taxes) != 1 {
		return
	}
	known, ok := findLineTax(item.Taxes[0].Type)
	if !ok {
		return
	}
	net := item.Quantity.Mul(item.UnitPrice).Sub(item.Discount)
	given, want := item.Taxes[0].Amount, net.Percent(known.rate)
	if known.rate.IsZero() && !given.IsZero() {
		c.Add(country.TaxPath(i, 0, "amount"), "AR-TAX-05", "the amount of %s is 0, not %s", known.name, given)
		return
	}
	if inMargin(given, want) {
		return
	}
	if share, ok := c.wholeDiscount(); ok && inMargin(given, want.Sub(want.Mul(share))) {
		return
	}
	c.Add(country.TaxPath(i, 0, "amount"), "AR-TAX-05", "%s %% of %s is %s, not %s (0.01 either way is accepted)",
		known.rate, net.Trim(), want.Trim(), given)
}

// bounded refuses amounts whose arithmetic could leave exact decimals and, with
// decimals 2, parts of a cent where ARCA takes none (10056).
func (c *checker) bounded(path string, a money.Decimal, decimals int) bool {
	return c.Digits("AR-LIMIT-03", "AR-LIMIT-04", path, a,
		country.DigitLimits{Whole: country.MaxWholeDigits, Decimals: decimals})
}

// inMargin says whether an amount is near enough to what it should be: the difference,
// rounded half to even to cents, is at most 0.01. WSFEv1 manual, "Validaciones", absolute
// error of 10023, 10029, 10048, 10051 and 10061. So 6.66 is right where 6.6465 is due, and
// 0.015 is too much: it rounds to 0.02.
func inMargin(given, want money.Decimal) bool {
	return given.Sub(want).Abs().RoundEven(2).Cmp(cent) <= 0
}

// within is |a − b| ≤ tolerance.
func within(a, b, tolerance money.Decimal) bool {
	return a.Sub(b).Abs().Cmp(tolerance) <= 0
}
