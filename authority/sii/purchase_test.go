package sii_test

import (
	"crypto"
	"encoding/base64"
	"strings"
	"testing"

	"folio/authority/xmlsign"
	"folio/country"
	"folio/country/cl"
	"folio/events"
	"folio/fault"
)

// What this driver signs is what a supplier's system sends: the rules read it back, and
// notice any change.
func TestASignedDocumentIsReadAsAPurchase(t *testing.T) {
	w := newWorld(t)
	signed := cl.FromLatin1(w.prepare(w.batch("FAC", 0, 7)).Content)
	p, err := cl.Rules{}.ReadPurchaseXML([]byte(signed), country.Trust{})
	if err != nil {
		t.Fatal(err)
	}
	if p.OfficialCode != 33 || p.Number != 7 || p.Total.String() != "24990" || p.Verification != country.SignatureValid ||
		p.Currency != "CLP" || p.Taxes == nil || *p.Taxes != (events.PurchaseTaxes{Net: "21000", Exempt: "0", Tax: "3990"}) {
		t.Errorf("read %+v, %+v", p, p.Taxes)
	}
	for name, change := range map[string][2]string{
		"another total":     {"<MntTotal>24990<", "<MntTotal>2499<"},
		"another folio":     {"<Folio>7</Folio>", "<Folio>8</Folio>"},
		"no signature":      {"SignatureValue", "SignaturaValue"},
		"a second document": {"</Documento>", "</Documento><Documento/>"},
		"another digest":    {"<DigestValue>", "<DigestValue>AAAA"},
		"a type and entity": {"<EnvioDTE", "<!DOCTYPE x><EnvioDTE"},
	} {
		t.Run(name, func(t *testing.T) {
			changed := strings.Replace(string(signed), change[0], change[1], 1)
			if changed == string(signed) {
				t.Fatalf("the document has no %s", change[0])
			}
			_, err := cl.Rules{}.ReadPurchaseXML([]byte(changed), country.Trust{})
			if f := fault.As(err); f == nil || f.Violations[0].Path != "xml" {
				t.Errorf("got %v, want a fault at xml", err)
			}
		})
	}
}

// Suppliers' systems sign a document inside SII's namespace or without one, and who takes a
// DTE out of its envelope loses the namespace that it had there. Real DTEs of each kind are
// about (cordada/lib-cl-sii-python, issue 15).
func TestADTEIsReadWhateverBecameOfItsNamespace(t *testing.T) {
	w := newWorld(t)
	const named, bare, envelope = `<DTE xmlns="http://www.sii.cl/SiiDte" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" version="1.0">`, `<DTE version="1.0">`, `<EnvioDTE xmlns="http://www.sii.cl/SiiDte">`
	content := cl.FromLatin1(w.prepare(w.batch("FAC", 0, 7)).Content)
	_, after, _ := strings.Cut(content, named)
	inside, _, _ := strings.Cut(after, "</DTE>")
	body, _, _ := strings.Cut(inside, "<Signature")
	pair := material().good.Certificate
	without, err := xmlsign.Signature{Key: pair.PrivateKey.(crypto.Signer), Hash: crypto.SHA1, Form: xmlsign.Inclusive,
		Path: "/DTE/Documento",
		URI:  "#F7T33", Transforms: []string{xmlsign.Inclusive},
		KeyInfo: "<X509Data><X509Certificate>" + base64.StdEncoding.EncodeToString(pair.Leaf.Raw) +
			"</X509Certificate></X509Data>"}.Between(bare+body, "</DTE>")
	if err != nil {
		t.Fatal(err)
	}
	for name, dte := range map[string]string{
		"as it was signed":   named + inside + "</DTE>",
		"its namespace lost": strings.Replace(named, ` xmlns="http://www.sii.cl/SiiDte"`, "", 1) + inside + "</DTE>",
		"signed without one": without, "signed without one, in an envelope": envelope + without + "</EnvioDTE>",
	} {
		t.Run(name, func(t *testing.T) {
			p, err := cl.Rules{}.ReadPurchaseXML([]byte(dte), country.Trust{})
			if err != nil || p.Number != 7 || p.Verification != country.SignatureValid {
				t.Errorf("read %+v, %v", p, err)
			}
			if _, err := (cl.Rules{}).ReadPurchaseXML([]byte(strings.Replace(dte, "<MntTotal>24990<", "<MntTotal>2499<", 1)),
				country.Trust{}); err == nil {
				t.Error("another total was not noticed")
			}
		})
	}
}

func TestAnExportIsReadInItsOwnCurrency(t *testing.T) {
	w := newWorld(t)
	b := w.batch("FXE", 0, 7)
	p, err := cl.Rules{}.ReadPurchaseXML(w.prepare(b).Content, country.Trust{})
	if err != nil {
		t.Fatal(err)
	}
	if d := b.Documents[0].Document; p.Currency != d.Currency.Code || p.Currency == "CLP" ||
		!p.Total.Equal(d.Totals.Total) {
		t.Errorf("read %s %s, want %s %s", p.Currency, p.Total, d.Currency.Code, d.Totals.Total)
	}
}

func FuzzReadPurchaseXML(f *testing.F) {
	f.Add([]byte(`<DTE xmlns="http://www.sii.cl/SiiDte"><Documento ID="a"><Encabezado/></Documento></DTE>`))
	f.Add([]byte("<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><a>\xf1</a>"))
	f.Fuzz(func(t *testing.T, document []byte) {
		if p, err := (cl.Rules{}).ReadPurchaseXML(document, country.Trust{}); err == nil &&
			len((cl.Rules{}).CheckPurchase(p)) > 0 {
			t.Errorf("%q was read as what the check refuses", document)
		}
	})
}
