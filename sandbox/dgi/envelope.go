package dgi

import (
	"cmp"
	"crypto/x509"
	"encoding/base64"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/beevik/etree"

	"folio/authority/schema"
)

// sobre is an envelope as it was read.
type sobre struct {
	cover       map[string]string // Caratula
	certificate *x509.Certificate // of Caratula
	documents   []cfe
}

// cfe is one document of an envelope, read alone: its signature holds only so.
type cfe struct {
	text string
	root *etree.Element // CFE
	body *etree.Element // eTck, eFact...
	kind int
}

var cfeText = regexp.MustCompile(`(?s)<(?:[\w.-]+:)?CFE[\s>].*?</(?:[\w.-]+:)?CFE\s*>`)

// maxSobre is what an envelope may have (Formato de Sobre v05: 2 MB).
const maxSobre = 2 << 20

// readSobre reads an envelope. A remark says why it is refused; what could be read is
// returned all the same, for the receipt.
func readSobre(text string) (sobre, *remark) {
	e := sobre{cover: map[string]string{}}
	text = strings.TrimSpace(text)
	doc := etree.NewDocument()
	if strings.Contains(text, "<!") {
		return e, &remark{"S01", "no se admite DTD, comentario ni CDATA"}
	}
	if err := doc.ReadFromString(text); err != nil || doc.Root() == nil {
		return e, &remark{"S01", "no es XML"}
	}
	root := doc.Root()
	parts := root.ChildElements()
	if root.Tag != "EnvioCFE" || root.NamespaceURI() != namespace || root.SelectAttrValue("version", "") != "1.0" ||
		len(parts) < 2 || parts[0].Tag != "Caratula" {
		return e, &remark{"S01", "no es EnvioCFE 1.0 de " + namespace + " con Caratula y CFE"}
	}
	for _, p := range parts[0].ChildElements() {
		e.cover[p.Tag] = strings.TrimSpace(p.Text())
	}
	if len(text) > maxSobre {
		return e, &remark{"S07", ""}
	}
	if err := schema.CFE("Caratula").Check(parts[0]); err != nil {
		return e, &remark{"S04", err.Error()}
	}
	if parts[0].SelectAttrValue("version", "") != "1.0" {
		return e, &remark{"S04", "Caratula no es version 1.0"}
	}
	der, err := base64.StdEncoding.DecodeString(strings.Join(strings.Fields(e.cover["X509Certificate"]), ""))
	if err == nil {
		e.certificate, err = x509.ParseCertificate(der)
	}
	if err != nil {
		return e, &remark{"S03", "X509Certificate no es un certificado"}
	}
	return e, e.readDocuments(text, parts[1:])
}

// maxDocuments is what an envelope may hold.
const maxDocuments = 250

func (e *sobre) readDocuments(text string, parts []*etree.Element) *remark {
	texts := cfeText.FindAllString(text, -1)
	if len(texts) != len(parts) || len(parts) > maxDocuments {
		return &remark{"S01", "EnvioCFE tiene de 1 a 250 CFE y nada mas tras su Caratula"}
	}
	for i, t := range texts {
		d, err := readCFE(t)
		if err != nil {
			return &remark{"S04", fmt.Sprintf("CFE %d: %s", i+1, err)}
		}
		e.documents = append(e.documents, d)
	}
	return nil
}

func readCFE(text string) (cfe, error) {
	d := cfe{text: text}
	doc := etree.NewDocument()
	if err := doc.ReadFromString(text); err != nil || doc.Root() == nil {
		return d, fmt.Errorf("no se lee como documento propio")
	}
	d.root = doc.Root()
	parts := d.root.ChildElements()
	if d.root.Tag != "CFE" || d.root.NamespaceURI() != namespace || d.root.SelectAttrValue("version", "") != "1.0" ||
		len(parts) != 2 || parts[1].Tag != "Signature" {
		return d, fmt.Errorf("no es CFE 1.0 de %s con su documento y Signature", namespace)
	}
	d.body = parts[0]
	rule := schema.CFE(d.body.Tag)
	if !strings.HasPrefix(d.body.Tag, "e") || rule == nil {
		return d, fmt.Errorf("%.20s no es un comprobante", d.body.Tag)
	}
	if err := foreign(d.body); err != nil {
		return d, err
	}
	if err := rule.Check(d.body); err != nil {
		return d, err
	}
	d.kind, _ = strconv.Atoi(d.at("Encabezado/IdDoc/TipoCFE"))
	return d, nil
}

// foreign finds an element of another namespace.
func foreign(e *etree.Element) error {
	if e.NamespaceURI() != namespace {
		return fmt.Errorf("%.30s no es de %s", e.Tag, namespace)
	}
	for _, c := range e.ChildElements() {
		if err := foreign(c); err != nil {
			return err
		}
	}
	return nil
}

// at is the text of an element of the document, "" when it is not there.
func (d cfe) at(path string) string {
	if e := d.body.FindElement(path); e != nil {
		return strings.TrimSpace(e.Text())
	}
	return ""
}

// number is the document's Nro.
func (d cfe) number() int64 {
	n, _ := strconv.ParseInt(d.at("Encabezado/IdDoc/Nro"), 10, 64)
	return n
}

// recipient is DocRecep or DocRecepExt.
func (d cfe) recipient() string {
	return cmp.Or(d.at("Encabezado/Receptor/DocRecep"), d.at("Encabezado/Receptor/DocRecepExt"))
}

// total is MntPagar, or MntTotal where there is none.
func (d cfe) total() string {
	return cmp.Or(d.at("Encabezado/Totales/MntPagar"), d.at("Encabezado/Totales/MntTotal"), "0")
}

// signed wants the document's signature to be of the certificate and over all of it.
func (d cfe) signed(certificate *x509.Certificate, old bool) error {
	return verify(d.root.SelectElement("Signature"), certificate, old, func(uri string) (*etree.Element, error) {
		if uri != "" {
			return nil, fmt.Errorf("la firma refiere a %.30q, no al documento", uri)
		}
		return d.root, nil
	})
}

// names says whether the signature names this certificate.
func (d cfe) names(certificate *x509.Certificate) bool {
	data := d.root.FindElement("Signature/KeyInfo/X509Data")
	if data == nil {
		return false
	}
	if whole := data.SelectElement("X509Certificate"); whole != nil {
		der, err := content(data, "X509Certificate")
		return err == nil && string(der) == string(certificate.Raw)
	}
	serial := data.FindElement("X509IssuerSerial/X509SerialNumber")
	return serial != nil && strings.TrimSpace(serial.Text()) == certificate.SerialNumber.String()
}
