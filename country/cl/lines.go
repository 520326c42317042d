package cl

import (
	"folio/country"
	"folio/events"
	"folio/money"
)

const (
	quantityDigits = 12 // QtyItem and PrcItem have 18 digits, 6 of them decimals
	maxAdditional  = 2  // CodImpAdic of one line
)

// checkItems verifies every line by itself: texts, codes, bounds and its taxes.
func (c *checker) checkItems() {
	limit := maxLines
	if c.kind.isReceipt() {
		limit = maxReceiptLines
	}
	switch n := len(c.d.Items); {
	case n == 0:
		c.Add("items", "CL-ITEM-01", "at least one item is required")
		c.summable = false
	case n > limit:
		c.Add("items", "CL-ITEM-01", "it has %d items, SII takes at most %d: divide the document", n, limit)
		c.d.Items, c.summable = nil, false // nothing below is worth saying of so many
	}
	for i := range c.d.Items {
		item := &c.d.Items[i]
		if country.Blank(item.Description) {
			c.Add(country.ItemPath(i, "description"), "CL-ITEM-02", "a description is required")
		}
		c.checkItemCodes(i, item)
		typed := c.checkItemTaxes(i, item)
		c.typed = c.typed && typed
		if c.checkItemAmounts(i, item) && typed {
			c.checkTaxAmounts(i, *item)
		}
	}
}

func (c *checker) checkItemCodes(i int, item *events.Item) {
	c.OneOf(country.ItemPath(i, "code_unit_of_measure"), "CL-ITEM-03", "unit of measure", country.Units,
		&item.UnitOfMeasure)
	if item.Code == nil {
		return
	}
	if country.Blank(item.Code.Value) {
		c.Add(country.ItemPath(i, "code.value"), "CL-ITEM-04", "a code needs its value; leave code out when there is none")
	}
	c.OneOf(country.ItemPath(i, "code.type"), "CL-ITEM-04", "type of code", itemCodes, &item.Code.Type)
}

// checkItemAmounts bounds the line, so that it can be multiplied. The schema has no
// negative prices: what is taken off is a discount.
func (c *checker) checkItemAmounts(i int, item *events.Item) bool {
	ok := c.bounded(country.ItemPath(i, "quantity"), item.Quantity, quantityDigits, country.MaxDecimals)
	ok = c.bounded(country.ItemPath(i, "unit_price"), item.UnitPrice, quantityDigits, country.MaxDecimals) && ok
	ok = c.bounded(country.ItemPath(i, "discount_amount"), item.Discount, country.MaxWholeDigits, 0) && ok
	for j, t := range item.Taxes {
		ok = c.bounded(country.TaxPath(i, j, "amount"), t.Amount, country.MaxWholeDigits, c.places) && ok
	}
	if !ok {
		return false
	}
	if item.Quantity.Sign() <= 0 {
		c.Add(country.ItemPath(i, "quantity"), "CL-ITEM-05", "the quantity must be above 0")
	}
	if item.UnitPrice.Sign() < 0 {
		c.Add(country.ItemPath(i, "unit_price"), "CL-ITEM-05", "SII takes no negative prices: give a discount instead")
	}
	if !country.BoundedProduct(item.Quantity, item.UnitPrice) {
		c.Add(country.ItemPath(i, "unit_price"), "CL-LIMIT-04", "quantity × unit_price must have at most %d digits before "+
			"the point", country.MaxWholeDigits)
		return false
	}
	if gross := grossOf(*item, c.places); item.Discount.Sign() < 0 || item.Discount.Sign() > 0 &&
		gross.Less(item.Discount) {
		c.Add(country.ItemPath(i, "discount_amount"), "CL-ITEM-06",
			"the discount must be from 0 to quantity × unit_price, %s", gross)
	}
	return true
}

