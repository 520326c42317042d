// Package apikey decides what may happen to one API key.
package apikey

import (
	"folio/commands"
	"folio/events"
	"folio/fault"
	"folio/scope"
)

// State is what checking a key needs.
type State struct {
	Key     string
	Company string
	SHA256  string // of the secret part
	Scopes  scope.Set
	Revoked bool
}

// Command is anything a key can be asked.
type Command interface {
	decide(State) ([]events.Event, error)
}

// Decider is the whole behaviour of a key.
var Decider = commands.Decider[State, Command]{
	Category: "apikey",
	Initial:  func() State { return State{} },
	Decide:   func(s State, c Command) ([]events.Event, error) { return c.decide(s) },
	Evolve: func(s State, e events.Event) State {
		switch e := e.(type) {
		case events.APIKeyIssued:
			s = State{Key: e.Key, Company: e.Company, SHA256: e.SHA256, Scopes: Scopes(e.Scopes)}
		case events.APIKeyRevoked:
			s.Revoked = true
		}
		return s
	},
}

// ErrUnknown refuses what is asked of a key that never was, or of another company's.
var ErrUnknown = fault.New(fault.NotFound, "API_KEY_NOT_FOUND",
	"This company has no such API key: list its keys to see their ids.")

// Scopes are what a key may whose event names these: everything when it names none. A name
// that this program does not know gives nothing.
func Scopes(names []string) (s scope.Set) {
	if len(names) == 0 {
		return scope.All
	}
	for _, name := range names {
		if one, err := scope.Parse([]string{name}); err == nil {
			s |= one
		}
	}
	return s
}

// Issue records a new key; the key itself stays with whoever made it. Scopes is empty for a
// key that may everything.
type Issue struct {
	Key, Company, Account, Description, SHA256 string
	Scopes                                     []string
}

func (c Issue) decide(s State) ([]events.Event, error) {
	if s.Key != "" {
		return nil, fault.New(fault.Conflict, "API_KEY_EXISTS", "This key id is taken: generate another key.")
	}
	return []events.Event{events.APIKeyIssued{
		Key: c.Key, Company: c.Company, Account: c.Account, Description: c.Description, SHA256: c.SHA256,
		Scopes: c.Scopes,
	}}, nil
}

// Revoke ends a key of Company. Revoking twice is nothing new.
type Revoke struct{ Company string }

func (c Revoke) decide(s State) ([]events.Event, error) {
	switch {
	case s.Key == "" || s.Company != c.Company:
		return nil, ErrUnknown
	case s.Revoked:
		return nil, nil
	}
	return []events.Event{events.APIKeyRevoked{}}, nil
}
