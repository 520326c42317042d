package sii

import (
	"crypto"
	"crypto/rsa"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/asn1"
	"fmt"
	"strings"

	"folio/authority"
	"folio/authority/wire"
	"folio/country/cl"
)

// identity is the certificate of the person who signs and sends.
type identity struct {
	certificate *x509.Certificate
	key         crypto.Signer
	public      *rsa.PublicKey
	rut         string // of the person; empty when the certificate does not say
	fingerprint string
}

func identify(c authority.Credential) (identity, error) {
	leaf, key, public, err := wire.RSASigner("SII", c)
	if err != nil {
		return identity{}, err
	}
	return identity{leaf, key, public, holder(leaf), wire.Fingerprint(leaf)}, nil
}

var (
	subjectAltName = asn1.ObjectIdentifier{2, 5, 29, 17}
	// rutName is the otherName in which Chilean authorities write the holder's RUT.
	rutName = asn1.ObjectIdentifier{1, 3, 6, 1, 4, 1, 8321, 1}
)

// holder is the RUT of a certificate: of the subject's serialNumber, or of the
// alternative name 1.3.6.1.4.1.8321.1.
func holder(c *x509.Certificate) string {
	words := strings.Fields(c.Subject.SerialNumber)
	if len(words) > 0 {
		if rut, err := cl.ParseRUT(words[len(words)-1]); err == nil {
			return rut
		}
	}
	for _, e := range c.Extensions {
		if e.Id.Equal(subjectAltName) {
			return alternative(e)
		}
	}
	return ""
}

func alternative(e pkix.Extension) string {
	var names []asn1.RawValue
	if rest, err := asn1.Unmarshal(e.Value, &names); err != nil || len(rest) > 0 {
		return ""
	}
	for _, n := range names {
		if n.Class != asn1.ClassContextSpecific || n.Tag != 0 {
			continue
		}
		var id asn1.ObjectIdentifier
		rest, err := asn1.Unmarshal(n.Bytes, &id)
		if err != nil || !id.Equal(rutName) {
			continue
		}
		var outer asn1.RawValue
		if _, err := asn1.Unmarshal(rest, &outer); err != nil {
			continue
		}
		var value asn1.RawValue
		if _, err := asn1.Unmarshal(outer.Bytes, &value); err != nil {
			continue
		}
		if rut, err := cl.ParseRUT(string(value.Bytes)); err == nil {
			return rut
		}
	}
	return ""
}

// sender is RutEnvia: the person's, or what the company's profile says where the
// certificate does not name one. It is told by the profile as it is now, like the
// certificate, and by the one that the document froze where that says nothing.
func (i identity) sender(d authority.Document) (string, error) {
	header, _ := cl.ParseHeader(d.Document.HeaderInfo) // it was checked when the document was
	for _, text := range []string{i.rut, d.Fields[cl.FieldSenderRUT], header.Issuer[cl.FieldSenderRUT]} {
		if rut, err := cl.ParseRUT(text); err == nil {
			return rut, nil
		}
	}
	return "", fmt.Errorf("%w: it names no RUT of its holder: set %s in the fiscal profile", authority.ErrCredential,
		cl.FieldSenderRUT)
}
