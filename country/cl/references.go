package cl

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"folio/country"
	"folio/events"
)

// referable are the documents that one may name (TpoDocRef) besides Folio's own kinds:
// paper ones, and those of the trade and of customs.
var referable = []country.Catalogued{
	{Code: "30", Name: "Factura"}, {Code: "32", Name: "Factura exenta"}, {Code: "35", Name: "Boleta"},
	{Code: "38", Name: "Boleta exenta"},
	{Code: "40", Name: "Liquidación-factura"}, {Code: "43", Name: "Liquidación-factura electrónica"},
	{Code: "45", Name: "Factura de compra"},
	{Code: "50", Name: "Guía de despacho"}, {Code: "55", Name: "Nota de débito"}, {Code: "60", Name: "Nota de crédito"},
	{Code: "801", Name: "Orden de compra"}, {Code: "802", Name: "Nota de pedido"}, {Code: "803", Name: "Contrato"},
	{Code: "804", Name: "Resolución"},
	{Code: "805", Name: "Proceso ChileCompra"}, {Code: "806", Name: "Ficha ChileCompra"}, {Code: "807", Name: "DUS"},
	{Code: "808", Name: "B/L"},
	{Code: "809", Name: "AWB"}, {Code: "810", Name: "MIC/DTA"}, {Code: "811", Name: "Carta de porte"},
	{Code: "812", Name: "Resolución SNA"},
	{Code: "813", Name: "Pasaporte"}, {Code: "814", Name: "Certificado de depósito bolsa"},
	{Code: "815", Name: "Vale de prenda bolsa"},
	{Code: "HES", Name: "Hoja de entrada de servicio"}, {Code: "SET", Name: "Set de pruebas"},
}

// referenceName is what a TpoDocRef means, and the text of it; false for none.
func referenceName(text string) (code, name string, ok bool) {
	if k, found := findKind(text); found {
		return strconv.Itoa(k.Code), k.Name, true
	}
	if x, found := country.Find(referable, text); found {
		return x.Code, x.Name, true
	}
	return "", "", false
}

// checkReferences verifies what a document names. A note must name what it corrects
// with the reason (FMT, reference area); no other document corrects anything.
func (c *checker) checkReferences() {
	refs := c.d.BillingReference
	if n := len(refs); n > maxReferences {
		c.Add("billing_reference", "CL-REFERENCE-01", "it has %d references, at most %d are allowed", n, maxReferences)
		return
	}
	seen := map[string]bool{}
	for i := range refs {
		r := &c.d.BillingReference[i]
		if r.PeriodFrom != "" || r.PeriodTo != "" {
			c.Add(country.ReferencePath(i, "period_from"), "CL-REFERENCE-02", "Chile's documents name documents, not periods")
			continue
		}
		c.checkReference(i, r)
		key := fmt.Sprint(r.Type, "-", folioOf(*r), "-", r.DocumentNumber)
		if seen[key] {
			c.Add(country.ReferencePath(i, "number"), "CL-REFERENCE-06", "this document is named twice")
		}
		seen[key] = true
	}
	if !c.known || !c.kind.IsNote() {
		return
	}
	unreasoned := func(r events.Reference) bool { return isTaxDocument(r) && r.ReasonCode == "" }
	switch reasons := country.Reasons(refs); {
	case len(reasons) == 0 && !slices.ContainsFunc(refs, unreasoned): // those are told one by one
		c.Add("billing_reference", "CL-REFERENCE-01", "a note must name what it corrects, with reason_code 1 (cancels "+
			"it), 2 (corrects a text) or 3 (corrects amounts)")
	case len(reasons) > 1:
		c.Add("billing_reference", "CL-REFERENCE-05", "a note has one reason: give the same reason_code everywhere")
	}
}

// reason is the CodRef of a note, "" for any other document.
func reason(d events.Document) string {
	for _, r := range d.BillingReference {
		if r.ReasonCode != "" {
			return r.ReasonCode
		}
	}
	return ""
}

