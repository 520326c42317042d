package arca

import (
	"context"
	"crypto/x509"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"folio/authority/wire"
)

// wsaa counts logins and gives numbered tickets of twelve hours.
type wsaa struct {
	mu     sync.Mutex
	at     time.Time
	logins atomic.Int64
	err    error
	vault  map[string][]byte
}

func newWSAA() *wsaa {
	return &wsaa{at: time.Date(2026, 12, 15, 15, 0, 0, 0, time.UTC), vault: map[string][]byte{}}
}

func (d *wsaa) now() time.Time { d.mu.Lock(); defer d.mu.Unlock(); return d.at }

func (d *wsaa) advance(by time.Duration) { d.mu.Lock(); defer d.mu.Unlock(); d.at = d.at.Add(by) }

func (d *wsaa) login(context.Context, Credential, string) (Ticket, error) {
	n := d.logins.Add(1)
	if d.err != nil {
		return Ticket{}, d.err
	}
	return Ticket{Token: fmt.Sprintf("secret-token-%d", n), Sign: "secret-sign", Expires: d.now().Add(12 * time.Hour)}, nil
}

func (d *wsaa) Open(_ context.Context, ref string) ([]byte, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.vault[ref], nil
}

func (d *wsaa) Seal(_ context.Context, ref string, blob []byte) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.vault[ref] = blob
	return nil
}

// cache is the client's, with logins at this wsaa.
type cache struct {
	*wire.Tickets
	wsaa *wsaa
}

func (d *wsaa) tickets() cache { return cache{newTickets(d, d.now, nil), d} }

func (c cache) login(cred Credential, service string) wire.Login {
	l := New(Options{Endpoints: Homologation}).login(cred, service)
	l.Do = func(ctx context.Context) (Ticket, error) {
		t, err := c.wsaa.login(ctx, cred, service)
		if err != nil {
			return t, err
		}
		return fresh(t, c.wsaa.now())
	}
	return l
}

func (c cache) Get(ctx context.Context, cred Credential, service string) (Ticket, error) {
	return c.Tickets.Get(ctx, c.login(cred, service))
}

func (c cache) Renew(ctx context.Context, cred Credential, service string, refused Ticket,
	partial bool) (Ticket, error) {
	return c.Tickets.Renew(ctx, c.login(cred, service), refused, partial)
}

var someone = Credential{Certificate: &x509.Certificate{Raw: []byte("x")}}

