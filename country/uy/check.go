package uy

import (
	"time"

	"folio/country"
	"folio/events"
	"folio/fault"
)

// Bounds of the schema (XSD CFEDefType).
const (
	maxLines       = 200
	maxTicketLines = 700
	maxReferences  = 40
	maxTaxRows     = 20
)

// checker applies the rules to one document and normalises its copy of it.
type checker struct {
	country.Violations
	d        events.Document
	kind     kind
	known    bool // the kind is one of ours
	issuer   country.Issuer
	config   country.Config
	today    time.Time // midnight UTC of the Uruguayan day
	date     time.Time // likewise, of the document; zero when unreadable
	header   Header
	gross    bool // unit prices have IVA in them
	regime   regime
	sums     sums
	summable bool // false when a bound forbids adding up
	typed    bool // every line has its tax; totals by tax say nothing of others
	told     bool // the amounts stand in taxes
	taxes    events.TaxInformation
}

// Check applies every rule that can be known before DGI is asked and returns all
// violations at once. The document that it returns has official codes, canonical names
// and identifiers, branch office 0, currency UYU at rate 1 where none was given, a
// payment method (credit when payment is due after the day of the document, else cash),
// the issuer's RUT in references, and in header_info the company's profile and whether
// the document is in the daily report only. Amounts stay exactly as given. It never
// panics, whatever the document holds.
//
// A line is quantity × unit_price rounded half away from zero to cents, less its
// discount; sums are exact and no tolerance is given, but for the tax of a single line,
// which may be a cent off because DGI is not told it.
//
// What the recipient has to pay, totals.total, is DGI's MntPagar: it includes what is not
// invoiceable. DGI's MntTotal, Taxes.Amounts.Total, does not. Of an export
// Taxes.Amounts.Exempt is MntExpoyAsim.
func (Rules) Check(d events.Document, issuer country.Issuer, now time.Time,
	cfg country.Config) (country.Checked, []fault.Violation) {
	c := &checker{d: country.CloneDocument(d), issuer: issuer, today: country.Day(now.In(location)), config: cfg,
		typed: true, regime: regimeOf(issuer.Fields)}
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
	if c.known && c.kind.exempt() {
		country.ExemptUnsaid(c.d.Items, exempt)
	}
	c.sums, c.summable = summed(c.d.Items)
	c.checkItems()
	c.checkAmounts()
	below := c.checkIdentification()
	if !c.None() {
		return country.Checked{}, c.All
	}
	if c.d.Recipient.DocumentType == "" {
		c.d.Recipient.DocumentType, c.d.Recipient.DocumentNumber = d.Recipient.DocumentType, d.Recipient.DocumentNumber
	}
	c.d.HeaderInfo = frozen(c.d.HeaderInfo, issuer.Fields, below)
	return country.Checked{Document: c.d, Taxes: c.taxes}, nil
}

// checkKind finds the document type. Uruguay numbers a type, not a point of sale.
func (c *checker) checkKind() {
	c.kind, c.known = findKind(c.d.Type)
	if c.known {
		c.d.Type, c.d.OfficialCode = c.kind.InvoiceType, c.kind.Code
	}
	c.Kind("UY-KIND-01", c.d.Type, c.known, "Uruguay", "EFA or 111")
	c.NoPointOfSale("UY-KIND-02", "Uruguay", "DGI", &c.d.BranchOffice)
}

// checkCurrency wants a currency of DGI's table, and for any but pesos the rate that
// TpoCambio tells (CFE25 A-C110, A-C111).
func (c *checker) checkCurrency() {
	if c.Currency("UY-CURRENCY-01", "DGI", localCurrency, currencies, &c.d.Currency) {
		c.ExchangeRate("UY-CURRENCY-02", localCurrency, c.d.Currency, 4, 3)
	}
}

// checkPayment fills FmaPago (CFE25 A-C11), which all but remitos must have.
func (c *checker) checkPayment() {
	if IsRemito(c.kind.Code) {
		if c.d.PaymentMethod != nil {
			c.Add("payment_method", "UY-PAYMENT-02", "%s has no form of payment: leave it out", c.kind.InvoiceType)
		}
		return
	}
	if c.d.PaymentMethod == nil || c.d.PaymentMethod.Code == "" && c.d.PaymentMethod.Description == "" {
		code := "CON"
		if due, err := time.Parse(time.DateOnly, c.d.PaymentDueDate); err == nil && !c.date.IsZero() && due.After(c.date) {
			code = "CRE"
		}
		c.d.PaymentMethod = &events.PaymentMethod{Code: code}
		return
	}
	c.OneOf("payment_method.code", "UY-PAYMENT-01", "payment method", paymentMethods, &c.d.PaymentMethod.Code)
}
