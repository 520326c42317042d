package projections_test

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"testing"

	"folio/projections"
	"folio/projections/engine"
	"folio/tables"
)

func differences(t *testing.T, store tables.Store, p engine.Projection, left,
	right string) (engine.Compared, []string) {
	t.Helper()
	var ids []string
	n, err := engine.Diff(t.Context(), engine.Comparison{Projection: p, Owners: projections.Companies,
		Left: engine.Side{Store: store, Table: left}, Right: engine.Side{Store: store, Table: right}},
		func(d engine.Difference) error {
			ids = append(ids, fmt.Sprintf("%s %t %t", d.ID, d.Left != nil, d.Right != nil))
			return nil
		})
	if err != nil {
		t.Fatal(err)
	}
	return n, ids
}

func TestARebuildIsHeldComparedSwitchedAndRolledBack(t *testing.T) {
	store, src, p := openTables(t), newSource(history(30)...), projections.Invoices
	r, _ := start(t, options(store, src, "owner", p))
	waitFor(t, r, p.Name(), src.end())
	check := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	check(engine.RebuildAs(t.Context(), store, logID, engine.Mode{Hold: true, Keep: true}, p))
	awaitBuild(t, store, r, func(b engine.Build) bool { return b.Building != "" && b.BuiltTo == src.end() })
	b, err := engine.Inspect(t.Context(), store, p)
	check(err)
	if n, ids := differences(t, store, p, b.Table, b.Building); n.Documents != 30 || len(ids) > 0 {
		t.Fatalf("compared %v, differ %v", n, ids)
	}
	// A document that somebody spoilt shows.
	page, err := store.Page(t.Context(), tables.Query{Table: b.Building, List: "C1", Limit: 1})
	check(err)
	spoilt := page.Documents[0]
	spoilt.At.Commit, spoilt.Body = spoilt.At.Commit+1, []byte(`{}`)
	check(store.Apply(t.Context(), tables.Batch{Writes: []tables.Write{{Table: b.Building,
		Documents: []tables.Document{spoilt}}}}))
	if _, ids := differences(t, store, p, b.Table, b.Building); len(ids) != 1 || ids[0] != spoilt.ID+" true true" {
		t.Fatalf("differ %v", ids)
	}
	check(engine.Switch(t.Context(), store, p))
	awaitBuild(t, store, r, func(now engine.Build) bool { return now.Table == b.Building && now.Kept == b.Table })
	check(engine.Rollback(t.Context(), store, p))
	last := src.append(created("C1", "after", 1))
	awaitBuild(t, store, r, func(now engine.Build) bool {
		return now.Table == b.Table && now.Ready && !now.Behind && !now.At.Before(last)
	})
	if got, want := dump(t, store, b.Table, "C1", "C2"), replayed(t, p, src.log, "C1", "C2"); got != want {
		t.Fatal("the documents that were kept did not catch up")
	}
	dropped, err := engine.DropKept(t.Context(), store, p)
	if err != nil || len(dropped) == 0 || dropped[0] != b.Building {
		t.Fatalf("dropped %v, %v", dropped, err)
	}
	if err := engine.Rollback(t.Context(), store, p); !errors.Is(err, engine.ErrNothingKept) {
		t.Errorf("got %v", err)
	}
}

func TestARebuildIsPausedResumedAndCancelled(t *testing.T) {
	store, src, p := openTables(t), newSource(history(30)...), projections.Invoices
	if err := engine.Pause(t.Context(), store, p); !errors.Is(err, engine.ErrNoRebuild) {
		t.Fatalf("got %v", err)
	}
	r, _ := start(t, options(store, src, "owner", p))
	waitFor(t, r, p.Name(), src.end())
	if err := engine.RebuildAs(t.Context(), store, logID, engine.Mode{Hold: true}, p); err != nil {
		t.Fatal(err)
	}
	if err := engine.Pause(t.Context(), store, p); err != nil {
		t.Fatal(err)
	}
	waitFor(t, r, p.Name(), src.append(created("C1", "meanwhile", 1)))
	if err := engine.Resume(t.Context(), store, p); err != nil {
		t.Fatal(err)
	}
	awaitBuild(t, store, r, func(b engine.Build) bool {
		return b.Building != "" && !b.Paused && b.BuiltTo == src.end()
	})
	if err := engine.Cancel(t.Context(), store, p); err != nil {
		t.Fatal(err)
	}
	awaitBuild(t, store, r, func(b engine.Build) bool { return b.Building == "" && b.Table == "invoices_v4" })
	waitFor(t, r, p.Name(), src.append(created("C1", "last", 1)))
}

// A rebuild that was told to take over does: a pause would keep it from that for ever.
func TestAPauseDoesNotStopATakeover(t *testing.T) {
	store, src, p := openTables(t), newSource(history(30)...), projections.Invoices
	r, _ := start(t, options(store, src, "owner", p))
	waitFor(t, r, p.Name(), src.end())
	do := func(steps ...func(context.Context, tables.Store, engine.Projection) error) {
		t.Helper()
		for _, step := range steps {
			if err := step(t.Context(), store, p); err != nil {
				t.Fatal(err)
			}
		}
	}
	held := func(ctx context.Context, store tables.Store, p engine.Projection) error {
		return engine.RebuildAs(ctx, store, logID, engine.Mode{Hold: true}, p)
	}
	do(held, engine.Pause, engine.Switch) // nothing is built yet, so that the pause comes before the takeover
	err := engine.Pause(t.Context(), store, p)
	if err != nil && !errors.Is(err, engine.ErrSwitched) && !errors.Is(err, engine.ErrNoRebuild) {
		t.Fatal(err)
	}
	awaitBuild(t, store, r, func(b engine.Build) bool {
		return b.Building == "" && b.Table == fmt.Sprintf("invoices_v%d_g2", p.Version())
	})
	do(held, engine.Pause, engine.Resume, engine.Cancel)
}

func awaitBuild(t *testing.T, store tables.Store, r *engine.Runner, ok func(engine.Build) bool) {
	t.Helper()
	awaitStatus(t, r, "invoices", func(engine.Status) bool {
		b, err := engine.Inspect(t.Context(), store, projections.Invoices)
		return err == nil && ok(b)
	})
}

// A rebuild gives way to readers after each batch, and takes over although they go on.
func TestARebuildGivesWayToReaders(t *testing.T) {
	store, src, p := openTables(t), newSource(history(30)...), projections.Invoices
	var asked atomic.Uint64
	o := options(store, src, "owner", p)
	o.BatchLimit = 10
	o.Reads = func() uint64 { return asked.Add(1) } // somebody read since the last batch, each time
	r, _ := start(t, o)
	waitFor(t, r, p.Name(), src.end())
	if n := asked.Load(); n > 0 {
		t.Errorf("the documents that are read gave way %d times", n)
	}
	if err := r.Rebuild(t.Context(), p.Name()); err != nil {
		t.Fatal(err)
	}
	awaitBuild(t, store, r, func(b engine.Build) bool {
		return b.Building == "" && b.Table == fmt.Sprintf("invoices_v%d_g2", p.Version())
	})
	if n, batches := asked.Load(), uint64(len(src.log)/o.BatchLimit); n < batches {
		t.Errorf("it gave way %d times in %d batches", n, batches)
	}
}
