package dgi

import (
	"crypto"
	"crypto/x509"
	"encoding/base64"
	"fmt"
	"strings"
	"time"

	"folio/authority"
	"folio/authority/wire"
	"folio/authority/xmlsign"
	"folio/country/uy"
)

// identity is the company's certificate: it signs documents and messages alike.
type identity struct {
	certificate *x509.Certificate
	key         crypto.Signer
}

func identify(c authority.Credential) (identity, error) {
	leaf, key, _, err := wire.RSASigner("DGI", c)
	return identity{leaf, key}, err
}

// usable refuses a certificate that DGI is sure to refuse, before it takes a number: one
// that is not valid now (S03), or whose subject names another RUC than the company's
// (S02). DGI wants serialNumber "RUC" and 12 digits; one that names none is left to it.
func (i identity) usable(c authority.Credential, now time.Time) error {
	if now.Before(i.certificate.NotBefore) || now.After(i.certificate.NotAfter) {
		return authority.Said("S03", fmt.Sprintf("The certificate is valid from %s to %s only",
			i.certificate.NotBefore.UTC().Format(time.DateOnly),
			i.certificate.NotAfter.UTC().Format(time.DateOnly)), authority.ErrCredential)
	}
	held, err := uy.ParseRUT(strings.TrimPrefix(
		strings.ToUpper(strings.ReplaceAll(i.certificate.Subject.SerialNumber, " ", "")), "RUC"))
	if err != nil {
		return nil
	}
	if ours, err := uy.ParseRUT(c.TaxIdentifier); err == nil && ours != held {
		return authority.Said("S02", "The certificate is of RUC "+held+", the company's is "+ours, authority.ErrCredential)
	}
	return nil
}

// inBase64 is the certificate as XML holds it.
func (i identity) inBase64() string { return base64.StdEncoding.EncodeToString(i.certificate.Raw) }

// signAlone is a document with its enveloped signature: over the whole document, as one
// of its own, so that it verifies only without namespaces of an envelope around it. root
// is the name of its element. The certificate is named, not held: it goes once in the
// envelope (CFE25, XSD xmldsig).
func (i identity) signAlone(document, root string, hash crypto.Hash) (string, error) {
	shut := "</" + root + ">"
	before, found := strings.CutSuffix(strings.TrimSpace(document), shut)
	if !found {
		return "", fmt.Errorf("the document does not end in %s", shut)
	}
	return xmlsign.Signature{Key: i.key, Hash: hash, Form: xmlsign.Inclusive, Path: "/" + root,
		Transforms: []string{xmlsign.Enveloped, xmlsign.Inclusive},
		KeyInfo: `<X509Data><X509IssuerSerial><X509IssuerName>` + xmlsign.Escape(i.certificate.Issuer.String()) +
			`</X509IssuerName><X509SerialNumber>` +
			i.certificate.SerialNumber.String() + `</X509SerialNumber></X509IssuerSerial></X509Data>`}.Between(before, shut)
}
