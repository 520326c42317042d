package ar

import (
	"cmp"
	"slices"
	"time"

	"folio/country"
	"folio/country/figures"
	"folio/events"
	"folio/fault"
	"folio/money"
)

// checker applies the rules to one document and normalises its copy of it.
type checker struct {
	country.Violations
	d        events.Document
	kind     kind
	known    bool // the kind is one of ours
	issuer   country.Issuer
	today    time.Time // midnight UTC of the Argentine day
	date     time.Time // likewise, of the document; zero when unreadable
	figures  figures.Table
	unread   bool // the recipient's document cannot be read, which is told already
	header   Header
	taxes    events.TaxInformation
	sums     sums // of the lines
	summable bool // false when a bound forbids adding up
}

// Check applies every rule that can be known before ARCA is asked and returns all
// violations at once. The document that it returns has official codes, canonical
// names, digits only in identifiers and the defaults filled in: branch office 1,
// currency ARS, rate 1 for pesos, the issuer's CUIT in references. Amounts stay
// exactly as given. It never panics, whatever the document holds.
func (Rules) Check(d events.Document, issuer country.Issuer, now time.Time,
	cfg country.Config) (country.Checked, []fault.Violation) {
	c := &checker{d: country.CloneDocument(d), issuer: issuer, today: country.Day(now.In(location)), figures: cfg.Figures}
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

// checkKind finds the document type and asks whether this issuer may make it.
func (c *checker) checkKind() {
	c.kind, c.known = findKind(c.d.Type)
	c.Kind("AR-KIND-01", c.d.Type, c.known, "Argentina", "FCA or 1")
	// 10004: 1 to 99998.
	c.d.BranchOffice = cmp.Or(c.d.BranchOffice, 1)
	if c.d.BranchOffice < 1 || c.d.BranchOffice > 99998 {
		c.Add("branch_office", "AR-KIND-03", "the point of sale must be from 1 to 99998")
	}
	if !c.known {
		return
	}
	c.d.Type, c.d.OfficialCode = c.kind.InvoiceType, c.kind.Code
	// RG 1415 articles 15 to 17. An issuer who has not told a condition is not checked.
	own, ok := findCondition(c.issuer.Profile.TaxCondition)
	if !ok {
		return
	}
	c.taxes.IssuerCondition = own.name
	if !mayIssue(own, c.kind) {
		c.Add("invoice_type", "AR-KIND-04", "an issuer that is %s at the document's date may not issue class %c documents "+
			"(%s): class A and B are for responsable_inscripto, class C for monotributo and exento",
			own.name, c.kind.letter, c.kind.InvoiceType)
	}
}

// checkCurrency wants an ISO 4217 code that ARCA knows and pesos per unit of it.
func (c *checker) checkCurrency() {
	if !c.Currency("AR-CURRENCY-01", "ARCA", localCurrency, currencies, &c.d.Currency) { // 10037
		return
	}
	cur := c.d.Currency
	one := money.FromInt(1)
	switch {
	case country.LeavesRate(Rules{}, c.d): // RG 5616: MonCotiz may be left out
	case cur.Code == localCurrency && !cur.Rate.Equal(one): // 10039
		c.Add("currency.exchange_rate", "AR-CURRENCY-02", "the exchange rate of ARS is 1, not %s", cur.Rate)
	case cur.Rate.Sign() <= 0 || cur.Rate.WholeDigits() > 4 || cur.Rate.Decimals() > 6: // 10038, 10056
		c.Add("currency.exchange_rate", "AR-CURRENCY-03", "the exchange rate must be above 0, with at most 4 digits "+
			"before and 6 after the point: pesos for one %s", cur.Code)
	case slices.Contains([]string{"USD", "EUR", "GBP"}, cur.Code) && cur.Rate.Cmp(one) <= 0:
		// 10119 would refuse it: sending 1/rate, or no rate, is the usual mistake.
		c.Add("currency.exchange_rate", "AR-CURRENCY-04", "%s is not the price of one %s in pesos: give pesos per unit",
			cur.Rate, cur.Code)
	}
}

// LeavesRate says that a document is paid in its own foreign currency (CanMisMonExt S): then
// the rate is that of BNA ("divisa", selling) of the banking day before the document, and
// ARCA tells it (RG 5616/2024, since 2024-12-18; WSFEv1 manual, MonCotiz and 10240).
func (Rules) LeavesRate(d events.Document) bool {
	h, _ := ParseHeader(d.HeaderInfo)
	return h.SameCurrency == "S" && d.Currency.Code != localCurrency && d.Currency.Code != ""
}

func (c *checker) checkPayment() {
	if c.d.PaymentMethod != nil {
		c.OneOf("payment_method.code", "AR-PAYMENT-01", "payment method", paymentMethods, &c.d.PaymentMethod.Code)
	}
}
