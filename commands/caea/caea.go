// Package caea decides what becomes of the code of one fortnight (Argentina, CAEA): it is asked
// for ahead, and closed when all that was issued by it, and every point that issued nothing, is
// reported. RG 5782/2025 arts. 4 and 6.
package caea

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"folio/commands"
	"folio/events"
	"folio/fault"
)

// State is the code of one fortnight of one company and environment.
type State struct {
	events.CAEARequested
	Granted *events.CAEAGranted // nil before
	Refused *events.CAEARefused // the last refusal, nil once it was granted
	// Idle are the points that were reported without documents, Doubted those that the
	// authority says had some; the value is what it said.
	Idle    map[int]bool
	Doubted map[int]string
	Warned  []string // kinds of the notices that were given
	Closed  bool

	GrantedAt time.Time // when Granted was recorded
	recorded  time.Time // of the event that is folded
}

// Command is anything a fortnight can be asked.
type Command interface {
	decide(State) ([]events.Event, error)
}

// Decider is the whole behaviour of a fortnight's code.
var Decider = commands.Decider[State, Command]{
	Category: "caea",
	Decide:   Command.decide,
	Evolve:   evolve,
	Dated: func(s State, at time.Time) State {
		s.recorded = at
		return s
	},
}

func evolve(s State, e events.Event) State {
	switch e := e.(type) {
	case events.CAEARequested:
		s.CAEARequested = e
	case events.CAEAGranted:
		s.Granted, s.Refused, s.GrantedAt = &e, nil, s.recorded
	case events.CAEARefused:
		s.Refused = &e
	case events.NoMovementReported:
		s.Idle, s.Doubted = with(s.Idle, e.Point, true), without(s.Doubted, e.Point)
	case events.NoMovementRefused:
		s.Doubted = with(s.Doubted, e.Point, events.Words(e.Reasons))
	case events.CAEAWarned:
		s.Warned = append(slices.Clip(s.Warned), e.Kind)
	case events.CAEAClosed:
		s.Closed = true
	}
	return s
}

func with[V any](m map[int]V, key int, v V) map[int]V {
	out := map[int]V{key: v}
	for k, old := range m {
		if k != key {
			out[k] = old
		}
	}
	return out
}

func without[V any](m map[int]V, key int) map[int]V {
	out := maps.Clone(m)
	delete(out, key)
	return out
}

// Fortnight names the code of one: Period is YYYYMM, Order 1 or 2.
type Fortnight struct {
	Company, Environment, Period string
	Order                        int
}

// ID is the aggregate id: "<company>-<environment>-<yyyymm>-<order>".
func (f Fortnight) ID() string {
	return fmt.Sprintf("%s-%s-%s", f.Company, f.Environment, f.Name())
}

// Name is "<yyyymm>-<order>", as documents that were issued by the code name it.
func (f Fortnight) Name() string { return fmt.Sprintf("%s-%d", f.Period, f.Order) }

// Parse reads what ID wrote.
func Parse(id string) (Fortnight, error) {
	parts := strings.Split(id, "-")
	if len(parts) != 4 {
		return Fortnight{}, fmt.Errorf("%.80q is not a fortnight: company-environment-yyyymm-order", id)
	}
	order, err := strconv.Atoi(parts[3])
	f := Fortnight{parts[0], parts[1], parts[2], order}
	if err != nil || f.ID() != id || order != 1 && order != 2 || len(f.Period) != len("200601") {
		return Fortnight{}, fmt.Errorf("%.80q is not a fortnight: company-environment-yyyymm-order", id)
	}
	return f, nil
}

// Refusals of a fortnight's code.
var (
	ErrNotHeld = fault.New(fault.Conflict, "CAEA_NOT_HELD",
		"No code of this fortnight is held: nothing can be issued or reported by it.")
	ErrOther = fault.New(fault.Conflict, "CAEA_DIFFERS",
		"The authority gives one code a fortnight, and another one is held already.")
	ErrClosed = fault.New(fault.Conflict, "CAEA_CLOSED", "The code of this fortnight is closed: all of it is reported.")
	ErrOwed   = fault.New(fault.Conflict, "CAEA_NOT_REPORTED",
		"Documents or points of this fortnight's code are not reported yet, or were not issued by this service.")
)
