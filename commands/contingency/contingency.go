// Package contingency decides when documents of a point of sale are issued without asking the
// authority, and when that ends (Argentina: RG 4290 Title III, by RG 5785/2025).
package contingency

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"folio/commands"
	"folio/events"
	"folio/fault"
)

// State is the contingency of one point of sale.
type State struct {
	Open   *events.ContingencyOpened // nil while it is closed
	Since  time.Time                 // when it opened
	Closed time.Time                 // when the last one closed
	Times  int                       // how often it was opened

	recorded time.Time
}

// Command is anything the contingency of a point of sale can be asked.
type Command interface {
	decide(State) ([]events.Event, error)
}

// Decider is the whole behaviour of a point of sale's contingency.
var Decider = commands.Decider[State, Command]{
	Category: "contingency",
	Decide:   Command.decide,
	Evolve:   evolve,
	Dated: func(s State, at time.Time) State {
		s.recorded = at
		return s
	},
}

func evolve(s State, e events.Event) State {
	switch e := e.(type) {
	case events.ContingencyOpened:
		s.Open, s.Since, s.Times = &e, s.recorded, s.Times+1
	case events.ContingencyClosed:
		s.Open, s.Closed = nil, s.recorded
	}
	return s
}

// Window names the contingency of one point of sale.
type Window struct {
	Company, Environment string
	PointOfSale          int // in ordinary times
}

// ID is the aggregate id: "<company>-<environment>-<point of sale>".
func (w Window) ID() string { return fmt.Sprintf("%s-%s-%d", w.Company, w.Environment, w.PointOfSale) }

// Parse reads what ID wrote.
func Parse(id string) (Window, error) {
	parts := strings.Split(id, "-")
	if len(parts) != 3 {
		return Window{}, fmt.Errorf("%.80q is not a contingency: company-environment-point", id)
	}
	point, err := strconv.Atoi(parts[2])
	w := Window{parts[0], parts[1], point}
	if err != nil || w.ID() != id {
		return Window{}, fmt.Errorf("%.80q is not a contingency: company-environment-point", id)
	}
	return w, nil
}

// Refusals of a contingency.
var (
	ErrOff = fault.New(fault.Conflict, "CONTINGENCY_OFF",
		"This point of sale has no contingency point, or its mode is off: set it with PUT "+
			"/api/companies/{id_company}/contingency/{point_of_sale}.")
	errReason = fault.New(fault.Invalid, "REASON_MISSING", "Say why: it is kept as evidence of the outage.")
)

// Open lets documents be issued by contingency from now on. Opening what is open is nothing new.
type Open struct {
	Opened events.ContingencyOpened
	Mode   string // of the company's setting
}

func (c Open) decide(s State) ([]events.Event, error) {
	switch {
	case c.Mode == "" || c.Mode == events.ContingencyOff || c.Opened.Point == 0:
		return nil, ErrOff
	case strings.TrimSpace(c.Opened.Cause) == "":
		return nil, errReason
	case s.Open != nil:
		return nil, nil
	}
	return []events.Event{c.Opened}, nil
}

// Close ends it: documents wait for the authority again. Closing what is closed is nothing new; what the company never
// set cannot be closed.
type Close struct {
	Closed events.ContingencyClosed
	Unset  bool // the company has no setting for the point of sale
}

func (c Close) decide(s State) ([]events.Event, error) {
	switch {
	case s.Open == nil && c.Unset:
		return nil, ErrOff
	case s.Open == nil:
		return nil, nil
	case strings.TrimSpace(c.Closed.Reason) == "":
		return nil, errReason
	}
	return []events.Event{c.Closed}, nil
}
