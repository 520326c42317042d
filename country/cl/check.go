package cl

import (
	"slices"
	"strconv"
	"time"

	"folio/country"
	"folio/events"
	"folio/fault"
	"folio/money"
)

// Bounds of the schemas (DTE_v10, EnvioBOLETA_v11).
const (
	maxLines        = 60
	maxReceiptLines = country.MaxItems
	maxReferences   = 40
	maxTaxRows      = 22 // ImptoReten takes 20, beside IVA and exempt
)

// checker applies the rules to one document and normalises its copy of it.
type checker struct {
	country.Violations
	d         events.Document
	kind      kind
	known     bool // the kind is one of ours
	issuer    country.Issuer
	today     time.Time // midnight UTC of the Chilean day
	date      time.Time // likewise, of the document; zero when unreadable
	threshold money.Decimal
	header    Header
	export    Export
	places    int // decimals of amounts in the document's currency
	sums      sums
	summable  bool // false when a bound forbids adding up
	taxes     events.TaxInformation
}

// Check applies every rule that can be known before SII is asked and returns all
// violations at once. The document that it returns has official codes, canonical
// names and RUTs, branch office 0, currency CLP at rate 1 where none was given, the
// issuer's RUT in references, and the company's profile frozen in header_info.issuer.
// Amounts stay exactly as given. It never panics, whatever the document holds.
//
// In pesos every amount is whole. A line is quantity × unit_price rounded half away
// from zero, less its discount; sums are exact and no tolerance is given, but for the
// tax of a single line, which may be a peso off because SII is not told it.
//
// What the recipient has to pay, totals.total, includes what is not invoiceable; SII's
// MntTotal, Taxes.Amounts.Total, does not.
func (Rules) Check(d events.Document, issuer country.Issuer, now time.Time, cfg country.Config) (country.Checked, []fault.Violation) {
	c := &checker{d: clone(d), issuer: issuer, today: day(now.In(location)), threshold: cfg.IdentificationThreshold}
	c.checkKind()
	c.checkCurrency()
	c.checkTexts()
	c.checkDates()
	c.checkHeader()
	c.checkExport()
	c.checkIssuer()
	c.checkRecipient()
	c.checkPayment()
	c.checkReferences()
	c.sums, c.summable = summed(c.d.Items, c.places)
	c.checkItems()
	c.checkAmounts()
	c.checkIdentification()
	if !c.None() {
		return country.Checked{}, c.All
	}
	c.d.HeaderInfo = frozen(c.d.HeaderInfo, issuer.Fields)
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
	d.Totals.Taxes = slices.Clone(d.Totals.Taxes)
	d.BillingReference = slices.Clone(d.BillingReference)
	return d
}

// checkKind finds the document type. Chile numbers a type, not a point of sale.
func (c *checker) checkKind() {
	c.kind, c.known = findKind(c.d.Type)
	switch {
	case c.d.Type == "":
		c.Add("invoice_type", "CL-KIND-01", "an invoice_type is required, such as FAC or 33")
	case !c.known:
		c.Add("invoice_type", "CL-KIND-01", "%.20q is no Chilean document type: see /api/document-types", c.d.Type)
	default:
		c.d.Type, c.d.OfficialCode = c.kind.InvoiceType, c.kind.Code
	}
	// 1 is what callers write who have one office only.
	if c.d.BranchOffice < 0 || c.d.BranchOffice > 1 {
		c.Add("branch_office", "CL-KIND-02", "Chile has no points of sale: leave branch_office out; the branch of SII's register is branch_code of the fiscal profile")
	}
	c.d.BranchOffice = 0
}

// checkCurrency wants pesos, or for exports any currency with its rate in pesos:
// SII requires the totals of an export in pesos too (OtraMoneda).
func (c *checker) checkCurrency() {
	cur := &c.d.Currency
	if cur.Code == "" {
		cur.Code = localCurrency
	}
	found, ok := find(currencies, cur.Code)
	if !ok {
		c.places = 2
		c.Add("currency.code", "CL-CURRENCY-01", "%.15q is no currency that SII has a name for: use one of %s", cur.Code, codes(currencies))
		return
	}
	cur.Code, c.places = found.Code, decimals(found.Code)
	if cur.Rate.IsZero() && cur.Code == localCurrency {
		cur.Rate = money.FromInt(1)
	}
	switch {
	case cur.Code != localCurrency && c.known && !c.kind.isExport():
		c.Add("currency.code", "CL-CURRENCY-02", "%s is in pesos: only export documents (FXE, NDX, NCX) have another currency", c.kind.InvoiceType)
	case cur.Code == localCurrency && !cur.Rate.Equal(money.FromInt(1)):
		c.Add("currency.exchange_rate", "CL-CURRENCY-03", "the exchange rate of CLP is 1, not %s", cur.Rate)
	case cur.Rate.Sign() <= 0 || cur.Rate.WholeDigits() > 6 || cur.Rate.Decimals() > 4: // TpoCambio has 10.4 digits
		c.Add("currency.exchange_rate", "CL-CURRENCY-03", "the exchange rate must be above 0, with at most 6 digits before and 4 after the point: pesos for one %s", cur.Code)
	}
}

func (c *checker) checkPayment() {
	if c.d.PaymentMethod == nil {
		return
	}
	found, ok := find(paymentMethods, c.d.PaymentMethod.Code)
	if !ok {
		c.Add("payment_method.code", "CL-PAYMENT-01", "%.20q is no payment method: use one of %s", c.d.PaymentMethod.Code, codes(paymentMethods))
		return
	}
	c.d.PaymentMethod.Code = found.Code
}

// day is the civil day of t at midnight UTC, so that days can be compared.
func day(t time.Time) time.Time {
	return time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, time.UTC)
}

func itemPath(i int, field string) string { return "items[" + strconv.Itoa(i) + "]." + field }

func taxPath(i, j int, field string) string {
	return itemPath(i, "taxes["+strconv.Itoa(j)+"]."+field)
}

func rowPath(i int, field string) string { return "totals.taxes[" + strconv.Itoa(i) + "]." + field }
