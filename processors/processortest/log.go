// Package processortest is the world of a processor's tests: a log in memory, a clock that
// stands still until a test moves it, and steps at which a process may die.
package processortest

import (
	"context"
	"sync"
	"testing"
	"time"

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

// few is how many events a follower is given at once: a test may come between two batches.
const few = 20

// Follow is that of the log, a few events at a time.
func (l *Log) Follow(ctx context.Context, after events.Position, f eventstore.Filter, o eventstore.FollowOptions,
	handle func(context.Context, eventstore.Batch) error) error {
	o.MaxBatch = few
	return l.Log.Follow(ctx, after, f, o, func(ctx context.Context, b eventstore.Batch) error {
		if err := handle(ctx, b); err != nil {
			return err
		}
		l.mu.Lock()
		defer l.mu.Unlock()
		l.heard = b.Position
		close(l.moved)
		l.moved = make(chan struct{})
		return nil
	})
}

// AwaitHeard waits until the log's follower has taken in all that it holds.
func (l *Log) AwaitHeard(t testing.TB) {
	t.Helper()
	for deadline := time.After(2 * time.Minute); ; {
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
	deadline := time.After(2 * time.Minute)
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
