//go:build long

package sii_test

import (
	"testing"

	"folio/authority/drivertest"
	"folio/country/cl"
)

// Signatures are verified by another implementation, where it is installed (package
// xmlsec1): the envelope as it is, the document taken out of it.
func TestXmlsecVerifiesEveryKind(t *testing.T) {
	xmlsec := drivertest.Xmlsec(t)
	if xmlsec == nil {
		return
	}
	w := newWorld(t)
	ca := drivertest.PEMFile(t, material().ca.Certificate())
	verify := func(what string, content []byte, id, node string) {
		if err := xmlsec(content, "--trusted-pem", ca, "--verification-gmt-time", "2026-11-27 15:00:00", "--id-attr:ID", id,
			"--node-xpath", node); err != nil {
			t.Errorf("%s: %v", what, err)
		}
	}
	for i, k := range (cl.Rules{}).DocumentTypes() {
		content := w.prepare(w.batch(k.InvoiceType, i, 7)).Content
		verify(k.InvoiceType+" envelope", content, "SetDTE", "/*/*[local-name()='Signature']")
		alone, err := cl.Rules{}.SignedDocument(content, 7)
		if err != nil {
			t.Fatal(err)
		}
		name := "Documento"
		if cl.IsExport(k.Code) {
			name = "Exportaciones"
		}
		verify(k.InvoiceType+" document", alone.Content, name, "/*/*[local-name()='Signature']")
	}
}