// checkItemTaxes wants exactly one way for IVA to meet a line, and beside iva19 at
// most two additional or retained taxes, with the rates that belong to them.
func (c *checker) checkItemTaxes(i int, item *events.Item) bool {
	basic, additional, fine := "", 0, true
	for j := range item.Taxes {
		t := &item.Taxes[j]
		known, ok := findTax(t.Type)
		switch {
		case !ok:
			c.Add(country.TaxPath(i, j, "type"), "CL-TAX-01", "%.20q is no tax: use one of %s", t.Type,
				country.Codes(taxTypeList))
			fine = false
			continue
		case known.isAdditional():
			additional++
		case basic != "":
			c.Add(country.TaxPath(i, j, "type"), "CL-TAX-02", "the line is %s already", basic)
			fine = false
		default:
			basic = known.name
		}
		t.Type = known.name
		if !t.Rate.Equal(known.rate) { // the type says what the totals need
			c.Add(country.TaxPath(i, j, "rate"), "CL-TAX-03", "the rate of %s is %s, not %s", known.name, known.rate, t.Rate)
		}
	}
	switch {
	case !fine:
		return false
	case basic == "":
		c.Add(country.ItemPath(i, "taxes"), "CL-TAX-02", "a line has one of iva19, exempt and not_invoiceable")
	case !c.known:
		return true
	case basic == iva && !c.kind.taxed:
		c.Add(country.ItemPath(i, "taxes"), "CL-TAX-04", "%s carries no IVA: its lines are exempt or not_invoiceable",
			c.kind.InvoiceType)
	case basic == notInvoiceable && c.kind.isExport():
		c.Add(country.ItemPath(i, "taxes"), "CL-TAX-04", "lines of an export are exempt")
	case additional > 0 && (c.kind.isReceipt() || basic != iva):
		c.Add(country.ItemPath(i, "taxes"), "CL-TAX-04", "additional taxes stand beside iva19, and boletas have none")
	case additional > maxAdditional:
		c.Add(country.ItemPath(i, "taxes"), "CL-TAX-04", "a line has at most %d additional taxes", maxAdditional)
	default:
		return true
	}
	return false
}

// checkTaxAmounts compares each tax with its base. SII is told no tax of a line, so a
// peso either way is accepted, and with a discount on the whole document the tax may
// be that of the line before or after its share.
func (c *checker) checkTaxAmounts(i int, item events.Item) {
	net := amountOf(item, c.places)
	for j, t := range item.Taxes {
		known, _ := findTax(t.Type)
		want := c.taxOf(known, net)
		if t.Amount.Sub(want).Abs().Cmp(one(known)) <= 0 {
			continue
		}
		if share, ok := c.wholeShare(); ok && t.Amount.Sub(c.taxOf(known, net.Sub(net.Mul(share).Round(0)))).Abs().Cmp(
			money.FromInt(2)) <= 0 {
			continue
		}
		c.Add(country.TaxPath(i, j, "amount"), "CL-TAX-05", "the %s of %s is %s, not %s (a peso either way is accepted)",
			known.name, net, want, t.Amount)
	}
}

// one is the tolerance of a line's tax: nothing where there is none to pay.
func one(t lineTax) money.Decimal {
	if t.rate.IsZero() {
		return money.Zero
	}
	return money.FromInt(1)
}

// taxOf is the tax of an amount: within it in a boleta afecta, on top of it elsewhere.
func (c *checker) taxOf(t lineTax, amount money.Decimal) money.Decimal {
	if c.kind.gross && t.name == iva {
		_, tax := netOf(amount)
		return tax
	}
	return t.signed(amount.Percent(t.rate).Round(0))
}

// wholeShare is the part of all lines that a discount on the whole takes off.
func (c *checker) wholeShare() (money.Decimal, bool) {
	if !c.summable || !country.Bounded(c.d.Totals.Discount) {
		return money.Zero, false
	}
	return country.Share(c.d.Totals.Discount.Sub(c.sums.discount), c.sums.gross.Sub(c.sums.discount))
}

// bounded refuses amounts whose arithmetic could leave exact decimals, and parts of a
// peso.
func (c *checker) bounded(path string, a money.Decimal, digits, places int) bool {
	return c.Digits("CL-LIMIT-04", "CL-LIMIT-05", path, a, country.DigitLimits{Whole: digits, Decimals: places})
}
