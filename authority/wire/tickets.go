package wire

import (
	"context"
	"crypto/sha256"
	"crypto/x509"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"folio/authority"
)

// Ticket is what an authority gives for a login. Token and Sign are secrets: whoever has
// them can act for the companies that the certificate represents. Where an authority gives
// one text, Sign is empty.
type Ticket struct {
	Token string `json:"-"`
	Sign  string `json:"-"`
	// Generated and Expires are instants of the authority's clock; Generated may be zero.
	Generated time.Time `json:"generated"`
	Expires   time.Time `json:"expires"`
}

// String tells when the ticket ends and nothing secret.
func (t Ticket) String() string {
	if t.Token == "" {
		return "no ticket"
	}
	return "ticket until " + t.Expires.UTC().Format(time.RFC3339)
}

// GoString is String.
func (t Ticket) GoString() string { return t.String() }

// LogValue is String.
func (t Ticket) LogValue() slog.Value { return slog.StringValue(t.String()) }

// Valid says whether the ticket can be used at now.
func (t Ticket) Valid(now time.Time) bool { return t.Token != "" && now.Before(t.Expires) }

// TicketOptions say how an authority's tickets are kept.
type TicketOptions struct {
	// Vault keeps them across restarts; nil keeps them as long as the process lives.
	Vault Vault
	Now   func() time.Time
	// Log hears of tickets that could not be kept; nil is silent.
	Log *slog.Logger
	// Early is how long before its end a ticket is replaced.
	Early time.Duration
	// Holds says which failure of a login is repeated to all who ask, without another login,
	// for Hold from then on, and for AskedHold to one who insists; nil: none.
	Holds           func(error) bool
	Hold, AskedHold time.Duration
	// RenewHold is how long a ticket that lacks a taxpayer is not replaced again, after one
	// that was, or a refusal which says that one was given moments ago (Given).
	RenewHold time.Duration
	Given     func(error) bool
}

// Tickets keeps one ticket for each login. It logs in once however many ask at the same
// time. It is safe for concurrent use.
type Tickets struct {
	o       TicketOptions
	mu      sync.Mutex
	entries map[string]*entry
}

// Login is one way to a ticket.
type Login struct {
	// Ref names the ticket in the vault: environment, service and certificate.
	Ref string
	// AskAgain says that a person asked for it now.
	AskAgain bool
	// Do logs in once.
	Do func(context.Context) (Ticket, error)
}

// entry is guarded by its door, which a waiting caller can leave when its context ends.
type entry struct {
	door    chan struct{}
	ticket  Ticket
	opened  bool
	fault   error
	faultAt time.Time
	renewed time.Time
}

// NewTickets makes an empty cache.
func NewTickets(o TicketOptions) *Tickets {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return &Tickets{o: o, entries: map[string]*entry{}}
}

// Held is a failure of a login that is repeated without asking: asking before Until is
// useless.
type Held struct {
	Until time.Time
	Cause error
}

func (h *Held) Error() string { return h.Cause.Error() }

func (h *Held) Unwrap() error { return h.Cause }

// ErrRenewed is the refusal to replace a ticket that was replaced a short while ago.
var ErrRenewed = errors.New("the ticket was replaced minutes ago and still lacks the taxpayer")

// Get is a ticket that is good for Early more, from the cache, from the vault or from a
// login. When a new one cannot be had but the old one still holds, it is the old one.
func (ts *Tickets) Get(ctx context.Context, l Login) (Ticket, error) {
	e, err := ts.enter(ctx, l.Ref)
	if err != nil {
		return Ticket{}, err
	}
	defer e.leave()
	ts.unseal(ctx, l.Ref, e)
	now := ts.o.Now()
	if e.ticket.Valid(now.Add(ts.o.Early)) {
		return e.ticket, nil
	}
	t, err := ts.obtain(ctx, e, l)
	if err != nil && e.ticket.Valid(now) {
		return e.ticket, nil
	}
	return t, err
}

