package sii_test

import (
	"bytes"
	"errors"
	"regexp"
	"testing"
	"time"

	"folio/authority"
	"folio/events"
	"folio/sandbox/desk"
	siisandbox "folio/sandbox/sii"
)

// A track id that was lost is found again by the document's signature (getEstDteAv), and
// nothing is sent twice.
func TestALostTrackIDIsAskedForByDocument(t *testing.T) {
	w := newWorld(t)
	w.server.SetKnobs(siisandbox.Knobs{VerdictAfter: desk.Duration(time.Minute)})
	w.next("DTEUpload", siisandbox.Fault{Effect: desk.Lose})
	b := w.batch("FAC", 0, 1)
	p := w.prepare(b)
	if _, err := w.send(b, p); err == nil {
		t.Fatal("no error")
	}
	if f := w.find(b); !f.Exists || !f.Pending {
		t.Errorf("it is under way: %+v", f)
	}
	w.now.Add(120)
	f := w.find(b)
	if !f.Exists || f.Pending || f.Rejected || f.Authorization.Code == "" {
		t.Errorf("%+v", f)
	}
	if n := w.sent("DTEUpload"); n != 1 {
		t.Errorf("sent %d times", n)
	}
}

// The signed document of an envelope that was refused as a whole, and whose answer was lost,
// goes out in a new one, byte for byte. What came in after all is accepted once.
func TestANewEnvelope(t *testing.T) {
	for kind, operation := range map[string]string{"FAC": "DTEUpload", "BOL": "boleta.electronica.envio"} {
		for name, first := range map[string]*siisandbox.Fault{"the first was refused": {Effect: siisandbox.Cover},
			"the first was taken": nil} {
			t.Run(kind+", "+name, func(t *testing.T) {
				w := newWorld(t)
				if first != nil {
					w.next(operation, *first)
				}
				b := w.batch(kind, 0, 1)
				p := w.prepare(b)
				if _, err := w.send(b, p); err != nil {
					t.Fatal(err)
				}
				w.now.Add(60)
				renewed, err := w.driver.Renew(material().good, b, p, 1)
				if err != nil || renewed.SHA256 == p.SHA256 || !bytes.Equal(dteOf(renewed.Content), dteOf(p.Content)) {
					t.Fatalf("%v: the document is another one, or the envelope is not", err)
				}
				b.Documents[0].Envelope = renewed.SHA256
				if f := w.find(b); f.Exists != (first == nil) || f.Rejected {
					t.Errorf("before it is sent: %+v", f)
				}
				a, err := w.send(b, renewed)
				if err != nil || a.Outcomes[0].Result != events.Accepted {
					t.Errorf("%+v, %v", a, err)
				}
			})
		}
	}
}

// What is under way in the first envelope is refused as repeated in the second, and is not
// rejected for that: the first one decides.
func TestANewEnvelopeOfWhatIsUnderWay(t *testing.T) {
	for kind, operation := range map[string]string{"FAC": "DTEUpload", "BOL": "boleta.electronica.envio"} {
		w := newWorld(t)
		w.next(operation, siisandbox.Fault{Effect: siisandbox.Stick})
		b := w.batch(kind, 0, 1)
		p := w.prepare(b)
		if _, err := w.send(b, p); !errors.Is(err, authority.ErrPending) {
			t.Fatalf("%s: %v", kind, err)
		}
		renewed, err := w.driver.Renew(material().good, b, p, 1)
		if err != nil {
			t.Fatal(err)
		}
		b.Documents[0].Envelope = renewed.SHA256
		if _, err := w.send(b, renewed); !errors.Is(err, authority.ErrPending) {
			t.Errorf("%s: %v", kind, err)
		}
		if f := w.find(b); !f.Exists || !f.Pending || f.Rejected {
			t.Errorf("%s: while the first is under way: %+v", kind, f)
		}
		if err := w.server.Release(t.Context(), ""); err != nil {
			t.Fatal(err)
		}
		if f := w.find(b); !f.Exists || f.Pending || f.Rejected || !f.Same {
			t.Errorf("%s: once it is decided: %+v", kind, f)
		}
	}
}

func dteOf(content []byte) []byte { return regexp.MustCompile(`(?s)<DTE xmlns=.*</DTE>`).Find(content) }
