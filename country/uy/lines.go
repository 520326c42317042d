package uy

import (
	"slices"
	"strings"

	"folio/country"
	"folio/events"
	"folio/money"
)

// Digits of the schema: Cantidad 17.3 and PrecioUnitario 17.6 (CFE25 B-C9, B-C11).
const (
	quantityDigits, quantityDecimals = country.MaxWholeDigits, 3
	priceDigits, priceDecimals       = 11, 6
)

// checkItems verifies every line by itself: texts, codes, bounds and its tax.
func (c *checker) checkItems() {
	limit := maxLines
	if IsTicket(c.kind.Code) {
		limit = maxTicketLines
	}
	switch n := len(c.d.Items); {
	case n == 0:
		c.Add("items", "UY-ITEM-01", "at least one item is required")
		c.summable = false
	case n > limit:
		c.Add("items", "UY-ITEM-01", "it has %d items, DGI takes at most %d: divide the document", n, limit)
		c.d.Items, c.summable = nil, false // nothing below is worth saying of so many
	}
	for i := range c.d.Items {
		item := &c.d.Items[i]
		if country.Blank(item.Description) {
			c.Add(country.ItemPath(i, "description"), "UY-ITEM-02", "a description is required")
		}
		c.text(country.ItemPath(i, "description"), item.Description, maxDescription)
		c.checkItemCodes(i, item)
		typed := c.checkItemTaxes(i, item)
		c.typed = c.typed && typed
		if c.checkItemAmounts(i, item) && typed {
			c.checkTaxAmounts(i, *item)
		}
	}
}

func (c *checker) checkItemCodes(i int, item *events.Item) {
	c.OneOf(country.ItemPath(i, "code_unit_of_measure"), "UY-ITEM-03", "unit of measure", units, &item.UnitOfMeasure)
	if item.Code == nil {
		return
	}
	c.text(country.ItemPath(i, "code.value"), item.Code.Value, maxItemCode)
	if _, ok := c.OneOf(country.ItemPath(i, "code.type"), "UY-ITEM-04", "type of code", itemCodes, &item.Code.Type); !ok {
		return
	}
	switch kind := tpoCod(*item.Code); {
	case country.Blank(item.Code.Value):
		c.Add(country.ItemPath(i, "code.value"), "UY-ITEM-04", "a code needs its value; leave code out when there is none")
	case strings.HasPrefix(kind, "GTIN") && !validGTIN(kind, item.Code.Value):
		c.Add(country.ItemPath(i, "code.value"), "UY-ITEM-04", "%.20q is no %s: its length or check digit is wrong",
			item.Code.Value, kind)
	}
}

// checkItemAmounts bounds the line, so that it can be multiplied. DGI has no negative
// prices but those of what is not invoiceable (IndFact 7); a price of 0 is a free
// delivery (IndFact 5).
func (c *checker) checkItemAmounts(i int, item *events.Item) bool {
	ok := c.bounded(country.ItemPath(i, "quantity"), item.Quantity, quantityDigits, quantityDecimals)
	ok = c.bounded(country.ItemPath(i, "unit_price"), item.UnitPrice, priceDigits, priceDecimals) && ok
	ok = c.bounded(country.ItemPath(i, "discount_amount"), item.Discount, country.MaxWholeDigits, places) && ok
	for j, t := range item.Taxes {
		ok = c.bounded(country.TaxPath(i, j, "amount"), t.Amount, country.MaxWholeDigits, places) && ok
	}
	if !ok {
		return false
	}
	if item.Quantity.Sign() <= 0 {
		c.Add(country.ItemPath(i, "quantity"), "UY-ITEM-05", "the quantity must be above 0")
	}
	t, _ := lineTaxOf(*item)
	switch {
	case c.kind.Code == codeRemito && (!item.UnitPrice.IsZero() || !item.Discount.IsZero()):
		c.Add(country.ItemPath(i, "unit_price"), "UY-ITEM-07", "an e-Remito has no amounts: unit_price and "+
			"discount_amount are 0")
	case c.kind.Code == codeExportRemito && !item.Discount.IsZero():
		c.Add(country.ItemPath(i, "discount_amount"), "UY-ITEM-08",
			"an e-Remito de exportación has no discounts (XSD Item_Rem_Exp): give the price that is left")
	case item.UnitPrice.Sign() < 0 && t.name != notInvoiceable:
		c.Add(country.ItemPath(i, "unit_price"), "UY-ITEM-05", "DGI takes no negative prices but of lines that are "+
			"not_invoiceable: give a discount instead")
	}
	if !country.BoundedProduct(item.Quantity, item.UnitPrice) {
		c.Add(country.ItemPath(i, "unit_price"), "UY-LIMIT-04", "quantity × unit_price must have at most %d digits before "+
			"the point", country.MaxWholeDigits)
		return false
	}
	gross := grossOf(*item)
	if item.Discount.Sign() < 0 || item.Discount.Sign() > 0 && gross.Less(item.Discount) {
		c.Add(country.ItemPath(i, "discount_amount"), "UY-ITEM-06",
			"the discount must be from 0 to quantity × unit_price, %s", gross)
	}
	return true
}

