// Package commands turns requests into facts: load, decide, append. What may happen
// is decided in commands/<aggregate>, which is pure.
package commands

import (
	"context"
	"time"

	"github.com/google/uuid"

	"folio/events"
)

// Decider is one kind of aggregate. All functions are pure: no clock, no randomness,
// no I/O. Times and ids arrive inside the command. The zero S is the state of a stream without events.
type Decider[S, C any] struct {
	// Category is the stream's prefix: "invoice" gives "invoice-<id>".
	Category string
	// Uncached says that no state is kept in memory: each use reads the whole stream.
	Uncached bool
	// Brief is the state of another decider of the category, made of one that is not kept: what was read for this one
	// need not be read again for that one. Nil: nothing is kept. See Briefly.
	Brief func(S, At) any
	// Decide says which facts a command makes of a state. No facts and no error: nothing happens.
	// An error that is a *fault.Error is shown to the caller.
	Decide func(C, S) ([]events.Event, error)
	// Evolve is total: an event that s does not care about returns s. It must not
	// change what s points to, because states are cached.
	Evolve func(S, events.Event) S
	// Dated tells the state when the event that Evolve is given next was recorded. Nil for an
	// aggregate that need not know.
	Dated func(S, time.Time) S
}

// Next is the state after an event that was recorded at the time.
func (d Decider[S, C]) Next(s S, e events.Event, at time.Time) S {
	if d.Dated != nil {
		s = d.Dated(s, at)
	}
	return d.Evolve(s, e)
}

// Stream is the stream of the aggregate id.
func (d Decider[S, C]) Stream(id string) string { return d.Category + "-" + id }

// Fold is the state after history whose times are not known.
func (d Decider[S, C]) Fold(history ...events.Event) S {
	var s S
	for _, e := range history {
		s = d.Evolve(s, e)
	}
	return s
}

// Request identifies one execution of a command. Its ID makes a repeat harmless:
// the ids of the recorded events are derived from it.
type Request struct {
	ID          uuid.UUID
	Correlation string
	Causation   string
	Actor       string    // account, key id or processor
	At          time.Time // the only clock that deciders and events know

	// Before is called before facts are appended, each time; its error ends the execution with nothing
	// recorded. Nil: nothing is.
	Before func(context.Context) error
	// Again says that an earlier try may have been recorded, also by this process: the stream is read
	// for what it recorded before anything is decided.
	Again bool
}

// Derived is the id of an execution that must be the same when it is repeated: made
// of company and idempotency key, or of processor, causing event and attempt.
func Derived(parts ...string) uuid.UUID {
	id := uuid.NewSHA1(namespace, nil)
	for _, p := range parts {
		id = uuid.NewSHA1(id, []byte(p))
	}
	return id
}

var namespace = uuid.MustParse("6f1d2c7e-5b0a-4f7e-9a53-0d6c1f0110f0")

// eventID is the id of the i-th event of r, which holds data. An append of the same again is a
// repetition to the log; of something else under the same request it is a conflict.
func (r Request) eventID(i int, data []byte) uuid.UUID {
	return uuid.NewSHA1(uuid.NewSHA1(r.ID, []byte{byte(i >> 8), byte(i)}), data)
}

// recorded says that an event is r's own.
func (r Request) recorded(e events.Recorded) bool {
	return r.ID != uuid.Nil && e.Event != nil && e.Meta.Request == r.ID.String()
}

// Executed is what a write endpoint needs to answer.
type Executed[S any] struct {
	State    S
	Events   []events.Event  // recorded by this request, now or at its first try
	Position events.Position // of the last of Events; zero when nothing was recorded
}
