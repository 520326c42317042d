package cl

import (
	"crypto"
	"crypto/rsa"
	"crypto/sha1"
	"crypto/x509"
	"encoding/base64"
	"errors"
	"strings"

	"github.com/beevik/etree"
	dsig "github.com/russellhaering/goxmldsig"
)

const namespaceDSig = "http://www.w3.org/2000/09/xmldsig#"

// canonicalisers are tried in turn: suppliers' systems digest with either.
var canonicalisers = []dsig.Canonicalizer{dsig.MakeC14N10RecCanonicalizer(), dsig.MakeC14N10ExclusiveCanonicalizerWithPrefixList("")}

// verifySignature wants sig to be an XML signature (RSA, SHA-1, as SII asks for) over
// the element target, made with the key of the certificate inside. Whether anybody
// trusts that certificate is another question.
func verifySignature(target, sig *etree.Element) (*x509.Certificate, error) {
	if sig == nil || sig.NamespaceURI() != namespaceDSig {
		return nil, errors.New("the document is not signed")
	}
	references := sig.FindElements("SignedInfo/Reference")
	if len(references) != 1 || references[0].SelectAttrValue("URI", "?") != "#"+target.SelectAttrValue("ID", "") {
		return nil, errors.New("the signature is not over this document")
	}
	der, err := decoded(sig, "KeyInfo/X509Data/X509Certificate")
	if err != nil {
		return nil, err
	}
	certificate, err := x509.ParseCertificate(der)
	if err != nil {
		return nil, errors.New("the certificate in the signature cannot be read")
	}
	key, ok := certificate.PublicKey.(*rsa.PublicKey)
	if !ok {
		return nil, errors.New("the certificate in the signature has no RSA key")
	}
	digest, err := decoded(sig, "SignedInfo/Reference/DigestValue")
	if err != nil {
		return nil, err
	}
	value, err := decoded(sig, "SignatureValue")
	if err != nil {
		return nil, err
	}
	if !anyForm(target, func(sum []byte) bool { return string(sum) == string(digest) }) {
		return nil, errors.New("the document was changed after it was signed: its digest is another")
	}
	if !anyForm(sig.SelectElement("SignedInfo"), func(sum []byte) bool { return rsa.VerifyPKCS1v15(key, crypto.SHA1, sum, value) == nil }) {
		return nil, errors.New("the signature does not verify with the certificate inside")
	}
	return certificate, nil
}

// anyForm asks about the SHA-1 of each canonical form of an element.
func anyForm(e *etree.Element, ok func(sum []byte) bool) bool {
	for _, c := range canonicalisers {
		form, err := c.Canonicalize(e)
		if err != nil {
			continue
		}
		if sum := sha1.Sum(form); ok(sum[:]) {
			return true
		}
	}
	return false
}

// decoded is the base64 of an element below.
func decoded(e *etree.Element, path string) ([]byte, error) {
	found := e.FindElement(path)
	if found == nil {
		return nil, errors.New("the signature has no " + path)
	}
	out, err := base64.StdEncoding.DecodeString(strings.Join(strings.Fields(found.Text()), ""))
	if err != nil {
		return nil, errors.New(path + " of the signature is no base64")
	}
	return out, nil
}
