package cl

import (
	"cmp"
	"crypto/x509"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/beevik/etree"

	"folio/country"
	"folio/country/xmlsig"
	"folio/events"
	"folio/fault"
	"folio/money"
)

var _ country.Purchaser = Rules{}

// CheckPurchase holds a typed purchase to what every DTE fulfils: a kind that exists,
// RUTs with their check digit, a folio of ten digits at most, neither series nor point of
// sale, a currency that SII knows, whole pesos.
func (Rules) CheckPurchase(p country.Purchase) []fault.Violation {
	var v country.Violations
	if _, ok := kindOf(p.OfficialCode); !ok {
		v.Add("invoice_type", "CL-PURCHASE-01", "%d is no kind of DTE: see GET /api/document-types", p.OfficialCode)
	}
	if _, err := ParseRUT(p.Supplier.DocumentNumber); err != nil {
		v.Add("supplier.document_number", "CL-PURCHASE-02", "%s", err)
	}
	if p.Number < 1 || p.Number > maxFolio {
		v.Add("number", "CL-PURCHASE-03", "a folio is 1 to %d", int64(maxFolio))
	}
	if p.Series != "" {
		v.Add("series", "CL-PURCHASE-05", "a DTE has no series: leave it out")
	}
	if p.BranchOffice != 0 {
		v.Add("branch_office", "CL-PURCHASE-06", "Chile has no points of sale: leave branch_office out")
	}
	if c, ok := country.Find(currencies, p.Currency); !ok || c.Code != p.Currency {
		v.Add("currency", "CL-PURCHASE-07", "use an ISO 4217 code that SII has a name for, such as CLP")
	}
	if p.Total.Sign() < 0 || p.Currency == localCurrency && p.Total.Decimals() > 0 {
		v.Add("total", "CL-PURCHASE-04", "a total is not negative, and in pesos it has no decimals")
	}
	return v.All
}

// ReadQR refuses: a DTE carries a PDF417 stamp that does not identify its amounts.
func (Rules) ReadQR(string) (country.Purchase, error) {
	return country.Purchase{}, fault.Field("qr", "CL-PURCHASE-10",
		"in Chile a document carries no QR code: give its XML or its fields")
}

// maxPurchase bounds a supplier's document; an envelope of one has about 10 KB.
const maxPurchase = 200_000

// ReadPurchaseXML reads a DTE, alone or in its EnvioDTE, and verifies that it is signed
// and unaltered (XMLDSig as SII asks for, "Formato DTE" v2.2). Whether SII received it
// is not asked.
func (Rules) ReadPurchaseXML(document []byte, _ country.Trust) (country.Purchase, error) {
	p, err := readPurchase(document)
	return country.PurchaseRead(Rules{}, "xml", "CL-PURCHASE-11", p, err)
}

func readPurchase(document []byte) (country.Purchase, error) {
	root, err := xmlsig.Read(document, maxPurchase)
	if err != nil {
		return country.Purchase{}, err
	}
	dtes := etree.NewDocumentWithRoot(root).FindElements("//DTE")
	if len(dtes) != 1 {
		return country.Purchase{}, errors.New("give exactly one DTE, alone or in its EnvioDTE")
	}
	dte := xmlsig.Alone(dtes[0])
	body := dte.SelectElement("Documento")
	if body == nil {
		body = dte.SelectElement("Exportaciones")
	}
	if body == nil {
		return country.Purchase{}, errors.New("the DTE has neither Documento nor Exportaciones")
	}
	if len(dte.ChildElements()) != 2 {
		return country.Purchase{}, errors.New("a DTE has one document and one signature in it")
	}
	certificate, err := verifySignature(dte, body)
	if err != nil {
		return country.Purchase{}, err
	}
	p, err := purchaseOf(body)
	if err != nil {
		return country.Purchase{}, err
	}
	p.Verification = country.SignatureValid
	p.Verified = "Signed and unaltered, by the certificate of " + country.Foreign(certificate.Subject.CommonName) +
		"; SII was not asked."
	return p, nil
}

// namespace is that of SII's documents.
const namespace = "http://www.sii.cl/SiiDte"

// verifySignature wants the signature of a DTE to be over its body, made with the key of the
// certificate inside. Some issuers sign with SII's namespace around the body and some with
// none, and what a DTE had from its envelope is lost when somebody takes it out: the DTE is
// tried as it is and then the other way. Nothing of what it says differs between the two.
func verifySignature(dte, body *etree.Element) (*x509.Certificate, error) {
	sig := dte.SelectElement("Signature")
	if sig == nil {
		return nil, errors.New("the document is not signed")
	}
	certificate, err := xmlsig.Certificate(sig)
	if err != nil {
		return nil, err
	}
	id := "#" + body.SelectAttrValue("ID", "")
	err = xmlsig.Verify(body, sig, id, certificate)
	if err != nil {
		other := otherNamespace(dte)
		if xmlsig.Verify(other.SelectElement(body.Tag), other.SelectElement("Signature"), id, certificate) == nil {
			return certificate, nil
		}
	}
	return certificate, err
}

// otherNamespace is a copy of a DTE without the namespace that it declares, or with SII's
// where it declares none.
func otherNamespace(dte *etree.Element) *etree.Element {
	out := dte.Copy()
	if out.RemoveAttr("xmlns") == nil {
		out.CreateAttr("xmlns", namespace)
	}
	etree.NewDocument().SetRoot(out)
	return out
}

// purchaseOf reads the head of a document.
func purchaseOf(body *etree.Element) (country.Purchase, error) {
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
	if errors.Join(err1, err2, err3, err4) != nil {
		return country.Purchase{}, errors.New("TipoDTE, Folio, FchEmis or MntTotal is missing or unreadable")
	}
	supplier, err := ParseRUT(read("Emisor/RUTEmisor"))
	if err != nil {
		return country.Purchase{}, fmt.Errorf("RUTEmisor: %w", err)
	}
	recipient, err := ParseRUT(read("Receptor/RUTRecep"))
	if err != nil {
		return country.Purchase{}, fmt.Errorf("RUTRecep: %w", err)
	}
	currency, ok := country.Find(currencies, cmp.Or(read("Totales/TpoMoneda"), localCurrency))
	if !ok {
		return country.Purchase{}, errors.New("TpoMoneda is no currency that SII has a name for")
	}
	name := cmp.Or(read("Emisor/RznSoc"), read("Emisor/RznSocEmisor")) // the second is that of boletas
	return country.Purchase{
		OfficialCode: code, Number: folio, Date: read("IdDoc/FchEmis"), Recipient: recipient, Currency: currency.Code,
		Total: total,
		Taxes: country.SignedTaxes([]string{read("Totales/MntNeto")}, []string{read("Totales/MntExe")},
			[]string{read("Totales/IVA")}),
		Supplier: events.Party{LegalName: country.Foreign(name), DocumentType: identifierName, DocumentNumber: supplier},
	}, nil
}
