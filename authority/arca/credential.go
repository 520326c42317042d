package arca

import (
	"crypto"
	"crypto/x509"
	"fmt"
	"strconv"
	"strings"

	"folio/authority/wire"
)

// Credential is a certificate that ARCA issued and its private key.
type Credential struct {
	Certificate *x509.Certificate
	Key         crypto.Signer
	AskAgain    bool // do not believe a refusal of WSAA that is some seconds old
}

// Fingerprint is the SHA-256 of the certificate in lower-case hexadecimal.
func (c Credential) Fingerprint() string {
	return wire.Fingerprint(c.Certificate)
}

// CUIT is the holder's, from the subject's serial number "CUIT nnnnnnnnnnn". It may
// differ from the issuer of the invoices: that one delegated to the holder.
func (c Credential) CUIT() (int64, error) {
	digits, ok := strings.CutPrefix(c.Certificate.Subject.SerialNumber, "CUIT ")
	n, err := strconv.ParseInt(strings.TrimSpace(digits), 10, 64)
	if !ok || err != nil || len(digits) != 11 {
		return 0, fmt.Errorf("the certificate's subject has no serial number of the form \"CUIT nnnnnnnnnnn\", but %.40q", c.Certificate.Subject.SerialNumber)
	}
	return n, nil
}

// String names the credential without revealing anything of it but the subject.
func (c Credential) String() string {
	if c.Certificate == nil {
		return "no certificate"
	}
	return c.Certificate.Subject.String()
}

// GoString is String: the key never reaches a log through %#v.
func (c Credential) GoString() string { return c.String() }
