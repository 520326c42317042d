package uy_test

import (
	"crypto"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"math/big"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/beevik/etree"
	dsig "github.com/russellhaering/goxmldsig"

	"folio/country"
	"folio/country/uy"
	"folio/fault"
)

func read(t testing.TB, name string) []byte {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

// sandboxTrust is the certificate of the simulated DGI that signed the samples.
func sandboxTrust(t testing.TB) country.Trust {
	t.Helper()
	return country.Trust{PEM: [][]byte{[]byte("-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n"),
		read(t, "uy_sim_dgi.crt")}}
}

func TestSamplesSayWhatTheyShould(t *testing.T) {
	for file, want := range map[string]country.RangeFile{
		"uy_cae_111.xml": {TaxIdentifier: "217111220014", OfficialCode: 111, Series: "A", From: 1, To: 100,
			IssuedOn: "2026-10-05", ExpiresOn: "2028-10-05", Authorization: "90260001231",
			Profile: map[string]string{"special_regime": ""}},
		"uy_cae_101_sha256.xml": {TaxIdentifier: "217111220014", OfficialCode: 101, Series: "B", From: 5001, To: 6000,
			IssuedOn: "2026-10-05", ExpiresOn: "2028-10-05", Authorization: "90260001258",
			Profile: map[string]string{"special_regime": ""}},
	} {
		got, err := uy.Rules{}.ParseRange(read(t, file), sandboxTrust(t))
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v, %v", file, got, err)
		}
		if last := (uy.Rules{}).LastDay(got); last != "2028-10-05" {
			t.Errorf("%s: its last day is %s", file, last)
		}
		c, err := uy.ReadCAE(read(t, file))
		if err != nil || c.RUC != want.TaxIdentifier || c.Type != want.OfficialCode || c.Series != want.Series ||
			c.From != want.From || c.To != want.To ||
			c.Kind != "E" || c.Authorization != want.Authorization || c.IssuedOn != want.IssuedOn ||
			c.ExpiresOn != want.ExpiresOn || c.Special != 0 || c.Cause != 0 {
			t.Errorf("%s: %+v, %v", file, c, err)
		}
	}
}

func mustRefuseFile(t *testing.T, name string, file []byte, trust country.Trust, code, says string) {
	t.Helper()
	_, err := uy.Rules{}.ParseRange(file, trust)
	f := fault.As(err)
	if f == nil || len(f.Violations) != 1 || f.Violations[0].Path != "file" || f.Violations[0].Code != code ||
		!strings.Contains(f.Violations[0].Message, says) {
		t.Errorf("%s: %v", name, err)
	}
}

func TestTheTamperedSampleIsRefused(t *testing.T) {
	mustRefuseFile(t, "tampered", read(t, "uy_cae_111_tampered.xml"), sandboxTrust(t), "UY-RANGE-03",
		"changed after it was signed")
}

