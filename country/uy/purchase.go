package uy

import (
	"crypto/x509"
	"errors"
	"fmt"
	"regexp"
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

var currencyForm = regexp.MustCompile(`^[A-Z]{3}$`)

// CheckPurchase holds a typed purchase to what every CFE fulfils: a type that exists, a
// RUT with its check digit, a series and a number of seven digits at most, no branch, a CAE of eleven
// where one is given, amounts with two decimals.
func (Rules) CheckPurchase(p country.Purchase) []fault.Violation {
	var v country.Violations
	if !isCFE(p.OfficialCode) {
		v.Add("invoice_type", "UY-PURCHASE-01", "%d is no type of CFE: see GET /api/document-types", p.OfficialCode)
	}
	if _, err := ParseRUT(p.Supplier.DocumentNumber); err != nil {
		v.Add("supplier.document_number", "UY-PURCHASE-02", "%s", err)
	}
	if p.Number < 1 || p.Number > maxNumber {
		v.Add("number", "UY-PURCHASE-03", "a number is 1 to %d", maxNumber)
	}
	if !series.MatchString(p.Series) {
		v.Add("series", "UY-PURCHASE-04", "a series is a capital letter, two of them, or a digit and one: A, AB, 1A")
	}
	if p.BranchOffice != 0 {
		v.Add("branch_office", "UY-PURCHASE-08", "series and number identify a CFE: leave branch_office out")
	}
	if p.Authorization != "" && (len(p.Authorization) != 11 || !country.AllDigits(p.Authorization)) {
		v.Add("authorization_code", "UY-PURCHASE-05", "the number of a CAE has 11 digits")
	}
	if p.Currency != "" && !currencyForm.MatchString(p.Currency) {
		v.Add("currency", "UY-PURCHASE-06", "use an ISO 4217 code such as UYU, or UYI for indexed units")
	}
	if p.Total.Decimals() > places || p.Total.Sign() < 0 {
		v.Add("total", "UY-PURCHASE-07", "a total is not negative and has two decimals at most")
	}
	return v.All
}

// maxPurchase bounds a supplier's document; a CFE of 200 lines has about 100 KB.
const maxPurchase = 200_000

// ReadPurchaseXML reads a CFE, alone or in the envelope that companies send each other
// (EnvioCFE_entreEmpresas), and verifies that it is signed and unaltered: as the
// document of its own that it was when it was signed, not with the envelope's
// namespaces. A CFE mostly names its certificate only, and the envelope holds it. A
// certificate that says a RUC must say the issuer's. Whether DGI accepted the document,
// and whether the certificate is trusted by anybody, is not asked.
func (Rules) ReadPurchaseXML(document []byte, _ country.Trust) (country.Purchase, error) {
	p, err := readPurchase(document)
	return country.PurchaseRead(Rules{}, "xml", "UY-PURCHASE-11", p, err)
}

func readPurchase(document []byte) (country.Purchase, error) {
	root, err := xmlsig.Read(document, maxPurchase)
	if err != nil {
		return country.Purchase{}, err
	}
	cfes := etree.NewDocumentWithRoot(root).FindElements("//CFE")
	if len(cfes) != 1 || cfes[0].NamespaceURI() != Namespace {
		return country.Purchase{}, errors.New("give exactly one CFE, alone or in its envelope (EnvioCFE_entreEmpresas)")
	}
	certificate, err := signer(root, cfes[0])
	if err != nil {
		return country.Purchase{}, err
	}
	cfe := xmlsig.Alone(cfes[0])
	if err := xmlsig.Verify(cfe, cfe.SelectElement("Signature"), "", certificate); err != nil {
		return country.Purchase{}, err
	}
	children := cfe.ChildElements()
	// What stands in the signature is not signed: it is not the document, wherever it is.
	if len(children) != 2 || children[0].NamespaceURI() != Namespace || children[1].Tag != "Signature" {
		return country.Purchase{}, errors.New("a CFE has one document and one signature in it, in this order")
	}
	p, err := purchaseOf(children[0])
	if err != nil {
		return country.Purchase{}, err
	}
	if ruc := rucOf(certificate); ruc != "" && ruc != p.Supplier.DocumentNumber {
		return country.Purchase{}, fmt.Errorf("it says that %s issued it, and the certificate that signed it is of %s",
			p.Supplier.DocumentNumber, ruc)
	}
	p.Verification = country.SignatureValid
	p.Verified = "Signed and unaltered, by the certificate of " + country.Foreign(certificate.Subject.CommonName) +
		"; DGI was not asked."
	return p, nil
}

// signer is the certificate that a CFE was signed with: in its signature or, as DGI's
// format has it, in the head of its envelope.
func signer(root, cfe *etree.Element) (*x509.Certificate, error) {
	signatures := cfe.SelectElements("Signature")
	if len(signatures) != 1 {
		return nil, fmt.Errorf("the CFE has %d signatures, not one", len(signatures))
	}
	certificate, err := xmlsig.Certificate(signatures[0])
	if !errors.Is(err, xmlsig.ErrNoCertificate) {
		return certificate, err
	}
	if held := root.FindElement("Caratula/X509Certificate"); held != nil {
		return xmlsig.ParseCertificate(held.Text())
	}
	return nil, errors.New("the CFE only names the certificate that signed it: give the envelope that it came in " +
		"(EnvioCFE_entreEmpresas), which holds it")
}

var certificateRUC = regexp.MustCompile(`^RUC ?([0-9]{12})$`)

// rucOf is the RUC in the serial number of a certificate's subject, "" for none.
func rucOf(c *x509.Certificate) string {
	if found := certificateRUC.FindStringSubmatch(strings.TrimSpace(c.Subject.SerialNumber)); found != nil {
		return found[1]
	}
	return ""
}

// purchaseOf reads the head of a document. Its texts are trimmed: systems in use break
// lines within numbers.
func purchaseOf(body *etree.Element) (country.Purchase, error) {
	read := func(paths ...string) string {
		for _, path := range paths {
			if e := body.FindElement(path); e != nil {
				return strings.TrimSpace(e.Text())
			}
		}
		return ""
	}
	const head = "Encabezado/"
	code, err1 := strconv.Atoi(read(head + "IdDoc/TipoCFE"))
	nro, err2 := strconv.ParseInt(read(head+"IdDoc/Nro"), 10, 64)
	_, err3 := time.Parse(time.DateOnly, read(head+"IdDoc/FchEmis"))
	if err := errors.Join(err1, err2, err3); err != nil {
		return country.Purchase{}, errors.New("TipoCFE, Nro or FchEmis is missing or unreadable")
	}
	supplier, err := ParseRUT(read(head + "Emisor/RUCEmisor"))
	if err != nil {
		return country.Purchase{}, fmt.Errorf("RUCEmisor: %w", err)
	}
	p := country.Purchase{
		OfficialCode: code, Series: read(head + "IdDoc/Serie"), Number: nro, Date: read(head + "IdDoc/FchEmis"),
		Recipient: read(head+"Receptor/DocRecep", head+"Receptor/DocRecepExt"), Currency: read(head + "Totales/TpoMoneda"),
		Authorization: read("CAEData/CAE_ID"),
		Supplier: events.Party{LegalName: country.Foreign(read(head + "Emisor/RznSoc")), DocumentType: identifierName,
			DocumentNumber: supplier,
			Address:        events.Address{Country: "UY", Address: country.Foreign(read(head + "Emisor/DomFiscal"))}},
	}
	amount := func(names ...string) []string {
		return country.Collect(names, func(name string) string { return read(head + "Totales/" + name) })
	}
	p.Taxes = country.SignedTaxes(amount("MntNetoIvaTasaMin", "MntNetoIVATasaBasica", "MntNetoIVAOtra"),
		amount("MntNoGrv", "MntExpoyAsim"), amount("MntIVATasaMin", "MntIVATasaBasica", "MntIVAOtra"))
	// An e-Remito has no amounts, an e-Resguardo what was withheld.
	text := read(head+"Totales/MntPagar", head+"Totales/MntTotal", head+"Totales/MntTotRetenido")
	if body.Tag == "eRem" {
		text, p.Currency = "0", localCurrency
	}
	if p.Total, err = money.Parse(text); err != nil || p.Currency == "" {
		return country.Purchase{}, errors.New("the document has no total or no currency")
	}
	return p, nil
}
