package xmlsig_test

import (
	"crypto"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/base64"
	"errors"
	"fmt"
	"math/big"
	"strings"
	"testing"
	"time"

	"github.com/beevik/etree"
	dsig "github.com/russellhaering/goxmldsig"
	"golang.org/x/text/encoding/charmap"

	"folio/country/xmlsig"
)

// signed is a document with an enveloped signature, made by goxmldsig.
func signed(t testing.TB, document string, hash crypto.Hash) string {
	t.Helper()
	return signedIn(t, document, hash, dsig.MakeC14N10RecCanonicalizer())
}

// signedIn is the same with a canonical form of choice.
func signedIn(t testing.TB, document string, hash crypto.Hash, form dsig.Canonicalizer) string {
	t.Helper()
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(7), Subject: pkix.Name{CommonName: "Prueba"},
		NotBefore: time.Unix(0, 0), NotAfter: time.Unix(1<<32, 0)}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	signer, err := dsig.NewSigningContext(key, [][]byte{der})
	if err != nil {
		t.Fatal(err)
	}
	signer.Canonicalizer, signer.Prefix, signer.Hash = form, "", hash
	tree := etree.NewDocument()
	if err := tree.ReadFromString(document); err != nil {
		t.Fatal(err)
	}
	out, err := signer.SignEnveloped(tree.Root())
	if err != nil {
		t.Fatal(err)
	}
	text, err := etree.NewDocumentWithRoot(out).WriteToString()
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// verify reads a document and holds it to its signature.
func verify(t testing.TB, document string) error {
	t.Helper()
	root, err := xmlsig.Read([]byte(document), 1<<20)
	if err != nil {
		return err
	}
	return verifyElement(root)
}

func verifyElement(root *etree.Element) error {
	sig := root.SelectElement("Signature")
	if sig == nil {
		return xmlsig.Verify(root, nil, "", nil)
	}
	certificate, err := xmlsig.Certificate(sig)
	if err != nil {
		return err
	}
	return xmlsig.Verify(root, sig, "", certificate)
}

const plain = `<a xmlns="urn:x"><b>uno &amp; dós</b><c n="1"/></a>`

func TestAnEnvelopedSignatureHoldsUntilSomethingChanges(t *testing.T) {
	for _, hash := range []crypto.Hash{crypto.SHA1, crypto.SHA256} {
		good := signed(t, plain, hash)
		if err := verify(t, good); err != nil {
			t.Fatalf("%s: %v", hash, err)
		}
		if err := verify(t, strings.Replace(good, "<b>", "<b><!-- said by nobody -->", 1)); err != nil {
			t.Errorf("%s, with a comment, which the canonical form leaves out: %v", hash, err)
		}
		for name, c := range map[string]struct{ from, to, says string }{
			"another text":           {"uno", "dos", "changed after it was signed"},
			"another attribute":      {`n="1"`, `n="2"`, "changed after it was signed"},
			"one element more":       {`<c n="1"/>`, `<c n="1"/><d/>`, "changed after it was signed"},
			"white between elements": {"</b>", "</b> ", "changed after it was signed"},
			"another reference":      {`URI=""`, `URI="#x"`, "not over this document"},
			"MD5":                    {"<DigestMethod Algorithm=\"", "<DigestMethod Algorithm=\"md5", "neither RSA with SHA-1"},
			"HMAC": {"<SignatureMethod Algorithm=\"", "<SignatureMethod Algorithm=\"hmac",
				"neither RSA with SHA-1"},
			"SignedInfo of another": {"<SignedInfo>", `<SignedInfo xmlns="urn:y">`, "does not verify"},
			"another transform": {`xml-c14n-20010315"/></Transforms>`, `xml-c14n-20010316"/></Transforms>`,
				"does not verify"},
			"a value cut short": {"<SignatureValue>", "<SignatureValue>AAAA", "does not verify"},
			"no base64":         {"<DigestValue>", "<DigestValue>?", "no base64"},
			"another namespace": {xmlsig.Namespace, "urn:none", "not signed"},
			"no certificate":    {"X509Certificate", "X509Certificat", "does not hold the certificate"},
		} {
			bad := strings.ReplaceAll(good, c.from, c.to)
			if bad == good {
				t.Fatalf("%s: nothing changed in\n%s", name, good)
			}
			if err := verify(t, bad); err == nil || !strings.Contains(err.Error(), c.says) {
				t.Errorf("%s, %s: %v", hash, name, err)
			}
		}
	}
}

