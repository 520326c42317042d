package uy

import (
	"fmt"
	"slices"
	"strconv"
	"time"

	"folio/country"
	"folio/events"
)

// notIssued are DGI's types besides Folio's own kinds: those on a third party's account,
// entries, withholdings and contingency copies (CFE25 table A). One may name them
// (TpoDocRef), and suppliers issue them.
var notIssued = []int{131, 132, 133, 141, 142, 143, 151, 152, 153, 182,
	201, 202, 203, 211, 212, 213, 221, 222, 223, 224, 231, 232, 233, 241, 242, 243, 251, 252, 253, 281, 282}

// isCFE says that DGI has documents of this type.
func isCFE(code int) bool {
	_, ours := kindOf(code)
	return ours || slices.Contains(notIssued, code)
}

// referenceType is the code of a document as a caller names it; false for none.
func referenceType(text string) (code int, name string, ok bool) {
	if k, found := findKind(text); found {
		return k.Code, k.InvoiceType, true
	}
	code, err := strconv.Atoi(text)
	if err != nil || !slices.Contains(notIssued, code) {
		return 0, "", false
	}
	return code, strconv.Itoa(code), true
}

// isGlobal says that a checked reference names no document but a period (IndGlobal, CFE25
// F-C2).
func isGlobal(r events.Reference) bool { return r.PeriodFrom != "" }

// razonRef is RazonRef of a checked reference; "" to leave it out. A global reference must
// have it.
func razonRef(r events.Reference) string {
	if isGlobal(r) {
		return fmt.Sprintf("Comprobantes del período %s a %s", r.PeriodFrom, r.PeriodTo)
	}
	return country.ReasonTexts[r.ReasonCode]
}

// checkReferences verifies what a document names. A note must name what it corrects
// (CFE25 zone F; E12 when DGI does not find it).
func (c *checker) checkReferences() {
	refs := c.d.BillingReference
	if n := len(refs); n > maxReferences {
		c.Add("billing_reference", "UY-REFERENCE-01", "it has %d references, at most %d are allowed: issue another document for the rest", n, maxReferences)
		return
	}
	seen := map[string]bool{}
	for i := range refs {
		r := &c.d.BillingReference[i]
		if r.PeriodFrom != "" || r.PeriodTo != "" {
			c.checkPeriod(i, *r)
		} else {
			c.checkReference(i, r)
			key := fmt.Sprint(r.OfficialCode, "-", r.Series, "-", r.Number)
			if seen[key] {
				c.Add(country.ReferencePath(i, "number"), "UY-REFERENCE-06", "this document is named twice")
			}
			seen[key] = true
		}
		c.checkReason(i, *r)
	}
	if !c.known || !c.kind.IsNote() {
		return
	}
	switch reasons := country.Reasons(refs); {
	case len(refs) == 0:
		c.Add("billing_reference", "UY-REFERENCE-01", "a note must name what it corrects: an invoice_id, or type, series and number of a document, or a period")
	case len(reasons) > 1:
		c.Add("billing_reference", "UY-REFERENCE-05", "a note has one reason: give the same reason_code everywhere")
	}
}

// checkPeriod reads a reference to all documents of a period.
func (c *checker) checkPeriod(i int, r events.Reference) {
	from, ok := c.Date("UY-DATE-02", country.ReferencePath(i, "period_from"), r.PeriodFrom, time.DateOnly)
	to, fine := c.Date("UY-DATE-02", country.ReferencePath(i, "period_to"), r.PeriodTo, time.DateOnly)
	if ok && fine && to.Before(from) {
		c.Add(country.ReferencePath(i, "period_to"), "UY-REFERENCE-02", "the period ends before it starts on %s", r.PeriodFrom)
	}
}

// checkReference reads the coordinates of one document.
func (c *checker) checkReference(i int, r *events.Reference) {
	if r.Type == "" && r.OfficialCode > 0 {
		r.Type = strconv.Itoa(r.OfficialCode)
	}
	code, name, ok := referenceType(r.Type)
	if ok {
		r.OfficialCode, r.Type = code, name
	} else {
		r.OfficialCode = 0
		c.Add(country.ReferencePath(i, "type"), "UY-REFERENCE-03", "%.20q is no document that may be named: use an invoice_type or an official code", r.Type)
	}
	if !series.MatchString(r.Series) {
		c.Add(country.ReferencePath(i, "series"), "UY-REFERENCE-04", "the series of the document is required: one or two capital letters, or a digit and a letter")
	}
	c.ReferenceNumber("UY-REFERENCE-04", i, *r, maxNumber)
	r.BranchOffice = 0 // a read shows the one of our own documents
	date := c.optionalDate(country.ReferencePath(i, "date"), r.Date, time.DateOnly)
	if !c.date.IsZero() && date.After(c.date) {
		c.Add(country.ReferencePath(i, "date"), "UY-REFERENCE-04", "it is later than the document itself")
	}
	c.checkReferenceIssuer(i, r)
	c.checkFamily(i, *r)
}

// checkFamily: a note corrects documents of its own family, or their contingency copies:
// 101 to 103 by 102 and 103, 111 to 113 by 112 and 113, 121 to 123 by 122 and 123. What
// cancels a credit note is a debit note.
func (c *checker) checkFamily(i int, r events.Reference) {
	if !c.known || !c.kind.IsNote() || r.OfficialCode == 0 {
		return
	}
	credit := country.CreditNote == c.kind.Class
	corrects := r.OfficialCode%100/10 == c.kind.Code%100/10 && r.OfficialCode%10 <= 3
	switch toCredit := r.OfficialCode%10 == 2; {
	case !corrects:
		c.Add(country.ReferencePath(i, "type"), "UY-REFERENCE-03", "%s corrects documents of its own family, such as %d", c.kind.InvoiceType, c.kind.Code/10*10+1)
	case r.ReasonCode == country.Cancels && credit && toCredit:
		c.Add(country.ReferencePath(i, "type"), "UY-REFERENCE-03", "a credit note is cancelled by a debit note")
	case r.ReasonCode == country.Cancels && !credit && !toCredit:
		c.Add(country.ReferencePath(i, "type"), "UY-REFERENCE-03", "a debit note cancels credit notes only")
	}
}

func (c *checker) checkReason(i int, r events.Reference) {
	switch {
	case !c.known || r.ReasonCode == "":
	case !c.kind.IsNote():
		c.Add(country.ReferencePath(i, "reason_code"), "UY-REFERENCE-05", "only notes have a reason_code")
	case country.ReasonTexts[r.ReasonCode] == "":
		c.Add(country.ReferencePath(i, "reason_code"), "UY-REFERENCE-05", "it is 1 (cancels it), 2 (corrects a text) or 3 (corrects amounts), or left out")
	}
}

// checkReferenceIssuer: DGI is told no issuer of what is named, so it is the company's own.
func (c *checker) checkReferenceIssuer(i int, r *events.Reference) {
	c.ReferenceIssuer("UY-REFERENCE-07", i, identifier, c.issuer.TaxIdentifier, false, r)
}
