package uy

import (
	"fmt"
	"slices"
	"strconv"
	"time"

	"folio/country"
	"folio/events"
	"folio/fault"
	"folio/money"
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

// maxPeriodReason is what RazonRef (90) leaves beside the days of a period.
const maxPeriodReason = 55

// razonRef is RazonRef of a checked reference; "" to leave it out. A global reference must
// have it, and says why the documents cannot be named where the caller gave the reason.
func razonRef(r events.Reference, reason string) string {
	if isGlobal(r) {
		if reason != "" {
			return fmt.Sprintf("Período %s a %s: %s", r.PeriodFrom, r.PeriodTo, reason)
		}
		return fmt.Sprintf("Comprobantes del período %s a %s", r.PeriodFrom, r.PeriodTo)
	}
	return country.ReasonTexts[r.ReasonCode]
}

// checkReferences verifies what a document names. A note must name what it corrects
// (CFE25 zone F; E12 when DGI does not find it).
func (c *checker) checkReferences() {
	refs := c.d.BillingReference
	if n := len(refs); n > maxReferences {
		c.Add("billing_reference", "UY-REFERENCE-01", "it has %d references, at most %d are allowed: issue another "+
			"document for the rest", n, maxReferences)
		return
	}
	seen := map[string]bool{}
	for i := range refs {
		r := &c.d.BillingReference[i]
		if r.PeriodFrom != "" || r.PeriodTo != "" {
			c.checkPeriod(i, *r)
			if r.Currency != "" {
				c.Add(country.ReferencePath(i, "currency"), "UY-REFERENCE-08", "a period has no currency of its own: leave it out")
			}
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
		c.Add("billing_reference", "UY-REFERENCE-01", "a note must name what it corrects: an invoice_id, or type, series "+
			"and number of a document, or a period")
	case len(reasons) > 1:
		c.Add("billing_reference", "UY-REFERENCE-05", "a note has one reason: give the same reason_code everywhere")
	}
}

// checkPeriod reads a reference to all documents of a period.
func (c *checker) checkPeriod(i int, r events.Reference) {
	from, ok := c.Date("UY-DATE-02", country.ReferencePath(i, "period_from"), r.PeriodFrom, time.DateOnly)
	to, fine := c.Date("UY-DATE-02", country.ReferencePath(i, "period_to"), r.PeriodTo, time.DateOnly)
	if ok && fine && to.Before(from) {
		c.Add(country.ReferencePath(i, "period_to"), "UY-REFERENCE-02", "the period ends before it starts on %s",
			r.PeriodFrom)
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
		c.Add(country.ReferencePath(i, "type"), "UY-REFERENCE-03",
			"%.20q is no document that may be named: use an invoice_type or an official code", r.Type)
	}
	if !series.MatchString(r.Series) {
		c.Add(country.ReferencePath(i, "series"), "UY-REFERENCE-04",
			"the series of the document is required: one or two capital letters, or a digit and a letter")
	}
	country.ReadShown(r)
	c.ReferenceNumber("UY-REFERENCE-04", i, *r, maxNumber)
	r.BranchOffice = 0 // a read shows the one of our own documents
	date := c.optionalDate(country.ReferencePath(i, "date"), r.Date, time.DateOnly)
	if !c.date.IsZero() && date.After(c.date) {
		c.Add(country.ReferencePath(i, "date"), "UY-REFERENCE-04", "it is later than the document itself")
	}
	c.checkReferenceIssuer(i, r)
	c.checkFamily(i, *r)
	c.checkReferenceCurrency(i, r)
}

// checkReferenceCurrency reads the currency and rate of a named document (TpoMonedaRef,
// TpoCambioRef; CFE25 F-C9, F-C10). Notes tell them, and are in that currency.
func (c *checker) checkReferenceCurrency(i int, r *events.Reference) {
	if r.Currency == "" {
		return
	}
	if c.known && !c.kind.IsNote() {
		c.Add(country.ReferencePath(i, "currency"), "UY-REFERENCE-08",
			"only notes tell the currency of what they name: leave it out")
		return
	}
	path := country.ReferencePath(i, "currency.code")
	if _, ok := c.OneOf(path, "UY-REFERENCE-08", "currency that DGI knows", currencies, &r.Currency); !ok {
		return
	}
	if r.Currency != c.d.Currency.Code {
		c.Add(path, "UY-REFERENCE-08", "a note is in the currency of what it corrects, and this one is in %s",
			c.d.Currency.Code)
	}
	if r.Rate == nil {
		return
	}
	path = country.ReferencePath(i, "currency.exchange_rate")
	switch local := r.Currency == localCurrency; {
	case local && !r.Rate.Equal(money.FromInt(1)):
		c.Add(path, "UY-REFERENCE-08", "the exchange rate of %s is 1: leave it out", localCurrency)
	case r.Rate.Sign() <= 0 || r.Rate.WholeDigits() > 4 || r.Rate.Decimals() > 3: // TpoCambioRef 4.3
		c.Add(path, "UY-REFERENCE-08",
			"it is above 0, with at most 4 digits before and 3 after the point: that of the named document")
	}
}

// Untold: a note tells of each document its currency, rate and how much of it changes. Of
// documents that are not ours only the caller knows them. DGI's severity without them is
// unverified; a firm says that it refuses the note, so they are required.
func (Rules) Untold(note events.Document, i int) (out []fault.Violation) {
	r := note.BillingReference[i]
	if isGlobal(r) {
		return nil
	}
	add := func(member, text string) {
		out = append(out, fault.Violation{Path: country.ReferencePath(i, member), Code: "UY-REFERENCE-09", Message: text})
	}
	if note.Currency.Code != localCurrency && r.Rate == nil {
		add("currency", "it is no document that this company issued here, so its rate must be given: "+
			`"currency": {"code": "`+note.Currency.Code+`", "exchange_rate": ...}, as it stands in the document (TpoCambioRef)`)
	}
	if len(note.BillingReference) > 1 && r.Amount == nil {
		add("amount", "it is no document that this company issued here, and the note names several: "+
			"say how much of the note is for it (MntCFEref)")
	}
	return out
}

// MustItemise: a period stands for documents that cannot be named, such as those of a
// settlement (Res. DGI 545/2025 and 546/2025), with the reason in RazonRef, and not for many
// that can (CFE25 F-C2): another note takes what is above 40.
func (Rules) MustItemise(note events.Document) (country.Itemised, bool) {
	if h, _ := ParseHeader(note.HeaderInfo); h.PeriodReason != "" {
		return country.Itemised{}, false
	}
	original, ok := kindOf(note.OfficialCode/10*10 + 1)
	return country.Itemised{Type: original.InvoiceType, Otherwise: fault.Words("Where they cannot be named, say why in %s "+
		"(RazonRef), such as a settlement under Res. DGI 545/2025.", country.HeaderPath("period_reason"))}, ok
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
		c.Add(country.ReferencePath(i, "type"), "UY-REFERENCE-03", "%s corrects documents of its own family, such as %d",
			c.kind.InvoiceType, c.kind.Code/10*10+1)
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
		c.Add(country.ReferencePath(i, "reason_code"), "UY-REFERENCE-05",
			"it is 1 (cancels it), 2 (corrects a text) or 3 (corrects amounts), or left out")
	}
}

// checkReferenceIssuer: DGI is told no issuer of what is named, so it is the company's own.
func (c *checker) checkReferenceIssuer(i int, r *events.Reference) {
	c.ReferenceIssuer("UY-REFERENCE-07", i, identifier, country.Issuers{Own: c.issuer.TaxIdentifier}, r)
}
