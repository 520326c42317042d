// Package account decides what may happen to the account of one person.
package account

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"folio/commands"
	"folio/events"
	"folio/fault"
)

// State is what later decisions and log-ins depend on.
type State struct {
	Account  string
	Email    string
	Secret   string // reference of the password's hash in the vault
	Disabled bool
}

// Command is anything an account can be asked.
type Command interface {
	decide(State) ([]events.Event, error)
}

// Decider is the whole behaviour of an account. Its stream is named for the e-mail,
// so that there is one account per address.
var Decider = commands.Decider[State, Command]{
	Category: "account",
	Initial:  func() State { return State{} },
	Decide:   func(s State, c Command) ([]events.Event, error) { return c.decide(s) },
	Evolve:   evolve,
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
		s = State{Account: e.Account, Email: e.Email, Secret: e.Secret}
	case events.PasswordChanged:
		s.Secret = e.Secret
	case events.AccountDisabled:
		s.Disabled = true
	}
	return s
}

// Refusals of an account.
var (
	ErrExists  = fault.New(fault.Conflict, "ACCOUNT_ALREADY_EXISTS", "An account with this e-mail exists already: log in with it, or register another address.")
	ErrUnknown = fault.New(fault.NotFound, "ACCOUNT_NOT_FOUND", "There is no account with this e-mail: register it with 'folio account add'.")
)

// Register makes the account. Secret is where the hash of its password is sealed.
type Register struct{ Account, Email, Secret string }

func (c Register) decide(s State) ([]events.Event, error) {
	if s.Account != "" {
		return nil, ErrExists
	}
	return []events.Event{events.AccountRegistered{Account: c.Account, Email: Normal(c.Email), Secret: c.Secret}}, nil
}

// ChangePassword makes the hash sealed under Secret the valid one.
type ChangePassword struct{ Secret string }

func (c ChangePassword) decide(s State) ([]events.Event, error) {
	switch {
	case s.Account == "":
		return nil, ErrUnknown
	case s.Secret == c.Secret:
		return nil, nil
	}
	return []events.Event{events.PasswordChanged{Secret: c.Secret}}, nil
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
