package dgi_test

import (
	"strings"
	"testing"

	"folio/country"
	"folio/country/uy"
)

// A buyer with a RUC receives the document as it was signed, with the certificate that verifies it and the ADENDA; any
// other one receives none.
func TestTheBuyersEnvelopeIsReadAsAPurchase(t *testing.T) {
	w := newWorld(t)
	files := 0
	for i, k := range (uy.Rules{}).DocumentTypes() {
		b := batch(t, k.InvoiceType, int64(i+1), 2)
		content := w.prepare(b).Content
		doc := b.Documents[1]
		doc.Document.Observations = "Gracias por su compra <& vuelva>"
		f, err := w.driver.Exchange(material().good, doc, content, noon)
		if err != nil {
			t.Fatalf("%s: %v", k.InvoiceType, err)
		}
		if company := uy.IdentifiedByRUT(doc.Document.Recipient); f == nil {
			if company && strings.Contains(string(content), "<EnvioCFE") {
				t.Errorf("%s: no file for %+v", k.InvoiceType, doc.Document.Recipient)
			}
			continue
		}
		files++
		p, err := uy.Rules{}.ReadPurchaseXML(f.Content, country.Trust{})
		if err != nil || p.Number != doc.Number || p.Verification != country.SignatureValid {
			t.Errorf("%s: %+v, %v", k.InvoiceType, p, err)
		}
		for _, want := range []string{"<RutReceptor>" + doc.Document.Recipient.DocumentNumber + "</RutReceptor>",
			"<RUCEmisor>" + issuerRUC + "</RUCEmisor>", "<CantCFE>1</CantCFE>",
			"<Adenda>Gracias por su compra &lt;&amp; vuelva&gt;</Adenda></CFE_Adenda></EnvioCFE_entreEmpresas>"} {
			if !strings.Contains(string(f.Content), want) {
				t.Errorf("%s lacks %s", k.InvoiceType, want)
			}
		}
		if again, err := w.driver.Exchange(material().good, doc, content, noon); err != nil ||
			string(again.Content) != string(f.Content) || !strings.HasPrefix(f.Name, "Sob_"+issuerRUC+"_") {
			t.Errorf("%s: %s, and another file the second time: %v", k.InvoiceType, f.Name, err)
		}
	}
	if files == 0 {
		t.Error("no type of document goes to companies")
	}
}
