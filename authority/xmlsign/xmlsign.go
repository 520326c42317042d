// Package xmlsign makes XML signatures (W3C XML-Signature, RSA) inside documents that
// are written as text: what is signed is computed from the very bytes that are sent.
package xmlsign

import (
	"cmp"
	"crypto"
	"crypto/rand"
	_ "crypto/sha1" // crypto.SHA1
	_ "crypto/sha256"
	"encoding/base64"
	"encoding/xml"
	"fmt"
	"strings"

	"github.com/beevik/etree"
	dsig "github.com/russellhaering/goxmldsig"
	"github.com/russellhaering/goxmldsig/etreeutils"
)

// Namespaces and transforms of XML-Signature.
const (
	Namespace = "http://www.w3.org/2000/09/xmldsig#"
	Inclusive = "http://www.w3.org/TR/2001/REC-xml-c14n-20010315"
	Exclusive = "http://www.w3.org/2001/10/xml-exc-c14n#"
	Enveloped = Namespace + "enveloped-signature"
)

// algorithms are the names of a hash: of its digest and of RSA with it.
var algorithms = map[crypto.Hash]struct{ digest, method string }{
	crypto.SHA1:   {Namespace + "sha1", Namespace + "rsa-sha1"},
	crypto.SHA256: {"http://www.w3.org/2001/04/xmlenc#sha256", "http://www.w3.org/2001/04/xmldsig-more#rsa-sha256"},
}

// Signature says what is signed and how.
type Signature struct {
	Key  crypto.Signer // RSA
	Hash crypto.Hash   // crypto.SHA256 or crypto.SHA1, of digest and signature alike
	// Form is Inclusive or Exclusive: how SignedInfo and what is signed are written.
	Form string
	// Path finds what is signed (etree): "/CFE". URI names it, "" for the whole document.
	Path, URI string
	// Parent finds the element that the signature stands in; "/*", the root, when empty.
	Parent string
	// Transforms are the names written in the reference.
	Transforms []string
	// KeyInfo is the content of the element of that name; it is not signed.
	KeyInfo string
}

// Between puts the signature between the two halves of a document. The halves are the
// whole document: namespaces in scope decide what is signed.
func (s Signature) Between(before, after string) (string, error) {
	names, ok := algorithms[s.Hash]
	if !ok {
		return "", fmt.Errorf("sign %s: no signature is made with the hash %v", s.Path, s.Hash)
	}
	content, err := canonical(s.Form, before+after, s.Path)
	if err != nil {
		return "", err
	}
	transforms := ""
	for _, t := range s.Transforms {
		transforms += `<Transform Algorithm="` + t + `"/>`
	}
	info := `<SignedInfo><CanonicalizationMethod Algorithm="` + s.Form + `"/><SignatureMethod Algorithm="` + names.method +
		`"/>` +
		`<Reference URI="` + s.URI + `"><Transforms>` + transforms + `</Transforms><DigestMethod Algorithm="` + names.digest +
		`"/><DigestValue>` + base64.StdEncoding.EncodeToString(sum(s.Hash, content)) +
		`</DigestValue></Reference></SignedInfo>`
	const open, shut = `<Signature xmlns="` + Namespace + `">`, `</Signature>`
	signed, err := canonical(s.Form, before+open+info+shut+after, cmp.Or(s.Parent, "/*")+"/Signature/SignedInfo")
	if err != nil {
		return "", err
	}
	value, err := s.Key.Sign(rand.Reader, sum(s.Hash, signed), s.Hash)
	if err != nil {
		return "", fmt.Errorf("sign %s: %w", s.Path, err)
	}
	return before + open + info + `<SignatureValue>` + base64.StdEncoding.EncodeToString(value) +
		`</SignatureValue><KeyInfo>` +
		s.KeyInfo + `</KeyInfo>` + shut + after, nil
}

func sum(h crypto.Hash, content []byte) []byte {
	w := h.New()
	w.Write(content)
	return w.Sum(nil)
}

// canonical is the canonical form of an element where it stands, in UTF-8 whatever the
// file is written in.
func canonical(form, document, path string) ([]byte, error) {
	tree := etree.NewDocument()
	if err := tree.ReadFromString(document); err != nil {
		return nil, fmt.Errorf("read what is to be signed: %w", err)
	}
	found := tree.FindElement(path)
	if found == nil {
		return nil, fmt.Errorf("there is no %s to sign", path)
	}
	writer := dsig.MakeC14N10RecCanonicalizer()
	if form == Exclusive {
		// This writer knows only the namespaces that the element itself declares.
		scope, err := etreeutils.NSBuildParentContext(found)
		if err == nil {
			found, err = etreeutils.NSDetatch(scope, found)
		}
		if err != nil {
			return nil, fmt.Errorf("gather the namespaces of %s: %w", path, err)
		}
		writer = dsig.MakeC14N10ExclusiveCanonicalizerWithPrefixList("")
	}
	out, err := writer.Canonicalize(found)
	if err != nil {
		return nil, fmt.Errorf("write %s in its canonical form: %w", path, err)
	}
	return out, nil
}

// Escape is text as the content of an element or attribute, in which a reader finds it
// again; characters that XML has no place for become U+FFFD.
func Escape(text string) string {
	var b strings.Builder
	_ = xml.EscapeText(&b, []byte(text)) // a strings.Builder does not fail
	return b.String()
}
