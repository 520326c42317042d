package ar

import (
	"cmp"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"folio/country"
	"folio/events"
	"folio/money"
)

// Lengths of WSFEXv1's texts.
const (
	maxTaxID          = 50
	maxIncotermsText  = 20
	maxPermits        = 50
	exportWholeDigits = 12 // of quantity, price and discount (1813, 1814, 1817)
)

var (
	permitForm     = regexp.MustCompile(`^[0-9]{5}[A-Z]{2}[0-9A-Z]{2}[0-9]{6}[A-Z]$`)
	simplifiedForm = regexp.MustCompile(`^[0-9A-Za-z]{11}$`)
)

// checkExport reads additional_export_info, which only export documents have, fills its
// defaults in and applies the rules of FEXAuthorize that can be known before
// (WSFEXv1 manual 3.1.1, five-digit codes aside: 1500 to 2061).
func (c *checker) checkExport() {
	e, wrong := ParseExport(c.d.ExportInfo)
	c.Reading(wrong, func() { c.checkSale(&e) })
	if !c.kind.isExport() {
		return
	}
	if raw, err := json.Marshal(e); err == nil {
		c.d.ExportInfo = raw
	}
}

func (c *checker) checkSale(e *Export) {
	if !c.known || !c.kind.isExport() {
		if c.known && !country.IsNull(c.d.ExportInfo) {
			c.Add("additional_export_info", "AR-EXPORT-02", "only export documents (FCX, NDX, NCX) have it")
		}
		return
	}
	c.checkExportKind(e)
	c.checkDestination(e)
	c.checkPermits(e)
	c.checkClient(e)
	c.checkTerms(e)
	c.checkExportExtras(*e)
}

// checkExportKind: goods, services and other go with the concepts 1, 2 and 3 (1540). One that is
// none counts as the concept's for the other rules.
func (c *checker) checkExportKind(e *Export) {
	e.Kind = strings.ToLower(e.Kind)
	k, ok := exportKinds[e.Kind]
	if !ok {
		if e.Kind != "" {
			c.Add(country.ExportPath("export_kind"), "AR-EXPORT-03", "%.20q is no kind of export: goods (concept 1), services "+
				"(2) or other (3)", e.Kind)
		}
		for name, k := range exportKinds {
			if k.concept == c.d.Concept {
				e.Kind = name
			}
		}
		return
	}
	if k.concept != c.d.Concept {
		c.Add(country.ExportPath("export_kind"), "AR-EXPORT-03", "%s goes with concept %s, not %s", e.Kind, k.concept,
			c.d.Concept)
	}
}

// checkDestination wants a country other than ours (1560).
func (c *checker) checkDestination(e *Export) {
	if e.Destination == "" && c.d.Recipient.Address.Country != "AR" {
		e.Destination = c.d.Recipient.Address.Country
	}
	iso, _, ok := FindCountry(e.Destination)
	if !ok {
		c.Add(country.ExportPath("destination_country"), "AR-EXPORT-04",
			"%.10q is no country of destination: give an ISO 3166-1 code such as BR, or ARCA's number", e.Destination)
		return
	}
	e.Destination = iso
}

// checkPermits holds the matrix of 1720: an invoice of goods says whether its permits
// exist, a note of goods may name some, services and other have none (1736).
func (c *checker) checkPermits(e *Export) {
	invoice := !c.kind.IsNote()
	goods := e.Kind == exportGoods
	e.ExistingPermit = strings.ToUpper(e.ExistingPermit)
	if invoice && goods && e.ExistingPermit == "" {
		e.ExistingPermit = map[bool]string{true: "S", false: "N"}[len(e.Permits) > 0]
	}
	switch has := len(e.Permits) > 0; {
	case !(invoice && goods) && e.ExistingPermit != "":
		c.Add(country.ExportPath("existing_permit"), "AR-EXPORT-05", "only invoices of goods say whether a permit exists")
	case invoice && goods && e.ExistingPermit != "S" && e.ExistingPermit != "N":
		c.Add(country.ExportPath("existing_permit"), "AR-EXPORT-05", "it must be S or N")
	case invoice && goods && (e.ExistingPermit == "S") != has:
		c.Add(country.ExportPath("permits"), "AR-EXPORT-05", "permits are given when existing_permit is S, and only then")
	case !goods && has:
		c.Add(country.ExportPath("permits"), "AR-EXPORT-05", "only goods have a permit")
	case len(e.Permits) > maxPermits:
		c.Add(country.ExportPath("permits"), "AR-EXPORT-05", "it has %d permits, at most %d are allowed", len(e.Permits),
			maxPermits)
		return
	}
	seen := map[Permit]bool{}
	for i := range e.Permits {
		p, path := &e.Permits[i], fmt.Sprintf("%s[%d].", country.ExportPath("permits"), i)
		if !permitForm.MatchString(p.ID) { // 1740
			c.Add(path+"id", "AR-EXPORT-06", "%.20q is no permit: five digits, two letters, two of either, six digits, a letter",
				p.ID)
		}
		p.Destination = cmp.Or(p.Destination, e.Destination)
		iso, _, ok := FindCountry(p.Destination)
		if !ok && p.Destination != "" { // 1750
			c.Add(path+"destination_country", "AR-EXPORT-04", "%.10q is no country of destination", p.Destination)
		}
		if p.Destination = iso; seen[*p] {
			c.Add(path+"id", "AR-EXPORT-06", "this permit is named twice")
		}
		seen[*p] = true
	}
}

