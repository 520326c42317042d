package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"folio/events"
	"folio/summary"
)

// join is what joined rules see of an event's stream.
type join struct {
	types  []string // of the events that evolve it
	fresh  func() any
	evolve func(any, events.Event) any
}

// invoices joins the events of an invoice with its summary.
var invoices = &join{
	types:  summary.Types,
	fresh:  func() any { return summary.Summary{} },
	evolve: func(s any, e events.Event) any { return summary.Evolve(s.(summary.Summary), e) },
}

// joined is the state of one stream, which follows from its events alone. It is stored nowhere: what memory does not
// have is read of the log.
type joined struct {
	at    events.Position // of the last event in it; zero when it was read of the log
	value any
}

// keptJoined is how many states are remembered.
const keptJoined = 2048

// evolution is what the folders of a process make of the states of streams, by the id of an event (a log that was put
// back has other events at the same positions): the first one makes it for all. It is safe for concurrent use.
type evolution struct {
	mu             sync.Mutex
	before, behind *recent[any]
}

func newEvolution(kept int) *evolution {
	return &evolution{before: newRecent[any](kept), behind: newRecent[any](kept)}
}

// value is a state behind an event.
func (e *evolution) value(event string, evolve func() any) any {
	e.mu.Lock()
	defer e.mu.Unlock()
	v, ok := e.behind.get(event)
	if !ok {
		v = evolve()
		e.behind.put(event, v)
		e.behind.trim()
	}
	return v
}

// read is a state before an event. Folders that ask at the same time may both read it.
func (e *evolution) read(event string, read func() (any, error)) (any, error) {
	e.mu.Lock()
	v, ok := e.before.get(event)
	e.mu.Unlock()
	if ok {
		return v, nil
	}
	v, err := read()
	if err != nil {
		return nil, err
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.before.put(event, v)
	e.before.trim()
	return v, nil
}

// joinsOf names the table in which versions before kept the states.
func joinsOf(table string) string { return table + "_joins" }

// joins says whether an event of the type belongs to a state.
func (f *folder) joins(name string) bool {
	return f.p.join != nil && (slices.Contains(f.p.join.types, name) ||
		slices.ContainsFunc(f.p.rules[name], func(r rule) bool { return r.joined }))
}

// loadJoined finds the states that are not in memory.
func (f *folder) loadJoined(ctx context.Context, batch []events.Recorded) error {
	if f.p.join == nil {
		return nil
	}
	for _, r := range batch {
		if !f.joins(r.Type) {
			continue
		}
		if _, ok := f.states.get(r.Stream); ok {
			continue
		}
		s := &joined{value: f.p.join.fresh()}
		if r.Revision > 0 {
			var err error
			s.value, err = f.shared.read(r.ID, func() (any, error) { return f.past(ctx, f.p.join, r) })
			if err != nil {
				return f.unknown(r, err)
			}
		}
		f.states.put(r.Stream, s)
	}
	return nil
}

// unknown is why the state before an event cannot be had: a stream that is cut or cannot be read stops at the event,
// and no other.
func (f *folder) unknown(r events.Recorded, err error) error {
	err = fmt.Errorf("what came before event %d of %s: %w", r.Revision, r.Stream, err)
	var t *events.Trouble
	if errors.As(err, &t) {
		return &StoppedError{Projection: f.p.name, Event: r, Err: err}
	}
	return err
}

// past is the state of an event's stream before it, as it is joined.
type past func(ctx context.Context, j *join, r events.Recorded) (any, error)

// pastOf reads it of a log, which goes on without what everybody goes on without.
func pastOf(log Streams) past {
	return func(ctx context.Context, j *join, r events.Recorded) (state any, err error) {
		state = j.fresh()
		for e, err := range log.Read(ctx, r.Stream, 0) {
			if err != nil {
				return nil, err
			}
			if e.Revision >= r.Revision {
				break
			}
			if !slices.Contains(j.types, e.Type) || events.KinshipOf(e) != events.Known {
				continue
			}
			if e, err = events.Open(e); err != nil {
				return nil, err
			}
			if state, err = j.evolved(state, e); err != nil {
				return nil, err
			}
		}
		return state, nil
	}
}

// evolved is a state with one event more. What the event means may not be had: that is a *events.Trouble.
func (j *join) evolved(state any, e events.Recorded) (next any, err error) {
	defer func() {
		if err != nil {
			err = e.About(events.Unappliable, err)
		}
	}()
	defer recovered(&err)
	return j.evolve(state, e.Event), nil
}

// evolve brings the state of an event's stream up to it. It is not news when the state has the event in it already:
// then this folder has changed its documents.
func (f *folder) evolve(r *events.Recorded) (state any, news bool) {
	if !f.joins(r.Type) {
		return nil, true
	}
	s, _ := f.states.get(r.Stream) // it was loaded
	if !s.at.Before(r.Position) {
		return s.value, false
	}
	s.value, s.at = f.shared.value(r.ID, func() any {
		if !slices.Contains(f.p.join.types, r.Type) {
			return s.value
		}
		return f.p.join.evolve(s.value, r.Event)
	}), r.Position
	return s.value, true
}
