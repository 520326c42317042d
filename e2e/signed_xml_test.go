package e2e

import (
	"bytes"
	"cmp"
	"crypto/x509"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/beevik/etree"
	"software.sslmate.com/src/go-pkcs12"

	"folio/country/xmlsig"
)

// xml downloads the signed document of an invoice.
func (c company) xml(t testing.TB, id string) answer {
	t.Helper()
	return c.want(t, http.StatusOK, http.MethodGet, "/api/invoices/"+id+"/download-xml", nil)
}

// verifySigned wants a document that stands by itself to be signed with a certificate.
func verifySigned(document []byte, by *x509.Certificate) error {
	root, err := xmlsig.Read(document, 1<<20)
	if err != nil {
		return err
	}
	signature, target := root.SelectElement("Signature"), root
	reference := signature.FindElement("SignedInfo/Reference")
	if reference == nil {
		return fmt.Errorf("no signature in %.200s", document)
	}
	uri := reference.SelectAttrValue("URI", "?")
	if id, ok := strings.CutPrefix(uri, "#"); ok {
		target = root.FindElement("./*[@ID='" + id + "']")
	}
	return xmlsig.Verify(target, signature, uri, by)
}

func TestTheSignedXMLOfEveryInvoiceVerifiesAlone(t *testing.T) {
	t.Parallel()
	eachNation(t, func(t *testing.T, n nation) { signedXML(t, n, verifySigned) })
}

// signedXML downloads the signed documents of nine invoices, three of a kind of which
// share an envelope where the authority takes several, and of a rejected one.
func signedXML(t *testing.T, n nation, verify func(document []byte, by *x509.Certificate) error) {
	dir := t.TempDir()
	p := serve(t, dir, append([]string{"--retry-base", "100ms"}, unlimited...)...)
	c := n.company(t, p, dir)
	file := certificate(t, dir, n.holder[0], n.holder[1], certificateDays)
	c.certifyWith(t, file)
	_, leaf, _, err := pkcs12.DecodeChain(file, certificatePassword)
	if err != nil {
		t.Fatal(err)
	}
	waiting := c.post(t, n.body(n.kinds[0], 0))
	c.waits(t, waiting.ID, "NO_NUMBERING_RANGE")
	c.want(t, http.StatusConflict, http.MethodGet, "/api/invoices/"+waiting.ID+"/download-xml", nil)
	for i := 1; i < 9; i++ {
		c.post(t, n.body(n.kinds[i%3], i))
	}
	for _, code := range n.kinds {
		n.number(t, c, dir, code, 1, 100)
	}
	c.settle(t, verdictLimit)
	n.script(t, dir, n.final)
	refused := c.post(t, n.body(n.kinds[0], 9))
	c.settle(t, verdictLimit)
	if i := c.read(t, refused.ID); i.Status != "Rejected" {
		t.Fatalf("%s", i)
	}
	seen := map[string]bool{}
	for _, i := range c.all(t) {
		a := c.xml(t, i.ID)
		if err := verify(a.body, leaf); err != nil {
			t.Errorf("%s: %v\n%.300s", i, err, a.body)
		}
		if verify(bytes.Replace(a.body, []byte("<FchEmis>2"), []byte("<FchEmis>3"), 1), leaf) == nil {
			t.Errorf("%s verifies after a change", i)
		}
		identifies(t, i, a)
		seen[string(a.body)] = true
	}
	if len(seen) != 10 {
		t.Errorf("%d documents of 10 invoices", len(seen))
	}
	p.stop(t)
}

// identifies wants a document to be that of the invoice, in the encoding that it says.
func identifies(t *testing.T, i invoice, a answer) {
	t.Helper()
	root, err := xmlsig.Read(a.body, 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	text := func(name string) string {
		return cmp.Or(root.FindElement("//IdDoc/"+name), etree.NewElement(name)).Text()
	}
	number := cmp.Or(text("Folio"), text("Nro"))
	if !strings.HasSuffix(*i.Number, fmt.Sprintf("-%08s", number)) || cmp.Or(text("TipoDTE"), text("TipoCFE")) == "" {
		t.Errorf("the document of %s has the number %q", i, number)
	}
	_, charset, _ := strings.Cut(a.header.Get("Content-Type"), "application/xml; charset=")
	name, ok := map[string]string{"ISO-8859-1": "\xd1", "UTF-8": "Ñ"}[charset]
	if !ok || !bytes.HasPrefix(a.body, []byte(`<?xml version="1.0" encoding="`+charset+`"?>`)) ||
		!bytes.Contains(a.body, []byte(name)) {
		t.Errorf("%s, %.60q, no %q in it", a.header.Get("Content-Type"), a.body, name)
	}
}
