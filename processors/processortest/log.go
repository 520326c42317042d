// Package processortest is the world of a processor's tests: a log in memory, a clock that
// stands still until a test moves it, and steps at which a process may die.
package processortest

import (
	"context"
	"errors"
	"iter"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"folio/bus"
	"folio/events"
	"folio/eventstore"
)

// Log is a log in memory that keeps exact revisions.
type Log struct {
	types   []string
	mu      sync.Mutex
	all     []events.Recorded
	changed chan struct{}
	heard   events.Position // how far a follower came
	moved   chan struct{}   // closed when it comes further
}

// Append is eventstore.Log's, without its idempotency.
func (l *Log) Append(_ context.Context, stream string, expected int64, ps ...eventstore.Pending) (eventstore.Appended, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	last := eventstore.NoStream
	for _, r := range l.all {
		if r.Stream == stream {
			last = int64(r.Revision)
		}
	}
	if last != expected {
		return eventstore.Appended{}, eventstore.ErrConflict
	}
	var at events.Position
	for _, p := range ps {
		last++
		at = events.Position{Commit: uint64(len(l.all) + 1), Prepare: uint64(len(l.all) + 1)}
		l.all = append(l.all, events.Recorded{ID: p.ID.String(), Stream: stream, Revision: uint64(last), Position: at, Type: p.Type, Meta: p.Meta, Raw: p.Data})
	}
	close(l.changed)
	l.changed = make(chan struct{})
	return eventstore.Appended{Revision: uint64(last), Position: at}, nil
}

// Read gives the events of a stream.
func (l *Log) Read(_ context.Context, stream string, from uint64) iter.Seq2[events.Recorded, error] {
	return func(yield func(events.Recorded, error) bool) {
		l.mu.Lock()
		all := l.all
		l.mu.Unlock()
		for _, r := range all {
			if r.Stream == stream && r.Revision >= from && !yield(r, nil) {
				return
			}
		}
	}
}

// Follow gives the events of the log's types, and waits for more.
func (l *Log) Follow(ctx context.Context, _ string, after events.Position, handle func(context.Context, bus.Batch) error) error {
	for at := after; ; {
		l.mu.Lock()
		all, changed := l.all, l.changed
		l.mu.Unlock()
		b := bus.Batch{Position: at, CaughtUp: true}
		for _, r := range all[at.Commit:] {
			b.Position = r.Position
			if slices.Contains(l.types, r.Type) {
				b.Deliveries = append(b.Deliveries, bus.Delivery{ID: r.ID, Event: r})
			}
		}
		if err := handle(ctx, b); err != nil {
			return err
		}
		at = b.Position
		l.mu.Lock()
		l.heard = at
		close(l.moved)
		l.moved = make(chan struct{})
		l.mu.Unlock()
		select {
		case <-changed:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// NewLog makes an empty log whose followers hear events of these types.
func NewLog(types ...string) *Log {
	return &Log{types: types, changed: make(chan struct{}), moved: make(chan struct{})}
}

// All are the events so far, and a channel that closes when there are more.
func (l *Log) All() ([]events.Recorded, <-chan struct{}) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.all, l.changed
}

// AwaitHeard waits until the log's follower has taken in all that it holds.
func (l *Log) AwaitHeard(t testing.TB) {
	t.Helper()
	for deadline := time.After(20 * time.Second); ; {
		l.mu.Lock()
		all, moved := len(l.all) == 0 || !l.heard.Before(l.all[len(l.all)-1].Position), l.moved
		l.mu.Unlock()
		if all {
			return
		}
		select {
		case <-moved:
		case <-deadline:
			t.Fatal("the log is not followed to its end")
		}
	}
}

// Record appends facts to a stream, at a time: all of them behind whatever a processor
// appends meanwhile.
func (l *Log) Record(t testing.TB, at time.Time, stream string, facts ...events.Event) {
	t.Helper()
	ps := make([]eventstore.Pending, len(facts))
	for i, e := range facts {
		name, schema, data, err := events.Encode(e)
		if err != nil {
			t.Fatal(err)
		}
		ps[i] = eventstore.Pending{ID: uuid.New(), Type: name, Data: data, Meta: events.Meta{Schema: schema, At: at}}
	}
	for {
		last := eventstore.NoStream
		for r := range l.Read(t.Context(), stream, 0) {
			last = int64(r.Revision)
		}
		_, err := l.Append(t.Context(), stream, last, ps...)
		if err == nil {
			return
		}
		if !errors.Is(err, eventstore.ErrConflict) {
			t.Fatal(err)
		}
	}
}

// Facts are the events of a type so far, in order.
func Facts[E events.Event](t testing.TB, l *Log) []E {
	t.Helper()
	all, _ := l.All()
	var out []E
	for _, r := range all {
		if r.Type != events.Name[E]() {
			continue
		}
		opened, err := events.Open(r)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, opened.Event.(E))
	}
	return out
}

// Await reads the log until it holds n events of a type, and gives them.
func Await[E events.Event](t testing.TB, l *Log, n int) []E {
	t.Helper()
	deadline := time.After(20 * time.Second)
	for {
		_, changed := l.All()
		out := Facts[E](t, l)
		if len(out) >= n {
			return out
		}
		select {
		case <-changed:
		case <-deadline:
			t.Fatalf("%d of %d %s came", len(out), n, events.Name[E]())
		}
	}
}
