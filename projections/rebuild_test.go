package projections_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"folio/events"
	"folio/projections"
	"folio/projections/engine"
	"folio/tables"
	"folio/tables/checkpoint"
)

func company(id, name string) given {
	return given{Stream: "company-" + id, Event: events.CompanyRegistered{Company: id, Account: "A", LegalName: name}}
}

func names(t *testing.T, store tables.Store) []string {
	t.Helper()
	all, err := store.Tables(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, s := range all {
		out = append(out, s.Name)
	}
	return out
}

// gated holds a source back until it is opened.
type gated struct {
	*source
	open chan struct{}
}

func (g gated) Follow(ctx context.Context, after events.Position, types []string,
	handle func(context.Context, engine.Batch) error) error {
	select {
	case <-g.open:
	case <-ctx.Done():
		return ctx.Err()
	}
	return g.source.Follow(ctx, after, types, handle)
}

func TestARaisedVersionIsBuiltBesideAndServedWhenItHasCaughtUp(t *testing.T) {
	ctx, store, src := t.Context(), openTables(t), newSource(company("C1", "one"))
	old, stop := start(t, options(store, src, "old", tally(1)))
	waitFor(t, old, "tally", src.append())
	awaitStatus(t, old, "tally", func(s engine.Status) bool { return s.CaughtUp })
	stop()
	second := tally(2, engine.On(engine.ByStream, func(d *Tally, _ events.Recorded, _ events.LogoUploaded) {
		d.Names = append(d.Names, "logo")
	}))
	src.append(given{Stream: "company-C1", Event: events.LogoUploaded{}}, company("C2", "two"))
	held := gated{src, make(chan struct{})}
	r, _ := start(t, options(store, held, "new", second))
	awaitTable := func(want string) {
		t.Helper()
		if got, err := r.Serving(ctx, "tally"); err != nil || got != want {
			t.Fatalf("served is %s (%v), want %s", got, err, want)
		}
	}
	awaitTable("tally_v1")
	reader := projections.NewReader(store, nil)
	if d, err := engine.Get[Tally](ctx, reader, second, "C1"); err != nil || len(d.Names) != 1 {
		t.Fatalf("while the new one is built the old one answers, got %+v, %v", d, err)
	}
	if b, err := engine.Inspect(ctx, store, second); err != nil || b.Table != "tally_v1" || b.Ready || b.Begun {
		t.Fatalf("before it is begun: %+v, %v", b, err)
	}
	if dropped, err := engine.DropKept(ctx, store, second); err != nil || len(dropped) != 0 {
		t.Fatalf("what is served must stay, dropped %v, %v", dropped, err)
	}
	close(held.open)
	awaitStatus(t, r, "tally", func(s engine.Status) bool { return s.CaughtUp })
	awaitTable("tally_v2")
	if d, err := engine.Get[Tally](ctx, reader, second, "C1"); err != nil ||
		!slices.Equal(d.Names, []string{"one", "logo"}) {
		t.Fatalf("got %+v, %v", d, err)
	}
	before, _, err := engine.Before(ctx, store, second)
	if err != nil || before != "tally_v1" {
		t.Fatalf("read before was %q, %v", before, err)
	}
	// What the old one had can be compared as long as it is there.
	if n, ids := differences(t, store, second, "tally_v2", before); n.Documents != 2 || len(ids) != 2 {
		t.Fatalf("compared %v, differ %v", n, ids)
	}
	if older, err := engine.Older(ctx, store, second); err != nil || !slices.Equal(older, []string{"tally_v1"}) {
		t.Fatalf("older are %v, %v", older, err)
	}
	dropped, err := engine.DropKept(ctx, store, second)
	if err != nil || !slices.Equal(dropped, []string{"tally_v1"}) || slices.Contains(names(t, store), "tally_v1") {
		t.Fatalf("dropped %v (%v), left %v", dropped, err, names(t, store))
	}
	if before, _, err := engine.Before(ctx, store, second); err != nil || before != "" {
		t.Fatalf("dropped, and yet read before was %q, %v", before, err)
	}
	awaitTable("tally_v2")
}

func TestARebuildGoesOnBesideReadersAndTakesOver(t *testing.T) {
	ctx, store, src := t.Context(), openTables(t), newSource(history(9)...)
	o := options(store, src, "one", projections.Invoices)
	o.Retire = 20 * time.Millisecond
	r, _ := start(t, o)
	waitFor(t, r, "invoices", src.append())
	awaitStatus(t, r, "invoices", func(s engine.Status) bool { return s.CaughtUp })
	reader := projections.NewReader(store, nil)
	stop := make(chan struct{})
	var readers sync.WaitGroup
	readers.Go(func() {
		for {
			select {
			case <-stop:
				return
			default:
			}
			p := src.append(accepted("I000"))
			if err := r.WaitFor(within(t), "invoices", p); err != nil {
				t.Error(err)
				return
			}
			i, err := reader.GetInvoice(ctx, "I000")
			if err != nil || i.At.Before(p) {
				t.Errorf("a read after a wait is stale or fails: %v, at %v of %v", err, i.At, p)
				return
			}
			list, err := reader.ListInvoices(ctx, projections.InvoiceQuery{Company: "C1", Page: engine.Page{Limit: 3}})
			if err != nil || list.Total != 6 {
				t.Errorf("the list lacks invoices: %d, %v", list.Total, err)
				return
			}
		}
	})
	// Twice in one process: the second must be as whole as the first.
	for _, want := range []string{"invoices_v4_g2", "invoices_v4_g3"} {
		if err := r.Rebuild(ctx, "invoices"); err != nil {
			t.Fatal(err)
		}
		awaitStatus(t, r, "invoices", func(s engine.Status) bool {
			table, err := r.Serving(ctx, "invoices")
			return err == nil && table == want && s.CaughtUp && !s.Rebuilding
		})
	}
	close(stop)
	readers.Wait()
	waitFor(t, r, "invoices", src.append())
	got := dump(t, store, "invoices_v4_g3", "C1", "C2")
	if want := replayed(t, projections.Invoices, src.log, "C1", "C2"); got != want {
		t.Fatalf("got\n%s\nwant\n%s", got, want)
	}
	for limit := within(t); ; time.Sleep(time.Millisecond) {
		all := names(t, store)
		if slices.Equal(all, []string{"invoices_v4_g3", "invoices_v4_g3_lists", "projections"}) {
			break
		}
		if limit.Err() != nil {
			t.Fatalf("left over: %v", all)
		}
	}
}

func TestTablesOfAnotherLogAreRefusedWithTheWayOut(t *testing.T) {
	ctx, store := t.Context(), openTables(t)
	src := newSource(company("C1", "one"), company("C9", "nine"))
	r, stop := start(t, options(store, src, "one", tally(1)))
	waitFor(t, r, "tally", src.append())
	stop()
	o := options(store, newSource(company("C2", "two")), "two", tally(1))
	o.Store = "01OTHER"
	other, err := engine.NewRunner(o)
	if err != nil {
		t.Fatal(err)
	}
	err = other.Run(ctx)
	var refused *checkpoint.OtherLogError
	if !errors.As(err, &refused) || !errors.Is(err, tables.ErrOtherLog) {
		t.Fatalf("got %v", err)
	}
	for _, part := range []string{logID, "01OTHER", "folio projections rebuild"} {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("%q is missing in: %v", part, err)
		}
	}
	if err := other.WaitFor(ctx, "tally", src.end()); !errors.Is(err, tables.ErrOtherLog) {
		t.Errorf("waiting must not be satisfied by another log, got %v", err)
	}
	if err := other.Rebuild(ctx, "tally"); err != nil {
		t.Fatal(err)
	}
	reader := projections.NewReader(store, nil)
	if _, err := engine.Get[Tally](ctx, reader, tally(1), "C1"); !errors.Is(err, engine.ErrNotBuilt) {
		t.Errorf("documents of the other log must be gone at once, got %v", err)
	}
	r, _ = start(t, o)
	waitFor(t, r, "tally", o.Source.(*source).append())
	if _, err := engine.Get[Tally](ctx, reader, tally(1), "C2"); err != nil {
		t.Error(err)
	}
}

