package ar

import (
	"strconv"

	"folio/country"
	"folio/events"
	"folio/money"
)

const maxGlobalTaxes = 50

// checkGlobalTaxes verifies the tributos (10024 to 10029, 10042). A rate of 0 is that
// of a fixed amount; any other must explain the amount.
func (c *checker) checkGlobalTaxes() {
	if n := len(c.d.GlobalTaxes); n > maxGlobalTaxes {
		c.Add("global_taxes", "AR-GLOBAL-01", "it has %d taxes, at most %d are allowed", n, maxGlobalTaxes)
		c.d.GlobalTaxes = nil
	}
	found13 := false
	for i := range c.d.GlobalTaxes {
		t := &c.d.GlobalTaxes[i]
		c.checkGlobalAmounts(i, *t)
		known, ok := country.Find(globalTaxes, t.Type)
		if !ok {
			c.Add(globalPath(i, "type"), "AR-GLOBAL-02", "%.20q is no tributo: use one of %s; VAT belongs to the items", t.Type,
				country.Codes(globalTaxes))
			continue
		}
		t.Type = known.Code
		found13 = found13 || t.Type == uncategorizedIV
		if country.Blank(t.Description) && (t.Type == otherTax || c.kind.fce) { // 10042
			c.Add(globalPath(i, "description"), "AR-GLOBAL-03", "ARCA requires a description for %s, and for every tributo "+
				"of an FCE", otherTax)
		}
	}
	// 10067: a B document to "no categorizado" (23-00000000-0) carries that perception.
	if c.kind.letter == 'B' && c.d.Recipient.DocumentNumber == uncategorizedCUIT && !found13 {
		c.Add("global_taxes", "AR-GLOBAL-05", "a recipient that is no_categorizado (23-00000000-0) needs the tributo %s",
			uncategorizedIV)
	}
}

func (c *checker) checkGlobalAmounts(i int, t events.GlobalTax) {
	ok := c.bounded(globalPath(i, "base_amount"), t.BaseAmount, 2)
	ok = c.bounded(globalPath(i, "amount"), t.Amount, 2) && ok
	if t.Rate.Sign() < 0 || t.Rate.WholeDigits() > 3 || t.Rate.Decimals() > 2 { // Alic has 3+2 digits
		c.Add(globalPath(i, "rate"), "AR-GLOBAL-04", "the rate must be from 0 to 999.99 percent, with at most 2 decimals")
		ok = false
	}
	if !ok {
		return
	}
	if t.BaseAmount.Sign() < 0 {
		c.Add(globalPath(i, "base_amount"), "AR-GLOBAL-04", "the base may not be negative")
	}
	if t.Amount.Sign() <= 0 {
		c.Add(globalPath(i, "amount"), "AR-GLOBAL-04", "the amount must be above 0; leave the tax out when there is none")
	}
	want := t.BaseAmount.Percent(t.Rate)
	if t.Rate.Sign() > 0 && !inMargin(t.Amount, want) {
		c.Add(globalPath(i, "amount"), "AR-GLOBAL-06", "%s %% of %s is %s, not %s (0.01 either way is accepted; a fixed "+
			"amount has rate 0)",
			t.Rate, t.BaseAmount, want.Trim(), t.Amount)
	}
}

// globalTotal adds the tributos up; false when one of them is out of bounds.
func (c *checker) globalTotal() (total money.Decimal, ok bool) {
	for _, t := range c.d.GlobalTaxes {
		if t.Amount.WholeDigits() > 13 || t.Amount.Decimals() > 2 {
			return total, false
		}
		total = total.Add(t.Amount)
	}
	return total, true
}

func globalPath(i int, field string) string { return "global_taxes[" + strconv.Itoa(i) + "]." + field }
