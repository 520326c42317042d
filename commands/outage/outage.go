// Package outage decides when the authority counts as away for a company: from the calls
// that the company needs, or because somebody of it said so. The stream has only the edges.
package outage

import (
	"fmt"
	"strings"
	"time"

	"folio/commands"
	"folio/events"
	"folio/fault"
)

// What opens and closes an outage.
const (
	ByCalls    = "calls"
	ByCall     = "call"
	ByOperator = "operator"
)

// Place is whose calls to which authority an outage is about.
type Place struct {
	Company     string
	Environment string // Production or Testing
	Authority   string // arca, sii or dgi
}

// ID is the aggregate id: "<company>-<environment>-<authority>".
func (p Place) ID() string { return p.Company + "-" + p.Environment + "-" + p.Authority }

// ParseID reads what ID wrote.
func ParseID(id string) (Place, error) {
	parts := strings.Split(id, "-")
	if len(parts) != 3 {
		return Place{}, fmt.Errorf("%.80q is no place of an outage: company-environment-authority", id)
	}
	return Place{parts[0], parts[1], parts[2]}, nil
}

// State is the outage of a place. The zero value: there is none.
type State struct {
	Outage string    // "": none is open
	Cause  string    // ByCalls or ByOperator
	Since  time.Time // of the open one
	Until  time.Time // of the last one that was closed; zero: none was
}

// Open says that the authority counts as away.
func (s State) Open() bool { return s.Outage != "" }

// Threshold is when failing calls are an outage: so many, with none that got through
// between, over so long.
type Threshold struct {
	Calls int
	After time.Duration
}

// Command is Failed, Answered, Open or Close.
type Command interface {
	decide(State) ([]events.Event, error)
}

// Failed are calls that failed one after the other, with none between that got through. They
// open an outage, unless they are fewer or over less time than Threshold, began before the last
// outage was closed, or one is open already.
type Failed struct {
	Place
	Outage    string // id of the one that may open
	Tally     Tally
	Threshold Threshold
}

// Answered is a call that got through. It closes an outage that failing calls opened; one
// that a person opened ends when a person says so.
type Answered struct {
	Place
	At        time.Time
	Operation string
}

// MaxAge bounds how long before it is opened an outage may have begun, 30 days: whoever opens one by hand is asked to
// name a later time. Folio's bound.
const MaxAge = 30 * 24 * time.Hour

// Open is a person who says that the authority is away for the company since a time.
type Open struct {
	Place
	Outage string // its id
	Reason string
	Since  time.Time
}

// Close is a person who says that the outage is over at a time.
type Close struct {
	Place
	Outage string
	Reason string
	At     time.Time
}

// Refusals of what a person asks for.
var (
	ErrOpen = fault.New(fault.Conflict, "OUTAGE_ALREADY_OPEN",
		"An outage of this authority is open for the company already: see GET /api/companies/{id}/outages.")
	ErrNotOpen = fault.New(fault.Conflict, "OUTAGE_NOT_OPEN",
		"The company has no open outage of this id: see GET /api/companies/{id}/outages.")
	ErrBefore = fault.Field("since", "OUTAGE_OVERLAPS",
		"The last outage was closed after this time: name a later one.")
)

// Decider is the whole behaviour of the outages of one place. Its stream is outage-<ID>.
var Decider = commands.Decider[State, Command]{
	Category: "outage",
	Decide:   Command.decide,
	Evolve: func(s State, e events.Event) State {
		switch e := e.(type) {
		case events.AuthorityOutageOpened:
			s.Outage, s.Cause, s.Since = e.Outage, e.Cause, e.Since
		case events.AuthorityOutageClosed:
			s = State{Until: e.Until}
		}
		return s
	},
}

func (c Failed) decide(s State) ([]events.Event, error) {
	if s.Open() || !c.Tally.Since.After(s.Until) || !c.Tally.Due(c.Threshold) {
		return nil, nil
	}
	e := c.opened(c.Outage, ByCalls, c.Tally.Since)
	e.Calls, e.Evidence = c.Tally.Calls, c.Tally.Evidence()
	return []events.Event{e}, nil
}

func (c Open) decide(s State) ([]events.Event, error) {
	switch {
	case s.Open():
		return nil, ErrOpen
	case c.Since.Before(s.Until):
		return nil, ErrBefore
	}
	e := c.opened(c.Outage, ByOperator, c.Since)
	e.Reason = c.Reason
	return []events.Event{e}, nil
}

func (c Answered) decide(s State) ([]events.Event, error) {
	if !s.Open() || s.Cause != ByCalls {
		return nil, nil
	}
	e := c.closed(s, ByCall, c.At)
	e.Operation = c.Operation
	return []events.Event{e}, nil
}

func (c Close) decide(s State) ([]events.Event, error) {
	if !s.Open() || s.Outage != c.Outage {
		return nil, ErrNotOpen
	}
	e := c.closed(s, ByOperator, c.At)
	e.Reason = c.Reason
	return []events.Event{e}, nil
}

func (p Place) opened(id, cause string, since time.Time) events.AuthorityOutageOpened {
	return events.AuthorityOutageOpened{Outage: id, Company: p.Company, Environment: p.Environment,
		Authority: p.Authority, Cause: cause, Since: since.UTC()}
}

// closed never ends before it began, whatever two clocks say.
func (p Place) closed(s State, cause string, at time.Time) events.AuthorityOutageClosed {
	if at.Before(s.Since) {
		at = s.Since
	}
	return events.AuthorityOutageClosed{Outage: s.Outage, Company: p.Company, Environment: p.Environment,
		Authority: p.Authority, Cause: cause, Since: s.Since, Until: at.UTC(),
		Seconds: int64(at.Sub(s.Since) / time.Second)}
}
