package sii_test

import (
	"strings"
	"testing"

	"folio/country"
	"folio/country/cl"
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
	if p.OfficialCode != 33 || p.Number != 7 || p.Total.String() != "24990" || p.Verification != country.SignatureValid || p.Currency != "CLP" {
		t.Errorf("read %+v", p)
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

func TestAnExportIsReadInItsOwnCurrency(t *testing.T) {
	w := newWorld(t)
	b := w.batch("FXE", 0, 7)
	p, err := cl.Rules{}.ReadPurchaseXML(w.prepare(b).Content, country.Trust{})
	if err != nil {
		t.Fatal(err)
	}
	if d := b.Documents[0].Document; p.Currency != d.Currency.Code || p.Currency == "CLP" || !p.Total.Equal(d.Totals.Total) {
		t.Errorf("read %s %s, want %s %s", p.Currency, p.Total, d.Currency.Code, d.Totals.Total)
	}
}

func FuzzReadPurchaseXML(f *testing.F) {
	f.Add([]byte(`<DTE xmlns="http://www.sii.cl/SiiDte"><Documento ID="a"><Encabezado/></Documento></DTE>`))
	f.Add([]byte("<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><a>\xf1</a>"))
	f.Fuzz(func(t *testing.T, document []byte) {
		if p, err := (cl.Rules{}).ReadPurchaseXML(document, country.Trust{}); err == nil && len((cl.Rules{}).CheckPurchase(p)) > 0 {
			t.Errorf("%q was read as what the check refuses", document)
		}
	})
}
