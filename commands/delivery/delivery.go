// Package delivery decides what becomes of one payload that is owed to a company's
// callback URL: which attempt comes next and when, and when it is over.
package delivery

import (
	"encoding/json"
	"time"

	"folio/commands"
	"folio/events"
	"folio/fault"
)

// Intervals are the waits before each attempt of a series, counted from the start of
// the attempt before (specification, Delivery rules 2 and 3): eleven attempts.
var Intervals = []time.Duration{
	0, 5 * time.Second, time.Minute, 5 * time.Minute, 20 * time.Minute, time.Hour,
	24 * time.Hour, 24 * time.Hour, 24 * time.Hour, 24 * time.Hour, 24 * time.Hour,
}

// Ping is the code of a trial, which is sent once and not repeated.
const Ping = "PING"

// Attempts is how many attempts a series of a code has.
func Attempts(code string) int {
	if code == Ping {
		return 1
	}
	return len(Intervals)
}

// Status of a delivery.
type Status string

// The states of a delivery. All but Pending rest until somebody resends.
const (
	None       Status = ""
	Pending    Status = "pending"
	Delivered  Status = "delivered"
	Exhausted  Status = "exhausted"
	Superseded Status = "superseded"
	Cancelled  Status = "cancelled"
)

// State is what the next attempt needs.
type State struct {
	Status   Status
	Company  string
	Webhook  int64 // the subscription that it is owed to
	Code     string
	Document string
	Payload  json.RawMessage
	Series   int       // from 1; a resend begins another
	Attempts int       // made in this series
	Due      time.Time // of the next attempt, while Pending
	Replay   string    // the last replay that asked for it
}

// Command is anything a delivery can be asked.
type Command interface {
	decide(State) ([]events.Event, error)
}

// Decider is the whole behaviour of a delivery. The aggregate's id is the id of the
// event that the company is told about: a fact is owed once, however often it is heard.
var Decider = commands.Decider[State, Command]{
	Category: "delivery",
	Decide:   Command.decide,
	Evolve:   evolve,
}

func evolve(s State, e events.Event) State {
	switch e := e.(type) {
	case events.DeliveryScheduled:
		s = State{Status: Pending, Company: e.Company, Webhook: e.Webhook, Code: e.Code, Document: e.Document,
			Payload: e.Payload, Series: 1, Due: e.Due}
	case events.DeliveryAttempted:
		s.Attempts = e.Attempt
		if e.Delivered {
			s.Status = Delivered
		}
		if e.Next != nil {
			s.Due = *e.Next
		}
	case events.DeliveryExhausted:
		s.Status = Exhausted
	case events.DeliverySuperseded:
		s.Status = Superseded
	case events.DeliveryCancelled:
		s.Status = Cancelled
	case events.DeliveryResent:
		s.Status, s.Series, s.Attempts, s.Due = Pending, e.Series, 0, e.Due
		s.Webhook, s.Replay = e.Webhook, e.Replay
	}
	return s
}

// ErrUnknown refuses what is asked of a delivery that never was, or of another
// company's.
var ErrUnknown = fault.New(fault.NotFound, "DELIVERY_NOT_FOUND",
	"This webhook has no such delivery: list them with GET .../deliveries.")
