package cl

import (
	"maps"
	"time"

	"folio/country"
	"folio/country/figures"
	"folio/events"
	"folio/fault"
)

// Bounds of the schemas (DTE_v10, EnvioBOLETA_v11).
const (
	maxLines        = 60
	maxReceiptLines = country.MaxItems
	maxReferences   = 40
	pesoDigits      = 14 // MntTotOtrMnda (XSD Dec14_4Type)
	maxTaxRows      = 22 // ImptoReten takes 20, beside IVA and exempt
)

// checker applies the rules to one document and normalises its copy of it.
type checker struct {
	country.Violations
	d        events.Document
	kind     kind
	known    bool // the kind is one of ours
	issuer   country.Issuer
	today    time.Time // midnight UTC of the Chilean day
	date     time.Time // likewise, of the document; zero when unreadable
	figures  figures.Table
	header   Header
	export   Export
	places   int // decimals of amounts in the document's currency
	sums     sums
	summable bool // false when a bound forbids adding up
	typed    bool // every line has its taxes; totals by tax say nothing of others
	taxes    events.TaxInformation
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
func (Rules) Check(d events.Document, issuer country.Issuer, now time.Time,
	cfg country.Config) (country.Checked, []fault.Violation) {
	c := &checker{d: country.CloneDocument(d), issuer: issuer, today: country.Day(now.In(zoneNamed(zoneOf(issuer)))),
		figures: cfg.Figures, typed: true}
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
	if c.known && !c.kind.taxed {
		country.ExemptUnsaid(c.d.Items, exempt)
	}
	c.sums, c.summable = summed(c.d.Items, c.places)
	c.checkItems()
	c.checkAmounts()
	c.checkIdentification()
	c.checkTransit()
	if !c.None() {
		return country.Checked{}, c.All
	}
	c.freeze()
	return country.Checked{Document: c.d, Taxes: c.taxes}, nil
}

// checkKind finds the document type. Chile numbers a type, not a point of sale.
func (c *checker) checkKind() {
	c.kind, c.known = findKind(c.d.Type)
	if c.known {
		c.d.Type, c.d.OfficialCode = c.kind.InvoiceType, c.kind.Code
	}
	c.Kind("CL-KIND-01", c.d.Type, c.known, "Chile", "FAC or 33")
	c.NoPointOfSale("CL-KIND-02", "Chile", "SII", &c.d.BranchOffice)
}

// checkCurrency wants pesos, or for exports any currency with its rate in pesos:
// SII requires the totals of an export in pesos too (OtraMoneda).
func (c *checker) checkCurrency() {
	known := c.Currency("CL-CURRENCY-01", "SII", localCurrency, currencies, &c.d.Currency)
	cur := c.d.Currency
	c.places = decimals(cur.Code)
	switch {
	case !known:
	case cur.Code != localCurrency && c.known && !c.kind.isExport():
		c.Add("currency.code", "CL-CURRENCY-02",
			"%s is in pesos: only export documents (FXE, NDX, NCX) have another currency", c.kind.InvoiceType)
	default:
		c.ExchangeRate("CL-CURRENCY-03", localCurrency, cur, 6, 4) // TpoCambio has 10.4 digits
		total := c.d.Totals.Total
		if rated := cur.Rate.WholeDigits() <= 6 && total.WholeDigits() <= country.MaxWholeDigits; rated &&
			cur.Code != localCurrency && total.Mul(cur.Rate).Round(0).WholeDigits() > pesoDigits {
			c.Add("totals.total", "CL-CURRENCY-04", "it comes to more pesos than SII's documents hold, which is %d digits "+
				"(MntTotOtrMnda)", pesoDigits)
		}
	}
}

// freeze writes what the document must keep into additional_header_info: the form of
// payment and the company's profile, with the time zone where it is not Santiago's.
func (c *checker) freeze() {
	if c.header.PaymentForm != "" {
		c.d.HeaderInfo = country.SetMember(c.d.HeaderInfo, "payment_form", c.header.PaymentForm)
	}
	if zone := zoneOf(c.issuer); zone != santiago {
		c.issuer.Fields = maps.Clone(c.issuer.Fields)
		if c.issuer.Fields == nil {
			c.issuer.Fields = map[string]string{}
		}
		c.issuer.Fields[FieldTimeZone] = zone
	}
	c.d.HeaderInfo = country.FreezeIssuer(c.d.HeaderInfo, profileFields, c.issuer.Fields)
}
