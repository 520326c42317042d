package ar

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"folio/country"
	"folio/events"
)

const maxReferences = 50

// referable are the types that a document may name in CbtesAsoc (10040), by its own.
// 88, 91, 990 to 995 are remitos and other papers that Folio does not issue.
var referable = map[int][]int{
	1: {88, 991}, 6: {88, 991}, 51: {88, 991},
	2: referableA, 3: referableA,
	7: referableB, 8: referableB,
	12: {11, 12, 13, 15}, 13: {11, 12, 13, 15},
	52: {51, 52, 53, 54, 88, 991}, 53: {51, 52, 53, 54, 88, 991},
	201: dispatched, 206: dispatched, 211: dispatched,
	202: {201, 202, 203}, 203: {201, 202, 203},
	207: {206, 207, 208}, 208: {206, 207, 208},
	212: {211, 212, 213}, 213: {211, 212, 213},
	19: shipped, 20: referableE, 21: referableE, // 1680, 1755
}

var (
	referableA = []int{1, 2, 3, 4, 5, 34, 39, 60, 63, 88, 991}
	referableB = []int{6, 7, 8, 9, 10, 35, 40, 61, 64, 88, 991}
	referableE = []int{19, 20, 21, 88, 89, 91, 993, 994}
	shipped    = []int{88, 89, 91, 993, 994}
	dispatched = []int{91, 990, 991, 993, 994, 995}
)

// checkReferences verifies what a document names. A note must name the documents or
// the period that it corrects (10197), an invoice may name remitos only (10040, 10198).
func (c *checker) checkReferences() {
	refs := c.d.BillingReference
	if n := len(refs); n > maxReferences {
		c.Add("billing_reference", "AR-REFERENCE-01", "it has %d references, at most %d are allowed", n, maxReferences)
		return
	}
	if c.known && c.kind.IsNote() && len(refs) == 0 {
		c.Add("billing_reference", "AR-REFERENCE-01", "a note must name the documents or the period that it corrects")
	}
	periods := 0
	seen := map[string]bool{}
	for i := range refs {
		r := &c.d.BillingReference[i]
		if r.PeriodFrom != "" || r.PeriodTo != "" {
			periods++
			c.checkPeriod(i, *r)
			continue
		}
		c.checkReference(i, r)
		key := fmt.Sprint(r.OfficialCode, "-", r.BranchOffice, "-", r.Number, "-", r.DocumentNumber)
		if seen[key] {
			c.Add(country.ReferencePath(i, "number"), "AR-REFERENCE-06", "this document is named twice")
		}
		seen[key] = true
	}
	if c.kind.isExport() {
		c.checkExportReferences(c.d.BillingReference)
	}
	if c.known && c.kind.fce && c.kind.IsNote() {
		c.checkFCEReferences()
	}
	if periods > 0 && len(refs) > 1 {
		c.Add("billing_reference", "AR-REFERENCE-07", "give documents or one period, not both")
	}
}

// checkFCEReferences: an FCE note that does not cancel (Opcional 22 is N) corrects one
// invoice, and may name other notes of it besides (10156).
func (c *checker) checkFCEReferences() {
	invoices := 0
	for _, r := range c.d.BillingReference {
		if !slices.Contains(referable[c.kind.Code], r.OfficialCode) {
			return // refused for that
		}
		if k, ok := findKind(strconv.Itoa(r.OfficialCode)); ok && !k.IsNote() {
			invoices++
		}
	}
	h, _ := ParseHeader(c.d.HeaderInfo)
	if h.Cancellation == "N" && len(c.d.BillingReference) > 0 && invoices != 1 {
		c.Add("billing_reference", "AR-REFERENCE-10",
			"an FCE note that does not cancel (cancellation N) names one invoice that it corrects, and here are %d", invoices)
	}
}

