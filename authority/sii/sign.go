package sii

import (
	"crypto"
	"crypto/rand"
	"crypto/sha1"
	"encoding/base64"
	"fmt"
	"math/big"

	"github.com/beevik/etree"
	dsig "github.com/russellhaering/goxmldsig"
)

// XMLDSig as SII computes it (XSD xmldsignature_v10): inclusive C14N 1.0, RSA with
// SHA-1, the signature beside the element that it signs, and both KeyValue and X509Data.
const (
	namespaceDSig = "http://www.w3.org/2000/09/xmldsig#"
	c14n          = "http://www.w3.org/TR/2001/REC-xml-c14n-20010315"
	enveloped     = namespaceDSig + "enveloped-signature"
)

// sign puts a signature between the two halves of a document, over what the path finds
// in it. The halves are the whole document: namespaces in scope decide what is signed.
func (i identity) sign(before, after, path, reference, transform string) (string, error) {
	digest, err := digestOf(before+after, path)
	if err != nil {
		return "", err
	}
	uri := ""
	if reference != "" {
		uri = "#" + reference
	}
	info := `<SignedInfo><CanonicalizationMethod Algorithm="` + c14n + `"/><SignatureMethod Algorithm="` + namespaceDSig + `rsa-sha1"/>` +
		`<Reference URI="` + uri + `"><Transforms><Transform Algorithm="` + transform + `"/></Transforms>` +
		`<DigestMethod Algorithm="` + namespaceDSig + `sha1"/><DigestValue>` + digest + `</DigestValue></Reference></SignedInfo>`
	const open, shut = `<Signature xmlns="` + namespaceDSig + `">`, `</Signature>`
	canonical, err := canonicalOf(before+open+info+shut+after, "/*/Signature/SignedInfo")
	if err != nil {
		return "", err
	}
	sum := sha1.Sum(canonical)
	value, err := i.key.Sign(rand.Reader, sum[:], crypto.SHA1)
	if err != nil {
		return "", fmt.Errorf("sign %s: %w", path, err)
	}
	return before + open + info + `<SignatureValue>` + base64.StdEncoding.EncodeToString(value) + `</SignatureValue>` + i.keyInfo() + shut + after, nil
}

func (i identity) keyInfo() string {
	exponent := big.NewInt(int64(i.public.E)).Bytes()
	return `<KeyInfo><KeyValue><RSAKeyValue><Modulus>` + base64.StdEncoding.EncodeToString(i.public.N.Bytes()) +
		`</Modulus><Exponent>` + base64.StdEncoding.EncodeToString(exponent) + `</Exponent></RSAKeyValue></KeyValue>` +
		`<X509Data><X509Certificate>` + base64.StdEncoding.EncodeToString(i.certificate.Raw) + `</X509Certificate></X509Data></KeyInfo>`
}

func digestOf(document, path string) (string, error) {
	canonical, err := canonicalOf(document, path)
	if err != nil {
		return "", err
	}
	sum := sha1.Sum(canonical)
	return base64.StdEncoding.EncodeToString(sum[:]), nil
}

// canonicalOf is inclusive C14N of an element where it stands. It is UTF-8, whatever
// the file is written in.
func canonicalOf(document, path string) ([]byte, error) {
	tree := etree.NewDocument()
	if err := tree.ReadFromString(document); err != nil {
		return nil, fmt.Errorf("read what is to be signed: %w", err)
	}
	found := tree.FindElement(path)
	if found == nil {
		return nil, fmt.Errorf("there is no %s to sign", path)
	}
	out, err := dsig.MakeC14N10RecCanonicalizer().Canonicalize(found)
	if err != nil {
		return nil, fmt.Errorf("write %s in its canonical form: %w", path, err)
	}
	return out, nil
}
