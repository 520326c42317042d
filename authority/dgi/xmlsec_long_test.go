//go:build long

package dgi_test

import (
	"crypto"
	"errors"
	"testing"

	"folio/authority"
	"folio/authority/dgi"
	"folio/authority/drivertest"
	"folio/country/uy"
)

// Signatures are verified by another implementation, where it is installed (package
// xmlsec1): each document taken out of its envelope, and the message around them.
func TestXmlsecVerifiesEveryKind(t *testing.T) {
	xmlsec := drivertest.Xmlsec(t)
	if xmlsec == nil {
		return
	}
	certificate := drivertest.PEMFile(t, material().good.Certificate.Leaf)
	verify := func(content []byte, more ...string) error {
		return xmlsec(content, append([]string{"--pubkey-cert-pem", certificate, "--enabled-key-data", "rsa"}, more...)...)
	}
	for _, hash := range []crypto.Hash{crypto.SHA256, crypto.SHA1} {
		w := newWorld(t)
		w.start(dgi.Options{Hash: hash, MessageHash: hash})
		w.on(sobre, ackSobre("AS", "2027-01-01T00:00:00-03:00"))
		for i, k := range (uy.Rules{}).DocumentTypes() {
			b := batch(t, k.InvoiceType, int64(i+1), 2)
			for _, document := range documentsIn(w.prepare(b).Content) {
				if err := verify(document); err != nil {
					t.Errorf("%s: %v", k.InvoiceType, err)
				}
			}
			if uy.ReportOnly(b.Documents[0].Document) {
				continue
			}
			if _, err := w.send(b); !errors.Is(err, authority.ErrPending) {
				t.Fatal(err)
			}
			message := []byte(w.bodies[len(w.bodies)-1])
			if err := verify(message, "--id-attr:Id", "Body"); err != nil {
				t.Errorf("the message of %s: %v", k.InvoiceType, err)
			}
			message[len(message)/2] ^= 1
			if verify(message, "--id-attr:Id", "Body") == nil {
				t.Error("a changed message is verified")
			}
		}
	}
}
