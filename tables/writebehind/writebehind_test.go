package writebehind_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"folio/events"
	"folio/tables"
	"folio/tables/sqlite"
	"folio/tables/tabletest"
	"folio/tables/writebehind"
)

var noon = time.Date(2026, time.March, 3, 12, 0, 0, 0, time.UTC)

func at(n uint64) events.Position { return events.Position{Commit: n, Prepare: n} }

func openStore(t *testing.T) *sqlite.Store {
	t.Helper()
	store, err := sqlite.Open(context.Background(), filepath.Join(t.TempDir(), "tables.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = store.Close() })
	return store
}

// process is a cache and its writer, until kill.
type process struct {
	*writebehind.Cache
	left atomic.Int64 // writes until it dies; negative: it does not
	kill func()
}

var errDead = errors.New("the process is dead")

// begin starts a process over a store, from its checkpoint.
func begin(store tables.Store, dies int64) *process {
	p := &process{}
	p.left.Store(dies)
	ctx, cancel := context.WithCancel(context.Background())
	from := events.Position{}
	if c, err := store.Checkpoint(ctx, "feed"); err == nil {
		from = c.At
	}
	p.Cache = writebehind.New(writebehind.Config{Store: store,
		Apply: func(ctx context.Context, b tables.Batch, at *events.Position) error {
			left := p.left.Add(-1)
			if left == -1 {
				cancel()
			}
			if left == -1 && dies%2 == 0 { // before the write; otherwise after it
				return errDead
			}
			if at != nil {
				b.Checkpoint = &tables.Checkpoint{Name: "feed", Store: "log", At: *at, After: from}
				from = *at
			}
			return store.Apply(context.WithoutCancel(ctx), b)
		},
		Failed: func(ctx context.Context, err error) bool { return ctx.Err() == nil },
	})
	if dies < 0 {
		p.left.Store(1 << 40)
	}
	p.Begin(from)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		p.Run(ctx)
	}()
	p.kill = func() { cancel(); <-ended }
	return p
}

func TestTheCacheIsAStore(t *testing.T) {
	tabletest.Run(t, func(t *testing.T) tables.Store {
		p := begin(openStore(t), -1)
		t.Cleanup(p.kill)
		return p
	})
}

// evicting is a cache that holds no list in memory.
type evicting struct{ *process }

func (e evicting) Worklist(name string) tables.Worklist {
	e.Evict()
	return e.process.Worklist(name)
}

func TestTheCacheIsAStoreWithoutMemory(t *testing.T) {
	tabletest.Run(t, func(t *testing.T) tables.Store {
		p := begin(openStore(t), -1)
		t.Cleanup(p.kill)
		return evicting{p}
	})
}

// step is what one event of the log changes; it is the same each time that it is heard.
func step(ctx context.Context, s tables.Store, n uint64) error {
	r := rand.New(rand.NewPCG(n, 7))
	w := s.Worklist(fmt.Sprint("w", r.IntN(3)))
	key := fmt.Sprint("k", r.IntN(8))
	due := noon.Add(time.Duration(r.IntN(100)) * time.Minute)
	switch r.IntN(6) {
	case 0:
		return w.Remove(ctx, key, at(n))
	case 1: // which has no guard: a fold looks whether a later event put the item there, when it hears this one again
		it, err := w.Get(ctx, key)
		if errors.Is(err, tables.ErrNotFound) || err == nil && !it.At.Before(at(n)) {
			return nil
		}
		return errors.Join(err, w.Postpone(ctx, key, due))
	case 2: // as a fold does that looks before it changes
		items, err := w.InGroup(ctx, "g1", 100)
		for i, it := range items {
			if err == nil {
				it.At, it.Due = at(n), noon.Add(time.Duration(i)*time.Hour)
				err = w.Put(ctx, it)
			}
		}
		return err
	default:
		return w.Put(ctx, tables.Item{Key: key, Group: fmt.Sprint("g", r.IntN(3)), Order: at(n), Due: due, At: at(n),
			Body: fmt.Appendf(nil, "%d", n)})
	}
}

// seen is all that can be read of the lists.
func seen(t *testing.T, s tables.Store) (out []string) {
	t.Helper()
	note := func(what string, v any, err error) {
		if err != nil {
			t.Fatalf("%s: %v", what, err)
		}
		out = append(out, fmt.Sprintf("%s: %v", what, v))
	}
	for i := range 3 {
		w := s.Worklist(fmt.Sprint("w", i))
		all, err := w.All(t.Context(), 100)
		note("all", all, err)
		some, err := w.All(t.Context(), 3)
		note("some", some, err)
		due, err := w.Due(t.Context(), noon.Add(50*time.Minute), 4)
		note("due", due, err)
		next, ok, err := w.NextDue(t.Context())
		note("next", fmt.Sprint(next, ok), err)
		n, err := w.Count(t.Context())
		note("count", n, err)
		for g := range 3 {
			group, err := w.InGroup(t.Context(), fmt.Sprint("g", g), 2)
			note("group", group, err)
		}
	}
	return out
}

const log = 300 // events

// What is read through the cache is what a store says that takes everything at once, whatever is in memory, is written
// or waits.
func TestWhatIsReadIsWhatWasChanged(t *testing.T) {
	for seed := range uint64(8) {
		r := rand.New(rand.NewPCG(seed, 1))
		plain, store := openStore(t), openStore(t)
		p := begin(store, -1)
		for n := uint64(1); n <= log; n++ {
			if err := errors.Join(step(t.Context(), plain, n), step(t.Context(), p, n)); err != nil {
				t.Fatal(err)
			}
			switch r.IntN(12) {
			case 0:
				if err := p.Save(t.Context(), at(n)); err != nil {
					t.Fatal(err)
				}
			case 1:
				p.Evict()
			case 2:
				p.Seal()
			case 3: // something old is heard again
				old := 1 + r.Uint64N(n)
				if err := step(t.Context(), plain, old); err != nil {
					t.Fatal(err)
				}
				if err := step(t.Context(), p, old); err != nil {
					t.Fatal(err)
				}
			}
			if n%10 == 0 {
				if d := cmp.Diff(seen(t, plain), seen(t, p)); d != "" {
					t.Fatalf("seed %d, after event %d: %s", seed, n, d)
				}
			}
		}
		p.kill()
	}
}

// A process may die at any write, before it or after it: whoever goes on from the checkpoint comes to the same lists.
func TestEveryWriteMayBeTheLast(t *testing.T) {
	want := openStore(t)
	for n := uint64(1); n <= log; n++ {
		if err := step(t.Context(), want, n); err != nil {
			t.Fatal(err)
		}
	}
	for dies := range int64(24) {
		store := openStore(t)
		r := rand.New(rand.NewPCG(uint64(dies), 2))
		for _, dies := range []int64{dies, dies / 2, -1} {
			p := begin(store, dies)
			c, err := store.Checkpoint(t.Context(), "feed")
			if err != nil && !errors.Is(err, tables.ErrNotFound) {
				t.Fatal(err)
			}
			ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
			for n := c.At.Commit + 1; n <= log; n++ {
				err := step(ctx, p, n)
				if err != nil {
					t.Fatal(err)
				}
				if r.IntN(8) == 0 || n == log {
					err = p.Save(ctx, at(n))
				} else if r.IntN(20) == 0 {
					p.Seal()
				}
				if err != nil {
					t.Fatal(err)
				}
				if p.left.Load() < 0 {
					break
				}
			}
			if dies < 0 {
				for i := range 3 { // it waits until the list is written
					if _, err := p.Worklist(fmt.Sprint("w", i)).PruneBefore(ctx, at(0)); err != nil {
						t.Fatal(err)
					}
				}
				if d := cmp.Diff(seen(t, want), seen(t, p)); d != "" {
					t.Fatalf("died at write %d: %s", dies, d)
				}
			}
			cancel()
			p.kill()
		}
		if d := cmp.Diff(seen(t, want), seen(t, store)); d != "" {
			t.Errorf("died at write %d, the tables differ: %s", dies, d)
		}
	}
}

// A feed that is far ahead waits for the tables; nobody who reads or changes a list does. The writer holds the first
// change when the count begins, so that it takes no part of what is counted.
func TestOnlyTheFeedWaitsForTheTables(t *testing.T) {
	store, hold, writes := openStore(t), make(chan struct{}), make(chan struct{}, 100)
	c := writebehind.New(writebehind.Config{Store: store,
		Apply: func(ctx context.Context, b tables.Batch, _ *events.Position) error {
			writes <- struct{}{}
			<-hold
			return store.Apply(ctx, b)
		},
		Failed: func(ctx context.Context, err error) bool { return ctx.Err() == nil }})
	c.Begin(events.Position{})
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() { defer close(ended); c.Run(ctx) }()
	w := c.Worklist("w")
	put := func(n, many int) {
		for i := range many {
			it := tables.Item{Key: fmt.Sprint(n, "/", i), At: at(uint64(n)), Body: []byte("{}")}
			if err := w.Put(ctx, it); err != nil {
				t.Fatal(err)
			}
		}
	}
	put(1, 1)
	if err := c.Save(ctx, at(1)); err != nil {
		t.Fatal(err)
	}
	<-writes
	for n := 2; n <= 6; n++ { // the last of them is beyond 4,096
		put(n, 1000)
		if err := c.Save(ctx, at(uint64(n))); err != nil {
			t.Fatalf("the feed waited with %d,000 changes before it: %v", n-2, err)
		}
	}
	put(7, 1000)
	within, done := context.WithTimeout(ctx, 50*time.Millisecond)
	if err := c.Save(within, at(7)); err == nil {
		t.Error("the feed did not wait with 5,000 changes before it")
	}
	done()
	if items, err := w.Due(ctx, noon, 5); err != nil || len(items) != 5 {
		t.Errorf("while the tables stand still %d items are read: %v", len(items), err)
	}
	close(hold)
	if err := c.Save(ctx, at(9)); err != nil {
		t.Error(err)
	}
	cancel()
	<-ended
}

func TestBeforeItBeginsEverythingIsRefused(t *testing.T) {
	c := writebehind.New(writebehind.Config{Store: openStore(t)})
	ctx, list := t.Context(), c.Worklist("early")
	_, get := list.Get(ctx, "k")
	_, due := list.Due(ctx, noon, 1)
	_, group := list.InGroup(ctx, "g", 1)
	_, all := list.All(ctx, 1)
	_, groups := list.Groups(ctx, noon, 1)
	_, _, next := list.NextDue(ctx)
	_, count := list.Count(ctx)
	_, prune := list.PruneBefore(ctx, at(1))
	for name, err := range map[string]error{"Get": get, "Due": due, "InGroup": group, "All": all, "Groups": groups,
		"NextDue": next, "Count": count, "PruneBefore": prune, "Clear": list.Clear(ctx),
		"Put":    list.Put(ctx, tables.Item{Key: "k", Group: "g", Order: at(1), At: at(1), Due: noon}),
		"Remove": list.Remove(ctx, "k", at(1)), "Postpone": list.Postpone(ctx, "k", noon), "Save": c.Save(ctx, at(1)),
		"Apply": c.Apply(ctx, tables.Batch{}),
	} {
		if !errors.Is(err, writebehind.ErrNotBegun) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