func TestACheckpointBeyondTheEndOfTheLogRebuilds(t *testing.T) {
	ctx, store := t.Context(), openTables(t)
	src := newSource(company("C1", "one"), company("C2", "lost"))
	r, stop := start(t, options(store, src, "one", tally(1)))
	waitFor(t, r, "tally", src.append())
	stop()
	src = newSource(company("C1", "one"))
	r, _ = start(t, options(store, src, "two", tally(1)))
	awaitStatus(t, r, "tally", func(s engine.Status) bool { return s.CaughtUp && s.Position == src.end() })
	reader := projections.NewReader(store, nil)
	if _, err := engine.Get[Tally](ctx, reader, tally(1), "C1"); err != nil {
		t.Error(err)
	}
	if _, err := engine.Get[Tally](ctx, reader, tally(1), "C2"); !errors.Is(err, engine.ErrNotFound) {
		t.Errorf("what the log lost must be gone, got %v", err)
	}
}

func TestAnotherProcessMayAskForARebuild(t *testing.T) {
	ctx, store, src := t.Context(), openTables(t), newSource(company("C1", "one"))
	r, _ := start(t, options(store, src, "one", tally(1)))
	waitFor(t, r, "tally", src.append())
	awaitStatus(t, r, "tally", func(s engine.Status) bool { return s.CaughtUp })
	if err := engine.Rebuild(ctx, store, logID, tally(1)); err != nil {
		t.Fatal(err)
	}
	awaitStatus(t, r, "tally", func(engine.Status) bool {
		table, err := r.Serving(ctx, "tally")
		return err == nil && table == "tally_v1_g2"
	})
}

