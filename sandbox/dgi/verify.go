package dgi

import (
	"crypto"
	"crypto/rsa"
	_ "crypto/sha1" // crypto.SHA1
	_ "crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"errors"
	"strings"

	"github.com/beevik/etree"
	dsig "github.com/russellhaering/goxmldsig"
	"github.com/russellhaering/goxmldsig/etreeutils"
)

const exclusive = "http://www.w3.org/2001/10/xml-exc-c14n#"

var hashes = map[string]crypto.Hash{
	rsaSHA1: crypto.SHA1, rsaSHA256: crypto.SHA256, sha1Digest: crypto.SHA1, sha256Digest: crypto.SHA256,
}

// maxKey is the longest key in bits that is computed with: longer ones only cost time.
const maxKey = 8192

// verify wants a Signature of the certificate's key over what its references find. old
// takes SHA-1 too.
func verify(sig *etree.Element, certificate *x509.Certificate, old bool,
	find func(uri string) (*etree.Element, error)) error {
	if sig == nil || sig.NamespaceURI() != namespaceDSig {
		return errors.New("no hay firma")
	}
	info := sig.SelectElement("SignedInfo")
	key, ok := certificate.PublicKey.(*rsa.PublicKey)
	if info == nil || !ok || key.N.BitLen() > maxKey {
		return errors.New("la firma no es RSA de hasta 8192 bits o no tiene SignedInfo")
	}
	references := info.SelectElements("Reference")
	if len(references) == 0 {
		return errors.New("la firma no refiere a nada")
	}
	for _, r := range references {
		target, err := find(r.SelectAttrValue("URI", "?"))
		if err != nil {
			return err
		}
		hash, err := hashOf(r.SelectElement("DigestMethod"), old)
		if err != nil {
			return err
		}
		digest, err := content(r, "DigestValue")
		if err != nil {
			return err
		}
		sum, err := digestOf(target, r.FindElements("Transforms/Transform"), hash)
		if err != nil {
			return err
		}
		if string(sum) != string(digest) {
			return errors.New("DigestValue no corresponde al contenido")
		}
	}
	hash, err := hashOf(info.SelectElement("SignatureMethod"), old)
	if err != nil {
		return err
	}
	value, err := content(sig, "SignatureValue")
	if err != nil {
		return err
	}
	sum, err := digestOf(info, info.SelectElements("CanonicalizationMethod"), hash)
	if err != nil {
		return err
	}
	if rsa.VerifyPKCS1v15(key, hash, sum, value) != nil {
		return errors.New("SignatureValue no verifica con el certificado")
	}
	return nil
}

func hashOf(method *etree.Element, old bool) (crypto.Hash, error) {
	if method == nil {
		return 0, errors.New("la firma no nombra su algoritmo")
	}
	h, ok := hashes[method.SelectAttrValue("Algorithm", "")]
	if !ok || h == crypto.SHA1 && !old {
		return 0, errors.New("algoritmo no admitido: " + method.SelectAttrValue("Algorithm", ""))
	}
	return h, nil
}

// digestOf is the hash of an element's canonical form where it stands, as the transforms
// say; inclusive without one.
func digestOf(e *etree.Element, transforms []*etree.Element, hash crypto.Hash) ([]byte, error) {
	alone, err := detached(e)
	if err != nil {
		return nil, err
	}
	writer := dsig.MakeC14N10RecCanonicalizer()
	for _, t := range transforms {
		switch algorithm := t.SelectAttrValue("Algorithm", ""); algorithm {
		case enveloped:
			if own := alone.SelectElement("Signature"); own != nil {
				alone.RemoveChild(own)
			}
		case c14n, c14n + "#WithComments":
		case exclusive:
			list := ""
			if prefixes := t.SelectElement("InclusiveNamespaces"); prefixes != nil {
				list = prefixes.SelectAttrValue("PrefixList", "")
			}
			writer = dsig.MakeC14N10ExclusiveCanonicalizerWithPrefixList(list)
		default:
			return nil, errors.New("transformacion no admitida: " + algorithm)
		}
	}
	form, err := writer.Canonicalize(alone)
	if err != nil {
		return nil, err
	}
	h := hash.New()
	h.Write(form)
	return h.Sum(nil), nil
}

// detached is a copy of an element that declares all namespaces in its scope. NSDetatch
// gives up at 1,000 elements, so it gets the element without what is inside.
func detached(e *etree.Element) (*etree.Element, error) {
	scope, err := etreeutils.NSBuildParentContext(e)
	if err != nil {
		return nil, err
	}
	shell, err := etreeutils.NSDetatch(scope, &etree.Element{Space: e.Space, Tag: e.Tag, Attr: e.Attr})
	if err != nil {
		return nil, err
	}
	out := e.Copy()
	out.Attr = shell.Attr
	return out, nil
}

// content is base64 of an element below.
func content(e *etree.Element, path string) ([]byte, error) {
	found := e.FindElement(path)
	if found == nil {
		return nil, errors.New("falta " + path)
	}
	return base64.StdEncoding.DecodeString(strings.Join(strings.Fields(found.Text()), ""))
}
