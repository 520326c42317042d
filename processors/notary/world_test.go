package notary_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"golang.org/x/mod/sumdb/tlog"

	"folio/commands"
	"folio/events"
	"folio/eventstore"
	"folio/eventstore/node"
	"folio/processors/notary"
	"folio/processors/processortest"
	"folio/processors/reactor"
	"folio/tables"
	"folio/tables/sqlite"
	"folio/transparency"
	"folio/vault"
	vaultsqlite "folio/vault/sqlite"
)

var start = time.Date(2026, time.November, 29, 12, 0, 0, 0, time.UTC)

// world is a log, a vault and tables, before notaries that come and go.
type world struct {
	t      *testing.T
	dir    string
	log    *eventstore.Log
	tables *noisy
	vault  *vault.Sealed
	clock  *processortest.Clock
	n      int
}

// noisy tells of every write.
type noisy struct {
	tables.Store
	mu     sync.Mutex
	wrote  chan struct{} // closed at the next write
	before func() error  // of every write; nil: none
}

// errTorn of before: the process dies when the documents of a batch are written and its checkpoint is not, as it may in
// a store without transactions.
var errTorn = errors.New("killed between documents and checkpoint")

func (n *noisy) Apply(ctx context.Context, b tables.Batch) error {
	n.mu.Lock()
	before := n.before
	n.mu.Unlock()
	var died error
	if before != nil {
		if died = before(); died != nil && !errors.Is(died, errTorn) {
			return died
		}
	}
	if died != nil {
		b.Checkpoint = nil
	}
	err := cmp.Or(n.Store.Apply(ctx, b), died)
	n.mu.Lock()
	defer n.mu.Unlock()
	close(n.wrote)
	n.wrote = make(chan struct{})
	return err
}

func (n *noisy) next() <-chan struct{} {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.wrote
}

func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{t: t, dir: t.TempDir(), clock: processortest.At(start)}
	n, err := node.Open(t.Context(), node.Options{Dir: filepath.Join(w.dir, "log")})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = n.Close(context.Background()) })
	if w.log, err = eventstore.Open(t.Context(), eventstore.Options{Address: n.Address()}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.log.Close() })
	if w.vault, err = vaultsqlite.Open(t.Context(), filepath.Join(w.dir, "vault.db"),
		filepath.Join(w.dir, "master.key")); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.vault.Close() })
	w.tables = w.freshTables()
	return w
}

func (w *world) freshTables() *noisy {
	w.t.Helper()
	db, err := sqlite.Open(w.t.Context(), filepath.Join(w.t.TempDir(), "tables.db"))
	if err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(func() { _ = db.Close() })
	return &noisy{Store: db, wrote: make(chan struct{})}
}

func (w *world) executor() *commands.Executor { return commands.NewExecutor(w.log, w.clock.Now) }

// config is a notary that makes a checkpoint of every ten events.
func (w *world) config(db tables.Store) settings {
	w.t.Helper()
	store, err := transparency.OpenStore(w.t.Context(), db)
	if err != nil {
		w.t.Fatal(err)
	}
	return settings{
		reactor.Base{Executor: w.executor(), Log: "L", End: w.log.End, Tables: db, Clock: w.clock,
			Logger: slog.New(slog.DiscardHandler)},
		notary.Config{Source: source{w.log}, Store: store, Secrets: w.vault, Origin: "folio.example.com/log", Most: 10},
	}
}

// settings are what a notary is made of.
type settings struct {
	reactor.Base
	notary.Config
}

type source struct{ log *eventstore.Log }

func (s source) Follow(ctx context.Context, after events.Position,
	handle func(context.Context, notary.Batch) error) error {
	return s.log.Follow(ctx, after, eventstore.Filter{}, eventstore.FollowOptions{},
		func(ctx context.Context, b eventstore.Batch) error { return handle(ctx, notary.Batch(b)) })
}

// start runs a notary; the function that it gives ends it and says how it ended.
func (w *world) start(c settings) (p *notary.Processor, stop func() error) {
	p = notary.New(c.Base, c.Config)
	ctx, cancel := context.WithCancel(w.t.Context())
	ended := make(chan error, 1)
	go func() { ended <- p.Run(ctx) }()
	stop = sync.OnceValue(func() error {
		cancel()
		err := <-ended
		if errors.Is(err, context.Canceled) {
			err = nil
		}
		return err
	})
	w.t.Cleanup(func() { _ = stop() })
	return p, stop
}

