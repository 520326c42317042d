package dgi_test

import (
	"bytes"
	"crypto"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/beevik/etree"
	dsig "github.com/russellhaering/goxmldsig"
	"github.com/russellhaering/goxmldsig/etreeutils"

	"folio/authority"
	"folio/authority/dgi"
	"folio/country/uy"
	"folio/country/xmlsig"
	"folio/events"
)

// documentsIn are the signed documents of a prepared content, byte for byte.
func documentsIn(content []byte) [][]byte {
	return regexp.MustCompile(`(?s)<CFE .*?</CFE>`).FindAll(content, -1)
}

// verifyAlone verifies a document taken out of its envelope.
func verifyAlone(t *testing.T, document []byte) error {
	t.Helper()
	root, err := xmlsig.Read(document, 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	return xmlsig.Verify(root, root.SelectElement("Signature"), "", material().good.Certificate.Leaf)
}

func TestDocumentsAreSignedAlone(t *testing.T) {
	w := newWorld(t)
	for _, c := range []struct {
		name   string
		hash   crypto.Hash
		method string
	}{{"SHA-256 by default", 0, "rsa-sha256"}, {"SHA-1 by option", crypto.SHA1, "rsa-sha1"}} {
		t.Run(c.name, func(t *testing.T) {
			w.start(dgi.Options{Hash: c.hash})
			content := w.prepare(batch(t, "EFA", 5, 3)).Content
			for _, document := range documentsIn(content) {
				if err := verifyAlone(t, document); err != nil {
					t.Error(err)
				}
				if !bytes.Contains(document, []byte("#"+c.method+`"`)) ||
					!bytes.Contains(document, []byte("<X509IssuerSerial><X509IssuerName>")) ||
					bytes.Contains(document, []byte("<X509Certificate>")) {
					t.Errorf("%.900s", document)
				}
				if verifyAlone(t, bytes.Replace(document, []byte("<Serie>A<"), []byte("<Serie>B<"), 1)) == nil {
					t.Error("a changed document verifies")
				}
			}
			envelope, err := xmlsig.Read(content, 4<<20)
			if err != nil {
				t.Fatal(err)
			}
			for path, want := range map[string]string{"RutReceptor": "214844360018", "RUCEmisor": issuerRUC,
				"Idemisor": "790000005", "CantCFE": "3",
				"Fecha":           "2026-11-27T12:00:00-03:00",
				"X509Certificate": base64.StdEncoding.EncodeToString(material().good.Certificate.Certificate[0])} {
				if got := envelope.FindElement("Caratula/" + path).Text(); got != want {
					t.Errorf("%s is %.60s, want %.60s", path, got, want)
				}
			}
		})
	}
}

func TestPreparedTwiceIsTheSame(t *testing.T) {
	w := newWorld(t)
	b := batch(t, "EFA", 1, 2)
	one := w.prepare(b)
	if two := w.prepare(b); one.SHA256 != two.SHA256 {
		t.Error("the same moment gave other bytes")
	}
	w.now.Add(1)
	if two := w.prepare(b); one.SHA256 == two.SHA256 {
		t.Error("another moment gave the same bytes")
	}
	if w.calls() != "" {
		t.Errorf("calls: %s", w.calls())
	}
}

// The Body is verified as any WS-Security stack does: exclusive C14N of the Body, the key
// of the BinarySecurityToken.
func TestMessagesAreSigned(t *testing.T) {
	w := newWorld(t)
	w.on(sobre, ackSobre("AS", "2027-01-01T00:00:00-03:00"))
	b := batch(t, "EFA", 1, 1)
	p := w.prepare(b)
	if _, err := w.send(b); !errors.Is(err, authority.ErrPending) {
		t.Fatal(err)
	}
	tree := etree.NewDocument()
	if err := tree.ReadFromString(w.bodies[0]); err != nil {
		t.Fatal(err)
	}
	canonical := func(path string) []byte {
		e := tree.FindElement(path)
		scope, err := etreeutils.NSBuildParentContext(e)
		if err != nil {
			t.Fatal(err)
		}
		if e, err = etreeutils.NSDetatch(scope, e); err != nil {
			t.Fatal(err)
		}
		out, err := dsig.MakeC14N10ExclusiveCanonicalizerWithPrefixList("").Canonicalize(e)
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	digest := sha256.Sum256(canonical("//Body"))
	if got := tree.FindElement("//DigestValue").Text(); got != base64.StdEncoding.EncodeToString(digest[:]) {
		t.Errorf("digest %s", got)
	}
	sum := sha256.Sum256(canonical("//SignedInfo"))
	value, err := base64.StdEncoding.DecodeString(tree.FindElement("//SignatureValue").Text())
	if err != nil {
		t.Fatal(err)
	}
	certificate, err := xmlsig.ParseCertificate(tree.FindElement("//BinarySecurityToken").Text())
	if err != nil {
		t.Fatal(err)
	}
	if err := rsa.VerifyPKCS1v15(certificate.PublicKey.(*rsa.PublicKey), crypto.SHA256, sum[:], value); err != nil {
		t.Error(err)
	}
	if got := tree.FindElement("//xmlData").Text(); got != string(p.Content) {
		t.Error("what was prepared is not what was sent")
	}
}

func TestExchangesHoldNoSecrets(t *testing.T) {
	w := newWorld(t)
	w.on(sobre, ackSobre("AS", now))
	w.on(envio, ackCFE(det(1, "AE")))
	if _, err := w.send(batch(t, "EFA", 1, 1)); err != nil {
		t.Fatal(err)
	}
	if len(w.heard) != 2 {
		t.Fatalf("%d exchanges", len(w.heard))
	}
	values := regexp.MustCompile(`<SignatureValue>[^<]+`).FindAllString(w.bodies[0], -1)
	if len(values) != 2 {
		t.Fatalf("%d signatures", len(values))
	}
	for _, secret := range append(values, "dG9rZW4=", "MIIC",
		base64.StdEncoding.EncodeToString(material().good.Certificate.Certificate[0])) {
		for _, x := range w.heard {
			if strings.Contains(fmt.Sprintf("%s%s%s", x.Request, x.Answer, x.Fault), secret) {
				t.Errorf("%.40s is in the exchange %s", secret, x.Operation)
			}
		}
	}
	if x := w.heard[0]; x.Operation != sobre || !bytes.Contains(x.Request, []byte("<Idemisor>790000001<")) ||
		!bytes.Contains(x.Answer, []byte("<Estado>AS<")) || !x.At.Equal(noon) {
		t.Errorf("%+v", x)
	}
}

func TestCertificates(t *testing.T) {
	w := newWorld(t)
	for _, c := range []struct {
		name       string
		credential authority.Credential
		code       string
	}{{"expired", material().expired, "S03"}, {"of another company", material().foreign, "S02"}} {
		_, err := w.driver.Last(t.Context(), c.credential, authority.Series{}, nil)
		var m *authority.Message
		if !errors.Is(err, authority.ErrCredential) || !errors.As(err, &m) || m.Code != c.code {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	l, err := w.driver.Last(t.Context(), material().good, authority.Series{}, nil)
	if err != nil || l.BatchLimit != 250 || l.Number != 0 {
		t.Errorf("%+v, %v", l, err)
	}
	if _, err := w.driver.Last(t.Context(), authority.Credential{Environment: authority.Testing}, authority.Series{},
		nil); !errors.Is(err, authority.ErrCredential) {
		t.Errorf("no key: %v", err)
	}
}

func TestAnEnvelopeThatIsTooLarge(t *testing.T) {
	w := newWorld(t)
	b := batch(t, "EFA", 1, 25)
	for i := range b.Documents {
		items := b.Documents[i].Document.Items
		for range 199 {
			items = append(items, items[0])
		}
		for j := range items {
			items[j].Description = strings.Repeat("&", 80)
		}
		b.Documents[i].Document.Items = items
	}
	if _, err := w.driver.Prepare(t.Context(), material().good, b); !errors.Is(err, authority.ErrTooLarge) {
		t.Error(err)
	}
	b.Documents = b.Documents[:1]
	if _, err := w.driver.Prepare(t.Context(), material().good, b); err != nil {
		t.Error(err)
	}
}

func TestReportedDaily(t *testing.T) {
	w := newWorld(t)
	b := batch(t, "TIC", 1, 3)
	p := w.prepare(b)
	if n := len(documentsIn(p.Content)); n != 3 || bytes.Contains(p.Content, []byte("EnvioCFE")) {
		t.Fatalf("%d documents: %.300s", n, p.Content)
	}
	if f := w.found(b, 0); f.Exists {
		t.Errorf("%+v", f)
	}
	first, err := w.send(b)
	if err != nil {
		t.Fatal(err)
	}
	again, err := w.driver.Send(t.Context(), material().successor, b, p, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i, o := range first.Outcomes {
		if o.Result != events.Accepted || !o.Sandbox || o.Number != int64(i+1) || o.Authorization.Extra["hash"] == "" ||
			again.Outcomes[i].Authorization.Extra["hash"] != o.Authorization.Extra["hash"] {
			t.Errorf("%+v", o)
		}
		if err := verifyAlone(t, documentsIn(p.Content)[i]); err != nil {
			t.Error(err)
		}
	}
	large := batch(t, "EFA", 1, 1)
	if w.driver.Together(b.Documents[0].Document, large.Documents[0].Document) ||
		!w.driver.Together(b.Documents[0].Document, b.Documents[1].Document) {
		t.Error("what goes together")
	}
	b.Documents[1] = large.Documents[0]
	if _, err := w.driver.Prepare(t.Context(), material().good, b); err == nil {
		t.Error("an e-Factura went with e-Tickets that are reported daily")
	}
	if w.calls() != "" {
		t.Errorf("calls: %s", w.calls())
	}
}

func TestEveryKindIsSigned(t *testing.T) {
	w := newWorld(t)
	for i, k := range (uy.Rules{}).DocumentTypes() {
		b := batch(t, k.InvoiceType, int64(i+1), 1)
		found := documentsIn(w.prepare(b).Content)
		if len(found) != 1 {
			t.Fatalf("%s: %d documents", k.InvoiceType, len(found))
		}
		if err := verifyAlone(t, found[0]); err != nil {
			t.Errorf("%s: %v", k.InvoiceType, err)
		}
	}
}
