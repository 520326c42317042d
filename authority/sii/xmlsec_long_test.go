//go:build long

package sii_test

import (
	"bytes"
	"crypto/x509"
	"encoding/pem"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"folio/country/cl"
)

// Signatures are verified by another implementation, where it is installed (package
// xmlsec1): the envelope as it is, the document taken out of it.
func TestXmlsecVerifiesEveryKind(t *testing.T) {
	tool, err := exec.LookPath("xmlsec1")
	if err != nil {
		t.Log("xmlsec1 is not installed: nothing was verified")
		return
	}
	w := newWorld(t)
	dir := t.TempDir()
	ca := filepath.Join(dir, "ca.pem")
	if err := os.WriteFile(ca, pemOf(material().ca.Certificate()), 0o600); err != nil {
		t.Fatal(err)
	}
	verify := func(what string, content []byte, id, node string) {
		file := filepath.Join(dir, "signed.xml")
		if err := os.WriteFile(file, content, 0o600); err != nil {
			t.Fatal(err)
		}
		out, err := exec.Command(tool, "--verify", "--trusted-pem", ca, "--verification-gmt-time", "2026-11-27 15:00:00",
			"--id-attr:ID", id, "--node-xpath", node, file).CombinedOutput()
		if err != nil {
			t.Errorf("%s: %v\n%s", what, err, out)
		}
	}
	for i, k := range (cl.Rules{}).DocumentTypes() {
		content := w.prepare(w.batch(k.InvoiceType, i, 7)).Content
		verify(k.InvoiceType+" envelope", content, "SetDTE", "/*/*[local-name()='Signature']")
		from, to := bytes.Index(content, []byte("<DTE ")), bytes.Index(content, []byte("</DTE>"))
		alone := append([]byte("<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>\n"), content[from:to+len("</DTE>")]...)
		name := "Documento"
		if cl.IsExport(k.Code) {
			name = "Exportaciones"
		}
		verify(k.InvoiceType+" document", alone, name, "/*/*[local-name()='Signature']")
	}
}

func pemOf(c *x509.Certificate) []byte {
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: c.Raw})
}
