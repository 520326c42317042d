//go:build long

package e2e

import (
	"crypto/x509"
	"testing"

	"folio/authority/drivertest"
)

// What a customer downloads is verified by another implementation, where it is installed
// (package xmlsec1).
func TestXmlsecVerifiesTheSignedXMLOfEveryInvoice(t *testing.T) {
	eachNation(t, func(t *testing.T, n nation) {
		xmlsec := drivertest.Xmlsec(t)
		if xmlsec == nil {
			return
		}
		signedXML(t, n, func(document []byte, by *x509.Certificate) error {
			return xmlsec(document, "--pubkey-cert-pem", drivertest.PEMFile(t, by), "--enabled-key-data", "rsa",
				"--id-attr:ID", "Documento")
		})
	})
}
