package cl

import (
	"regexp"
	"slices"
	"strings"

	"folio/events"
)

// checkIssuer wants the company itself, and texts of its profile that SII can read.
func (c *checker) checkIssuer() {
	p := &c.d.Issuer
	c.checkAddress("issuer", p.Address)
	if p.DocumentType != "" && !strings.EqualFold(p.DocumentType, identifierName) {
		c.Add("issuer.document_type", "CL-ISSUER-01", "the issuer's document is its RUT, not %.20q", p.DocumentType)
	}
	p.DocumentType = identifierName
	rut, err := ParseRUT(p.DocumentNumber)
	switch {
	case err != nil:
		c.Add("issuer.document_number", "CL-ISSUER-02", "%s", "the RUT of the issuer is required: "+err.Error())
	case rut != c.issuer.TaxIdentifier:
		c.Add("issuer.document_number", "CL-ISSUER-03", "the issuer must be the company of this key, %s", PrintRUT(c.issuer.TaxIdentifier))
	default:
		p.DocumentNumber = rut
	}
	c.printed("issuer.address.phone", p.Address.Phone, maxPrinted)
	c.told("issuer.legal_name", issuerName(c.issuer.Profile, c.d), 200)
	c.told("issuer.address.address", issuerAddress(c.issuer.Profile, c.d).Address, 300)
}

// issuerName is the company's own name: that of the profile is what the certificate
// and the CAF are of.
func issuerName(p events.IssuerProfile, d events.Document) string {
	if p.LegalName != "" {
		return p.LegalName
	}
	return d.Issuer.LegalName
}

func issuerAddress(p events.IssuerProfile, d events.Document) events.Address {
	if p.Address.Address != "" {
		return p.Address
	}
	return d.Issuer.Address
}

// checkRecipient identifies the recipient. Only boletas and exports may do without a
// RUT; where SII wants the recipient's giro, address and comuna (FMT, marked as
// obligatory) they are required here.
func (c *checker) checkRecipient() {
	p, r := &c.d.Recipient, *c.header.Recipient
	c.checkAddress("recipient", p.Address)
	if p.TaxCondition != "" {
		c.Add("recipient.tax_condition", "CL-RECIPIENT-01", "Chile has no conditions before VAT: leave it out")
	}
	c.told(headerPath("recipient.giro"), r.Giro, 40)
	c.told(headerPath("recipient.comuna"), r.Comuna, maxPlace)
	c.told(headerPath("recipient.city"), r.City, maxPlace)
	c.told(headerPath("recipient.contact"), r.Contact, 80)
	c.told(headerPath("recipient.email"), r.Email, 80)
	c.told(headerPath("recipient.internal_code"), r.InternalCode, 20)
	if !c.readRecipientDocument(p) || !c.known {
		return
	}
	if strings.TrimSpace(p.LegalName) == "" && (p.DocumentNumber != "" || !c.kind.isReceipt()) {
		c.Add("recipient.legal_name", "CL-RECIPIENT-02", "a recipient needs a name; only a boleta may name nobody")
	}
	if c.kind.isReceipt() || c.kind.isExport() {
		return
	}
	for _, x := range []struct{ path, value string }{
		{headerPath("recipient.giro"), r.Giro}, {"recipient.address.address", p.Address.Address}, {headerPath("recipient.comuna"), r.Comuna},
	} {
		if strings.TrimSpace(x.value) == "" {
			c.Add(x.path, "CL-RECIPIENT-03", "SII requires it of the recipient of %s", c.kind.InvoiceType)
		}
	}
}

