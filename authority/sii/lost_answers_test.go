package sii_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"folio/authority"
	"folio/country/cl"
	"folio/events"
	"folio/sandbox/desk"
	siisandbox "folio/sandbox/sii"
)

func TestALostAnswer(t *testing.T) {
	for _, kind := range []string{"FAC", "BOL"} {
		for _, known := range []bool{false, true} {
			w := newWorld(t)
			operation := map[string]string{"FAC": "DTEUpload", "BOL": "boleta.electronica.envio"}[kind]
			w.server.SetKnobs(siisandbox.Knobs{VerdictAfter: desk.Duration(time.Minute), Repeats99: known})
			w.next(operation, siisandbox.Fault{Effect: desk.Lose})
			w.next("getEstDteAv", siisandbox.Fault{Effect: desk.HTTP500}) // no news from there, see below
			b := w.batch(kind, 0, 1)
			p := w.prepare(b)
			if _, err := w.send(b, p); err == nil || errors.Is(err, authority.ErrNotSent) ||
				errors.Is(err, authority.ErrPending) {
				t.Fatalf("%s: %v", kind, err)
			}
			if f := w.find(b); f.Exists {
				t.Errorf("%s: SII does not show it yet: %+v", kind, f)
			}
			if _, err := w.send(b, p); !errors.Is(err, authority.ErrPending) {
				t.Errorf("%s: a repetition: %v", kind, err)
			}
			w.now.Add(120)
			f := w.find(b)
			if !f.Exists || !f.Same || f.Pending || f.Rejected || f.Authorization.Extra[cl.ExtraStamp] == "" {
				t.Errorf("%s: %+v", kind, f)
			}
		}
	}
}

func TestALostAnswerThatIsDecided(t *testing.T) {
	w := newWorld(t)
	w.next("DTEUpload", siisandbox.Fault{Effect: desk.Lose})
	b := w.batch("FAC", 0, 1)
	if _, err := w.send(b, w.prepare(b)); err == nil {
		t.Fatal("no error")
	}
	if f := w.find(b); !f.Exists || !f.Same || f.Authorization.Code != "" ||
		f.Authorization.Extra[cl.ExtraState] != "DOK" {
		t.Errorf("%+v", f)
	}
	other := w.batch("FAC", 9, 1)
	if f := w.find(other); !f.Exists || f.Same || f.Difference == "" {
		t.Errorf("another document under the folio: %+v", f)
	}
	_, err := w.send(other, w.prepare(other))
	if f := w.find(other); !errors.Is(err, authority.ErrPending) || f.Same {
		t.Errorf("%v, %+v", err, f)
	}
}

// SII calls the same bytes a repetition although it refused what came first: whether that
// was refused or is under way cannot be told any more without its track id.
func TestARefusedEnvelopeWhoseAnswerIsLost(t *testing.T) {
	for kind, operation := range map[string]string{"FAC": "DTEUpload", "BOL": "boleta.electronica.envio"} {
		w := newWorld(t)
		w.next(operation, siisandbox.Fault{Effect: siisandbox.Cover})
		b := w.batch(kind, 0, 1)
		p := w.prepare(b)
		if a, err := w.send(b, p); err != nil || a.Outcomes[0].Result != events.Rejected {
			t.Fatalf("%s: %+v, %v", kind, a, err)
		}
		w.vault.Forget() // the process died before it kept the track id
		if f := w.find(b); f.Exists {
			t.Errorf("%s: %+v", kind, f)
		}
		if _, err := w.send(b, p); !errors.Is(err, authority.ErrPending) {
			t.Errorf("%s: a repetition: %v", kind, err)
		}
		if f, err := w.driver.Find(t.Context(), material().good, b.Series, b.Documents[0], w.record); !errors.Is(err,
			authority.ErrHidden) || f.Exists {
			t.Errorf("%s: %+v, %v", kind, f, err)
		}
	}
}

