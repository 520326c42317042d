package fanout_test

import (
	"context"
	"slices"
	"sync"
	"testing"
	"time"

	"folio/events"
	"folio/eventstore"
	"folio/eventstore/fanout"
)

// memory is a log that counts what is read of it.
type memory struct {
	mu     sync.Mutex
	all    []events.Recorded
	more   chan struct{}
	reads  int // calls of Follow
	sent   int // events handed over
	ended  error
	closed int // calls of Follow that ended
}

func newMemory(types ...string) *memory {
	l := &memory{more: make(chan struct{})}
	l.append(types...)
	return l
}

func (l *memory) append(types ...string) events.Position {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, t := range types {
		at := uint64(len(l.all)) // the first one has the zero position
		l.all = append(l.all, events.Recorded{Type: t, Revision: at, Position: events.Position{Commit: at, Prepare: at}})
	}
	close(l.more)
	l.more = make(chan struct{})
	if len(l.all) == 0 {
		return events.Position{}
	}
	return l.all[len(l.all)-1].Position
}

func (l *memory) end(err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.ended = err
	close(l.more)
	l.more = make(chan struct{})
}

func (l *memory) counts() (reads, sent, open int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.reads, l.sent, l.reads - l.closed
}

func (l *memory) Follow(ctx context.Context, after events.Position, f eventstore.Filter, _ eventstore.FollowOptions,
	handle func(context.Context, eventstore.Batch) error) error {
	l.mu.Lock()
	l.reads++
	l.mu.Unlock()
	defer func() { l.mu.Lock(); l.closed++; l.mu.Unlock() }()
	next := 0
	if !after.IsZero() {
		next = int(after.Commit) + 1
	}
	for {
		l.mu.Lock()
		batch, more, ended := l.all[min(next, len(l.all)):], l.more, l.ended
		batch = batch[:min(len(batch), eventstore.DefaultMaxBatch)]
		b := eventstore.Batch{Position: after, CaughtUp: next+len(batch) >= len(l.all)}
		for _, r := range batch {
			b.Position = r.Position
			if len(f.Types) == 0 || slices.Contains(f.Types, r.Type) {
				b.Events = append(b.Events, r)
				l.sent++
			}
		}
		l.mu.Unlock()
		if ended != nil {
			return ended
		}
		if err := handle(ctx, b); err != nil {
			return err
		}
		next, after = next+len(batch), b.Position
		if b.CaughtUp {
			select {
			case <-more:
			case <-ctx.Done():
			}
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
}

// ear is a follower that remembers what it heard.
type ear struct {
	t     *testing.T
	types []string
	slow  func(events.Recorded) // how long it takes; nil: no time
	stop  context.CancelFunc
	ended chan error

	mu    sync.Mutex
	heard []uint64
	at    events.Position
	told  int // batches
	up    bool
}

func listen(t *testing.T, r *fanout.Reader, after events.Position, every int, slow func(events.Recorded), types ...string) *ear {
	ctx, cancel := context.WithCancel(t.Context())
	e := &ear{t: t, types: types, slow: slow, stop: cancel, ended: make(chan error, 1), at: after}
	var over sync.WaitGroup
	over.Go(func() {
		e.ended <- r.Follow(ctx, after, eventstore.Filter{Types: types}, eventstore.FollowOptions{CheckpointEvery: every}, e.handle)
	})
	t.Cleanup(func() { cancel(); over.Wait() })
	return e
}

func (e *ear) handle(_ context.Context, b eventstore.Batch) error {
	for _, r := range b.Events {
		if e.slow != nil {
			e.slow(r)
		}
		if !slices.Contains(e.types, r.Type) {
			e.t.Errorf("heard a %s, which is not wanted", r.Type)
		}
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, r := range b.Events {
		e.heard = append(e.heard, r.Position.Commit)
	}
	if b.Position.Before(e.at) {
		e.t.Errorf("position %s after %s", b.Position, e.at)
	}
	e.at, e.up, e.told = b.Position, b.CaughtUp, e.told+1
	return nil
}

func (e *ear) now() (heard []uint64, at events.Position, caughtUp bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	return slices.Clone(e.heard), e.at, e.up
}

// batches is how many it was handed.
func (e *ear) batches() int {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.told
}

// wantAll fails unless e heard exactly the events of its types after a position, in order.
func (e *ear) wantAll(l *memory, after events.Position) {
	e.t.Helper()
	var want []uint64
	for _, r := range l.all {
		if (after.IsZero() || after.Before(r.Position)) && slices.Contains(e.types, r.Type) {
			want = append(want, r.Position.Commit)
		}
	}
	heard, at, up := e.now()
	if !slices.Equal(heard, want) {
		n := 0
		for n < min(len(heard), len(want)) && heard[n] == want[n] {
			n++
		}
		e.t.Errorf("heard %d events of %v, want %d: the first %d are right", len(heard), e.types, len(want), n)
	}
	if !up || at != l.all[len(l.all)-1].Position {
		e.t.Errorf("at %s, caught up %v, want the end of the log", at, up)
	}
}

// takes is a follower that needs a while for each event.
func takes(d time.Duration) func(events.Recorded) { return func(events.Recorded) { time.Sleep(d) } }

// mixed is a past of n events of the types a, b, c in turn.
func mixed(n int) []string {
	out := make([]string, n)
	for i := range out {
		out[i] = string(rune('a' + i%3))
	}
	return out
}
