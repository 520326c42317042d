package arca

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"folio/authority/wire"
)

// TicketVault keeps tickets sealed across restarts. Whatever Open cannot give means to
// log in.
type TicketVault = wire.Vault

const (
	// refreshBefore is how long before its end a ticket is replaced.
	refreshBefore = 12 * time.Minute
	// faultHold is how long a refusal of WSAA is repeated without asking again: its
	// specification wants at least 60 s between tries.
	faultHold = 60 * time.Second
	// askedHold is the same where a person asked for the login: impatience must not
	// become a login a second.
	askedHold = 5 * time.Second
	// renewHold is how long a ticket that lacks a taxpayer is not replaced again: the
	// guard window of WSAA in homologation.
	renewHold = 10 * time.Minute
)

// LoginFunc logs in once, see Login.
type LoginFunc func(ctx context.Context, cred Credential, service string) (Ticket, error)

// Tickets caches one ticket for each certificate and service of one environment. It
// logs in once however many ask at the same time.
type Tickets struct {
	environment string
	login       LoginFunc
	vault       TicketVault
	now         func() time.Time
	log         *slog.Logger

	mu      sync.Mutex
	entries map[string]*entry
}

// entry is guarded by its gate, which a waiting caller can leave when its context ends.
type entry struct {
	gate    chan struct{}
	ticket  Ticket
	opened  bool
	fault   error
	faultAt time.Time
	renewed time.Time
}

// NewTickets makes a cache. vault may be nil: then tickets live as long as the process.
func NewTickets(environment string, login LoginFunc, vault TicketVault, now func() time.Time, log *slog.Logger) *Tickets {
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	return &Tickets{environment: environment, login: login, vault: vault, now: now, log: log, entries: map[string]*entry{}}
}

// Get is a ticket that is good for some minutes more, from the cache, from the vault
// or from a login. When a new one can't be had but the old one still holds, it is the
// old one. A refusal of WSAA is kept for a minute and returned to all who ask; one
// who insists (Credential.AskAgain) gets another login after five seconds.
func (ts *Tickets) Get(ctx context.Context, cred Credential, service string) (Ticket, error) {
	ref := ts.ref(cred, service)
	e, err := ts.enter(ctx, ref)
	if err != nil {
		return Ticket{}, err
	}
	defer e.leave()
	ts.unseal(ctx, ref, e)
	now := ts.now()
	if e.ticket.valid(now.Add(refreshBefore)) {
		return e.ticket, nil
	}
	t, err := ts.obtain(ctx, ref, e, cred, service)
	if err != nil && e.ticket.valid(now) {
		return e.ticket, nil
	}
	return t, err
}

// Renew replaces a ticket that a service refused. When another caller has replaced it
// meanwhile, theirs is returned. A ticket that merely lacks a taxpayer (unrepresented)
// stays in use for the others if no new one can be had, and is replaced at most every
// ten minutes; any other is forgotten at once, in the vault too.
func (ts *Tickets) Renew(ctx context.Context, cred Credential, service string, refused Ticket, unrepresented bool) (Ticket, error) {
	ref := ts.ref(cred, service)
	e, err := ts.enter(ctx, ref)
	if err != nil {
		return Ticket{}, err
	}
	defer e.leave()
	now := ts.now()
	if e.ticket.Token != refused.Token && e.ticket.valid(now) {
		return e.ticket, nil
	}
	if unrepresented {
		if recent(e.renewed, now, renewHold) {
			return Ticket{}, errRecentlyRenewed
		}
	} else {
		e.ticket = Ticket{}
		ts.seal(ctx, ref, e.ticket)
	}
	t, err := ts.obtain(ctx, ref, e, cred, service)
	if err == nil || errors.Is(err, ErrAlreadyAuthenticated) {
		e.renewed = now
	}
	return t, err
}

