package sii

import (
	"crypto"
	"encoding/base64"
	"math/big"

	"folio/authority/xmlsign"
)

// XMLDSig as SII computes it (XSD xmldsignature_v10): inclusive C14N 1.0, RSA with
// SHA-1, the signature beside the element that it signs, and both KeyValue and X509Data.
const (
	c14n      = xmlsign.Inclusive
	enveloped = xmlsign.Enveloped
)

// sign puts a signature between the two halves of a document, over what the path finds
// in it. The halves are the whole document: namespaces in scope decide what is signed.
func (i identity) sign(before, after, path, reference, transform string) (string, error) {
	uri := ""
	if reference != "" {
		uri = "#" + reference
	}
	return xmlsign.Signature{Key: i.key, Hash: crypto.SHA1, Form: c14n, Path: path, URI: uri,
		Transforms: []string{transform}, KeyInfo: i.keyInfo()}.Between(before, after)
}

func (i identity) keyInfo() string {
	exponent := big.NewInt(int64(i.public.E)).Bytes()
	return `<KeyValue><RSAKeyValue><Modulus>` + base64.StdEncoding.EncodeToString(i.public.N.Bytes()) +
		`</Modulus><Exponent>` + base64.StdEncoding.EncodeToString(exponent) + `</Exponent></RSAKeyValue></KeyValue>` +
		`<X509Data><X509Certificate>` + base64.StdEncoding.EncodeToString(i.certificate.Raw) + `</X509Certificate></X509Data>`
}