// record appends so many events, each to a stream of its own.
func (w *world) record(count int) {
	w.t.Helper()
	for range count {
		w.n++
		_, err := w.log.Append(w.t.Context(), fmt.Sprintf("invoice-%d", w.n), eventstore.NoStream, eventstore.Pending{
			ID: uuid.NewSHA1(uuid.Nil, fmt.Append(nil, w.n)), Type: "InvoiceCreated",
			Data: fmt.Appendf(nil, `{"number":%d}`, w.n), Meta: events.Meta{Schema: 1, At: start}})
		if err != nil {
			w.t.Fatal(err)
		}
	}
}

// minute lets a minute pass, so that what was recorded gets its checkpoint.
func (w *world) minute() { w.clock.Set(w.clock.Now().Add(notary.DefaultEvery + time.Second)) }

// head awaits a published checkpoint.
func (w *world) head(db *noisy, what string, good func(transparency.Head) bool) transparency.Head {
	w.t.Helper()
	store, err := transparency.OpenStore(w.t.Context(), db)
	if err != nil {
		w.t.Fatal(err)
	}
	limit := time.After(2 * time.Minute)
	for {
		next := db.next()
		h, err := store.Head(w.t.Context())
		switch {
		case err == nil && good(h):
			return h
		case err != nil && !errors.Is(err, transparency.ErrNone):
			w.t.Fatal(err)
		}
		select {
		case <-next:
		case <-limit:
			w.t.Fatalf("no checkpoint is published %s; the last one is of size %d", what, h.Size)
		}
	}
}

func atLeast(size int64) func(transparency.Head) bool {
	return func(h transparency.Head) bool { return h.Size >= size }
}

// checkpoints are those that the log has, each held against the tree of the log as golang.org/x/mod/sumdb/tlog
// computes it.
func (w *world) checkpoints() (recorded []events.CheckpointRecorded) {
	w.t.Helper()
	salts, err := transparency.ReadSalts(w.t.Context(), w.vault)
	if err != nil {
		w.t.Fatal(err)
	}
	leaves := map[string][]events.Recorded{}
	var all []events.Recorded
	for r, err := range w.log.All(w.t.Context(), events.Position{}, eventstore.Filter{}) {
		if err != nil {
			w.t.Fatal(err)
		}
		all = append(all, r)
		if opened, err := events.Open(r); err == nil {
			if e, ok := opened.Event.(events.TreeBegun); ok {
				leaves[e.Tree] = []events.Recorded{r}
			}
		}
	}
	for tree, first := range leaves {
		for _, r := range all {
			if r.ID != first[0].ID && transparency.Counts(r) {
				leaves[tree] = append(leaves[tree], r)
			}
		}
	}
	for _, r := range all {
		if opened, err := events.Open(r); err == nil {
			if e, ok := opened.Event.(events.CheckpointRecorded); ok {
				recorded = append(recorded, e)
				if want := rootOf(w.t, salts, leaves[e.Tree][:e.Size]); want.String() != e.Root {
					w.t.Errorf("the root of %s at size %d is recorded as %s, the log has %s", e.Tree, e.Size, e.Root, want)
				}
			}
		}
	}
	return recorded
}

func rootOf(t *testing.T, salts transparency.Salts, leaves []events.Recorded) tlog.Hash {
	t.Helper()
	var hashes []tlog.Hash
	read := tlog.HashReaderFunc(func(indexes []int64) ([]tlog.Hash, error) {
		out := make([]tlog.Hash, len(indexes))
		for i, index := range indexes {
			out[i] = hashes[index]
		}
		return out, nil
	})
	for n, r := range leaves {
		e := salts.Entry(r)
		more, err := tlog.StoredHashes(int64(n), e[:], read)
		if err != nil {
			t.Fatal(err)
		}
		hashes = append(hashes, more...)
	}
	root, err := tlog.TreeHash(int64(len(leaves)), read)
	if err != nil {
		t.Fatal(err)
	}
	return root
}

// signed verifies a published checkpoint.
func (w *world) signed(h transparency.Head) {
	w.t.Helper()
	c, err := transparency.OpenHead(h.Note, h.Key)
	if err != nil || c.Origin != h.Origin || c.N != h.Size || c.Hash.String() != h.Root ||
		!strings.Contains(h.Origin, "L") {
		w.t.Errorf("the published checkpoint %q is not that of size %d: %v", h.Note, h.Size, err)
	}
}
