// Package idempotency decides what an Idempotency-Key stands for.
package idempotency

import (
	"crypto/sha256"
	"encoding/hex"
	"time"

	"folio/commands"
	"folio/events"
	"folio/fault"
)

// State is the first use of the key, and what it was answered with.
type State struct {
	BodyHash string
	Invoice  string // id of what comes of it
	Resource string // likewise, where no invoice was asked for
	Time     time.Time
	Answer   *events.RequestAnswered // nil before there is one, and for invoices, whose facts are the answer
}

// Used says that the key stands for a request.
func (s State) Used() bool { return s.Invoice != "" || s.Resource != "" }

// Command is anything a key can be asked.
type Command interface {
	decide(State) ([]events.Event, error)
}

// Accept uses the key for a body that was found valid. The first use wins; the same use again is
// nothing new.
type Accept struct {
	BodyHash string
	Invoice  string // id of what will come of it
	Resource string // likewise, where no invoice is asked for
	Time     time.Time
}

// ErrOtherBody refuses a key that was used for something else.
var ErrOtherBody = fault.New(fault.Invalid, "IDEMPOTENCY_KEY_REUSED",
	"This Idempotency-Key was used for another body or path: repeat the first request, or send a new key for a new one.")

func (c Accept) decide(s State) ([]events.Event, error) {
	switch {
	case s.Used() && s.BodyHash != c.BodyHash:
		return nil, ErrOtherBody
	case s.Used():
		return nil, nil
	}
	return []events.Event{events.RequestAccepted{BodyHash: c.BodyHash, Invoice: c.Invoice, Resource: c.Resource,
		Time: c.Time}}, nil
}

// Answer keeps what the first use was answered with. The first answer wins.
type Answer struct{ Answer events.RequestAnswered }

func (c Answer) decide(s State) ([]events.Event, error) {
	if !s.Used() || s.Answer != nil {
		return nil, nil
	}
	return []events.Event{c.Answer}, nil
}

// Decider is the whole behaviour of a key.
var Decider = commands.Decider[State, Command]{
	Category: "idempotency",
	Decide:   Command.decide,
	Evolve: func(s State, e events.Event) State {
		switch e := e.(type) {
		case events.RequestAccepted:
			s = State{BodyHash: e.BodyHash, Invoice: e.Invoice, Resource: e.Resource, Time: e.Time}
		case events.RequestAnswered:
			s.Answer = &e
		}
		return s
	},
}

// ID is the aggregate id of a key that a company, or an account, uses: "<id>-<hash of key>".
func ID(owner, key string) string {
	sum := sha256.Sum256([]byte(key))
	return owner + "-" + hex.EncodeToString(sum[:])
}
