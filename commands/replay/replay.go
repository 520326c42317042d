// Package replay decides what may happen to one replay: a company's wish to have its
// deliveries of a period sent again.
package replay

import (
	"folio/commands"
	"folio/events"
	"folio/fault"
)

// Status of a replay.
type Status string

// The states of a replay.
const (
	None      Status = ""
	Running   Status = "running"
	Finished  Status = "finished"
	Cancelled Status = "cancelled"
)

// State is how far a replay came.
type State struct {
	Status  Status
	Started events.ReplayStarted
	Done    int64
	Reached events.Position
}

// Command is anything a replay can be asked.
type Command interface {
	decide(State) ([]events.Event, error)
}

// Decider is the whole behaviour of a replay.
var Decider = commands.Decider[State, Command]{
	Category: "replay",
	Decide:   Command.decide,
	Evolve: func(s State, e events.Event) State {
		switch e := e.(type) {
		case events.ReplayStarted:
			s = State{Status: Running, Started: e, Reached: e.Since}
		case events.ReplayProgressed:
			s.Done, s.Reached = e.Done, e.Reached
		case events.ReplayFinished:
			s.Status, s.Done = Finished, e.Done
		case events.ReplayCancelled:
			s.Status = Cancelled
		}
		return s
	},
}

// Refusals of a replay.
var (
	ErrExists  = fault.New(fault.Conflict, "REPLAY_EXISTS", "This replay id is taken: ask for another replay.")
	ErrUnknown = fault.New(fault.NotFound, "REPLAY_NOT_FOUND", "This webhook has no such replay.")
	ErrOther   = fault.New(fault.Conflict, "REPLAY_RUNNING",
		"A replay of this webhook is running, and there is one at a time: wait until it is finished, or cancel it. List "+
			"them with GET …/replays.")
	ErrOver = fault.New(fault.Conflict, "REPLAY_OVER", "This replay is finished already: there is nothing left to cancel.")
)

// Start begins a replay.
type Start struct{ Replay events.ReplayStarted }

func (c Start) decide(s State) ([]events.Event, error) {
	if s.Status != None {
		return nil, ErrExists
	}
	return []events.Event{c.Replay}, nil
}

// Progress records how far it came; on one that is over, or less far, nothing.
type Progress struct {
	Done    int64
	Reached events.Position
}

func (c Progress) decide(s State) ([]events.Event, error) {
	if s.Status != Running || !s.Reached.Before(c.Reached) {
		return nil, nil
	}
	return []events.Event{events.ReplayProgressed{Done: c.Done, Reached: c.Reached}}, nil
}

// Finish ends one that has asked for everything.
type Finish struct{ Done int64 }

func (c Finish) decide(s State) ([]events.Event, error) {
	if s.Status != Running {
		return nil, nil
	}
	return []events.Event{events.ReplayFinished{Done: c.Done}}, nil
}

// Cancel ends one of Company before it is through. Cancelling twice is nothing new.
type Cancel struct{ Company string }

func (c Cancel) decide(s State) ([]events.Event, error) {
	switch {
	case s.Status == None || s.Started.Company != c.Company:
		return nil, ErrUnknown
	case s.Status == Finished:
		return nil, ErrOver
	case s.Status == Cancelled:
		return nil, nil
	}
	return []events.Event{events.ReplayCancelled{}}, nil
}
