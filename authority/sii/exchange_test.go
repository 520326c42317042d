package sii_test

import (
	"bytes"
	"testing"

	"folio/country"
	"folio/country/cl"
	"folio/country/xmlsig"
)

// A buyer with a RUT receives the document as SII has it, in a set that is addressed to it and signed anew.
func TestTheBuyersEnvelopeIsReadAsAPurchase(t *testing.T) {
	w := newWorld(t)
	for i, k := range (cl.Rules{}).DocumentTypes() {
		b := w.batch(k.InvoiceType, i, int64(i+1))
		content, doc := w.prepare(b).Content, b.Documents[0]
		f, err := w.driver.Exchange(material().good, doc, content, noon)
		if err != nil {
			t.Fatalf("%s: %v", k.InvoiceType, err)
		}
		rut := doc.Document.Recipient.DocumentNumber
		none := cl.IsReceipt(k.Code) || cl.IsExport(k.Code)
		if (f == nil) != none {
			t.Errorf("%s to %s: %v", k.InvoiceType, rut, f)
		}
		if f == nil {
			continue
		}
		root, err := xmlsig.Read(f.Content, 200_000)
		if err != nil {
			t.Fatal(err)
		}
		signature := root.SelectElement("Signature")
		certificate, err := xmlsig.Certificate(signature)
		if err == nil {
			err = xmlsig.Verify(root.SelectElement("SetDTE"), signature, "#SetDoc", certificate)
		}
		p, readErr := cl.Rules{}.ReadPurchaseXML(f.Content, country.Trust{})
		if err != nil || readErr != nil || p.Number != doc.Number || p.Verification != country.SignatureValid {
			t.Errorf("%s: %v, %+v, %v", k.InvoiceType, err, p, readErr)
		}
		if to := root.FindElement("SetDTE/Caratula/RutReceptor"); to == nil || to.Text() != rut {
			t.Errorf("%s is addressed to %v, want %s", k.InvoiceType, to, rut)
		}
		if !bytes.Equal(dteOf(f.Content), dteOf(content)) {
			t.Errorf("%s is not as it was signed", k.InvoiceType)
		}
	}
}