// checkClient wants the buyer's name, address and one number of the two that WSFEXv1
// takes (1580, 1650 to 1661).
func (c *checker) checkClient(e *Export) {
	p := c.d.Recipient
	if p.DocumentType == "" && country.Blank(p.LegalName) {
		c.Add("recipient.legal_name", "AR-RECIPIENT-01", "an export names its buyer")
	}
	if country.Blank(p.Address.Address) {
		c.Add("recipient.address.address", "AR-EXPORT-07", "an export has the buyer's address")
	}
	isCUIT := p.DocumentType == "CUIT"
	if e.ClientTaxID == "" && !isCUIT {
		e.ClientTaxID = p.DocumentNumber
	}
	c.text(country.ExportPath("client_tax_id"), e.ClientTaxID, maxTaxID)
	if country.Blank(e.ClientTaxID) && !isCUIT {
		c.Add(country.ExportPath("client_tax_id"), "AR-EXPORT-07",
			"an export has the buyer's number: client_tax_id as the buyer's country gave it, or the CUIT of that country as "+
				"the recipient's document")
	}
}

// checkTerms: incoterms for invoices of goods, the form of payment for invoices, the
// language for all (1620, 1630, 1640 to 1642), the day of payment for invoices of
// services and other (1671 to 1674).
func (c *checker) checkTerms(e *Export) {
	invoice := !c.kind.IsNote()
	if e.Language == "" {
		e.Language = languages[0].Code
	}
	if found, ok := country.Find(languages, e.Language); ok {
		e.Language = found.Code
	} else {
		c.Add(country.ExportPath("language"), "AR-EXPORT-08", "%.10q is no language of a document: es, en or pt", e.Language)
	}
	if country.Blank(e.PaymentForm) {
		e.PaymentForm = country.PaymentText(paymentMethods, c.d.PaymentMethod)
	}
	c.text(country.ExportPath("payment_form"), e.PaymentForm, maxShort)
	if invoice && country.Blank(e.PaymentForm) {
		c.Add(country.ExportPath("payment_form"), "AR-EXPORT-08",
			"an export invoice says how it is paid, such as \"30 dias fecha factura\"")
	}
	c.text(country.ExportPath("incoterms_description"), e.IncotermsDetails, maxIncotermsText)
	found, ok := country.Find(incoterms, e.Incoterms)
	switch {
	case ok:
		e.Incoterms = found.Code
	case e.Incoterms != "":
		c.Add(country.ExportPath("incoterms"), "AR-EXPORT-08", "%.10q is none of %s", e.Incoterms, country.Codes(incoterms))
	case invoice && e.Kind == exportGoods:
		c.Add(country.ExportPath("incoterms"), "AR-EXPORT-08", "an invoice of goods has its incoterms: one of %s",
			country.Codes(incoterms))
	case e.IncotermsDetails != "":
		c.Add(country.ExportPath("incoterms_description"), "AR-EXPORT-08", "a description needs its incoterms")
	}
	if invoice && e.Kind != exportGoods {
		if c.d.PaymentDueDate == "" {
			c.Add("payment_due_date", "AR-EXPORT-09", "an export invoice of services has its day of payment")
		} else if due, ok := c.readDate("payment_due_date", c.d.PaymentDueDate, time.DateOnly); ok && due.Before(c.date) {
			c.Add("payment_due_date", "AR-DATE-08", "it must not be before %s", c.date.Format(time.DateOnly))
		}
	}
}

