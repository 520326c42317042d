// Package processortest is the world of a processor's tests: a log in memory, a clock that
// stands still until a test moves it, and steps at which a process may die.
package processortest

import (
	"context"
	"sync"
	"testing"
	"time"

	"folio/bus"
	"folio/events"
	"folio/eventstore"
	"folio/eventstore/memory"
)

// Log is a log in memory whose followers can be awaited.
type Log struct {
	*memory.Log
	mu    sync.Mutex
	heard events.Position // how far a follower came
	moved chan struct{}   // closed when it comes further
}

// NewLog makes an empty log.
func NewLog() *Log { return &Log{Log: memory.New(), moved: make(chan struct{})} }

// Source is the log with the events of these types.
func (l *Log) Source(types []string) bus.Source { return source{l, types} }

type source struct {
	log   *Log
	types []string
}

// few is how many events a follower is given at once: a test may come between two batches.
const few = 20

// Follow gives the events of the source's types, a few at a time, and waits for more.
func (s source) Follow(
	ctx context.Context, _ string, after events.Position, handle func(context.Context, bus.Batch) error,
) error {
	return s.log.Log.Follow(ctx, after, eventstore.Filter{Types: s.types}, eventstore.FollowOptions{MaxBatch: few},
		func(ctx context.Context, b eventstore.Batch) error {
			out := bus.Batch{Position: b.Position, CaughtUp: b.CaughtUp}
			for _, r := range b.Events {
				out.Deliveries = append(out.Deliveries, bus.Delivery{ID: r.ID, Payload: []byte(r.Raw), Event: r})
			}
			if err := handle(ctx, out); err != nil {
				return err
			}
			s.log.mu.Lock()
			defer s.log.mu.Unlock()
			s.log.heard = b.Position
			close(s.log.moved)
			s.log.moved = make(chan struct{})
			return nil
		})
}

// AwaitHeard waits until the log's follower has taken in all that it holds.
func (l *Log) AwaitHeard(t testing.TB) {
	t.Helper()
	for deadline := time.After(20 * time.Second); ; {
		end, _ := l.End(t.Context())
		l.mu.Lock()
		all, moved := !l.heard.Before(end), l.moved
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
	l.Log.Record(t, events.Meta{At: at}, stream, facts...)
}

// Facts are the events of a type so far, in order.
func Facts[E events.Event](t testing.TB, l *Log) []E {
	t.Helper()
	all, _ := l.Events()
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
		_, changed := l.Events()
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
