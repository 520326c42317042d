package engine

import (
	"context"
	"fmt"
	"slices"

	"github.com/go-json-experiment/json"

	"folio/events"
	"folio/summary"
	"folio/tables"
)

// join is what joined rules see of an event's stream.
type join struct {
	types  []string // of the events that evolve it
	fresh  func() any
	evolve func(any, events.Event) any
	decode func([]byte) (any, error)
}

// invoices joins the events of an invoice with its summary.
var invoices = &join{
	types:  summary.Types,
	fresh:  func() any { return summary.Summary{} },
	evolve: func(s any, e events.Event) any { return summary.Evolve(s.(summary.Summary), e) },
	decode: func(b []byte) (any, error) {
		var s summary.Summary
		err := json.Unmarshal(b, &s)
		return s, err
	},
}

// joined is the state of one stream. It is stored after the documents of a batch, so an event
// that it has in it has changed its documents already, whatever a crash interrupted.
type joined struct {
	stream string
	at     events.Position
	value  any
	dirty  bool
}

const keptJoined = 2048

// evolution is what the folders of one batch make of the states of streams. All of them have read
// each stream from its beginning, so that the first one makes it for all. It is for one goroutine.
type evolution struct {
	values map[events.Position]any
	bodies map[events.Position][]byte
}

func newEvolution() *evolution {
	return &evolution{map[events.Position]any{}, map[events.Position][]byte{}}
}

// forget ends a batch.
func (e *evolution) forget() {
	clear(e.values)
	clear(e.bodies)
}

// value is a state behind the event at a position.
func (e *evolution) value(at events.Position, evolve func() any) any {
	if e == nil {
		return evolve()
	}
	v, ok := e.values[at]
	if !ok {
		v = evolve()
		e.values[at] = v
	}
	return v
}

// body is that state as it is stored.
func (e *evolution) body(at events.Position, encode func() ([]byte, error)) ([]byte, error) {
	if e == nil {
		return encode()
	}
	if b, ok := e.bodies[at]; ok {
		return b, nil
	}
	b, err := encode()
	if err == nil {
		e.bodies[at] = b
	}
	return b, err
}

// joinsOf names the table of the states.
func joinsOf(table string) string { return table + "_joins" }

// joins says whether an event of the type belongs to a state.
func (f *folder) joins(name string) bool {
	return f.p.join != nil && (slices.Contains(f.p.join.types, name) ||
		slices.ContainsFunc(f.p.rules[name], func(r rule) bool { return r.joined }))
}

// loadJoined fetches the states that are not in memory.
func (f *folder) loadJoined(ctx context.Context, batch []events.Recorded) error {
	if f.p.join == nil {
		return nil
	}
	var streams []string
	seen := map[string]bool{}
	for _, r := range batch {
		if seen[r.Stream] || !f.joins(r.Type) {
			continue
		}
		seen[r.Stream] = true
		if _, ok := f.states.get(r.Stream); !ok {
			streams = append(streams, r.Stream)
		}
	}
	if len(streams) == 0 {
		return nil
	}
	found, err := f.store.GetMany(ctx, joinsOf(f.table), streams)
	if err != nil {
		return err
	}
	for _, stream := range streams {
		s := &joined{stream: stream, value: f.p.join.fresh()}
		if d, ok := found[stream]; ok {
			if s.value, err = f.p.join.decode(d.Body); err != nil {
				return fmt.Errorf("decode the state of %s: %w", stream, err)
			}
			s.at = d.At
		}
		f.states.put(stream, s)
	}
	return nil
}

// evolve brings the state of an event's stream up to it. It is not news when the state has the
// event in it already: then its documents have it, too.
func (f *folder) evolve(r events.Recorded) (state any, news bool) {
	if !f.joins(r.Type) {
		return nil, true
	}
	s, _ := f.states.get(r.Stream) // it was loaded
	if !s.at.Before(r.Position) {
		f.ahead = true
		return s.value, false
	}
	s.value, s.at = f.shared.value(r.Position, func() any { return f.p.join.evolve(s.value, r.Event) }), r.Position
	if !s.dirty {
		s.dirty = true
		f.evolved = append(f.evolved, s)
	}
	return s.value, true
}

// joinedWrites are the states that the batch changed.
func (f *folder) joinedWrites() ([]tables.Write, error) {
	if len(f.evolved) == 0 {
		return nil, nil
	}
	w := tables.Write{Table: joinsOf(f.table), Documents: make([]tables.Document, len(f.evolved))}
	for i, s := range f.evolved {
		body, err := f.shared.body(s.at, func() ([]byte, error) { return encode(s.value) })
		if err != nil {
			return nil, fmt.Errorf("encode the state of %s: %w", s.stream, err)
		}
		w.Documents[i] = tables.Document{ID: s.stream, At: s.at, Body: body}
		s.dirty = false
	}
	f.evolved = nil
	return []tables.Write{w}, nil
}
