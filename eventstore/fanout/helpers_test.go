package fanout_test

import (
	"context"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"folio/events"
	"folio/eventstore"
	"folio/eventstore/fanout"
	"folio/eventstore/memory"
)

// log is one in memory that counts what is read of it.
type log struct {
	*memory.Log
	t     *testing.T
	ended chan error    // ends what is read
	slow  time.Duration // on its way from the log

	mu    sync.Mutex
	reads int // calls of Follow
	sent  int // events handed over
	over  int // calls of Follow that ended
}

func newLog(t *testing.T, types ...string) *log {
	l := &log{Log: memory.New(), t: t, ended: make(chan error, 1)}
	l.append(types...)
	return l
}

func (l *log) append(types ...string) {
	l.t.Helper()
	if len(types) == 0 {
		return
	}
	ps := make([]eventstore.Pending, len(types))
	for i, t := range types {
		ps[i] = eventstore.Pending{ID: uuid.New(), Type: t, Data: []byte(`{}`)}
	}
	if _, err := l.Append(l.t.Context(), "s", int64(len(l.all()))-1, ps...); err != nil {
		l.t.Fatal(err)
	}
}

func (l *log) all() []events.Recorded {
	all, _ := l.Events()
	return all
}

func (l *log) counts() (reads, sent, open int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.reads, l.sent, l.reads - l.over
}

func (l *log) Follow(ctx context.Context, after events.Position, f eventstore.Filter, o eventstore.FollowOptions,
	handle func(context.Context, eventstore.Batch) error) error {
	l.mu.Lock()
	l.reads++
	l.mu.Unlock()
	defer func() { l.mu.Lock(); l.over++; l.mu.Unlock() }()
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	go func() {
		select {
		case err := <-l.ended:
			cancel(err)
		case <-ctx.Done():
		}
	}()
	err := l.Log.Follow(ctx, after, f, o, func(ctx context.Context, b eventstore.Batch) error {
		l.mu.Lock()
		l.sent += len(b.Events)
		slow := l.slow
		l.mu.Unlock()
		time.Sleep(slow)
		return handle(ctx, b)
	})
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return err
}

// ear is a follower that remembers what it heard; without types it wants every event.
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

func listen(t *testing.T, r *fanout.Reader, after events.Position, every int, slow func(events.Recorded),
	types ...string) *ear {
	ctx, cancel := context.WithCancel(t.Context())
	e := &ear{t: t, types: types, slow: slow, stop: cancel, ended: make(chan error, 1), at: after}
	var over sync.WaitGroup
	over.Go(func() {
		if types == nil {
			e.ended <- r.FollowAll(ctx, after, eventstore.FollowOptions{CheckpointEvery: every}, e.handle)
			return
		}
		e.ended <- r.Follow(ctx, after, eventstore.Filter{Types: types}, eventstore.FollowOptions{CheckpointEvery: every},
			e.handle)
	})
	t.Cleanup(func() { cancel(); over.Wait() })
	return e
}

func (e *ear) handle(_ context.Context, b eventstore.Batch) error {
	for _, r := range b.Events {
		if e.slow != nil {
			e.slow(r)
		}
		if !e.wants(r) {
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

func (e *ear) wants(r events.Recorded) bool {
	return e.types == nil || slices.Contains(e.types, r.Type)
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
func (e *ear) wantAll(l *log, after events.Position) {
	e.t.Helper()
	var want []uint64
	for _, r := range l.all() {
		if (after.IsZero() || after.Before(r.Position)) && e.wants(r) {
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
	if end, _ := l.End(e.t.Context()); !up || at != end {
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
