// Package apikey decides what may happen to one API key.
package apikey

import (
	"time"

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

	Name, Description string
	ExpiresAt         time.Time // zero: never
	ReplacedBy        string    // id of the key that took its place
}

// Expired says that the key stopped by itself.
func (s State) Expired(at time.Time) bool { return !s.ExpiresAt.IsZero() && !at.Before(s.ExpiresAt) }

// Command is anything a key can be asked.
type Command interface {
	decide(State) ([]events.Event, error)
}

// Decider is the whole behaviour of a key.
var Decider = commands.Decider[State, Command]{
	Category: "apikey",
	Decide:   Command.decide,
	Evolve: func(s State, e events.Event) State {
		switch e := e.(type) {
		case events.APIKeyIssued:
			s = State{Key: e.Key, Company: e.Company, SHA256: e.SHA256, Scopes: Scopes(e.Scopes), Name: e.Name,
				Description: e.Description}
			if e.ExpiresAt != nil {
				s.ExpiresAt = *e.ExpiresAt
			}
		case events.APIKeyReplaced:
			s.ReplacedBy = e.By
			if s.ExpiresAt.IsZero() || e.Until.Before(s.ExpiresAt) {
				s.ExpiresAt = e.Until
			}
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
	Name, Environment, Replaces                string
	ExpiresAt                                  *time.Time
}

func (c Issue) decide(s State) ([]events.Event, error) {
	if s.Key != "" {
		return nil, fault.New(fault.Conflict, "API_KEY_EXISTS", "This key id is taken: generate another key.")
	}
	return []events.Event{events.APIKeyIssued{
		Key: c.Key, Company: c.Company, Account: c.Account, Description: c.Description, SHA256: c.SHA256,
		Scopes: c.Scopes, Name: c.Name, Environment: c.Environment, Replaces: c.Replaces, ExpiresAt: c.ExpiresAt,
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

// Replace has another key of Company take the key's place: it works until Until, and no longer than
// it would have. A key is replaced once.
type Replace struct {
	Company, By string
	Until       time.Time
}

func (c Replace) decide(s State) ([]events.Event, error) {
	switch {
	case s.Key == "" || s.Company != c.Company:
		return nil, ErrUnknown
	case s.ReplacedBy == c.By:
		return nil, nil
	}
	if err := s.Replaceable(); err != nil {
		return nil, err
	}
	return []events.Event{events.APIKeyReplaced{By: c.By, Until: c.Until}}, nil
}

// Replaceable refuses what no key can take the place of.
func (s State) Replaceable() error {
	switch {
	case s.Revoked:
		return fault.New(fault.Conflict, "API_KEY_REVOKED", "This key was revoked: make a new one.")
	case s.ReplacedBy != "":
		return fault.New(fault.Conflict, "API_KEY_REPLACED", "The key "+s.ReplacedBy+" took its place: rotate that one.")
	}
	return nil
}