// checkItemTaxes wants exactly one way for IVA to meet a line, with the rate that belongs
// to it; the lines of an e-Remito have none.
func (c *checker) checkItemTaxes(i int, item *events.Item) (typed bool) {
	if c.known && c.kind.Code == codeRemito {
		if slices.ContainsFunc(item.Taxes, func(t events.ItemTax) bool { return !t.Amount.IsZero() }) {
			c.Add(country.ItemPath(i, "taxes"), "UY-TAX-04", "an e-Remito has no amounts: leave taxes empty")
		}
		item.Taxes = nil
		return true
	}
	if len(item.Taxes) != 1 {
		c.Add(country.ItemPath(i, "taxes"), "UY-TAX-02", "a line has exactly one of %s", country.Codes(taxTypeList))
		return false
	}
	t := &item.Taxes[0]
	known, ok := findTax(t.Type)
	switch {
	case !ok:
		c.Add(country.TaxPath(i, 0, "type"), "UY-TAX-01", "%.20q is no tax: use one of %s", t.Type,
			country.Codes(taxTypeList))
	case c.known && !c.kind.taxed() && !known.rate.IsZero():
		c.Add(country.TaxPath(i, 0, "type"), "UY-TAX-04", "%s carries no IVA: its lines are exempt or not_invoiceable",
			c.kind.InvoiceType)
	case c.kind.Code == codeExportRemito && known.name == notInvoiceable:
		c.Add(country.TaxPath(i, 0, "type"), "UY-TAX-04", "lines of an e-Remito de exportación are exempt")
	case c.known && c.kind.taxed() && !c.regime.allows(known.name):
		c.Add(country.TaxPath(i, 0, "type"), "UY-TAX-06", "%s", c.regime.refuses(known.name))
	case c.known && !c.kind.taxed() && known.name == smallIssuer:
		c.Add(country.TaxPath(i, 0, "type"), "UY-TAX-04", "%s has lines that are exempt, whatever the company's "+
			"special_regime", c.kind.InvoiceType)
	default:
		t.Type = known.name
		typed = true
	}
	if ok && !t.Rate.Equal(known.rate) { // the type says what the totals need
		c.Add(country.TaxPath(i, 0, "rate"), "UY-TAX-03", "the rate of %s is %s, not %s", known.name, known.rate, t.Rate)
	}
	return typed
}

// checkTaxAmounts compares the tax of a line with its base. DGI is told no tax of a line,
// so a cent either way is accepted, and with a discount on the whole document the tax may
// be that of the line before or after its share.
func (c *checker) checkTaxAmounts(i int, item events.Item) {
	amount := amountOf(item)
	for j, t := range item.Taxes {
		known, _ := findTax(t.Type)
		want := ivaOf(baseOf(amount, known, c.gross), known.rate)
		if within(t.Amount, want, known, 1) {
			continue
		}
		if part, ok := c.wholeShare(); ok {
			left := amount.Sub(amount.Mul(part).Round(places))
			if within(t.Amount, ivaOf(baseOf(left, known, c.gross), known.rate), known, 2) {
				continue
			}
		}
		c.Add(country.TaxPath(i, j, "amount"), "UY-TAX-05", "the %s of %s is %s, not %s (a cent either way is accepted)",
			known.name, amount, want, t.Amount)
	}
}

// within accepts so many cents either way, and none where there is no tax.
func within(got, want money.Decimal, t lineTax, cents int64) bool {
	if t.rate.IsZero() {
		cents = 0
	}
	return got.Sub(want).Abs().Cmp(money.FromInt(cents).Quo(money.FromInt(100))) <= 0
}

// wholeShare is the part of all lines that a discount on the whole takes off.
func (c *checker) wholeShare() (money.Decimal, bool) {
	if !c.summable || !country.Bounded(c.d.Totals.Discount) {
		return money.Zero, false
	}
	return country.Share(c.d.Totals.Discount.Sub(c.sums.discount), c.sums.gross.Sub(c.sums.discount))
}

// bounded refuses amounts whose arithmetic could leave exact decimals, and what the
// schema has no decimals for.
func (c *checker) bounded(path string, a money.Decimal, digits, decimals int) bool {
	return c.Digits("UY-LIMIT-04", "UY-LIMIT-05", path, a, country.DigitLimits{Whole: digits, Decimals: decimals})
}
