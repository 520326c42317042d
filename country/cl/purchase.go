package cl

import (
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/beevik/etree"

	"folio/country"
	"folio/events"
	"folio/fault"
	"folio/money"
)

var _ country.Purchaser = Rules{}

// CheckPurchase holds a typed purchase to what every DTE fulfils: a kind that exists,
// RUTs with their check digit, a folio of ten digits at most, whole pesos.
func (Rules) CheckPurchase(p country.Purchase) []fault.Violation {
	var v country.Violations
	if _, ok := (Rules{}).DocumentType(strconv.Itoa(p.OfficialCode)); !ok {
		v.Add("invoice_type", "CL-PURCHASE-01", "%d is no kind of DTE: see GET /api/document-types", p.OfficialCode)
	}
	if _, err := ParseRUT(p.Supplier.DocumentNumber); err != nil {
		v.Add("supplier.document_number", "CL-PURCHASE-02", "%s", err.Error())
	}
	if p.Number < 1 || p.Number > 9_999_999_999 {
		v.Add("number", "CL-PURCHASE-03", "a folio is 1 to 9999999999")
	}
	if p.Total.Sign() < 0 || p.Currency == "CLP" && p.Total.Decimals() > 0 {
		v.Add("total", "CL-PURCHASE-04", "a total is not negative, and in pesos it has no decimals")
	}
	return v.All
}

// ReadQR refuses: a DTE carries a PDF417 stamp that does not identify its amounts.
func (Rules) ReadQR(string) (country.Purchase, error) {
	return country.Purchase{}, fault.Field("qr", "CL-PURCHASE-10", "in Chile a document carries no QR code: give its XML or its fields")
}

// declaration is the XML declaration: the text is UTF-8 here, whatever it says of the
// file that it came from.
var declaration = regexp.MustCompile(`^\s*<\?xml[^>]*\?>`)

// maxNesting bounds what is parsed of a foreign document.
const maxNesting = 24

// ReadPurchaseXML reads a DTE, alone or in its EnvioDTE, and verifies that it is signed
// and unaltered (XMLDSig as SII asks for, "Formato DTE" v2.2). Whether SII received it
// is not asked.
func (Rules) ReadPurchaseXML(document []byte, _ country.Trust) (country.Purchase, error) {
	bad := func(what string) (country.Purchase, error) {
		return country.Purchase{}, fault.Field("xml", "CL-PURCHASE-11", what)
	}
	text := declaration.ReplaceAllString(strings.TrimPrefix(string(document), "\ufeff"), "")
	if strings.Contains(text, "<!DOCTYPE") || strings.Contains(text, "<!ENTITY") {
		return bad("a DTE has no document type declaration")
	}
	tree := etree.NewDocument()
	if err := tree.ReadFromString(text); err != nil || tree.Root() == nil {
		return bad("this is no XML that can be read")
	}
	if deeper(tree.Root(), maxNesting) {
		return bad("this is nested deeper than any DTE")
	}
	dtes := tree.FindElements("//DTE")
	if len(dtes) != 1 {
		return bad("give exactly one DTE, alone or in its EnvioDTE")
	}
	dte := alone(dtes[0])
	body := dte.SelectElement("Documento")
	if body == nil {
		body = dte.SelectElement("Exportaciones")
	}
	if body == nil {
		return bad("the DTE has neither Documento nor Exportaciones")
	}
	certificate, err := verifySignature(body, dte.SelectElement("Signature"))
	if err != nil {
		return bad(err.Error())
	}
	p, what := purchaseOf(body)
	if what != "" {
		return bad(what)
	}
	p.Verification = country.SignatureValid
	p.Verified = "Signed and unaltered, by the certificate of " + certificate.Subject.CommonName + "; SII was not asked."
	for _, v := range (Rules{}).CheckPurchase(p) {
		return bad(v.Message)
	}
	return p, nil
}

// alone is a DTE outside of its envelope: it was signed before it was put there, so it
// must not inherit the envelope's namespaces beyond its own.
func alone(dte *etree.Element) *etree.Element {
	out := dte.Copy()
	if out.SelectAttr("xmlns") == nil && dte.NamespaceURI() != "" {
		out.CreateAttr("xmlns", dte.NamespaceURI())
	}
	etree.NewDocument().SetRoot(out)
	return out
}

func deeper(e *etree.Element, limit int) bool {
	if limit == 0 {
		return true
	}
	for _, child := range e.ChildElements() {
		if deeper(child, limit-1) {
			return true
		}
	}
	return false
}

// purchaseOf reads the head of a document; what says what is wrong with it.
func purchaseOf(body *etree.Element) (p country.Purchase, what string) {
	read := func(path string) string {
		if e := body.FindElement("Encabezado/" + path); e != nil {
			return strings.TrimSpace(e.Text())
		}
		return ""
	}
	code, err1 := strconv.Atoi(read("IdDoc/TipoDTE"))
	folio, err2 := strconv.ParseInt(read("IdDoc/Folio"), 10, 64)
	total, err3 := money.Parse(read("Totales/MntTotal"))
	_, err4 := time.Parse(time.DateOnly, read("IdDoc/FchEmis"))
	if err1 != nil || err2 != nil || err3 != nil || err4 != nil {
		return p, "TipoDTE, Folio, FchEmis or MntTotal is missing or unreadable"
	}
	supplier, err := ParseRUT(read("Emisor/RUTEmisor"))
	if err != nil {
		return p, "RUTEmisor: " + err.Error()
	}
	recipient, err := ParseRUT(read("Receptor/RUTRecep"))
	if err != nil {
		return p, "RUTRecep: " + err.Error()
	}
	name := read("Emisor/RznSoc")
	if name == "" {
		name = read("Emisor/RznSocEmisor") // boletas
	}
	return country.Purchase{
		OfficialCode: code, Number: folio, Date: read("IdDoc/FchEmis"), Recipient: recipient, Currency: "CLP", Total: total,
		Supplier: events.Party{LegalName: name, DocumentType: "RUT", DocumentNumber: supplier},
	}, ""
}
