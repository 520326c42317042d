package uy

import (
	"slices"
	"strings"

	"folio/country"
	"folio/events"
	"folio/fault"
)

// checkIssuer wants the company itself.
func (c *checker) checkIssuer() {
	p := &c.d.Issuer
	c.checkAddress("issuer", p.Address)
	c.Issuer("UY-ISSUER", identifier, c.issuer.TaxIdentifier, p)
	// DomFiscal is the registered domicile on a remito too: a CFE tells no other origin.
	c.Origin("UY-ISSUER-04", c.issuer.Profile.Address, false, &p.Address)
	c.text("issuer.legal_name", p.LegalName, maxPrinted)
	c.text("issuer.address.address", p.Address.Address, maxPrinted)
	c.text("issuer.address.phone", p.Address.Phone, maxPrinted)
}

// checkRecipient identifies the recipient. An e-Factura is made out to a RUT (CFE25
// A-C60); an e-Remito to somebody identified; e-Tickets and exports may do without a
// document. Where DGI wants name, address and city (A-C63 to A-C65), for exports the
// department and country too (A-C66, A-C66.1), they are required here.
func (c *checker) checkRecipient() {
	p, r := &c.d.Recipient, c.header.Recipient
	c.checkAddress("recipient", p.Address)
	if p.TaxCondition != "" {
		c.Add("recipient.tax_condition", "UY-RECIPIENT-01", "Uruguay has no conditions before IVA: leave it out")
	}
	c.readRecipientDocument(p)
	if !c.known || IsTicket(c.kind.Code) {
		return
	}
	c.require("recipient.legal_name", p.LegalName)
	c.require("recipient.address.address", p.Address.Address)
	c.require(country.HeaderPath("recipient.city"), r.City)
	if IsExport(c.kind.Code) {
		c.require("recipient.address.country", p.Address.Country)
		c.require(country.HeaderPath("recipient.department"), recipientDepartment(c.header, *p))
	}
}

// identified is a recipient without the document of one that stands for nobody.
func identified(p events.Party) events.Party { return identifier.Identified(p) }

// readRecipientDocument brings document_type and document_number to their canonical form:
// both empty when nobody is identified.
func (c *checker) readRecipientDocument(p *events.Party) {
	blank := strings.Trim(p.DocumentNumber, "0 .-") == ""
	if *p = identified(*p); p.DocumentType == "" && p.DocumentNumber == "" {
		switch {
		case IsInvoice(c.kind.Code):
			c.Add("recipient.document_number", "UY-RECIPIENT-03", "%s is made out to a RUT: give document_type RUT and its "+
				"number, or issue an e-Ticket (TIC)", c.kind.InvoiceType)
		case c.kind.Code == codeRemito:
			c.Add("recipient.document_number", "UY-RECIPIENT-03", "the receiver of an e-Remito must be identified: give "+
				"document_type and document_number")
		}
		return
	}
	found, ok := c.OneOf("recipient.document_type", "UY-RECIPIENT-04", "document type", identityDocuments, &p.DocumentType)
	if !ok {
		return
	}
	if IsInvoice(c.kind.Code) && found.Code != identifierName {
		c.Add("recipient.document_type", "UY-RECIPIENT-04", "%s is made out to a RUT: for a buyer with a %s issue an "+
			"e-Ticket (TIC)", c.kind.InvoiceType, found.Code)
		return
	}
	if blank {
		c.Add("recipient.document_number", "UY-RECIPIENT-03", "a number is required with document_type %s", found.Code)
		return
	}
	c.checkDocumentNumber(p)
}

// dniCountries are those whose identity document is a DNI to DGI (CFE25 A-C61).
var dniCountries = []string{"AR", "BR", "CL", "PY"}

func (c *checker) checkDocumentNumber(p *events.Party) {
	var err error
	switch p.DocumentType {
	case identifierName:
		var rut string
		if rut, err = ParseRUT(p.DocumentNumber); err == nil {
			p.DocumentNumber = rut
		}
	case docCI:
		var ci string
		if ci, err = ParseCI(p.DocumentNumber); err == nil {
			p.DocumentNumber = ci
		}
	case docNIE: // its check digit is not published
		if digits := bare(p.DocumentNumber); country.AllDigits(digits) && len(digits) <= 12 {
			p.DocumentNumber = digits
		} else {
			c.Add("recipient.document_number", "UY-RECIPIENT-05", "a NIE has at most 12 digits")
		}
	default:
		c.text("recipient.document_number", p.DocumentNumber, 20) // DocRecepExt
		switch nation := p.Address.Country; {
		case nation == "":
			c.Add("recipient.address.country", "UY-RECIPIENT-06", "it is required with document_type %s: the country that "+
				"gave the document (CodPaisRecep)", p.DocumentType)
		case p.DocumentType == docDNI && !slices.Contains(dniCountries, nation):
			c.Add("recipient.address.country", "UY-RECIPIENT-06", "a DNI is of AR, BR, CL or PY: use PAS, NIFE or OTRO for a "+
				"document of %.10s", nation)
		}
	}
	if err != nil {
		c.Add("recipient.document_number", "UY-RECIPIENT-05", "%s", err)
	}
}

// checkIdentification wants the buyer of an e-Ticket or of its note identified above the
// threshold, and says whether the document is at or below it (CFE25 table E): then DGI hears
// of it in the daily report only, as Folio's e-Tickets have no withholdings, unless the
// company must send every one (Res. DGI 1315/2023).
func (c *checker) checkIdentification() (below bool) {
	if !IsTicket(c.kind.Code) || !c.told || c.date.IsZero() {
		return false
	}
	threshold, year, ok := Threshold(c.date, c.config)
	net := c.taxes.Amounts.Net.Add(c.taxes.Amounts.Exempt)
	rate := c.d.Currency.Rate
	if rate.Sign() <= 0 || rate.WholeDigits() > 4 {
		return false // said already
	}
	pesos := net.Mul(rate)
	if ok && pesos.Cmp(threshold) <= 0 {
		return true
	}
	switch {
	case c.d.Recipient.DocumentNumber != "":
	case !ok:
		c.Add("recipient.document_number", "UY-RECIPIENT-07", "the buyer must be identified: no UI of a year before %d is "+
			"configured to compare the total with", c.date.Year())
	default:
		c.Add("recipient.document_number", "UY-RECIPIENT-07", "the buyer must be identified above %s pesos net of IVA (by "+
			"the UI of 31 December %d), and this net is %s", threshold.Trim(), year, pesos.Trim())
	}
	return false
}

func (c *checker) checkAddress(party string, a events.Address) {
	c.Address("UY-ADDRESS", party, a, "UY-MO", isDepartment)
}

// CheckAddress implements country.Rules.
func (Rules) CheckAddress(a events.Address) []fault.Violation {
	return country.OwnAddress("UY-ADDRESS", a, "UY-MO", isDepartment)
}

func isDepartment(region string) bool {
	_, ok := Department(region)
	return ok
}
