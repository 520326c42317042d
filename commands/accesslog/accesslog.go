// Package accesslog records what auditors and keys that only read have read of a company. A
// stream holds one day, so that none grows without end.
package accesslog

import (
	"time"

	"folio/commands"
	"folio/events"
)

// State is nothing: no line depends on another one.
type State struct{}

// Record adds a line.
type Record struct{ Read events.CompanyRead }

// Decider is the whole behaviour of an access log.
var Decider = commands.Decider[State, Record]{
	Category: "access",
	Decide:   func(c Record, _ State) ([]events.Event, error) { return []events.Event{c.Read}, nil },
	Evolve:   func(s State, _ events.Event) State { return s },
}

// ID is the aggregate id of a company's day in UTC.
func ID(company string, at time.Time) string { return company + "-" + at.UTC().Format(time.DateOnly) }
