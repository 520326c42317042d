package xmlsign_test

import (
	"crypto"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/xml"
	"math/big"
	"strings"
	"testing"
	"time"

	"folio/authority/xmlsign"
	"folio/country/xmlsig"
)

func TestSignaturesVerify(t *testing.T) {
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(time.Hour)}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	certificate, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	const before, after = `<a xmlns="urn:a" xmlns:b="urn:b" z="1" b:y="&lt;"><c>Ñandú &amp; Cía</c>`, `</a>`
	for name, s := range map[string]xmlsign.Signature{
		"SHA-256, inclusive": {Hash: crypto.SHA256, Form: xmlsign.Inclusive},
		"SHA-1, inclusive":   {Hash: crypto.SHA1, Form: xmlsign.Inclusive},
		"SHA-256, exclusive": {Hash: crypto.SHA256, Form: xmlsign.Exclusive},
	} {
		s.Key, s.Path, s.Transforms, s.KeyInfo = key, "/a", []string{xmlsign.Enveloped, s.Form}, "<KeyName>k</KeyName>"
		signed, err := s.Between(before, after)
		if err != nil {
			t.Fatal(err)
		}
		verify := func(text string) error {
			root, err := xmlsig.Read([]byte(text), 1<<20)
			if err != nil {
				t.Fatal(err)
			}
			return xmlsig.Verify(root, root.SelectElement("Signature"), "", certificate)
		}
		if err := verify(signed); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if verify(strings.Replace(signed, "Ñandú", "Nandú", 1)) == nil {
			t.Errorf("%s: a changed document verifies", name)
		}
	}
	for name, s := range map[string]xmlsign.Signature{
		"a hash that is not offered": {Hash: crypto.MD5, Form: xmlsign.Inclusive, Path: "/a"},
		"nothing to sign":            {Hash: crypto.SHA256, Form: xmlsign.Inclusive, Path: "/x"},
		"no place for the signature": {Hash: crypto.SHA256, Form: xmlsign.Inclusive, Path: "/a", Parent: "/a/c"},
	} {
		s.Key = key
		if signed, err := s.Between(before, after); err == nil {
			t.Errorf("%s: %s", name, signed)
		}
	}
	s := xmlsign.Signature{Key: key, Hash: crypto.SHA256, Form: xmlsign.Inclusive, Path: "/a"}
	if _, err := s.Between("<a>", "</b>"); err == nil {
		t.Error("what is no XML was signed")
	}
}

func TestEscapedTextIsReadAgainAsItWas(t *testing.T) {
	for text, want := range map[string]string{
		"CN=\"A & B\" <c>'\r": "", "a\tb\nc": "", "]]>": "", "Ñandú €": "", "\x00\x1b": "\uFFFD\uFFFD",
	} {
		if want == "" {
			want = text
		}
		var x struct {
			A    string `xml:"a,attr"`
			Text string `xml:",chardata"`
		}
		if err := xml.Unmarshal([]byte(`<x a="`+xmlsign.Escape(text)+`">`+xmlsign.Escape(text)+`</x>`), &x); err != nil ||
			x.A != want || x.Text != want {
			t.Errorf("%q: %q and %q, %v", text, x.A, x.Text, err)
		}
	}
	if got := xmlsign.Escape("<a b=\"c\">\r&"); strings.ContainsAny(got, "<>\"\r") {
		t.Error(got)
	}
}