func TestARebuildThatStopsLeavesThePresentDocumentsGoingOn(t *testing.T) {
	ctx, store, src := t.Context(), openTables(t), newSource(created("C1", "I1", 1))
	r, _ := start(t, options(store, src, "one", projections.Invoices))
	waitFor(t, r, "invoices", src.append())
	awaitStatus(t, r, "invoices", func(s engine.Status) bool { return s.CaughtUp })
	src.change(func() { src.log[0].Raw = []byte(`{"invoice":7}`) })
	if err := r.Rebuild(ctx, "invoices"); err != nil {
		t.Fatal(err)
	}
	awaitStatus(t, r, "invoices", func(s engine.Status) bool { return s.Rebuilding && s.RebuildErr != nil })
	waitFor(t, r, "invoices", src.append(created("C1", "I2", 1)))
	if table, err := r.Serving(ctx, "invoices"); err != nil || table != "invoices_v4" {
		t.Fatalf("served is %s, %v", table, err)
	}
	if _, err := projections.NewReader(store, nil).GetInvoice(ctx, "I2"); err != nil {
		t.Fatal(err)
	}
}

// Two that ask at once, beside whoever builds, disturb each other's change of the build: they look again.
func TestManyMayAskForARebuildAtOnce(t *testing.T) {
	ctx, store, src := t.Context(), openTables(t), newSource(company("C1", "one"))
	r, _ := start(t, options(store, src, "one", tally(1)))
	waitFor(t, r, "tally", src.append())
	var asking sync.WaitGroup
	for range 3 {
		asking.Go(func() {
			for range 20 {
				if err := engine.Rebuild(ctx, store, logID, tally(1)); err != nil {
					t.Error(err)
				}
			}
		})
	}
	asking.Wait()
	awaitStatus(t, r, "tally", func(engine.Status) bool {
		built, err := engine.Built(ctx, store, tally(1))
		return err == nil && built
	})
}
