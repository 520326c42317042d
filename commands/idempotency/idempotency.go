// Package idempotency decides which invoice an Idempotency-Key stands for.
package idempotency

import (
	"crypto/sha256"
	"encoding/hex"
	"time"

	"folio/commands"
	"folio/events"
	"folio/fault"
)

// State is the first use of the key.
type State struct {
	BodyHash, Invoice string
	Time              time.Time
}

// Accept uses the key for a body that was found valid.
type Accept struct {
	BodyHash, Invoice string
	Time              time.Time
}

// ErrOtherBody refuses a key that was used for something else.
var ErrOtherBody = fault.New(fault.Invalid, "IDEMPOTENCY_KEY_REUSED",
	"This Idempotency-Key was used for another body: repeat the first body, or send a new key for a new invoice.")

// Decider lets the first use win; the same use again is nothing new.
var Decider = commands.Decider[State, Accept]{
	Category: "idempotency",
	Initial:  func() State { return State{} },
	Decide: func(s State, c Accept) ([]events.Event, error) {
		switch {
		case s.Invoice == "":
			return []events.Event{events.RequestAccepted{BodyHash: c.BodyHash, Invoice: c.Invoice, Time: c.Time}}, nil
		case s.BodyHash != c.BodyHash:
			return nil, ErrOtherBody
		}
		return nil, nil
	},
	Evolve: func(s State, e events.Event) State {
		if e, ok := e.(events.RequestAccepted); ok {
			return State{BodyHash: e.BodyHash, Invoice: e.Invoice, Time: e.Time}
		}
		return s
	},
}

// ID is the aggregate id of a company's key: "<company>-<hash of key>".
func ID(company, key string) string {
	sum := sha256.Sum256([]byte(key))
	return company + "-" + hex.EncodeToString(sum[:])
}