func TestManyWhoAskAtOnceCauseOneLogin(t *testing.T) {
	d := newWSAA()
	ts := d.tickets()
	var all sync.WaitGroup
	for range 16 {
		all.Go(func() {
			if _, err := ts.Get(context.Background(), someone, "wsfe"); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if n := d.logins.Load(); n != 1 {
		t.Errorf("%d logins", n)
	}
	if _, err := ts.Get(t.Context(), someone, "wsfex"); err != nil || d.logins.Load() != 2 {
		t.Error("another service needs its own ticket")
	}
}

func TestTicketsAreReplacedBeforeTheyEnd(t *testing.T) {
	d := newWSAA()
	ts := d.tickets()
	first, _ := ts.Get(t.Context(), someone, "wsfe")
	d.advance(12*time.Hour - refreshBefore - time.Second)
	if got, _ := ts.Get(t.Context(), someone, "wsfe"); got.Token != first.Token {
		t.Error("replaced too early")
	}
	d.advance(2 * time.Second)
	d.err = &LoginFault{Code: "wsaa.unavailable"}
	if got, err := ts.Get(t.Context(), someone, "wsfe"); err != nil || got.Token != first.Token {
		t.Errorf("the old one still holds: %v, %v", got, err)
	}
	d.err = nil
	d.advance(faultHold)
	if got, _ := ts.Get(t.Context(), someone, "wsfe"); got.Token == first.Token {
		t.Error("not replaced")
	}
}

func TestTicketsOutliveARestartAndDamageIsForgiven(t *testing.T) {
	d := newWSAA()
	first, _ := d.tickets().Get(t.Context(), someone, "wsfe")
	if got, err := d.tickets().Get(t.Context(), someone, "wsfe"); err != nil || got.Token != first.Token ||
		d.logins.Load() != 1 {
		t.Fatalf("%v, %v, %d logins", got, err, d.logins.Load())
	}
	for ref, blob := range d.vault {
		d.vault[ref] = blob[:len(blob)/2]
	}
	if got, err := d.tickets().Get(t.Context(), someone, "wsfe"); err != nil || got.Token == first.Token {
		t.Errorf("%v, %v", got, err)
	}
}

func TestARefusalOfWSAAIsNotAskedForAgainWithinAMinute(t *testing.T) {
	d := newWSAA()
	d.err = &LoginFault{Code: "coe.alreadyAuthenticated", Text: "El CEE ya posee un TA valido"}
	ts := d.tickets()
	for range 5 {
		if _, err := ts.Get(t.Context(), someone, "wsfe"); !errors.Is(err, ErrAlreadyAuthenticated) {
			t.Fatal(err)
		}
	}
	if n := d.logins.Load(); n != 1 {
		t.Errorf("%d logins", n)
	}
	insisting := someone
	insisting.AskAgain = true
	for range 3 {
		_, _ = ts.Get(t.Context(), insisting, "wsfe")
	}
	if n := d.logins.Load(); n != 1 {
		t.Errorf("%d logins, insisting within five seconds causes none", n)
	}
	d.advance(askedHold)
	for range 3 {
		_, _ = ts.Get(t.Context(), insisting, "wsfe")
		_, _ = ts.Get(t.Context(), someone, "wsfe")
	}
	if n := d.logins.Load(); n != 2 {
		t.Errorf("%d logins, insisting causes one after five seconds", n)
	}
	d.advance(faultHold)
	d.err = nil
	if _, err := ts.Get(t.Context(), someone, "wsfe"); err != nil {
		t.Error(err)
	}
	d = newWSAA()
	d.err = &NotSent{"loginCms", errors.New("dial")}
	ts = d.tickets()
	_, _ = ts.Get(t.Context(), someone, "wsfe")
	_, _ = ts.Get(t.Context(), someone, "wsfe")
	if d.logins.Load() != 2 {
		t.Error("a line that is down is tried each time")
	}
}

func TestARefusedTicketIsReplacedOnceForAll(t *testing.T) {
	d := newWSAA()
	ts := d.tickets()
	old, _ := ts.Get(t.Context(), someone, "wsfe")
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			if got, err := ts.Renew(context.Background(), someone, "wsfe", old, false); err != nil || got.Token == old.Token {
				t.Errorf("%v %v", got, err)
			}
		})
	}
	all.Wait()
	if n := d.logins.Load(); n != 2 {
		t.Errorf("%d logins", n)
	}
}

func TestATicketThatLacksOneTaxpayerStaysForTheOthers(t *testing.T) {
	d := newWSAA()
	ts := d.tickets()
	old, _ := ts.Get(t.Context(), someone, "wsfe")
	d.err = &LoginFault{Code: "coe.alreadyAuthenticated"}
	if _, err := ts.Renew(t.Context(), someone, "wsfe", old, true); !errors.Is(err, ErrAlreadyAuthenticated) {
		t.Error(err)
	}
	if got, err := ts.Get(t.Context(), someone, "wsfe"); err != nil || got.Token != old.Token {
		t.Errorf("%v, %v", got, err)
	}
	if _, err := ts.Renew(t.Context(), someone, "wsfe", old, true); !errors.Is(err, wire.ErrRenewed) ||
		d.logins.Load() != 2 {
		t.Errorf("%v after %d logins", err, d.logins.Load())
	}
}

func TestWaitingForALoginEndsWithTheContext(t *testing.T) {
	d := newWSAA()
	ts := d.tickets()
	within, done := make(chan struct{}), make(chan struct{})
	defer close(done)
	slow := ts.login(someone, "wsfe")
	slow.Do = func(context.Context) (Ticket, error) {
		close(within)
		<-done
		return Ticket{}, errors.New("too late")
	}
	go func() { _, _ = ts.Tickets.Get(context.Background(), slow) }()
	<-within
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := ts.Get(ctx, someone, "wsfe"); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

func TestTicketsNeverShowTheirSecrets(t *testing.T) {
	ticket := Ticket{Token: "secret-token", Sign: "secret-sign", Expires: time.Unix(0, 0)}
	for _, form := range []string{"%v", "%+v", "%#v", "%s"} {
		if got := fmt.Sprintf(form, ticket); strings.Contains(got, "secret") {
			t.Errorf("%s: %s", form, got)
		}
		if got := fmt.Sprintf(form, &ticket); strings.Contains(got, "secret") {
			t.Errorf("pointer, %s: %s", form, got)
		}
	}
	if got := fmt.Sprintf("%v %+v", struct{ T Ticket }{ticket}, []Ticket{ticket}); strings.Contains(got, "secret") {
		t.Error(got)
	}
}