// recent says whether at lies less than d before now. A clock that was put back makes
// nothing recent: it may have been the fault.
func recent(at, now time.Time, d time.Duration) bool {
	passed := now.Sub(at)
	return passed >= 0 && passed < d
}

var errRecentlyRenewed = errors.New("the ticket was replaced minutes ago and still lacks the taxpayer")

// obtain logs in unless a refusal is still fresh, and keeps what comes of it.
func (ts *Tickets) obtain(ctx context.Context, ref string, e *entry, cred Credential, service string) (Ticket, error) {
	hold := faultHold
	if cred.AskAgain {
		hold = askedHold
	}
	if e.fault != nil && recent(e.faultAt, ts.now(), hold) {
		return Ticket{}, &held{e.faultAt.Add(hold), e.fault}
	}
	t, err := ts.login(ctx, cred, service)
	var fault *LoginFault
	if errors.As(err, &fault) {
		e.fault, e.faultAt = err, ts.now()
	}
	if err != nil {
		return Ticket{}, err
	}
	if !t.valid(ts.now()) {
		// A clock that runs ahead: the next login would be refused by the guard window.
		e.fault, e.faultAt = fmt.Errorf("%w: the authority's fresh ticket ended at %s", ErrClock, t.Expires.UTC().Format(time.RFC3339)), ts.now()
		return Ticket{}, e.fault
	}
	e.ticket, e.fault, e.opened = t, nil, true
	ts.seal(ctx, ref, t)
	return t, nil
}

func (ts *Tickets) ref(cred Credential, service string) string {
	return "ticket-" + ts.environment + "-" + service + "-" + cred.Fingerprint()
}

func (ts *Tickets) enter(ctx context.Context, ref string) (*entry, error) {
	ts.mu.Lock()
	e := ts.entries[ref]
	if e == nil {
		e = &entry{gate: make(chan struct{}, 1)}
		ts.entries[ref] = e
	}
	ts.mu.Unlock()
	select {
	case e.gate <- struct{}{}:
		return e, nil
	case <-ctx.Done():
		return nil, &NotSent{"loginCms", fmt.Errorf("wait for another login: %w", ctx.Err())}
	}
}

func (e *entry) leave() { <-e.gate }

// sealed is what the vault holds.
type sealed struct {
	Ref       string    `json:"ref"`
	Token     string    `json:"token"`
	Sign      string    `json:"sign"`
	Generated time.Time `json:"generated"`
	Expires   time.Time `json:"expires"`
}

// unseal looks into the vault once. Whatever is wrong with what it holds, the answer
// is to log in again.
func (ts *Tickets) unseal(ctx context.Context, ref string, e *entry) {
	if e.opened || ts.vault == nil {
		return
	}
	e.opened = true
	blob, err := ts.vault.Open(ctx, ref)
	if err != nil || len(blob) == 0 {
		return
	}
	var s sealed
	if json.Unmarshal(blob, &s) != nil || s.Ref != ref {
		ts.log.Warn("stored ticket is damaged, logging in again", "ref", ref)
		return
	}
	e.ticket = Ticket{Token: s.Token, Sign: s.Sign, Generated: s.Generated, Expires: s.Expires}
}

// seal keeps t. Failing to only costs a login after the next start, so it is reported
// and not returned.
func (ts *Tickets) seal(ctx context.Context, ref string, t Ticket) {
	if ts.vault == nil {
		return
	}
	blob, err := json.Marshal(sealed{Ref: ref, Token: t.Token, Sign: t.Sign, Generated: t.Generated, Expires: t.Expires})
	if err == nil {
		err = ts.vault.Seal(ctx, ref, blob)
	}
	if err != nil {
		ts.log.Warn("ticket not kept", "ref", ref, "error", err)
	}
}

// held is a refusal of WSAA that is repeated without asking: asking before Until is
// useless.
type held struct {
	Until time.Time
	Cause error
}

func (h *held) Error() string { return h.Cause.Error() }

func (h *held) Unwrap() error { return h.Cause }