// checkExportExtras refuses what WSFEXv1 has no place for, and reads its Opcionales:
// the simplified export (2401, 2402) of goods in dollars.
func (c *checker) checkExportExtras(e Export) {
	if len(c.d.GlobalTaxes) > 0 {
		c.Add("global_taxes", "AR-EXPORT-10", "an export carries no tributos")
	}
	if c.header.SameCurrency != "" && (c.kind.IsNote() || c.d.Currency.Code == localCurrency) { // 1605
		c.Add(country.HeaderPath("same_currency_payment"), "AR-EXPORT-10", "only invoices in a foreign currency say it")
	}
	if len(c.header.Buyers) > 0 {
		c.Add(country.HeaderPath("buyers"), "AR-EXPORT-10", "an export has one buyer")
	}
	c.checkSimplified(e)
}

// The Opcionales of a simplified export: its document, and the FOB amount.
const (
	simplifiedDocument = "2401"
	simplifiedFOB      = "2402"
)

// checkSimplified reads the Opcionales of a simplified export: an invoice has the document
// and the amount, a note the amount alone (2010).
func (c *checker) checkSimplified(e Export) {
	if len(c.header.Optionals) == 0 {
		return
	}
	given := map[string]bool{}
	for i, o := range c.header.Optionals {
		path := fmt.Sprintf("%s[%d].value", country.HeaderPath("optionals"), i)
		amount, err := money.Parse(o.Value)
		given[o.ID] = true
		switch {
		case o.ID == simplifiedDocument && !simplifiedForm.MatchString(o.Value): // 2006
			c.Add(path, "AR-EXPORT-11", "the document of a simplified export has 11 letters and digits")
		case o.ID != simplifiedFOB:
		case err != nil || amount.Sign() < 0 || amount.WholeDigits() > 13 || amount.Decimals() > 2: // 2008
			c.Add(path, "AR-EXPORT-11", "the FOB amount has at most 13 digits before and 2 after the point")
		case c.d.Totals.Total.Less(amount): // 2021
			c.Add(path, "AR-EXPORT-11", "the FOB amount is at most the total, %s", c.d.Totals.Total)
		}
	}
	// 2011, 2016, 2056
	if e.Kind != exportGoods || c.d.Currency.Code != "USD" || len(e.Permits) > 0 {
		c.Add(country.HeaderPath("optionals"), "AR-EXPORT-11", "a simplified export is one of goods, in USD and without "+
			"permits")
	}
	known := given[simplifiedDocument] || given[simplifiedFOB] // other ids are told already
	if known && (!given[simplifiedFOB] || given[simplifiedDocument] == c.kind.IsNote()) {
		c.Add(country.HeaderPath("optionals"), "AR-EXPORT-11", "a simplified export has 2401, its document, and 2402, its "+
			"FOB amount; a note of one has 2402 alone")
	}
}

// checkExportLines: quantities and prices fit WSFEXv1, nothing is negative (1800), and
// the total is that of the lines in cents (1610).
func (c *checker) checkExportLines() {
	for i, item := range c.d.Items {
		for _, x := range []struct {
			name  string
			value money.Decimal
		}{{"quantity", item.Quantity}, {"unit_price", item.UnitPrice}, {"discount_amount", item.Discount}} {
			if x.value.Sign() < 0 || x.value.WholeDigits() > exportWholeDigits {
				c.Add(country.ItemPath(i, x.name), "AR-EXPORT-12", "in an export it must be 0 or above, with at most %d digits "+
					"before the point", exportWholeDigits)
			}
		}
		if item.Code != nil {
			c.text(country.ItemPath(i, "code.value"), item.Code.Value, maxShort)
		}
	}
	if !c.summable || c.d.Totals.Total.WholeDigits() > 13 {
		return
	}
	if lines := exportLines(c.d); !comeTo(lines, c.d.Totals.Total) {
		c.Add("totals.total", "AR-TOTAL-01", "the lines come to %s, not %s (0.01 for each of them is accepted)",
			totalOf(lines), c.d.Totals.Total)
	}
}

// checkExportReferences: a note corrects one document of its own; remitos may be named
// besides (1754).
func (c *checker) checkExportReferences(refs []events.Reference) {
	corrected := 0
	for _, r := range refs {
		if slices.Contains([]int{19, 20, 21}, r.OfficialCode) {
			corrected++
		}
	}
	if corrected > 1 {
		c.Add("billing_reference", "AR-REFERENCE-10", "an export note corrects one document")
	}
}