func TestDocumentsOfManyLinesAreVerifiedInEitherForm(t *testing.T) {
	long := `<a xmlns="urn:x">` + strings.Repeat(`<item><n>1</n><price>2.50</price></item>`, 700) + `</a>`
	for name, form := range map[string]dsig.Canonicalizer{
		"inclusive": dsig.MakeC14N10RecCanonicalizer(), "exclusive": dsig.MakeC14N10ExclusiveCanonicalizerWithPrefixList(""),
	} {
		good := signedIn(t, long, crypto.SHA256, form)
		if name == "exclusive" { // only this form does not see a namespace that nothing uses
			good = strings.Replace(good, `<a `, `<a xmlns:unused="urn:y" `, 1)
		}
		if err := verify(t, good); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if err := verify(t, strings.Replace(good, "2.50", "2.51", 1)); err == nil {
			t.Errorf("%s: a changed document verifies", name)
		}
	}
}

func TestADocumentIsVerifiedAsTheOneItWasBeforeItsEnvelope(t *testing.T) {
	good := signed(t, `<p:a xmlns:p="urn:x" xmlns:q="urn:y"><p:b q:n="1">uno</p:b></p:a>`, crypto.SHA256)
	for name, envelope := range map[string]string{
		"pasted as it was": `<e xmlns="urn:e" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">` + good + `</e>`,
		"its own namespaces moved to the envelope": `<e xmlns="urn:e" xmlns:p="urn:x" xmlns:q="urn:y">` +
			strings.Replace(strings.Replace(good, ` xmlns:p="urn:x"`, "", 1), ` xmlns:q="urn:y"`, "", 1) + `</e>`,
	} {
		root, err := xmlsig.Read([]byte(envelope), 1<<20)
		if err != nil {
			t.Fatal(err)
		}
		inner := root.SelectElement("a")
		if verifyElement(inner) == nil {
			t.Errorf("%s: it verifies inside its envelope, so this test shows nothing", name)
		}
		if err := verifyElement(xmlsig.Alone(inner)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if inner.Parent() != root {
			t.Errorf("%s: the element was taken out", name)
		}
	}
}

func TestForeignFilesAreReadOrRefusedWithTheReason(t *testing.T) {
	for name, c := range map[string]struct{ file, says string }{
		"nothing":                {"", "no whole XML"},
		"no XML":                 {"%PDF-1.4", "no whole XML"},
		"two roots":              {"<a/><b/>", "no whole XML"},
		"tags that do not match": {"<a><b></a></b>", "well-formed"},
		"a DTD":                  {`<!DOCTYPE a [<!ENTITY x "y">]><a>&x;</a>`, ""},
		"a DTD unused":           {`<!DOCTYPE a><a/>`, "DTD"},
		"an unknown entity":      {`<a>&x;</a>`, "entity"},
		"a processor":            {`<a><?php x?></a>`, "processing"},
		"too large":              {"<a>" + strings.Repeat("x", 1000) + "</a>", "at most 1000"},
		"too deep":               {strings.Repeat("<a>", 30) + strings.Repeat("</a>", 30), "well-formed"},
		"too many namespaces": {strings.Repeat(`<a xmlns:b="b" xmlns:c="c">`, 11) + strings.Repeat("</a>", 11),
			"namespaces"},
		"too many attributes": {`<a a="" b="" c="" d="" e="" f="" g="" h="" i="" j="" k="" l="" m=""/>`, "attributes"},
	} {
		if _, err := xmlsig.Read([]byte(c.file), 1000); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, file := range map[string]string{
		"UTF-8":                       "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<a>Ñandú</a>",
		"with a byte order mark":      "\ufeff<a>Ñandú</a>",
		"ISO-8859-1":                  "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><a>\xd1and\xfa</a>",
		"ISO-8859-1 undeclared":       "<a>\xd1and\xfa</a>",
		"UTF-8 that claims otherwise": "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><a>Ñandú</a>",
		"with a comment inside":       "<a>Ñan<!-- x -->dú</a>",
		"with a comment before":       "<!-- x --><a>Ñandú</a>",
	} {
		root, err := xmlsig.Read([]byte(file), 1000)
		if err != nil || root.Text() != "Ñandú" {
			t.Errorf("%s: %v, %v", name, root, err)
		}
	}
}

// Systems of Windows write quotes, dashes and the euro sign as windows-1252 has them; the
// digest is over the characters (C14N is UTF-8), so that they must be read as what they are.
func TestAFileInWindows1252IsReadAsItSays(t *testing.T) {
	good := signed(t, `<a xmlns="urn:x"><b>“cañón” – 5 €</b></a>`, crypto.SHA1)
	file, err := charmap.Windows1252.NewEncoder().String(good)
	if err != nil {
		t.Fatal(err)
	}
	for declared, fine := range map[string]bool{
		`<?xml version="1.0" encoding="windows-1252"?>`:                  true,
		`<?xml version='1.0' encoding='Windows-1252' standalone="yes"?>`: true,
		`<?xml version="1.0" encoding="ISO-8859-1"?>`:                    false,
	} {
		if err := verify(t, declared+file); (err == nil) != fine {
			t.Errorf("%s: %v", declared, err)
		}
	}
	if err := verify(t, `<?xml version="1.0" encoding="windows-1252"?>`+good); err != nil {
		t.Errorf("saved again as UTF-8: %v", err)
	}
}

func TestCertificatesInXML(t *testing.T) {
	if _, err := xmlsig.ParseCertificate("AAAA"); err == nil || errors.Is(err, xmlsig.ErrNoCertificate) {
		t.Errorf("four bytes are read as a certificate: %v", err)
	}
	good := signed(t, plain, crypto.SHA256)
	root, err := xmlsig.Read([]byte(good), 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	c, err := xmlsig.Certificate(root.SelectElement("Signature"))
	if err != nil || c.Subject.CommonName != "Prueba" {
		t.Fatalf("%v, %v", c, err)
	}
	broken := base64.StdEncoding.EncodeToString(c.Raw)
	if again, err := xmlsig.ParseCertificate("\n  " + broken[:64] + "\r\n" + broken[64:]); err != nil || !again.Equal(c) {
		t.Errorf("broken into lines: %v", err)
	}
}

// A key as long as a file can hold would take minutes to compute with.
func TestAKeyOfAbsurdLengthIsRefusedBeforeItIsUsed(t *testing.T) {
	root, err := xmlsig.Read([]byte(signed(t, plain, crypto.SHA256)), 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	sig := root.SelectElement("Signature")
	modulus := new(big.Int).Lsh(big.NewInt(1), 500_000)
	long := &x509.Certificate{PublicKey: &rsa.PublicKey{N: modulus.SetBit(modulus, 0, 1), E: 1<<31 - 1}}
	sig.SelectElement("SignatureValue").SetText(base64.StdEncoding.EncodeToString(modulus.Bytes()))
	if err := xmlsig.Verify(root, sig, "", long); err == nil || !strings.Contains(err.Error(), "at most 8192 bits") {
		t.Errorf("a key of %d bits: %v", modulus.BitLen(), err)
	}
}

// Only what is used and not declared inside is taken along, each once.
func TestThousandsOfPrefixesAreNoWork(t *testing.T) {
	var inner strings.Builder
	for i := range 15_000 {
		fmt.Fprintf(&inner, "<x%d:a/>", i)
	}
	root, err := xmlsig.Read([]byte("<e xmlns:x7='urn:seven' xmlns:y='urn:y'><a xmlns:x8='urn:eight'>"+inner.String()+
		"</a></e>"), 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	if got := xmlsig.Alone(root.SelectElement("a")).Attr; len(got) != 2 || got[1].Value != "urn:seven" {
		t.Errorf("%v", got)
	}
}

func FuzzVerify(f *testing.F) {
	f.Add([]byte(signed(f, plain, crypto.SHA256)))
	f.Add([]byte("<a xmlns='x'><Signature xmlns='" + xmlsig.Namespace +
		"'><SignedInfo><Reference URI=''/></SignedInfo></Signature></a>"))
	f.Fuzz(func(t *testing.T, document []byte) {
		root, err := xmlsig.Read(document, 64<<10)
		if err != nil {
			return
		}
		xmlsig.Alone(root)
		if sig := root.SelectElement("Signature"); sig != nil {
			if c, err := xmlsig.Certificate(sig); err == nil && xmlsig.Verify(root, sig, "", c) == nil &&
				len(root.ChildElements()) < 2 {
				t.Fatalf("an empty document verifies: %s", document)
			}
		}
	})
}