// readRecipientDocument brings document_type and document_number to their canonical
// form: both empty when nobody is named.
func (c *checker) readRecipientDocument(p *events.Party) bool {
	blank := strings.Trim(p.DocumentNumber, "0 .-") == ""
	if blank && (p.DocumentType == "" || p.DocumentType == "99" || strings.EqualFold(p.DocumentType, identifierName)) {
		p.DocumentType, p.DocumentNumber = "", ""
		if c.known && !c.kind.isReceipt() && !c.kind.isExport() {
			c.Add("recipient.document_number", "CL-RECIPIENT-04", "%s is made out to a RUT: give document_type RUT and its number", c.kind.InvoiceType)
			return false
		}
		return true
	}
	found, ok := find(identityDocuments, p.DocumentType)
	if !ok {
		c.Add("recipient.document_type", "CL-RECIPIENT-05", "%.20q is no document type: use one of %s", p.DocumentType, codes(identityDocuments))
		return false
	}
	p.DocumentType = found.Code
	if found.Code != identifierName {
		c.told("recipient.document_number", p.DocumentNumber, 20) // NumId, CdgIntRecep
		if blank {
			c.Add("recipient.document_number", "CL-RECIPIENT-04", "a number is required with document_type %s", found.Code)
			return false
		}
		if c.known && !c.kind.isReceipt() && !c.kind.isExport() {
			c.Add("recipient.document_type", "CL-RECIPIENT-05", "%s is made out to a RUT", c.kind.InvoiceType)
			return false
		}
		return true
	}
	rut, err := ParseRUT(p.DocumentNumber)
	if err != nil {
		c.Add("recipient.document_number", "CL-RECIPIENT-06", "%s", err)
		return false
	}
	if rut == UnnamedRUT && c.kind.isReceipt() || rut == ForeignRUT && c.kind.isExport() {
		p.DocumentType, p.DocumentNumber = "", ""
		return true
	}
	if c.kind.isExport() {
		c.Add("recipient.document_type", "CL-RECIPIENT-05", "the buyer of an export is a foreigner: use EXTRANJERO or PASAPORTE, or leave the document out")
		return false
	}
	p.DocumentNumber = rut
	return true
}

// checkIdentification refuses an anonymous boleta of the configured threshold or more.
// The figure (in UF by SII's resolutions) is configuration; without one nobody has to
// be named.
func (c *checker) checkIdentification() {
	total := c.d.Totals.Total
	if c.threshold.Sign() <= 0 || !c.kind.isReceipt() || c.d.Recipient.DocumentNumber != "" || total.Less(c.threshold) {
		return
	}
	c.Add("recipient.document_number", "CL-RECIPIENT-07", "the buyer must be identified from %s pesos on, and this total is %s", c.threshold, total)
}

var (
	countryCode = regexp.MustCompile(`^[A-Z]{2}$`)
	regionCode  = regexp.MustCompile(`^[A-Z]{2}-[A-Z0-9]{1,3}$`)
)

// regions are Chile's of ISO 3166-2.
var regions = []string{"CL-AI", "CL-AN", "CL-AP", "CL-AR", "CL-AT", "CL-BI", "CL-CO", "CL-LI", "CL-LL", "CL-LR", "CL-MA", "CL-ML", "CL-NB", "CL-RM", "CL-TA", "CL-VS"}

// checkAddress verifies the codes of an address; all of its members are optional.
func (c *checker) checkAddress(party string, a events.Address) {
	if a.Country != "" && !countryCode.MatchString(a.Country) {
		c.Add(party+".address.country", "CL-ADDRESS-01", "%.10q is not an ISO 3166-1 code of two letters", a.Country)
	}
	switch {
	case a.Region == "":
	case !regionCode.MatchString(a.Region), strings.HasPrefix(a.Region, "CL-") && !slices.Contains(regions, a.Region):
		c.Add(party+".address.region", "CL-ADDRESS-02", "%.10q is not an ISO 3166-2 code such as CL-RM", a.Region)
	case a.Country != "" && !strings.HasPrefix(a.Region, a.Country+"-"):
		c.Add(party+".address.region", "CL-ADDRESS-02", "%s is not a region of %s", a.Region, a.Country)
	}
}
