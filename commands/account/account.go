// Package account decides what may happen to the account of one person.
package account

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
	"time"

	"folio/commands"
	"folio/events"
	"folio/fault"
	"folio/scope"
)

// State is what later decisions and log-ins depend on.
type State struct {
	Account  string
	Email    string
	Secret   string     // reference of the password's hash in the vault
	Role     scope.Role // the most that it may be in any company
	Disabled bool
	Sessions int     // how often all sessions were ended: a token of an earlier count is none
	Ended    []Ended // tokens that were logged out of and would still be good
	Reset    Reset
}

// Ended is a token that stopped before its time.
type Ended struct {
	Session string
	Until   time.Time
}

// TokenLife is how long a token is good for.
const TokenLife = 12 * time.Hour

// mostEnded bounds the tokens that are remembered one by one.
const mostEnded = 500

// Reset is the offer to set a new password. The zero value is no offer.
type Reset struct {
	SHA256 string // of the code
	Until  time.Time
}

// Command is anything an account can be asked.
type Command interface {
	decide(State) ([]events.Event, error)
}

// Decider is the whole behaviour of an account. Its stream is named for the e-mail,
// so that there is one account per address.
var Decider = commands.Decider[State, Command]{
	Category: "account",
	Decide:   Command.decide,
	Evolve:   evolve,
}

// Renewal sets a new password: it holds the proof that the caller owns the account, and the
// password. The events hold neither.
type Renewal struct {
	Email    string
	Proof    string // the present password, or the code of a reset
	Password string
	Place    string // where it was sent from
}

// ID is the aggregate id of an e-mail address: upper and lower case are one.
func ID(email string) string {
	sum := sha256.Sum256([]byte(Normal(email)))
	return hex.EncodeToString(sum[:16])
}

// Normal is the form in which e-mail addresses are compared.
func Normal(email string) string { return strings.ToLower(strings.TrimSpace(email)) }

func evolve(s State, e events.Event) State {
	switch e := e.(type) {
	case events.AccountRegistered:
		s = State{Account: e.Account, Email: e.Email, Secret: e.Secret, Role: cmp.Or(scope.Role(e.Role), scope.Owner)}
	case events.PasswordChanged:
		s.Secret, s.Reset = e.Secret, Reset{}
	case events.PasswordResetOffered:
		s.Reset = Reset{e.SHA256, e.Until}
	case events.SessionsEnded:
		s.Sessions++
		s.Ended = nil
	case events.SessionEnded:
		s.Ended = append(stillGood(s.Ended, e.Until.Add(-TokenLife)), Ended{e.Session, e.Until})
	case events.AccountDisabled:
		s.Disabled = true
	}
	return s
}

// stillGood are those tokens that had not ended by themselves by then, in a list of their own.
func stillGood(all []Ended, then time.Time) []Ended {
	return slices.DeleteFunc(slices.Clone(all), func(e Ended) bool { return e.Until.Before(then) })
}

// HasEnded says whether a token was logged out of.
func (s State) HasEnded(session string) bool {
	return slices.ContainsFunc(s.Ended, func(e Ended) bool { return e.Session == session })
}

// Refusals of an account.
var (
	ErrExists = fault.New(fault.Conflict, "ACCOUNT_ALREADY_EXISTS",
		"An account with this e-mail exists already: log in with it, or register another address.")
	ErrUnknown = fault.New(fault.NotFound, "ACCOUNT_NOT_FOUND",
		"There is no account with this e-mail: register it with 'folio account add'.")
	// ErrDisabled refuses to help a disabled account back in.
	ErrDisabled = fault.New(fault.Conflict, "ACCOUNT_DISABLED",
		"This account is disabled: make another one with 'folio account add', and move its companies there with 'folio "+
			"company move'.")
	// ErrPasswordChanged: the password that was proved is not the account's any more.
	ErrPasswordChanged = fault.New(fault.Conflict, "PASSWORD_CHANGED",
		"The password was changed by somebody else at the same time: log in with the new one, or ask the operator for a "+
			"reset code.")
	// ErrResetCode is the same for a code that is wrong, used or too old.
	ErrResetCode = fault.New(fault.Unauthorized, "RESET_CODE_REFUSED",
		"This code resets nothing: it is wrong, was used, or is too old. Ask the operator for another one ('folio account "+
			"reset').")
)

