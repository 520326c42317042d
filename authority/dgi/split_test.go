package dgi_test

import (
	"bytes"
	"regexp"
	"strings"
	"testing"

	"folio/authority"
	"folio/authority/dgi"
	"folio/events"
)

// alone is the batch of one document of another.
func alone(b authority.Batch, i int) authority.Batch {
	return authority.Batch{Series: b.Series, Documents: b.Documents[i : i+1]}
}

func (w *world) split(b authority.Batch, p authority.Prepared) []authority.Prepared {
	w.t.Helper()
	parts, err := w.driver.Split(b, p)
	if err != nil {
		w.t.Fatal(err)
	}
	return parts
}

func (w *world) sendAlone(b authority.Batch, i int) (authority.Answer, error) {
	w.t.Helper()
	p := w.prepare(b)
	return w.driver.Send(w.t.Context(), material().good, alone(b, i), w.split(b, p)[i], w.record)
}

var signedDocument = regexp.MustCompile(`(?s)<CFE[ >].*?</CFE>`)

func TestADocumentGoesAloneAsItWasSigned(t *testing.T) {
	w, b := newWorld(t), batch(t, "EFA", 1, 3)
	p := w.prepare(b)
	documents := signedDocument.FindAll(p.Content, -1)
	parts, again := w.split(b, p), w.split(b, p)
	for i, part := range parts {
		if found := signedDocument.FindAll(part.Content, -1); len(found) != 1 || !bytes.Equal(found[0], documents[i]) {
			t.Errorf("document %d is not the signed one: %s", i, part.Content)
		}
		if !bytes.Equal(part.Content, again[i].Content) || part.SHA256 != authority.Prepare(part.Content).SHA256 {
			t.Errorf("document %d is split into %s and %s", i, part.SHA256, again[i].SHA256)
		}
		// The cover is that of an envelope that was written with this document alone, but for its number.
		written := w.prepare(alone(b, i)).Content
		idemisor := regexp.MustCompile(`<Idemisor>[0-9]+</Idemisor>`)
		if got, want := idemisor.ReplaceAllString(string(part.Content), ""),
			idemisor.ReplaceAllString(string(written), ""); got != want {
			t.Errorf("document %d goes in\n%s\nwant\n%s", i, got, want)
		}
		if id := "<Idemisor>625000000" + string(rune('1'+i)) + "</Idemisor>"; !strings.Contains(string(part.Content), id) {
			t.Errorf("document %d is not in the envelope %s", i, id)
		}
	}
}

func TestWhatIsNoEnvelopeIsNotSplit(t *testing.T) {
	w, b := newWorld(t), batch(t, "EFA", 1, 2)
	p := w.prepare(b)
	for name, c := range map[string]struct {
		b authority.Batch
		p authority.Prepared
	}{
		"documents that are reported daily": {b, authority.Prepare(bytes.Join(signedDocument.FindAll(p.Content, -1), nil))},
		"an envelope of other documents":    {batch(t, "EFA", 5, 2), p},
		"an envelope of fewer documents":    {batch(t, "EFA", 1, 3), p},
		"nothing":                           {b, authority.Prepared{}},
	} {
		if parts, err := w.driver.Split(c.b, c.p); err == nil {
			t.Errorf("%s: %d parts", name, len(parts))
		}
	}
}

