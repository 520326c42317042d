package arca_test

import (
	"context"
	"errors"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"folio/authority"
	"folio/authority/arca"
	"folio/authority/wire"
	"folio/events"
	arcasandbox "folio/sandbox/arca"
)

// memory is a vault of tickets.
type memory struct {
	mu    sync.Mutex
	blobs map[string][]byte
}

func (m *memory) Open(_ context.Context, ref string) ([]byte, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.blobs[ref], nil
}

func (m *memory) Seal(_ context.Context, ref string, blob []byte) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.blobs[ref] = blob
	return nil
}

// twoClocks is a sandbox and drivers whose clocks may disagree.
type twoClocks struct {
	server *arcasandbox.Server
	url    string
	mu     sync.Mutex
	at     time.Time
	skew   time.Duration // of the drivers
}

func newTwoClocks(t *testing.T) *twoClocks {
	t.Helper()
	w := &twoClocks{at: noon}
	var err error
	if w.server, err = arcasandbox.Open(t.Context(),
		arcasandbox.Options{Dir: t.TempDir(), CA: material(), Now: w.now}); err != nil {
		t.Fatal(err)
	}
	web := httptest.NewServer(w.server)
	w.url = web.URL
	t.Cleanup(func() {
		web.Close()
		if err := w.server.Close(); err != nil {
			t.Error(err)
		}
	})
	return w
}

func (w *twoClocks) now() time.Time {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.at
}

func (w *twoClocks) advance(d time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.at = w.at.Add(d)
}

// process is a driver as one process has it.
func (w *twoClocks) process(vault wire.Vault) *arca.Driver {
	return arca.NewDriver(map[authority.Environment]*arca.Client{authority.Testing: arca.New(arca.Options{
		Endpoints: arca.EndpointsAt("testing", w.url+"/testing"), HTTP: arca.NewHTTPClient(5 * time.Second), Vault: vault,
		Now: func() time.Time { return w.now().Add(w.skew) }})})
}

var anySeries = authority.Series{Environment: authority.Testing, OfficialCode: 1, BranchOffice: 1}

func (w *twoClocks) last(t *testing.T, d *arca.Driver) error {
	t.Helper()
	_, err := d.Last(t.Context(), holder(), anySeries, nil)
	return err
}

func (w *twoClocks) logins() int {
	n := 0
	for _, c := range w.server.Calls() {
		if c.Operation == "loginCms" {
			n++
		}
	}
	return n
}

// waits wants an error that is tried again, with the code of the authority and words
// that say what to do.
func waits(t *testing.T, err error, code, words string) {
	t.Helper()
	var m *authority.Message
	if !errors.Is(err, authority.ErrNotSent) || errors.Is(err, authority.ErrCredential) || !errors.As(err, &m) ||
		m.Code != code || !strings.Contains(m.Text, words) {
		t.Errorf("%v, want %s with %q", err, code, words)
	}
}

func TestATicketThatEndedIsReplaced(t *testing.T) {
	w := newTwoClocks(t)
	d := w.process(&memory{blobs: map[string][]byte{}})
	for range 3 {
		if err := w.last(t, d); err != nil {
			t.Fatal(err)
		}
		w.advance(7 * time.Hour)
	}
	if n := w.logins(); n != 2 {
		t.Errorf("%d logins within 14 hours, want 2", n)
	}
}

func TestATicketThatEndedForTheAuthorityOnly(t *testing.T) {
	w := newTwoClocks(t)
	w.skew = -9 * time.Minute // ours is slow: the ticket looks good and is not
	d := w.process(nil)
	if err := w.last(t, d); err != nil {
		t.Fatal(err)
	}
	w.advance(11*time.Hour + 55*time.Minute)
	w.advance(6 * time.Minute)
	if err := w.last(t, d); err != nil || w.logins() != 2 {
		t.Errorf("%v after %d logins", err, w.logins())
	}
}

