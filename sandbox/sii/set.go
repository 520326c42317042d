package sii

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/beevik/etree"

	"folio/authority/schema"
)

// set is an envelope as it was read.
type set struct {
	root      *etree.Element
	cover     map[string]string
	documents []dte
}

// dte is one document of an envelope.
type dte struct {
	inPlace *etree.Element // DTE in the envelope
	alone   *etree.Element // the same, read as a document of its own
	text    string         // its bytes, decoded
	body    *etree.Element // Documento or Exportaciones, in alone
}

var (
	declared = regexp.MustCompile(`^<\?xml version="1\.0" encoding="ISO-8859-1"( standalone="(yes|no)")?\?>`)
	dteText  = regexp.MustCompile(`(?s)<DTE[ >].*?</DTE>`)
)

// schemas are the roots and where they must say that their schema is.
var schemas = map[bool][2]string{
	false: {"EnvioDTE", "http://www.sii.cl/SiiDte EnvioDTE_v10.xsd"},
	true:  {"EnvioBOLETA", "http://www.sii.cl/SiiDte EnvioBOLETA_v11.xsd"},
}

const namespaceSII = "http://www.sii.cl/SiiDte"

// readSet reads a file and checks the order and the limits of its elements. Its error
// is a fault of the schema.
func readSet(file []byte, receipt bool) (set, error) {
	head := declared.Find(file)
	if head == nil {
		return set{}, errors.New("LPX-00201: the declaration must say ISO-8859-1")
	}
	text := fromLatin1(bytes.TrimPrefix(file, head))
	if strings.Contains(text, "<!") {
		return set{}, errors.New("LPX-00247: no DTD, comment or CDATA is taken")
	}
	doc := etree.NewDocument()
	if err := doc.ReadFromString(text); err != nil || doc.Root() == nil {
		return set{}, errors.New("LPX-00007: it is not XML")
	}
	s := set{root: doc.Root(), cover: map[string]string{}}
	want := schemas[receipt]
	if s.root.Tag != want[0] || s.root.NamespaceURI() != namespaceSII || s.root.SelectAttrValue("version", "") != "1.0" {
		return s, fmt.Errorf("LSX-00021: the root is not %s 1.0 of %s", want[0], namespaceSII)
	}
	if got := strings.Join(strings.Fields(s.root.SelectAttrValue("schemaLocation", "")), " "); got != want[1] {
		return s, fmt.Errorf("LSX-00265: schemaLocation is %.60q, not %q", got, want[1])
	}
	parts := s.root.ChildElements()
	if len(parts) != 2 || parts[0].Tag != "SetDTE" || parts[1].Tag != "Signature" ||
		parts[0].SelectAttrValue("ID", "") == "" {
		return s, errors.New("LSX-00213: the root has SetDTE with an ID and Signature, in this order")
	}
	return s, s.readParts(parts[0], text, receipt)
}

func (s *set) readParts(e *etree.Element, text string, receipt bool) error {
	parts := e.ChildElements()
	if len(parts) < 2 || parts[0].Tag != "Caratula" {
		return errors.New("LSX-00213: SetDTE has Caratula and DTE")
	}
	if err := schema.SII("Caratula").Check(parts[0]); err != nil {
		return fmt.Errorf("LSX-00213: %w", err)
	}
	counted := map[string]string{}
	for _, p := range parts[0].ChildElements() {
		s.cover[p.Tag] = p.Text()
		if p.Tag == "SubTotDTE" {
			counted[p.SelectElement("TpoDTE").Text()] = p.SelectElement("NroDTE").Text()
		}
	}
	texts := dteText.FindAllString(text, -1)
	if len(texts) != len(parts)-1 {
		return errors.New("LSX-00213: SetDTE has only DTE behind its Caratula")
	}
	found := map[string]int{}
	for i, p := range parts[1:] {
		d, err := readDTE(p, texts[i], receipt)
		if err != nil {
			return fmt.Errorf("LSX-00213: %w", err)
		}
		found[d.at("Encabezado/IdDoc/TipoDTE")]++
		s.documents = append(s.documents, d)
	}
	for kind, n := range found {
		if counted[kind] != fmt.Sprint(n) {
			return fmt.Errorf("LSX-00213: SubTotDTE does not count %d of type %s", n, kind)
		}
	}
	return nil
}

func readDTE(inPlace *etree.Element, text string, receipt bool) (dte, error) {
	d := dte{inPlace: inPlace, text: text}
	doc := etree.NewDocument()
	if err := doc.ReadFromString(text); err != nil || doc.Root() == nil {
		return d, errors.New("a DTE cannot be read alone")
	}
	d.alone = doc.Root()
	parts := d.alone.ChildElements()
	if d.alone.Tag != "DTE" || d.alone.SelectAttrValue("version", "") != "1.0" || len(parts) != 2 ||
		parts[1].Tag != "Signature" {
		return d, errors.New("a DTE 1.0 has its document and Signature")
	}
	d.body = parts[0]
	rule := schema.SII(d.body.Tag)
	if receipt && d.body.Tag == "Documento" {
		rule = schema.SII("Boleta")
	}
	if rule == nil || d.body.SelectAttrValue("ID", "") == "" || receipt && d.body.Tag != "Documento" ||
		d.body.Tag == "Caratula" {
		return d, fmt.Errorf("%.30s is no document of this envelope", d.body.Tag)
	}
	return d, rule.Check(d.body)
}

// at is the text of an element of the document, "" when it is not there.
func (d dte) at(path string) string {
	if e := d.body.FindElement(path); e != nil {
		return e.Text()
	}
	return ""
}

// signature is the document's SignatureValue, without line ends.
func (d dte) signature() string {
	found := d.alone.FindElement("Signature/SignatureValue")
	if found == nil {
		return ""
	}
	return strings.Join(strings.Fields(found.Text()), "")
}
