package ar

import (
	"iter"
	"slices"
	"strconv"
	"strings"

	"folio/country"
	"folio/country/figures"
	"folio/events"
	"folio/fault"
)

// parties are the two of the document under the names of their members.
func (c *checker) parties() iter.Seq2[string, *events.Party] {
	return func(yield func(string, *events.Party) bool) {
		_ = yield("issuer", &c.d.Issuer) && yield("recipient", &c.d.Recipient)
	}
}

// checkIssuer wants the company itself: its CUIT is Auth.Cuit of the call.
func (c *checker) checkIssuer() {
	p := &c.d.Issuer
	c.checkAddress("issuer", p.Address)
	if t, _ := country.Find(identityDocuments, p.DocumentType); t.Code == identifier.Name {
		p.DocumentType = t.Code // 80 says CUIT too
	}
	c.Issuer("AR-ISSUER", identifier, c.issuer.TaxIdentifier, p)
	c.Origin("AR-ISSUER-04", c.issuer.Profile.Address, false, &p.Address)
}

// checkRecipient identifies the recipient, or finds that nobody is named.
func (c *checker) checkRecipient() {
	p := &c.d.Recipient
	c.checkAddress("recipient", p.Address)
	docType, ok := c.recipientDocument(p)
	c.unread = !ok
	if named := docType != docUnidentified; named && country.Blank(p.LegalName) {
		c.Add("recipient.legal_name", "AR-RECIPIENT-01", "an identified recipient needs a name")
	}
	c.checkCondition(p, docType)
	if !ok {
		return
	}
	if c.known && docType != docCUIT {
		switch {
		case c.kind.fce: // Law 27.440: the debtor of an FCE is a company
			c.Add("recipient.document_type", "AR-RECIPIENT-02", "an FCE is made out to a CUIT")
		case c.kind.letter == 'A': // 10013
			c.Add("recipient.document_type", "AR-RECIPIENT-02", "class A documents are made out to a CUIT; for a consumer "+
				"use class B")
		}
	}
	if c.known && c.kind.fce && docType == docCUIT && p.DocumentNumber == uncategorizedCUIT { // 10178
		c.Add("recipient.document_number", "AR-RECIPIENT-02", "an FCE is made out to a company's own CUIT, and "+
			"23-00000000-0 stands for whoever is no_categorizado")
	}
	if docType == docCUIT && p.DocumentNumber == c.issuer.TaxIdentifier { // 10069
		c.Add("recipient.document_number", "AR-RECIPIENT-03", "the recipient cannot be the issuer")
	}
}

// unidentified says that a checked party is a consumer who is not named by a document: both
// members are empty, or 99 and 0 as the caller wrote them.
func unidentified(p events.Party) bool {
	code, _ := DocTipo(p.DocumentType, p.DocumentNumber)
	return code == docUnidentified
}

// recipientDocument reads document_type and document_number and brings them to
// their canonical form. Those of an unidentified consumer stay as they were written.
func (c *checker) recipientDocument(p *events.Party) (docType int, ok bool) {
	number := bare(p.DocumentNumber)
	blank := strings.Trim(number, "0") == ""
	found, known := country.Find(identityDocuments, p.DocumentType)
	switch {
	case p.DocumentType == "" && blank, known && found.OfficialCode == "99" && blank:
		return docUnidentified, true
	case p.DocumentType == "":
		c.Add("recipient.document_type", "AR-RECIPIENT-04", "a document_number needs its document_type, such as CUIT or DNI")
		return 0, false
	case !known:
		c.Add("recipient.document_type", "AR-RECIPIENT-04", "%.20q is no document type that ARCA knows", p.DocumentType)
		return 0, false
	case found.OfficialCode == "99": // 10015
		c.Add("recipient.document_number", "AR-RECIPIENT-05", "an unidentified consumer has no document_number")
		return 0, false
	case blank:
		c.Add("recipient.document_number", "AR-RECIPIENT-05", "a document_number is required with document_type %s; leave "+
			"both out for an unidentified consumer", found.Code)
		return 0, false
	}
	docType, _ = strconv.Atoi(found.OfficialCode)
	p.DocumentType = found.Code
	if hasCheckDigit(docType) { // 10015, 10284
		digits, err := ParseCUIT(number)
		if err != nil {
			c.Add("recipient.document_number", "AR-RECIPIENT-06", "%s %s", found.Code, err)
			return docType, false
		}
		p.DocumentNumber = digits
		return docType, true
	}
	limit := 11
	if docType == docDNI {
		limit = 8
	}
	if !country.AllDigits(number) || len(number) > limit { // DocNro is a number
		c.Add("recipient.document_number", "AR-RECIPIENT-06", "a %s has at most %d digits and nothing else: ARCA takes "+
			"numbers only", found.Code, limit)
		return docType, false
	}
	p.DocumentNumber = strings.TrimLeft(number, "0")
	return docType, true
}

var separators = strings.NewReplacer("-", "", ".", "", " ", "")

// bare is a document number without what people put between its digits.
func bare(number string) string { return separators.Replace(number) }

// checkCondition finds the recipient's condition before VAT, which ARCA requires
// (RG 5616, error 10246), and refuses one that the class does not allow (10243).
func (c *checker) checkCondition(p *events.Party, docType int) {
	cond, defaulted := defaultCondition(c.kind, docType, p.DocumentNumber), true
	if p.TaxCondition != "" {
		given, ok := findCondition(p.TaxCondition)
		if !ok { // 10242
			c.Add("recipient.tax_condition", "AR-RECIPIENT-07", "%.40q is no condition before VAT: use one of %s",
				p.TaxCondition, country.Codes(conditionList))
			return
		}
		cond, defaulted = given, false
	}
	if c.known && !c.kind.isExport() && !slices.Contains(cond.classes, c.kind.classes()) {
		c.Add("recipient.tax_condition", "AR-RECIPIENT-08", "a recipient that is %s cannot get a class %c document: it "+
			"takes class %s",
			cond.name, c.kind.letter, cond.classes[0])
	}
	c.taxes.RecipientCondition, c.taxes.RecipientConditionID, c.taxes.RecipientDefaulted = cond.name, cond.id, defaulted
}

// checkIdentification refuses an anonymous sale of the threshold or more (10015;
// RG 5866 says "equal or above", so that exactly the figure needs a document).
func (c *checker) checkIdentification() {
	total, rate := c.d.Totals.Total, c.d.Currency.Rate
	if !c.known || c.kind.isExport() || c.unread || !unidentified(c.d.Recipient) || total.WholeDigits() > 13 ||
		rate.WholeDigits() > 4 || c.date.IsZero() {
		return
	}
	threshold, ok := c.figures.At("AR", figures.ConsumerThreshold, c.date)
	if pesos := total.Mul(rate); ok && !pesos.Less(threshold.Value) {
		c.Add("recipient.document_number", "AR-RECIPIENT-09", "a consumer must be identified from %s pesos on, and this "+
			"total is %s: give document_type and document_number",
			threshold.Value, pesos.Round(2))
	}
}

// checkAddress verifies the codes of an address; all of its members are optional.
func (c *checker) checkAddress(party string, a events.Address) {
	c.Address("AR-ADDRESS", party, a, "AR-C", isProvince)
}

// CheckAddress implements country.Rules.
func (Rules) CheckAddress(a events.Address) []fault.Violation {
	return country.OwnAddress("AR-ADDRESS", a, "AR-C", isProvince)
}

func isProvince(region string) bool {
	_, ok := FindProvince(region)
	return ok
}