// checkReference reads the coordinates of one document.
func (c *checker) checkReference(i int, r *events.Reference) {
	if r.Type == "" && r.OfficialCode > 0 {
		r.Type = strconv.Itoa(r.OfficialCode)
	}
	if k, ok := findKind(r.Type); ok {
		r.Type, r.OfficialCode = k.InvoiceType, k.Code
	} else if n, err := strconv.Atoi(r.Type); err == nil {
		r.OfficialCode = n
	} else {
		r.OfficialCode = 0
	}
	switch allowed := referable[c.kind.Code]; {
	case !c.known || slices.Contains(allowed, r.OfficialCode):
	case len(allowed) == 0: // receipts, and invoices of class C
		c.Add(country.ReferencePath(i, "type"), "AR-REFERENCE-02",
			"%s names no other document: leave billing_reference out", c.kind.InvoiceType)
	default:
		c.Add(country.ReferencePath(i, "type"), "AR-REFERENCE-02",
			"%s cannot refer to %.20q: it may name the official codes %s", c.kind.InvoiceType, r.Type, country.Numbers(allowed))
	}
	c.readPrinted(i, r)
	if r.BranchOffice < 1 || r.BranchOffice > 99998 {
		c.Add(country.ReferencePath(i, "branch_office"), "AR-REFERENCE-03", "the point of sale must be from 1 to 99998")
	}
	greatest := int64(99_999_998) // 10059
	if c.kind.isExport() {
		greatest = 99_999_999 // 1700 allows more, and no voucher has it
	}
	c.ReferenceNumber("AR-REFERENCE-03", i, *r, greatest)
	c.checkReferenceDate(i, *r)
	c.NoReferenceCurrency("AR-REFERENCE-11", "ARCA", i, *r)
	c.ReferenceIssuer("AR-REFERENCE-04", i, identifier,
		country.Issuers{Own: c.issuer.TaxIdentifier, Others: !c.kind.IsNote()}, r)
}

// readPrinted takes a number as it is printed, "0001-00000001": point of sale and number.
// A point of sale that is given besides must be that one.
func (c *checker) readPrinted(i int, r *events.Reference) {
	point, number, cut := strings.Cut(r.Folio, "-")
	if !cut {
		point, number = "0", r.Folio
	}
	p, err := strconv.ParseUint(point, 10, 31)
	n, err2 := strconv.ParseUint(number, 10, 31)
	if err != nil || err2 != nil || r.Number != 0 {
		return
	}
	if cut && r.BranchOffice != 0 && r.BranchOffice != int(p) {
		c.Add(country.ReferencePath(i, "branch_office"), "AR-REFERENCE-03",
			"it is %d here and %d in the number %s: leave one of them out", r.BranchOffice, p, r.Folio)
	}
	if cut {
		r.BranchOffice = int(p)
	}
	r.Number, r.Folio = int64(n), ""
}

// checkReferenceDate wants a date no later than the document's; FCE notes must have
// one (10158).
func (c *checker) checkReferenceDate(i int, r events.Reference) {
	if r.Date == "" {
		if c.kind.fce && c.kind.IsNote() {
			c.Add(country.ReferencePath(i, "date"), "AR-REFERENCE-05",
				"an FCE note needs the date of the document that it corrects")
		}
		return
	}
	date, ok := c.readDate(country.ReferencePath(i, "date"), r.Date, time.DateOnly)
	if ok && !c.date.IsZero() && date.After(c.date) {
		c.Add(country.ReferencePath(i, "date"), "AR-REFERENCE-05", "it is later than the document itself")
	}
}

// firstPeriod is the day after which PeriodoAsoc must lie (10204 to 10208).
var firstPeriod = time.Date(2006, 1, 1, 0, 0, 0, 0, time.UTC)

func (c *checker) checkPeriod(i int, r events.Reference) {
	if r.Invoice != "" || r.Type != "" || r.Number != 0 {
		c.Add(country.ReferencePath(i, "period_from"), "AR-REFERENCE-07", "give a document or a period, not both")
	}
	if c.known && (!c.kind.IsNote() || c.kind.fce || c.kind.isExport()) { // 10198; 10197 for FCE
		c.Add(country.ReferencePath(i, "period_from"), "AR-REFERENCE-08",
			"only notes that are no FCE and no export may name a period")
	}
	from, fromOK := c.readDate(country.ReferencePath(i, "period_from"), r.PeriodFrom, time.DateOnly)
	to, toOK := c.readDate(country.ReferencePath(i, "period_to"), r.PeriodTo, time.DateOnly)
	switch {
	case r.PeriodFrom == "" || r.PeriodTo == "":
		c.Add(country.ReferencePath(i, "period_from"), "AR-REFERENCE-09", "a period has period_from and period_to")
	case !fromOK || !toOK:
	case !from.After(firstPeriod):
		c.Add(country.ReferencePath(i, "period_from"), "AR-REFERENCE-09", "it must be after 2006-01-01")
	case to.Before(from):
		c.Add(country.ReferencePath(i, "period_to"), "AR-REFERENCE-09", "it must not be before period_from")
	case !c.date.IsZero() && to.After(c.date):
		c.Add(country.ReferencePath(i, "period_to"), "AR-REFERENCE-09", "it must not be later than the document itself")
	}
}
