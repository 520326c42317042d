package dgi_test

import (
	"bytes"
	"errors"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"folio/authority"
)

// only makes an answer the only one from now on.
func (w *world) only(op string, answer func(http.ResponseWriter)) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.answers[op] = []func(http.ResponseWriter){answer}
}

// What DGI says that it had, and denies, goes out in an envelope of another number, as it was
// signed. When the first one comes in after all, DGI rejects the number in the second as
// existing (E02), and the verdict is that on the first.
func TestANewEnvelope(t *testing.T) {
	found, pending := authority.Found{Exists: true, Same: true}, authority.Found{Exists: true, Pending: true, Same: true}
	for name, c := range map[string]struct {
		state, sender, receiver string // what DGI has under the number
		want                    authority.Found
	}{
		"the first one came in":       {"AE", envelope1, "130", found},
		"it is not decided":           {"", envelope1, "130", pending},
		"nothing is shown":            {"", "", "0", pending},
		"the number is another's":     {"AE", "4711", "130", authority.Found{Exists: true, Same: true, Rejected: true}},
		"only the second one is seen": {"BE", "renewed", "130", pending},
	} {
		t.Run(name, func(t *testing.T) {
			w, b := newWorld(t), batch(t, "EFA", 1, 1)
			p := w.prepare(b)
			w.only(sobre, respuesta("108"))
			w.only(estado, consulta("", "", "0", false))
			if _, err := w.send(b); !errors.Is(err, authority.ErrHidden) {
				t.Fatalf("%v", err)
			}
			renewed, err := w.driver.Renew(material().good, b, p, 1)
			if err != nil || !bytes.Equal(signedDocument.Find(renewed.Content), signedDocument.Find(p.Content)) {
				t.Fatalf("%v: the document is another one", err)
			}
			id := string(regexp.MustCompile(`<Idemisor>([0-9]+)</Idemisor>`).FindSubmatch(renewed.Content)[1])
			b.Documents[0].Envelope = renewed.SHA256
			if f, err := w.find(b, 0); err != nil || f.Exists {
				t.Fatalf("before it is sent: %+v, %v", f, err)
			}
			w.only(sobre, ackSobre("AS", now))
			w.only(envio, xmlData(`<ACKCFE xmlns="http://cfe.dgi.gub.uy" version="1.0"><Caratula><IDEmisor>`+id+
				`</IDEmisor><IDReceptor>129</IDReceptor></Caratula>`+det(1, "BE", "E02")+`</ACKCFE>`))
			w.only(estado, consulta(c.state, strings.ReplaceAll(c.sender, "renewed", id), c.receiver, false))
			_, _ = w.driver.Send(t.Context(), material().good, b, renewed, w.record) // what it says is found below
			f, err := w.find(b, 0)
			if err != nil || f.Exists != c.want.Exists || f.Same != c.want.Same || f.Pending != c.want.Pending ||
				f.Rejected != c.want.Rejected {
				t.Errorf("%+v, %v, want %+v", f, err, c.want)
			}
		})
	}
}

// Before the new envelope is sent, the first one may come to light: nothing is sent then.
func TestADeniedEnvelopeThatComesToLight(t *testing.T) {
	w, b := newWorld(t), batch(t, "EFA", 1, 1)
	p := w.prepare(b)
	w.only(sobre, respuesta("108"))
	w.only(estado, consulta("", "", "0", false))
	if _, err := w.send(b); !errors.Is(err, authority.ErrHidden) {
		t.Fatalf("%v", err)
	}
	renewed, err := w.driver.Renew(material().good, b, p, 1)
	if err != nil {
		t.Fatal(err)
	}
	b.Documents[0].Envelope = renewed.SHA256
	w.only(estado, consulta("AE", envelope1, "130", false))
	if f, err := w.find(b, 0); err != nil || !f.Exists || f.Pending || f.Rejected || !f.Same {
		t.Errorf("%+v, %v", f, err)
	}
}
