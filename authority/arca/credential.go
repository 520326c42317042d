package arca

import (
	"crypto"
	"crypto/x509"

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

// String names the credential without revealing anything of it but the subject.
func (c Credential) String() string {
	if c.Certificate == nil {
		return "no certificate"
	}
	return c.Certificate.Subject.String()
}

// GoString is String: the key never reaches a log through %#v.
func (c Credential) GoString() string { return c.String() }