// Each envelope has its receipt: tokens of several are kept at once, across restarts, and
// each document is asked for with its own.
func TestEachDocumentThatWentAloneHasItsReceipt(t *testing.T) {
	w, b := newWorld(t), batch(t, "EFA", 1, 3)
	w.on(sobre, ackSobre("BS", "", "S04"))
	_, err := w.send(b)
	is(t, err, authority.ErrRefused)
	if !strings.Contains(err.Error(), "none of the 3 documents") {
		t.Errorf("%q does not say what becomes of the documents", err)
	}
	w.mu.Lock()
	w.answers[sobre] = nil
	w.mu.Unlock()
	w.on(sobre, ackSobre("AS", "2026-11-27T12:00:30-03:00"))
	w.on(sobre, ackSobre("BS", "", "S04"))
	w.on(sobre, ackSobre("AS", "2026-11-27T12:00:30-03:00"))
	for i, want := range []error{authority.ErrPending, authority.ErrRefused, authority.ErrPending} {
		_, err := w.sendAlone(b, i)
		is(t, err, want)
		if want == authority.ErrRefused && !strings.Contains(err.Error(), "issue the invoice again") {
			t.Errorf("%q does not say what to do", err)
		}
	}
	w.start(dgi.Options{})
	w.now.Add(30)
	verdict := func(n int, state string) {
		w.mu.Lock()
		w.answers[envio] = nil
		w.mu.Unlock()
		w.on(envio, xmlData(`<ACKCFE><Caratula><IDEmisor>625000000`+string(rune('0'+n))+
			`</IDEmisor><IDReceptor>129</IDReceptor></Caratula>`+
			strings.Replace(det(n, state), "<Nro_ordinal>"+string(rune('0'+n)), "<Nro_ordinal>1", 1)+`</ACKCFE>`))
	}
	w.on(estado, consulta("", "", "", false))
	for i, want := range []authority.Found{{Exists: true, Same: true}, {}, {Exists: true, Same: true, Rejected: true}} {
		verdict(i+1, map[bool]string{true: "BE", false: "AE"}[want.Rejected])
		if f := w.found(b, i); f.Exists != want.Exists || f.Same != want.Same || f.Pending || f.Rejected != want.Rejected {
			t.Errorf("document %d: %+v", i, f)
		}
	}
	if got, want := w.calls(), strings.Join([]string{sobre, sobre, sobre, sobre, envio, estado, envio}, " "); got != want {
		t.Errorf("called %s, want %s", got, want)
	}
}

func TestALostReplyToADocumentThatWentAlone(t *testing.T) {
	const envelope = "6250000001"
	for _, c := range []struct {
		name   string
		forget bool // the receipt of what went alone
		number string
		want   authority.Found
	}{
		{"it did not arrive", false, "", authority.Found{}},
		{"it arrived", false, envelope, authority.Found{Exists: true, Same: true}},
		{"it arrived, and the receipt is lost: it goes out again, and is known again", true, envelope, authority.Found{}},
		{"another system has the number", false, "17", authority.Found{Exists: true}},
	} {
		t.Run(c.name, func(t *testing.T) {
			w, b := newWorld(t), batch(t, "EFA", 1, 2)
			w.on(sobre, ackSobre("BS", "", "S04"))
			_, err := w.send(b)
			is(t, err, authority.ErrRefused)
			before, err := w.vault.Open(t.Context(), "sent-dgi-testing-company-111")
			if err != nil {
				t.Fatal(err)
			}
			w.mu.Lock()
			w.answers[sobre] = nil
			w.mu.Unlock()
			w.on(sobre, hangUp)
			_, err = w.sendAlone(b, 0)
			is(t, err, nil)
			if c.forget {
				if err := w.vault.Seal(t.Context(), "sent-dgi-testing-company-111", before); err != nil {
					t.Fatal(err)
				}
			}
			w.start(dgi.Options{})
			w.on(estado, consulta(map[bool]string{true: "AE"}[c.number != ""], c.number, c.number, false))
			f := w.found(b, 0)
			if f.Pending { // the answer about the number is taken in, and told with the next question
				f = w.found(b, 0)
			}
			if f.Exists != c.want.Exists || f.Same != c.want.Same {
				t.Errorf("%+v, want %+v", f, c.want)
			}
		})
	}
}

// What DGI has already is not sent as something new: its documents are asked for.
func TestARepetitionOfADocumentThatWentAlone(t *testing.T) {
	w, b := newWorld(t), batch(t, "EFA", 1, 2)
	w.on(sobre, respuesta("108"))
	w.on(estado, consulta("AE", "6250000002", "130", false))
	a, err := w.sendAlone(b, 1)
	if err != nil || len(a.Outcomes) != 1 || a.Outcomes[0].Result != events.Accepted || a.Outcomes[0].Number != 2 {
		t.Fatalf("%+v, %v", a, err)
	}
}