// Renew replaces a ticket that a service refused. When another caller has replaced it
// meanwhile, theirs is returned. One that merely lacks a taxpayer (partial) stays in use for
// the others if no new one can be had, and is replaced at most once in RenewHold
// (ErrRenewed); any other is forgotten at once, in the vault too.
func (ts *Tickets) Renew(ctx context.Context, l Login, refused Ticket, partial bool) (Ticket, error) {
	e, err := ts.enter(ctx, l.Ref)
	if err != nil {
		return Ticket{}, err
	}
	defer e.leave()
	now := ts.o.Now()
	switch {
	case e.ticket.Token != refused.Token && e.ticket.Valid(now):
		return e.ticket, nil
	case !partial:
		e.ticket = Ticket{}
		ts.seal(ctx, l.Ref, e.ticket)
	case recent(e.renewed, now, ts.o.RenewHold):
		return Ticket{}, ErrRenewed
	}
	t, err := ts.obtain(ctx, e, l)
	if err == nil || ts.o.Given != nil && ts.o.Given(err) {
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

// obtain logs in unless a failure is held, and keeps what comes of it.
func (ts *Tickets) obtain(ctx context.Context, e *entry, l Login) (Ticket, error) {
	hold := ts.o.Hold
	if l.AskAgain {
		hold = ts.o.AskedHold
	}
	if e.fault != nil && recent(e.faultAt, ts.o.Now(), hold) {
		return Ticket{}, &Held{e.faultAt.Add(hold), e.fault}
	}
	t, err := l.Do(ctx)
	if err != nil {
		if ts.o.Holds != nil && ts.o.Holds(err) {
			e.fault, e.faultAt = err, ts.o.Now()
		}
		return Ticket{}, err
	}
	e.ticket, e.fault, e.opened = t, nil, true
	ts.seal(ctx, l.Ref, t)
	return t, nil
}

func (ts *Tickets) enter(ctx context.Context, ref string) (*entry, error) {
	ts.mu.Lock()
	e := ts.entries[ref]
	if e == nil {
		e = &entry{door: make(chan struct{}, 1)}
		ts.entries[ref] = e
	}
	ts.mu.Unlock()
	select {
	case e.door <- struct{}{}:
		return e, nil
	case <-ctx.Done():
		return nil, authority.NotSent(fmt.Errorf("wait for another login: %w", ctx.Err()))
	}
}

func (e *entry) leave() { <-e.door }

// sealed is what the vault holds.
type sealed struct {
	Ref       string    `json:"ref"`
	Token     string    `json:"token"`
	Sign      string    `json:"sign,omitempty"`
	Generated time.Time `json:"generated"`
	Expires   time.Time `json:"expires"`
}

// unseal looks into the vault once. Whatever is wrong with what it holds, the answer is to
// log in again.
func (ts *Tickets) unseal(ctx context.Context, ref string, e *entry) {
	if e.opened || ts.o.Vault == nil {
		return
	}
	e.opened = true
	blob, err := ts.o.Vault.Open(ctx, ref)
	if err != nil || len(blob) == 0 {
		return
	}
	var s sealed
	if json.Unmarshal(blob, &s) != nil || s.Ref != ref {
		ts.o.Log.Warn("stored ticket is damaged, logging in again", "ref", ref)
		return
	}
	e.ticket = Ticket{Token: s.Token, Sign: s.Sign, Generated: s.Generated, Expires: s.Expires}
}

// seal keeps t. Failing to only costs a login after the next start, so it is reported and
// not returned.
func (ts *Tickets) seal(ctx context.Context, ref string, t Ticket) {
	if ts.o.Vault == nil {
		return
	}
	blob, err := json.Marshal(sealed{Ref: ref, Token: t.Token, Sign: t.Sign, Generated: t.Generated, Expires: t.Expires})
	if err == nil {
		err = ts.o.Vault.Seal(ctx, ref, blob)
	}
	if err != nil {
		ts.o.Log.Warn("ticket not kept", "ref", ref, "error", err)
	}
}

// Fingerprint is the SHA-256 of a certificate in lower-case hexadecimal: it names its
// tickets.
func Fingerprint(c *x509.Certificate) string {
	sum := sha256.Sum256(c.Raw)
	return hex.EncodeToString(sum[:])
}
