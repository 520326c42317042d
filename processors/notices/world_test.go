package notices_test

import (
	"context"
	"iter"
	"log/slog"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"folio/bus"
	"folio/commands"
	"folio/country"
	"folio/country/ar"
	"folio/events"
	"folio/eventstore"
	"folio/processors/notices"
	"folio/tables"
	"folio/tables/sqlite"
)

// clock stands still until a test moves it.
type clock struct {
	mu      sync.Mutex
	now     time.Time
	waiting []chan time.Time
	until   []time.Time
}

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) After(d time.Duration) <-chan time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	ch := make(chan time.Time, 1)
	if d <= 0 {
		ch <- c.now
		return ch
	}
	c.waiting, c.until = append(c.waiting, ch), append(c.until, c.now.Add(d))
	return ch
}

// set moves the clock and wakes who waited for it.
func (c *clock) set(t time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = t
	for _, ch := range c.waiting {
		select {
		case ch <- t:
		default:
		}
	}
	c.waiting, c.until = nil, nil
}

// memory is a log that keeps exact revisions.
type memory struct {
	mu      sync.Mutex
	all     []events.Recorded
	changed chan struct{}
}

func (l *memory) Append(_ context.Context, stream string, expected int64, ps ...eventstore.Pending) (eventstore.Appended, error) {
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

func (l *memory) Read(_ context.Context, stream string, from uint64) iter.Seq2[events.Recorded, error] {
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

func (l *memory) Follow(ctx context.Context, _ string, after events.Position, handle func(context.Context, bus.Batch) error) error {
	wanted := map[string]bool{}
	for _, t := range notices.Types {
		wanted[t] = true
	}
	for at := after; ; {
		l.mu.Lock()
		all, changed := l.all, l.changed
		l.mu.Unlock()
		b := bus.Batch{Position: at, CaughtUp: true}
		for _, r := range all[at.Commit:] {
			b.Position = r.Position
			if wanted[r.Type] {
				b.Deliveries = append(b.Deliveries, bus.Delivery{ID: r.ID, Event: r})
			}
		}
		if err := handle(ctx, b); err != nil {
			return err
		}
		at = b.Position
		select {
		case <-changed:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// ranged is a country like Argentina whose numbers come from files.
type ranged struct{ ar.Rules }

func (ranged) NeedsRange() bool { return true }
func (ranged) ParseRange([]byte, country.Trust) (country.RangeFile, error) {
	return country.RangeFile{}, nil
}
func (ranged) LastDay(f country.RangeFile) string { return f.ExpiresOn }
func (ranged) NoticeThreshold(int) int64          { return 20 }

type world struct {
	t      *testing.T
	log    *memory
	clock  *clock
	x      *commands.Executor
	tables tables.Store
	stop   func()
}

func newWorld(t *testing.T, now time.Time) *world {
	t.Helper()
	store, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "tables.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	w := &world{t: t, log: &memory{changed: make(chan struct{})}, clock: &clock{now: now}, tables: store}
	w.x = commands.NewExecutor(w.log, w.clock.Now)
	return w
}

// start runs a processor until stop.
func (w *world) start() {
	w.t.Helper()
	p := notices.New(notices.Config{Executor: w.x, Source: w.log, Log: "L", Tables: w.tables, Clock: w.clock, Logger: slog.New(slog.DiscardHandler),
		Rules: func(string) (country.Rules, bool) { return ranged{}, true }})
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- p.Run(ctx) }()
	w.stop = func() {
		cancel()
		if err := <-done; err != nil {
			w.t.Error(err)
		}
	}
}

// record appends facts to a stream, at the clock's time.
func (w *world) record(stream string, facts ...events.Event) {
	w.t.Helper()
	last := eventstore.NoStream
	for r := range w.log.Read(w.t.Context(), stream, 0) {
		last = int64(r.Revision)
	}
	for _, e := range facts {
		name, schema, data, err := events.Encode(e)
		if err != nil {
			w.t.Fatal(err)
		}
		if _, err := w.log.Append(w.t.Context(), stream, last, eventstore.Pending{ID: uuid.New(), Type: name, Data: data,
			Meta: events.Meta{Schema: schema, At: w.clock.Now()}}); err != nil {
			w.t.Fatal(err)
		}
		last++
	}
}

// await reads the log until it holds n events of a type, and gives them.
func await[E events.Event](w *world, n int) []E {
	w.t.Helper()
	deadline := time.After(20 * time.Second)
	for {
		w.log.mu.Lock()
		all, changed := w.log.all, w.log.changed
		w.log.mu.Unlock()
		var out []E
		for _, r := range all {
			if r.Type != events.Name[E]() {
				continue
			}
			opened, err := events.Open(r)
			if err != nil {
				w.t.Fatal(err)
			}
			out = append(out, opened.Event.(E))
		}
		if len(out) >= n {
			return out
		}
		select {
		case <-changed:
		case <-deadline:
			w.t.Fatalf("%d of %d %s came", len(out), n, events.Name[E]())
		}
	}
}