func TestBadFilesAreRefusedWithTheReason(t *testing.T) {
	good := string(read(t, "uy_cae_111.xml"))
	for name, c := range map[string]struct{ from, to, code, says string }{
		"no XML":       {good, "%PDF-1.4", "UY-RANGE-02", "no whole XML"},
		"too large":    {"</ns0:CAE>", "</ns0:CAE>" + strings.Repeat(" ", 64<<10), "UY-RANGE-01", "65536"},
		"a DTD":        {"<ns0:CAE ", "<!DOCTYPE x><ns0:CAE ", "UY-RANGE-02", "DTD"},
		"another root": {"ns0:CAE", "ns0:CFE", "UY-RANGE-02", "no CAE"},
		"another namespace": {"http://cfe.dgi.gub.uy\" xmlns:xsi", "http://example.org\" xmlns:xsi", "UY-RANGE-02",
			"no CAE"},
		"a field of others": {"<ns0:RucE>", "<ns0:RucE xmlns:ns0=\"urn:x\">", "UY-RANGE-02", "namespace"},
		"another version":   {`version="1.0" xsi`, `version="2.0" xsi`, "UY-RANGE-02", "version"},
		"no time":           {"2026-10-05T12:19:08-03:00", "yesterday", "UY-RANGE-02", "TmstFrma"},
		"no type":           {"<ns0:TCFE>111</ns0:TCFE>", "", "UY-RANGE-02", "0 elements TCFE"},
		"two types": {"<ns0:TCFE>111</ns0:TCFE>", "<ns0:TCFE>111</ns0:TCFE><ns0:TCFE>101</ns0:TCFE>",
			"UY-RANGE-02", "2 elements TCFE"},
		"an e-Resguardo":       {"<ns0:TCFE>111", "<ns0:TCFE>182", "UY-RANGE-02", `TCFE: "182"`},
		"contingency's type":   {"<ns0:TCFE>111", "<ns0:TCFE>211", "UY-RANGE-02", `TCFE: "211"`},
		"a name for a type":    {"<ns0:TCFE>111", "<ns0:TCFE>EFA", "UY-RANGE-02", `TCFE: "EFA"`},
		"bad RUT":              {"217111220014", "217111220015", "UY-RANGE-02", "RucE"},
		"three letters":        {"<ns0:Serie>A<", "<ns0:Serie>ABC<", "UY-RANGE-02", "Serie"},
		"Ñ":                    {"<ns0:Serie>A<", "<ns0:Serie>Ñ<", "UY-RANGE-02", "Serie"},
		"backwards":            {"<ns0:DNro>1<", "<ns0:DNro>101<", "UY-RANGE-02", "101 down to 100"},
		"from zero":            {"<ns0:DNro>1<", "<ns0:DNro>0<", "UY-RANGE-02", "DNro"},
		"eight digits":         {"<ns0:HNro>100<", "<ns0:HNro>10000000<", "UY-RANGE-02", "HNro"},
		"no TA":                {"<ns0:TA>E</ns0:TA>", "", "UY-RANGE-02", "0 elements TA"},
		"TA of neither kind":   {"<ns0:TA>E<", "<ns0:TA>X<", "UY-RANGE-02", "TA"},
		"contingency":          {"<ns0:TA>E<", "<ns0:TA>F<", "UY-RANGE-04", "contingency"},
		"short NA":             {"90260001231", "9026000123", "UY-RANGE-02", "NA"},
		"no such day":          {"<ns0:FVD>2028-10-05", "<ns0:FVD>2028-02-30", "UY-RANGE-02", "FVD"},
		"expired before birth": {"<ns0:FVD>2028-10-05", "<ns0:FVD>2026-10-04", "UY-RANGE-02", "before it was given out"},
		"special of no kind": {"</ns0:FVD>", "</ns0:FVD><ns0:CAEEspecial>5</ns0:CAEEspecial>", "UY-RANGE-02",
			"CAEEspecial"},
		"something more":      {"</ns0:FVD>", "</ns0:FVD><ns0:X/>", "UY-RANGE-02", "1 elements more"},
		"elements in a field": {"<ns0:NA>", "<ns0:NA><ns0:b/>", "UY-RANGE-02", "NA holds elements"},
		"a longer life":       {"<ns0:FVD>2028-10-05", "<ns0:FVD>2029-10-05", "UY-RANGE-03", "changed after it was signed"},
		"another signature":   {"<SignatureValue>OL6f", "<SignatureValue>OL6e", "UY-RANGE-03", "does not verify"},
		"no signature":        {"Signature xmlns", "Signatur xmlns", "UY-RANGE-02", "well-formed"},
	} {
		file := strings.Replace(good, c.from, c.to, 1)
		if name == "another root" {
			file = strings.ReplaceAll(good, c.from, c.to)
		}
		if file == good {
			t.Fatalf("%s: nothing was changed", name)
		}
		mustRefuseFile(t, name, []byte(file), sandboxTrust(t), c.code, c.says)
	}
	bare := good[:strings.Index(good, "<Signature ")] + "</ns0:CAE>"
	mustRefuseFile(t, "unsigned", []byte(bare), sandboxTrust(t), "UY-RANGE-03", "0 signatures")
	twice := strings.Replace(good, "</Signature>",
		"</Signature>"+good[strings.Index(good, "<Signature "):strings.Index(good, "</ns0:CAE>")], 1)
	mustRefuseFile(t, "signed twice", []byte(twice), sandboxTrust(t), "UY-RANGE-03", "2 signatures")
}

// authority signs CAEs like DGI.
type authority struct {
	key *rsa.PrivateKey
	der []byte
}

func newAuthority(t testing.TB, isCA bool, issuer *authority) authority {
	t.Helper()
	return newAuthorityNamed(t, isCA, issuer, "")
}

func newAuthorityNamed(t testing.TB, isCA bool, issuer *authority, serialNumber string) authority {
	t.Helper()
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(11),
		Subject: pkix.Name{CommonName: "DGI de prueba", SerialNumber: serialNumber}, NotBefore: time.Unix(0, 0),
		NotAfter:              time.Unix(1, 0),
		BasicConstraintsValid: true, IsCA: isCA, KeyUsage: x509.KeyUsageCertSign}
	parent, by := template, key
	if issuer != nil {
		parent, err = x509.ParseCertificate(issuer.der)
		if err != nil {
			t.Fatal(err)
		}
		by = issuer.key
	}
	der, err := x509.CreateCertificate(rand.Reader, template, parent, &key.PublicKey, by)
	if err != nil {
		t.Fatal(err)
	}
	return authority{key, der}
}

