package xmlsig

import (
	"crypto"
	"crypto/rsa"
	_ "crypto/sha1" // crypto.SHA1
	_ "crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/beevik/etree"
	dsig "github.com/russellhaering/goxmldsig"
)

// Namespace is that of XML-Signature.
const Namespace = "http://www.w3.org/2000/09/xmldsig#"

// ErrNoCertificate is wrapped when a signature names its certificate and does not hold
// it, and none was given.
var ErrNoCertificate = errors.New("the signature does not hold the certificate that it was made with")

// methods are the signatures that are taken, with their hash. SHA-1 is what SII asks
// for and what DGI signs with.
var methods = map[string]crypto.Hash{
	Namespace + "rsa-sha1":                              crypto.SHA1,
	"http://www.w3.org/2001/04/xmldsig-more#rsa-sha256": crypto.SHA256,
}

var digests = map[string]crypto.Hash{
	Namespace + "sha1":                        crypto.SHA1,
	"http://www.w3.org/2001/04/xmlenc#sha256": crypto.SHA256,
}

// forms are the canonical forms, tried in turn: other people's systems digest with either.
// What both leave of a document is the same content.
var forms = []func(*etree.Element) ([]byte, error){
	func(e *etree.Element) ([]byte, error) {
		return dsig.MakeC14N10RecCanonicalizer().Canonicalize(inScope(e))
	},
	func(e *etree.Element) ([]byte, error) {
		// This writer knows only the namespaces that the element itself declares.
		return dsig.MakeC14N10ExclusiveCanonicalizerWithPrefixList("").Canonicalize(Alone(e))
	},
}

// inScope is a copy of an element that declares every namespace of those around it, unless
// it declares another itself: the writer would put theirs over its own, and not notice when
// that was changed.
func inScope(e *etree.Element) *etree.Element {
	out := e.Copy()
	for p := e.Parent(); p != nil; p = p.Parent() {
		for _, a := range p.Attr {
			same := func(own etree.Attr) bool { return own.Space == a.Space && own.Key == a.Key }
			if (a.Space == "xmlns" || a.Space == "xml" || a.FullKey() == "xmlns") && !slices.ContainsFunc(out.Attr, same) {
				out.CreateAttr(a.FullKey(), a.Value)
			}
		}
	}
	etree.NewDocument().SetRoot(out)
	return out
}

// maxKey is the longest RSA key in bits: who computes with a longer one, which a file can
// bring, is kept busy for minutes. Those in use have 2,048, authorities' 4,096.
const maxKey = 8192

// Certificate is the certificate that a Signature holds; ErrNoCertificate when it holds
// none.
func Certificate(sig *etree.Element) (*x509.Certificate, error) {
	found := sig.FindElement("KeyInfo/X509Data/X509Certificate")
	if found == nil {
		return nil, ErrNoCertificate
	}
	return ParseCertificate(found.Text())
}

// ParseCertificate reads a certificate as XML holds it: its DER in base64, broken
// anywhere.
func ParseCertificate(text string) (*x509.Certificate, error) {
	der, err := base64.StdEncoding.DecodeString(strings.Join(strings.Fields(text), ""))
	if err != nil {
		return nil, errors.New("the certificate in the signature is no base64")
	}
	certificate, err := x509.ParseCertificate(der)
	if err != nil {
		return nil, errors.New("the certificate in the signature cannot be read")
	}
	return certificate, nil
}

// Verify wants sig to be a Signature over the element with the reference URI, which is
// "#" and its ID, or "" for the whole document that sig stands in (an enveloped
// signature); RSA with SHA-1 or SHA-256, made with the certificate's key. Whether
// anybody trusts that certificate, and whether it was valid then, are other questions.
func Verify(target, sig *etree.Element, uri string, certificate *x509.Certificate) error {
	if sig == nil || sig.NamespaceURI() != Namespace {
		return errors.New("the document is not signed")
	}
	info, references := sig.SelectElement("SignedInfo"), sig.FindElements("SignedInfo/Reference")
	if len(sig.SelectElements("SignedInfo")) != 1 || len(references) != 1 ||
		references[0].SelectAttrValue("URI", "?") != uri {
		return errors.New("the signature is not over this document")
	}
	hash, known := digests[algorithm(references[0], "DigestMethod")]
	method, known2 := methods[algorithm(info, "SignatureMethod")]
	if !known || !known2 {
		return errors.New("the signature is neither RSA with SHA-1 nor RSA with SHA-256")
	}
	key, ok := certificate.PublicKey.(*rsa.PublicKey)
	if !ok || key.N.BitLen() > maxKey {
		return fmt.Errorf("the certificate in the signature has no RSA key of at most %d bits", maxKey)
	}
	digest, err := decoded(references[0], "DigestValue")
	if err != nil {
		return err
	}
	value, err := decoded(sig, "SignatureValue")
	if err != nil {
		return err
	}
	if !anyForm(without(target, sig), hash, func(sum []byte) bool { return string(sum) == string(digest) }) {
		return errors.New("the document was changed after it was signed: its digest is another")
	}
	if !anyForm(func() *etree.Element { return info }, method,
		func(sum []byte) bool { return rsa.VerifyPKCS1v15(key, method, sum, value) == nil }) {
		return errors.New("the signature does not verify with its certificate")
	}
	return nil
}

func algorithm(e *etree.Element, name string) string {
	if found := e.SelectElement(name); found != nil {
		return found.SelectAttrValue("Algorithm", "")
	}
	return ""
}

// without is the target; where the signature is a child of it, a copy of it without
// that child.
func without(target, sig *etree.Element) func() *etree.Element {
	if sig.Parent() != target {
		return func() *etree.Element { return target }
	}
	return func() *etree.Element {
		out := target.Copy()
		out.RemoveChildAt(sig.Index())
		return out
	}
}

// anyForm asks about the hash of each canonical form of an element.
func anyForm(e func() *etree.Element, hash crypto.Hash, ok func(sum []byte) bool) bool {
	for _, form := range forms {
		text, err := form(e())
		if err != nil {
			continue
		}
		h := hash.New()
		h.Write(text)
		if ok(h.Sum(nil)) {
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
