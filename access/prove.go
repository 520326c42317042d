package access

import (
	"context"
	"errors"
	"fmt"

	"folio/commands/account"
	"folio/fault"
	"folio/vault"
)

// prove gives the account of this id when the password is its own. Every use of a
// password passes here, so that none of them is a way around the throttle.
//
// Failures count for account and place together, and more mildly for either alone. The
// throttle is asked before anything is read or hashed. A place from which the right
// password came before is never refused for failures: its attempts wait for each other,
// a few seconds each after repeated failures.
//
// The log is told of each failure, with the account's stream, whose name is a hash of the e-mail address, and the
// place.
func (a *Accounts) prove(ctx context.Context, id, password, remote string) (account.State, error) {
	s, err := a.proved(ctx, id, password, remote)
	if f := fault.As(err); f != nil && a.places.log != nil {
		a.places.log.Warn("a password was refused", "stream", account.Decider.Stream(id), "from", remote, "error", f.Constant)
	}
	return s, err
}

func (a *Accounts) proved(ctx context.Context, id, password, remote string) (account.State, error) {
	pair := "account " + id + " " + remote
	if a.places.known(ctx, id, remote) {
		known := subject{"known " + pair, knownRule}
		var s account.State
		err := a.hasher.turns.Pass(ctx, pair, 1, func() (err error) {
			if err = a.throttle.pause(ctx, known); err == nil {
				s, err = a.compare(ctx, id, password, attempt{known: true, party: pair, remote: remote,
					counts: []subject{known, byPlace(remote)}, forgets: []subject{known}})
			}
			return err
		})
		return s, err
	}
	of := []subject{{pair, pairRule}, {"account " + id, crowdRule}, byPlace(remote)}
	if err := a.throttle.check(of...); err != nil {
		return account.State{}, err
	}
	// Checked again when it is this one's turn: many guesses sent at once would otherwise
	// all have passed before the first of them failed.
	return a.compare(ctx, id, password, attempt{party: remote, remote: remote, counts: of, forgets: of[:2],
		last: func() error { return a.throttle.check(of...) }})
}

// byPlace is who tries for any account from a place.
func byPlace(remote string) subject { return subject{"place " + remote, crowdRule} }

// attempt is how one comparison is admitted and counted.
type attempt struct {
	known   bool   // the right password came from the place before
	party   string // who takes turns with others
	remote  string
	counts  []subject // whose failure it is
	forgets []subject // whose failures a success forgets
	last    func() error
}

// errNoPassword is that of an account whose password the vault does not have: it is another log's,
// or a copy that is older than the account.
var errNoPassword = &fault.Error{Code: fault.Unavailable, Constant: "PASSWORD_UNAVAILABLE", RetryAfter: 60,
	Text: "The service does not have this account's password, and nobody can log in with it. The operator brings the " +
		"vault " +
		"of this event log back, or sets a new password with 'folio account password'."}

// compare reads the account, compares the password and counts what came of it.
func (a *Accounts) compare(ctx context.Context, id, password string, t attempt) (account.State, error) {
	s, found, err := a.accounts.Cached(ctx, id)
	if err != nil {
		return s, err
	}
	var sealed []byte
	if found && !s.Disabled {
		sealed, err = a.secrets.Open(ctx, s.Secret)
		if errors.Is(err, vault.ErrNotFound) || errors.Is(err, vault.ErrTampered) {
			err = fmt.Errorf("%w: %w", errNoPassword, err)
		}
		if err != nil {
			return s, fmt.Errorf("open the password of account %s: %w", s.Account, err)
		}
	}
	ok, err := a.hasher.matches(ctx, password, sealed, t)
	if err != nil {
		return s, err
	}
	if !ok {
		a.throttle.failed(t.counts...)
		return s, errLogin
	}
	a.throttle.succeeded(t.forgets...)
	a.places.used(ctx, id, t.remote)
	return s, nil
}
