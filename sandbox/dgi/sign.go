package dgi

import (
	"crypto"
	"crypto/rand"
	"crypto/rsa"
	"encoding/base64"
	"fmt"

	"github.com/beevik/etree"
	dsig "github.com/russellhaering/goxmldsig"
)

// Names of XML signatures.
const (
	namespaceDSig = "http://www.w3.org/2000/09/xmldsig#"
	c14n          = "http://www.w3.org/TR/2001/REC-xml-c14n-20010315"
	enveloped     = namespaceDSig + "enveloped-signature"
	rsaSHA1       = namespaceDSig + "rsa-sha1"
	rsaSHA256     = "http://www.w3.org/2001/04/xmldsig-more#rsa-sha256"
	sha1Digest    = namespaceDSig + "sha1"
	sha256Digest  = "http://www.w3.org/2001/04/xmlenc#sha256"
)

// sign puts an enveloped signature over the whole document between its two halves, with
// the certificate in it, as DGI signs CAEs and answers.
func (n *Numbers) sign(before, after string, old bool) (string, error) {
	hash, method, digest := crypto.SHA256, rsaSHA256, sha256Digest
	if old {
		hash, method, digest = crypto.SHA1, rsaSHA1, sha1Digest
	}
	sum, err := canonicalSum(before+after, "/*", hash)
	if err != nil {
		return "", err
	}
	info := `<SignedInfo><CanonicalizationMethod Algorithm="` + c14n + `"/><SignatureMethod Algorithm="` + method +
		`"/><Reference URI=""><Transforms><Transform Algorithm="` + enveloped +
		`"/><Transform Algorithm="` + c14n + `"/></Transforms><DigestMethod Algorithm="` + digest + `"/><DigestValue>` +
		base64.StdEncoding.EncodeToString(sum) + `</DigestValue></Reference></SignedInfo>`
	const open, shut = `<Signature xmlns="` + namespaceDSig + `">`, `</Signature>`
	if sum, err = canonicalSum(before+open+info+shut+after, "/*/Signature/SignedInfo", hash); err != nil {
		return "", err
	}
	value, err := rsa.SignPKCS1v15(rand.Reader, n.key.Signer(), hash, sum)
	if err != nil {
		return "", err
	}
	return before + open + info + `<SignatureValue>` + base64.StdEncoding.EncodeToString(value) +
			`</SignatureValue><KeyInfo><X509Data><X509Certificate>` +
			base64.StdEncoding.EncodeToString(n.key.Certificate().Raw) + `</X509Certificate></X509Data></KeyInfo>` + shut +
			after,
		nil
}

// canonicalSum is the hash of the inclusive canonical form of what path finds.
func canonicalSum(document, path string, hash crypto.Hash) ([]byte, error) {
	tree := etree.NewDocument()
	if err := tree.ReadFromString(document); err != nil {
		return nil, err
	}
	found := tree.FindElement(path)
	if found == nil {
		return nil, fmt.Errorf("there is no %s", path)
	}
	form, err := dsig.MakeC14N10RecCanonicalizer().Canonicalize(found)
	if err != nil {
		return nil, err
	}
	h := hash.New()
	h.Write(form)
	return h.Sum(nil), nil
}
