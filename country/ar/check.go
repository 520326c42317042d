package ar

import (
	"slices"
	"strconv"
	"time"

	"folio/country"
	"folio/events"
	"folio/fault"
	"folio/money"
)

// checker applies the rules to one document and normalises its copy of it.
type checker struct {
	country.Violations
	d         events.Document
	kind      kind
	known     bool // the kind is one of ours
	issuer    country.Issuer
	today     time.Time // midnight UTC of the Argentine day
	date      time.Time // likewise, of the document; zero when unreadable
	threshold money.Decimal
	header    Header
	taxes     events.TaxInformation
	sums      sums // of the lines
	summable  bool // false when a bound forbids adding up
}

// Check applies every rule that can be known before ARCA is asked and returns all
// violations at once. The document that it returns has official codes, canonical
// names, digits only in identifiers and the defaults filled in: branch office 1,
// currency ARS, rate 1 for pesos, the issuer's CUIT in references. Amounts stay
// exactly as given. It never panics, whatever the document holds.
func (Rules) Check(d events.Document, issuer country.Issuer, now time.Time, cfg country.Config) (country.Checked, []fault.Violation) {
	c := &checker{d: clone(d), issuer: issuer, today: day(now.In(location)), threshold: cfg.IdentificationThreshold}
	if c.threshold.Sign() <= 0 {
		c.threshold = DefaultThreshold
	}
	c.checkKind()
	c.checkTexts()
	c.checkDates()
	c.checkIssuer()
	c.checkRecipient()
	c.checkCurrency()
	c.checkPayment()
	c.checkHeader()
	c.checkReferences()
	c.checkExport()
	c.sums, c.summable = summed(c.d.Items)
	c.checkItems()
	c.checkGlobalTaxes()
	c.checkAmounts()
	if c.kind.isExport() {
		c.checkExportLines()
	}
	c.checkIdentification()
	if !c.None() {
		return country.Checked{}, c.All
	}
	return country.Checked{Document: c.d, Taxes: c.taxes}, nil
}

// clone copies what the rules normalise, so that the caller's document stays as it was.
func clone(d events.Document) events.Document {
	d.Items = slices.Clone(d.Items)
	for i, item := range d.Items {
		d.Items[i].Taxes = slices.Clone(item.Taxes)
		if item.Code != nil {
			code := *item.Code
			d.Items[i].Code = &code
		}
	}
	if d.PaymentMethod != nil {
		method := *d.PaymentMethod
		d.PaymentMethod = &method
	}
	d.GlobalTaxes = slices.Clone(d.GlobalTaxes)
	d.Totals.Taxes = slices.Clone(d.Totals.Taxes)
	d.BillingReference = slices.Clone(d.BillingReference)
	return d
}

// checkKind finds the document type and asks whether this issuer may make it.
func (c *checker) checkKind() {
	c.kind, c.known = findKind(c.d.Type)
	switch {
	case c.d.Type == "":
		c.Add("invoice_type", "AR-KIND-01", "an invoice_type is required, such as FCA")
		return
	case !c.known:
		c.Add("invoice_type", "AR-KIND-01", "%.20q is no Argentine document type: see /api/document-types", c.d.Type)
		return
	}
	c.d.Type, c.d.OfficialCode = c.kind.InvoiceType, c.kind.Code
	// 10004: 1 to 99998.
	if c.d.BranchOffice == 0 {
		c.d.BranchOffice = 1
	}
	if c.d.BranchOffice < 1 || c.d.BranchOffice > 99998 {
		c.Add("branch_office", "AR-KIND-03", "the point of sale must be from 1 to 99998")
	}
	// RG 1415 articles 15 to 17. An issuer who has not told a condition is not checked.
	own, ok := findCondition(c.issuer.Profile.TaxCondition)
	if !ok {
		return
	}
	c.taxes.IssuerCondition = own.name
	if !mayIssue(own, c.kind) {
		c.Add("invoice_type", "AR-KIND-04", "an issuer that is %s may not issue class %c documents (%s): class A and B are for responsable_inscripto, class C for monotributo and exento",
			own.name, c.kind.letter, c.kind.InvoiceType)
	}
}

// checkCurrency wants an ISO 4217 code that ARCA knows and pesos per unit of it.
func (c *checker) checkCurrency() {
	cur := &c.d.Currency
	if cur.Code == "" {
		cur.Code = localCurrency
	}
	found, ok := find(currencies, cur.Code)
	if !ok { // 10037
		c.Add("currency.code", "AR-CURRENCY-01", "%.10q is no ISO 4217 code that ARCA knows", cur.Code)
		return
	}
	cur.Code = found.Code
	if cur.Rate.IsZero() && cur.Code == localCurrency {
		cur.Rate = money.FromInt(1)
	}
	one := money.FromInt(1)
	switch {
	case cur.Code == localCurrency && !cur.Rate.Equal(one): // 10039
		c.Add("currency.exchange_rate", "AR-CURRENCY-02", "the exchange rate of ARS is 1, not %s", cur.Rate)
	case cur.Rate.Sign() <= 0 || cur.Rate.WholeDigits() > 4 || cur.Rate.Decimals() > 6: // 10038, 10056
		c.Add("currency.exchange_rate", "AR-CURRENCY-03", "the exchange rate must be above 0, with at most 4 digits before and 6 after the point: pesos for one %s", cur.Code)
	case slices.Contains([]string{"USD", "EUR", "GBP"}, cur.Code) && cur.Rate.Cmp(one) <= 0:
		// 10119 would refuse it: sending 1/rate, or no rate, is the usual mistake.
		c.Add("currency.exchange_rate", "AR-CURRENCY-04", "%s is not the price of one %s in pesos: give pesos per unit", cur.Rate, cur.Code)
	}
}

func (c *checker) checkPayment() {
	if c.d.PaymentMethod == nil {
		return
	}
	found, ok := find(paymentMethods, c.d.PaymentMethod.Code)
	if !ok {
		c.Add("payment_method.code", "AR-PAYMENT-01", "%.20q is no payment method: use one of %s", c.d.PaymentMethod.Code, codes(paymentMethods))
		return
	}
	c.d.PaymentMethod.Code = found.Code
}

// day is the civil day of t at midnight UTC, so that days can be counted.
func day(t time.Time) time.Time {
	return time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, time.UTC)
}

func itemPath(i int, field string) string { return "items[" + strconv.Itoa(i) + "]." + field }