func TestARevokedTicketIsReplacedUnlessTheGuardForbidsIt(t *testing.T) {
	w := newTwoClocks(t)
	w.server.SetKnobs(arcasandbox.Knobs{Profile: arcasandbox.ARCAs})
	d := w.process(&memory{blobs: map[string][]byte{}})
	in := batch(1, document(t, "FCA", nil))
	p, err := d.Prepare(t.Context(), holder(), in)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.last(t, d); err != nil {
		t.Fatal(err)
	}
	w.server.AddFaults(arcasandbox.Fault{Operation: "FECAESolicitar", Effect: arcasandbox.Error, Code: "600", Times: 1})
	_, err = d.Send(t.Context(), holder(), in, p, nil)
	waits(t, err, "coe.alreadyAuthenticated", "tried again by itself")
	w.advance(5 * time.Minute)
	waits(t, w.last(t, d), "coe.alreadyAuthenticated", "ten minutes")
	w.advance(5 * time.Minute)
	a, err := d.Send(t.Context(), holder(), in, p, nil)
	if err != nil || a.Outcomes[0].Result != events.Accepted {
		t.Errorf("%+v, %v", a, err)
	}
}

func TestAnotherLoginHoldsTheTicket(t *testing.T) {
	w := newTwoClocks(t)
	w.server.SetKnobs(arcasandbox.Knobs{Profile: arcasandbox.ARCAs})
	shared := &memory{blobs: map[string][]byte{}}
	one, two, stranger := w.process(shared), w.process(shared), w.process(&memory{blobs: map[string][]byte{}})
	if err := w.last(t, one); err != nil {
		t.Fatal(err)
	}
	if err := w.last(t, two); err != nil || w.logins() != 1 {
		t.Errorf("a process on the same vault uses the same ticket: %v, %d logins", err, w.logins())
	}
	for range 3 { // asks WSAA once a minute at most
		waits(t, w.last(t, stranger), "coe.alreadyAuthenticated", "another login")
	}
	if n := w.logins(); n != 2 {
		t.Errorf("%d logins", n)
	}
	w.advance(10 * time.Minute)
	if err := w.last(t, stranger); err != nil {
		t.Error(err)
	}
	if err := w.last(t, one); err != nil {
		t.Errorf("the older ticket still holds: %v", err)
	}
}

func TestACorruptTicketIsForgotten(t *testing.T) {
	w := newTwoClocks(t)
	vault := &memory{blobs: map[string][]byte{}}
	if err := w.last(t, w.process(vault)); err != nil {
		t.Fatal(err)
	}
	for name, damage := range map[string]func([]byte) []byte{
		"cut off": func(b []byte) []byte { return b[:len(b)/2] },
		"empty":   func([]byte) []byte { return nil },
		"somebody else's": func(b []byte) []byte {
			return []byte(strings.Replace(string(b), "ticket-testing", "ticket-production", 1))
		},
		"without a token": func(b []byte) []byte {
			return []byte(strings.Replace(string(b), `"token":"`, `"token":"","was":"`, 1))
		},
		"with another token": func(b []byte) []byte {
			return []byte(strings.Replace(string(b), `"token":"`, `"token":"x`, 1))
		},
	} {
		for ref, blob := range vault.blobs {
			vault.blobs[ref] = damage(blob)
		}
		before := w.logins()
		if err := w.last(t, w.process(vault)); err != nil || w.logins() != before+1 {
			t.Errorf("%s: %v after %d logins more", name, err, w.logins()-before)
		}
	}
}

func TestClocksThatDisagree(t *testing.T) {
	w := newTwoClocks(t)
	for _, c := range []struct {
		skew time.Duration
		code string // empty: all is well
	}{
		{-9 * time.Minute, ""}, {9 * time.Minute, ""},
		{11 * time.Minute, "xml.generationTime.invalid"}, {-11 * time.Minute, "xml.expirationTime.expired"},
		{48 * time.Hour, "xml.generationTime.invalid"},
	} {
		w.skew = c.skew
		d := w.process(nil)
		err := w.last(t, d)
		if c.code == "" {
			if err != nil {
				t.Errorf("%s off: %v", c.skew, err)
			}
			continue
		}
		waits(t, err, c.code, "check this machine's clock")
		w.skew = 0
		w.advance(2 * time.Minute)
		if err := w.last(t, d); err != nil {
			t.Errorf("once the clock was put right: %v", err)
		}
	}
	fault := &arca.LoginFault{Code: "xml.generationTime.invalid"}
	if !errors.Is(fault, arca.ErrClock) || errors.Is(&arca.LoginFault{Code: "xml.bad"}, arca.ErrClock) {
		t.Error("the error has its type")
	}
}
