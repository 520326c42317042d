package sii

import (
	"crypto"
	"crypto/rsa"
	"crypto/sha1"
	"crypto/x509"
	"encoding/base64"
	"errors"
	"math/big"
	"strings"

	"github.com/beevik/etree"
	dsig "github.com/russellhaering/goxmldsig"

	"folio/sandbox"
)

const namespaceDSig = "http://www.w3.org/2000/09/xmldsig#"

// signature is a Signature that holds, with who made it.
type signature struct {
	certificate *x509.Certificate
	rut         string
}

// canonicalisers are tried in turn: documents are seen in the wild that were digested
// with either.
var canonicalisers = []dsig.Canonicalizer{dsig.MakeC14N10RecCanonicalizer(),
	dsig.MakeC14N10ExclusiveCanonicalizerWithPrefixList("")}

// maxKey is the longest key in bits that is computed with: longer ones only cost time.
const maxKey = 8192

// verify wants the Signature to be over the target, wherever the two stand, and returns
// its certificate. Whether that is trusted is another question.
func verify(target, sig *etree.Element) (signature, error) {
	var s signature
	if sig == nil || sig.NamespaceURI() != namespaceDSig {
		return s, errors.New("there is no Signature")
	}
	reference := sig.FindElement("SignedInfo/Reference")
	if reference == nil || len(sig.FindElements("SignedInfo/Reference")) != 1 {
		return s, errors.New("there is not one Reference")
	}
	if uri := reference.SelectAttrValue("URI", "?"); uri != "" && uri != "#"+target.SelectAttrValue("ID", "") {
		return s, errors.New("the Reference is to something else")
	}
	if method := sig.FindElement("SignedInfo/SignatureMethod"); method == nil ||
		method.SelectAttrValue("Algorithm", "") != namespaceDSig+"rsa-sha1" {
		return s, errors.New("the signature is not RSA with SHA-1")
	}
	der, err := content(sig, "KeyInfo/X509Data/X509Certificate")
	if err != nil {
		return s, err
	}
	if s.certificate, err = x509.ParseCertificate(der); err != nil {
		return s, err
	}
	key, ok := s.certificate.PublicKey.(*rsa.PublicKey)
	modulus, err := content(sig, "KeyInfo/KeyValue/RSAKeyValue/Modulus")
	if ok && key.N.BitLen() > maxKey {
		return s, errors.New("the key has more than 8192 bits")
	}
	if !ok || err != nil || key.N.Cmp(new(big.Int).SetBytes(modulus)) != 0 {
		return s, errors.New("RSAKeyValue is not the certificate's key")
	}
	digest, err := content(sig, "SignedInfo/Reference/DigestValue")
	if err != nil {
		return s, err
	}
	value, err := content(sig, "SignatureValue")
	if err != nil {
		return s, err
	}
	same := anyForm(target, func(sum []byte) bool { return string(sum) == string(digest) })
	if !same {
		return s, errors.New("DigestValue is not that of the element")
	}
	if !anyForm(sig.SelectElement("SignedInfo"),
		func(sum []byte) bool { return rsa.VerifyPKCS1v15(key, crypto.SHA1, sum, value) == nil }) {
		return s, errors.New("SignatureValue does not verify")
	}
	words := strings.Fields(s.certificate.Subject.SerialNumber)
	if len(words) > 0 {
		s.rut, _ = sandbox.ParseRUT(words[len(words)-1])
	}
	return s, nil
}

// anyForm asks about the SHA-1 of each canonical form of an element.
func anyForm(e *etree.Element, ok func(sum []byte) bool) bool {
	for _, c := range canonicalisers {
		form, err := c.Canonicalize(e)
		if err != nil {
			continue
		}
		sum := sha1.Sum(form)
		if ok(sum[:]) {
			return true
		}
	}
	return false
}

// content is base64 of an element below.
func content(e *etree.Element, path string) ([]byte, error) {
	found := e.FindElement(path)
	if found == nil {
		return nil, errors.New("there is no " + path)
	}
	return base64.StdEncoding.DecodeString(strings.Join(strings.Fields(found.Text()), ""))
}

// trusts wants a certificate of the sandbox's own authority that holds now.
func (s *Server) trusts(c *x509.Certificate) error { return s.ca.Trusts(c, s.Now()) }