// checkReference reads the coordinates of one document.
func (c *checker) checkReference(i int, r *events.Reference) {
	if r.Type == "" && r.OfficialCode > 0 {
		r.Type = strconv.Itoa(r.OfficialCode)
	}
	code, _, ok := referenceName(r.Type)
	if !ok {
		c.Add(country.ReferencePath(i, "type"), "CL-REFERENCE-03",
			"%.20q is no document that may be named: use an invoice_type, an official code, or 801 for a purchase order and "+
				"its like", r.Type)
	}
	r.OfficialCode, _ = strconv.Atoi(code)
	if k, found := kindOf(r.OfficialCode); found {
		r.Type = k.InvoiceType
	} else {
		r.Type = strings.ToUpper(code)
	}
	c.checkFolio(i, r)
	if r.BranchOffice > 1 {
		c.Add(country.ReferencePath(i, "branch_office"), "CL-REFERENCE-04",
			"Chile has no points of sale: leave branch_office out")
	}
	r.BranchOffice = 0
	date, ok := c.readDate(country.ReferencePath(i, "date"), r.Date, time.DateOnly)
	switch {
	case r.Date == "" && !c.kind.isReceipt():
		c.Add(country.ReferencePath(i, "date"), "CL-REFERENCE-04", "the date of the document is required (FchRef)")
	case ok && !c.date.IsZero() && date.After(c.date):
		c.Add(country.ReferencePath(i, "date"), "CL-REFERENCE-04", "it is later than the document itself")
	}
	c.checkReason(i, *r)
	c.NoReferenceCurrency("CL-REFERENCE-08", "SII", i, *r)
	c.checkReferenceIssuer(i, r)
}

// isTaxDocument says whether a reference is to what SII knows by a folio of its own: an
// electronic document or one on paper.
func isTaxDocument(r events.Reference) bool { return r.OfficialCode > 0 && r.OfficialCode < 800 }

// maxFolioRef is FolioRef's length (XSD FolioRType).
const maxFolioRef = 18

// folioOf is the FolioRef of a reference.
func folioOf(r events.Reference) string { return cmp.Or(r.Folio, strconv.FormatInt(r.Number, 10)) }

// checkFolio wants a number. Orders, contracts and their like may have a text for one.
func (c *checker) checkFolio(i int, r *events.Reference) {
	r.Folio = country.Line(r.Folio)
	if isTaxDocument(*r) {
		country.ReadShown(r)
	}
	if r.Folio == "" || isTaxDocument(*r) {
		c.ReferenceNumber("CL-REFERENCE-04", i, *r, maxFolio)
		return
	}
	c.told(country.ReferencePath(i, "number"), r.Folio, maxFolioRef)
}

// checkReason asks whether the reason fits: a credit note takes back what was sold, a
// debit note adds to it or takes back a credit note, and neither corrects what is no
// tax document. Of a type that is none, which is told already, only the reason itself is
// judged.
func (c *checker) checkReason(i int, r events.Reference) {
	tax, read := isTaxDocument(r), r.Type != ""
	switch {
	case !c.known:
	case r.ReasonCode != "" && country.ReasonTexts[r.ReasonCode] == "":
		c.Add(country.ReferencePath(i, "reason_code"), "CL-REFERENCE-05",
			"it is 1 (cancels it), 2 (corrects a text) or 3 (corrects amounts)")
	case !c.kind.IsNote() && r.ReasonCode != "":
		c.Add(country.ReferencePath(i, "reason_code"), "CL-REFERENCE-05", "only notes have a reason_code")
	case c.kind.IsNote() && tax && r.ReasonCode == "":
		c.Add(country.ReferencePath(i, "reason_code"), "CL-REFERENCE-05",
			"it is required: 1 (cancels it), 2 (corrects a text) or 3 (corrects amounts)")
	case c.kind.IsNote() && !tax && read && r.ReasonCode != "":
		c.Add(country.ReferencePath(i, "reason_code"), "CL-REFERENCE-05", "%s is no tax document: a note does not correct it",
			r.Type)
	}
	switch {
	case !c.known || !read:
	case c.kind.IsNote() && tax && IsExport(r.OfficialCode) != c.kind.isExport():
		c.Add(country.ReferencePath(i, "type"), "CL-REFERENCE-03",
			"documents of exports (110 to 112) are corrected by notes of exports, the others by 56 and 61")
	case r.ReasonCode == country.Cancels && c.kind.Class == country.CreditNote &&
		slices.Contains([]int{60, codeCredit, codeExportCredit}, r.OfficialCode):
		c.Add(country.ReferencePath(i, "type"), "CL-REFERENCE-03", "a credit note is cancelled by a debit note")
	case r.ReasonCode == country.Cancels && c.kind.Class == country.DebitNote &&
		!slices.Contains([]int{60, codeCredit, codeExportCredit}, r.OfficialCode):
		c.Add(country.ReferencePath(i, "type"), "CL-REFERENCE-03", "a debit note cancels credit notes only")
	}
}

// checkReferenceIssuer: a note corrects documents of its own issuer; others may name
// those of another (RUTOtr).
func (c *checker) checkReferenceIssuer(i int, r *events.Reference) {
	c.ReferenceIssuer("CL-REFERENCE-07", i, identifier,
		country.Issuers{Own: c.issuer.TaxIdentifier, Others: !c.kind.IsNote() || r.ReasonCode == ""}, r)
}