func (a authority) trust() country.Trust {
	return country.Trust{PEM: [][]byte{pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: a.der})}}
}

// sign signs a document with what stands in it, a signature there was taken out.
func (a authority) sign(t testing.TB, document string, certificate bool) []byte {
	t.Helper()
	tree := etree.NewDocument()
	if err := tree.ReadFromString(document); err != nil {
		t.Fatal(err)
	}
	if old := tree.Root().SelectElement("Signature"); old != nil {
		tree.Root().RemoveChild(old)
	}
	signer, err := dsig.NewSigningContext(a.key, [][]byte{a.der})
	if err != nil {
		t.Fatal(err)
	}
	signer.Canonicalizer, signer.Prefix, signer.Hash = dsig.MakeC14N10RecCanonicalizer(), "", crypto.SHA256
	out, err := signer.SignEnveloped(tree.Root())
	if err != nil {
		t.Fatal(err)
	}
	if info := out.FindElement("Signature/KeyInfo"); !certificate {
		info.Parent().RemoveChild(info)
	}
	text, err := etree.NewDocumentWithRoot(out).WriteToBytes()
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func TestWhoIsTrusted(t *testing.T) {
	good := string(read(t, "uy_cae_111.xml"))
	root, stranger := newAuthority(t, true, nil), newAuthority(t, true, nil)
	leaf, taxpayer := newAuthorityNamed(t, false, &root, "RUC"+uy.DGIRUT),
		newAuthorityNamed(t, false, &root, "RUC217111220014")
	r := uy.Rules{}
	for name, c := range map[string]struct {
		file  []byte
		trust country.Trust
	}{
		"the certificate itself":         {leaf.sign(t, good, true), leaf.trust()},
		"an authority that issued it":    {leaf.sign(t, good, true), root.trust()},
		"no certificate in it, one here": {leaf.sign(t, good, false), leaf.trust()},
		"one among several in one file": {leaf.sign(t, good, true), country.Trust{PEM: [][]byte{[]byte("no PEM"),
			append(stranger.trust().PEM[0], leaf.trust().PEM[0]...)}}},
	} {
		if got, err := r.ParseRange(c.file, c.trust); err != nil || got.Warnings != nil {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
	mustRefuseFile(t, "a taxpayer's, certified by the same authority", taxpayer.sign(t, good, true), root.trust(),
		"UY-RANGE-03", "none that is trusted here")
	mustRefuseFile(t, "a stranger's", stranger.sign(t, good, true), root.trust(), "UY-RANGE-03",
		"none that is trusted here")
	mustRefuseFile(t, "signed by the sandbox, trusted nobody", []byte(good), country.Trust{}, "UY-RANGE-03", "--trust")
	mustRefuseFile(t, "no certificate anywhere", leaf.sign(t, good, false), country.Trust{}, "UY-RANGE-03",
		"none is trusted here")
	mustRefuseFile(t, "no certificate in it, another's here", leaf.sign(t, good, false), stranger.trust(), "UY-RANGE-03",
		"does not verify")
	mustRefuseFile(t, "a leaf vouches for nobody", newAuthorityNamed(t, false, &leaf, "RUC"+uy.DGIRUT).sign(t, good, true),
		leaf.trust(), "UY-RANGE-03", "none that is trusted")

	got, err := r.ParseRange([]byte(good), country.Trust{Unsigned: true})
	if err != nil || len(got.Warnings) != 1 || !strings.Contains(got.Warnings[0], "was not verified") {
		t.Errorf("unsigned: %+v, %v", got, err)
	}
	mustRefuseFile(t, "tampered though unsigned ones may pass", read(t, "uy_cae_111_tampered.xml"),
		country.Trust{Unsigned: true}, "UY-RANGE-03", "changed")
}

func TestWhatIsTakenWithAWarningOrInOtherForms(t *testing.T) {
	good, a := string(read(t, "uy_cae_111.xml")), newAuthority(t, true, nil)
	take := func(name string, file []byte) country.RangeFile {
		t.Helper()
		got, err := uy.Rules{}.ParseRange(file, a.trust())
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		return got
	}
	got := take("another check digit", a.sign(t, strings.ReplaceAll(good, "90260001231", "90260001232"), true))
	if len(got.Warnings) != 1 || !strings.Contains(got.Warnings[0], "90260001232") {
		t.Errorf("a wrong check digit of NA says %q", got.Warnings)
	}
	// of DGI's own files
	for _, na := range []string{"90120000194", "90120000208", "90120000216", "90120000224", "90110001945", "90160134272"} {
		if got := take(na, a.sign(t, strings.ReplaceAll(good, "90260001231", na), true)); got.Warnings != nil {
			t.Errorf("%s: %q", na, got.Warnings)
		}
	}
	for number, regime := range map[int]string{1: "exempt", 2: "iva_minimo", 3: "monotributo", 4: "monotributo_mides"} {
		members, cause := fmt.Sprintf("<ns0:CAEEspecial>%d</ns0:CAEEspecial>", number), 0
		if number == 1 {
			members, cause = members+"<ns0:CausalCAEEsp>11</ns0:CausalCAEEsp>", 11
		}
		special := strings.Replace(good, "</ns0:FVD>", "</ns0:FVD>"+members, 1)
		if c, err := uy.ReadCAE([]byte(special)); err != nil || c.Special != number || c.Cause != cause {
			t.Errorf("a special CAE: %+v, %v", c, err)
		}
		if got := take(regime, a.sign(t, special, true)); got.Profile["special_regime"] != regime {
			t.Errorf("%s: %v", regime, got.Profile)
		}
	}
	for name, members := range map[string]string{
		"exempt without a cause":      "<ns0:CAEEspecial>1</ns0:CAEEspecial>",
		"a cause of another regime":   "<ns0:CAEEspecial>2</ns0:CAEEspecial><ns0:CausalCAEEsp>11</ns0:CausalCAEEsp>",
		"a cause without CAEEspecial": "<ns0:CausalCAEEsp>11</ns0:CausalCAEEsp>",
	} {
		if c, err := uy.ReadCAE([]byte(strings.Replace(good, "</ns0:FVD>", "</ns0:FVD>"+members, 1))); err == nil ||
			!strings.Contains(err.Error(), "CausalCAEEsp") {
			t.Errorf("%s: %+v, %v", name, c, err)
		}
	}
	take("two letters", a.sign(t, strings.Replace(good, "<ns0:Serie>A<", "<ns0:Serie>AZ<", 1), true))
	take("white inside the fields", a.sign(t, strings.Replace(good, "<ns0:DNro>1<", "<ns0:DNro>\n1 <", 1), true))
	take("with a comment inside", a.sign(t, strings.Replace(good, "<ns0:NA>", "<!-- n -->\n<ns0:NA>", 1), true))
	bytes := a.sign(t, strings.Replace(good, "ns0:CAE xmlns", `ns0:CAE nota="año" xmlns`, 1), true)
	take("UTF-8", bytes)
	take("UTF-8 with a byte order mark", append([]byte("\ufeff"), bytes...))
	latin1 := strings.ReplaceAll(string(bytes), "ñ", "\xf1")
	take("ISO-8859-1", []byte(latin1))
	take("ISO-8859-1, declared", []byte(`<?xml version="1.0" encoding="ISO-8859-1"?>`+"\n"+latin1))
}

func TestNoticeThresholds(t *testing.T) {
	for code, want := range map[int]int64{101: 50, 102: 10, 103: 10, 111: 20, 112: 10, 113: 10, 121: 20, 122: 10, 123: 10,
		124: 10, 181: 10} {
		if got := (uy.Rules{}).NoticeThreshold(code); got != want {
			t.Errorf("%d: %d, want %d", code, got, want)
		}
	}
}

func FuzzParseRange(f *testing.F) {
	for _, name := range []string{"uy_cae_111.xml", "uy_cae_101_sha256.xml", "uy_cae_111_tampered.xml"} {
		f.Add(read(f, name))
	}
	f.Add([]byte(`<CAE xmlns="http://cfe.dgi.gub.uy" version="1.0"><TmstFrma>2026-10-05T12:19:08</TmstFrma><DA/></CAE>`))
	trust := sandboxTrust(f)
	f.Fuzz(func(t *testing.T, file []byte) {
		got, err := uy.Rules{}.ParseRange(file, trust)
		if err != nil {
			if fault.As(err) == nil {
				t.Fatalf("an error without a path: %v", err)
			}
			return
		}
		c, err := uy.ReadCAE(file)
		if err != nil || got.From < 1 || got.To < got.From || got.TaxIdentifier == "" || c.Type != got.OfficialCode {
			t.Fatalf("%+v, %+v, %v", got, c, err)
		}
	})
}
