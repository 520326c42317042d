// Package quarantine decides about streams of the log that cannot be gone on with: what an
// operator lets everybody do without, and what shall be tried again.
package quarantine

import (
	"slices"
	"strings"

	"folio/commands"
	"folio/events"
	"folio/fault"
)

// State is what was decided about one stream, in order.
type State struct{ Skipped []events.TroubleSkipped }

// Command is Skip or Retry.
type Command interface {
	decide(State) ([]events.Event, error)
}

// Decider is the aggregate; its id is the name of the stream that it is about.
var Decider = commands.Decider[State, Command]{
	Category: "quarantine",
	Decide:   Command.decide,
	Evolve: func(s State, e events.Event) State {
		if e, ok := e.(events.TroubleSkipped); ok {
			s.Skipped = append(s.Skipped[:len(s.Skipped):len(s.Skipped)], e)
		}
		return s
	},
}

// ErrReason: whoever looks later must learn why.
var ErrReason = fault.New(fault.Invalid, "REASON_REQUIRED", "Say why: the reason is recorded with the decision.")

// ErrNumbers: half of a numbering series, or of a taxpayer's claims, does not say which
// numbers were used. Nothing would be sent on it, or a number twice.
var ErrNumbers = fault.New(fault.Conflict, "NUMBERS_UNKNOWN",
	"What is missing of this stream says which numbers were used, so nothing can go on without it: "+
		"take back the limit that cut it, or restore it from a backup, and use 'folio quarantine retry'.")

// numbered are the categories of streams that must be whole.
var numbered = []string{"numbering-", "taxpayer-"}

// Skip goes on without what the trouble is about. Skipping the same again does nothing.
// What was cut from a stream of numbers cannot be skipped.
type Skip struct {
	Trouble events.Trouble
	Reason  string
}

func (c Skip) decide(s State) ([]events.Event, error) {
	if strings.TrimSpace(c.Reason) == "" {
		return nil, ErrReason
	}
	t := c.Trouble
	missing := t.Kind == events.Cut || t.Kind == events.Deleted
	if missing && slices.ContainsFunc(numbered,
		func(category string) bool { return strings.HasPrefix(t.Stream, category) }) {
		return nil, ErrNumbers
	}
	e := events.TroubleSkipped{Stream: t.Stream, Kind: t.Kind, Revision: t.Revision, Next: t.Next, Event: t.Event,
		Reason: c.Reason}
	if e.Fault = t.Error(); t.Err != nil {
		e.Fault = t.Err.Error()
	}
	for _, before := range s.Skipped {
		same := before
		same.Fault, same.Reason = e.Fault, e.Reason
		if same == e {
			return nil, nil
		}
	}
	return []events.Event{e}, nil
}

// Retry has the stream tried again by whoever holds it.
type Retry struct{ Stream, Reason string }

func (c Retry) decide(State) ([]events.Event, error) {
	if strings.TrimSpace(c.Reason) == "" {
		return nil, ErrReason
	}
	return []events.Event{events.TroubleRetried{Stream: c.Stream, Reason: c.Reason}}, nil
}