// SII may deny an envelope that it received. The same bytes are sent again then, and what it
// says of the first ones is still asked for under their own track id.
func TestARefusedEnvelopeThatWasDeniedFirst(t *testing.T) {
	for kind, operations := range map[string][2]string{"FAC": {"DTEUpload", "getEstUp"},
		"BOL": {"boleta.electronica.envio", "boleta.electronica.envio.estado"}} {
		w := newWorld(t)
		w.next(operations[0], siisandbox.Fault{Effect: siisandbox.Cover})
		w.next(operations[1], siisandbox.Fault{Effect: desk.HTTP500})
		b := w.batch(kind, 0, 1)
		p := w.prepare(b)
		if _, err := w.send(b, p); !errors.Is(err, authority.ErrPending) {
			t.Fatalf("%s: %v", kind, err)
		}
		if _, err := w.send(b, p); err != nil && !errors.Is(err, authority.ErrPending) {
			t.Fatalf("%s: a repetition: %v", kind, err)
		}
		if f := w.find(b); !f.Rejected || len(f.Observations) == 0 || f.Observations[0].Code != "RCT" {
			t.Errorf("%s: %+v", kind, f)
		}
	}
}

// A company whose certificate lacks the right to send uploads another person's. What the
// first one signed names that person as its sender for good.
func TestACertificateOfAnotherPerson(t *testing.T) {
	for kind, operation := range map[string]string{"FAC": "DTEUpload", "BOL": "boleta.electronica.envio"} {
		w := newWorld(t)
		w.next(operation, siisandbox.Fault{Effect: siisandbox.Error, Code: "1"})
		b := w.batch(kind, 0, 1)
		p := w.prepare(b)
		if _, err := w.send(b, p); !errors.Is(err, authority.ErrCredential) {
			t.Errorf("%s: under its own certificate: %v", kind, err)
		}
		if _, err := w.driver.Send(t.Context(), material().successor, b, p, w.record); !errors.Is(err,
			authority.ErrCredential) {
			t.Errorf("%s: an earlier upload may be under way: %v", kind, err)
		}
		w.now.Add(25 * 60 * 60)
		if _, err := w.driver.Send(t.Context(), material().successor, b, p, w.record); !errors.Is(err,
			authority.ErrRefused) || !strings.Contains(err.Error(), successorRUT) {
			t.Errorf("%s: under another person's: %v", kind, err)
		}
		w.next(operation, siisandbox.Fault{Effect: siisandbox.Error, Code: "6"})
		if _, err := w.driver.Send(t.Context(), material().successor, b, p, w.record); !errors.Is(err,
			authority.ErrCredential) {
			t.Errorf("%s: a company that may not send: %v", kind, err)
		}
	}
}

func TestTokens(t *testing.T) {
	w := newWorld(t)
	b := w.batch("FAC", 0, 1)
	p := w.prepare(b)
	w.next("DTEUpload", siisandbox.Fault{Effect: siisandbox.Error, Code: "5"})
	w.next("getEstUp", siisandbox.Fault{Effect: siisandbox.Error, Code: "001"})
	if a, err := w.send(b, p); err != nil || a.Outcomes[0].Result != events.Accepted {
		t.Fatalf("%+v, %v", a, err)
	}
	logins := 0
	for _, c := range w.server.Calls() {
		if c.Operation == "getToken" {
			logins++
		}
	}
	if logins != 3 {
		t.Errorf("%d logins, want the first and one for each refusal", logins)
	}
	_, err := w.driver.Last(t.Context(), material().expired, b.Series, w.record)
	if !errors.Is(err, authority.ErrCredential) {
		t.Errorf("an expired certificate: %v", err)
	}
	for _, x := range w.heard {
		for ref, secret := range w.vault.Secrets() {
			if token, _, ok := strings.Cut(strings.TrimPrefix(string(secret), `{"token":"`), `"`); ok &&
				strings.HasPrefix(ref, "token-") && strings.Contains(fmt.Sprintf("%s%s%s", x.Request, x.Answer, x.Fault), token) {
				t.Errorf("the token is in the exchange %s", x.Operation)
			}
		}
	}
}

func TestOutOfReach(t *testing.T) {
	w := newWorld(t)
	b := w.batch("FAC", 0, 1)
	p := w.prepare(b)
	if _, err := w.driver.Last(t.Context(), material().good, b.Series, nil); err != nil {
		t.Fatal(err)
	}
	w.line.Cut.Store(true)
	if _, err := w.send(b, p); !errors.Is(err, authority.ErrNotSent) {
		t.Error(err)
	}
	if f, err := w.driver.Find(t.Context(), material().good, b.Series, b.Documents[0], nil); err == nil {
		t.Errorf("silence was taken for an answer: %+v", f)
	}
	if w.driver.Ping(t.Context(), authority.Testing) == nil {
		t.Error("nobody answered, and it is there")
	}
	w.line.Cut.Store(false)
	if err := w.driver.Ping(t.Context(), authority.Testing); err != nil {
		t.Error(err)
	}
}
