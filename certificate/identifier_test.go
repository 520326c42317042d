package certificate_test

import (
	"crypto/x509"
	"crypto/x509/pkix"
	"testing"

	"folio/certificate"
)

func TestTheIdentifierOfASubject(t *testing.T) {
	for serial, want := range map[string]string{
		"CUIT 20267565393": "20267565393", "CUIT20267565393": "20267565393", "RUC217111220014": "217111220014",
		"RUC 217111220014": "217111220014",
		"12345678-5":       "123456785", "7.654.321-K": "7654321K", "": "", "CUIT": "",
	} {
		o := certificate.Opened{Chain: []*x509.Certificate{{Subject: pkix.Name{SerialNumber: serial}}}}
		if got := o.TaxIdentifier(); got != want {
			t.Errorf("%q: %q, want %q", serial, got, want)
		}
	}
}