// Register makes the account. Secret is where the hash of its password is sealed.
type Register struct {
	Account, Email, Secret string
	Role                   scope.Role // the most that it may be in any company; empty: owner
}

func (c Register) decide(s State) ([]events.Event, error) {
	if s.Account != "" {
		return nil, ErrExists
	}
	return []events.Event{events.AccountRegistered{Account: c.Account, Email: Normal(c.Email), Secret: c.Secret,
		Role: string(c.Role)}}, nil
}

// ChangePassword makes the hash sealed under Secret the valid one, which ends every
// session. Was is the secret that the caller proved to know; an operator leaves it empty.
type ChangePassword struct{ Secret, Was string }

func (c ChangePassword) decide(s State) ([]events.Event, error) {
	switch {
	case s.Account == "":
		return nil, ErrUnknown
	case s.Secret == c.Secret:
		return nil, nil
	case c.Was != "" && (s.Disabled || s.Secret != c.Was):
		return nil, ErrPasswordChanged
	}
	return []events.Event{events.PasswordChanged{Secret: c.Secret}}, nil
}

// OfferReset lets whoever knows the code of this hash set the password once, until then.
// A later offer replaces it.
type OfferReset struct {
	SHA256 string
	Until  time.Time
}

func (c OfferReset) decide(s State) ([]events.Event, error) {
	switch {
	case s.Account == "":
		return nil, ErrUnknown
	case s.Disabled:
		return nil, ErrDisabled
	}
	return []events.Event{events.PasswordResetOffered{SHA256: c.SHA256, Until: c.Until.UTC()}}, nil
}

// ResetPassword uses an offer: it is good once, and only before its end.
type ResetPassword struct {
	SHA256 string // of the code that was shown
	Secret string
	At     time.Time
}

func (c ResetPassword) decide(s State) ([]events.Event, error) {
	if !s.Resets(c.SHA256, c.At) {
		return nil, ErrResetCode
	}
	return []events.Event{events.PasswordChanged{Secret: c.Secret}}, nil
}

// Resets says whether a code with this hash may set the password now.
func (s State) Resets(sha256 string, at time.Time) bool {
	return !s.Disabled && s.Reset.SHA256 != "" && s.Reset.SHA256 == sha256 && at.Before(s.Reset.Until)
}

// EndSessions stops every token of the account. Its password and keys stay as they are.
type EndSessions struct{}

func (EndSessions) decide(s State) ([]events.Event, error) {
	if s.Account == "" {
		return nil, ErrUnknown
	}
	return []events.Event{events.SessionsEnded{}}, nil
}

// EndSession stops one token, which ends by itself at Until. An account that left very many tokens that would still be
// good has all of them stopped.
type EndSession struct {
	Session string
	Until   time.Time
	At      time.Time
}

func (c EndSession) decide(s State) ([]events.Event, error) {
	switch {
	case s.Account == "":
		return nil, ErrUnknown
	case s.HasEnded(c.Session):
		return nil, nil
	case len(stillGood(s.Ended, c.At)) >= mostEnded:
		return []events.Event{events.SessionsEnded{}}, nil
	}
	return []events.Event{events.SessionEnded{Session: c.Session, Until: c.Until.UTC()}}, nil
}

// Disable ends log-ins and tokens of the account.
type Disable struct{}

func (Disable) decide(s State) ([]events.Event, error) {
	switch {
	case s.Account == "":
		return nil, ErrUnknown
	case s.Disabled:
		return nil, nil
	}
	return []events.Event{events.AccountDisabled{}}, nil
}
