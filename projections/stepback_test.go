package projections_test

import (
	"context"
	"errors"
	"iter"
	"testing"
	"time"

	"folio/events"
	"folio/projections"
	"folio/projections/engine"
	"folio/tables"
)

// snapshot is what a read model held at one moment.
type snapshot struct {
	at    events.Position
	pages map[string][]tables.Document
}

var kept = []string{"invoices_v4", "invoices_v4_lists"}

func take(t *testing.T, store tables.Store) snapshot {
	t.Helper()
	c, err := store.Checkpoint(t.Context(), "invoices_v4")
	if err != nil {
		t.Fatal(err)
	}
	s := snapshot{c.At, map[string][]tables.Document{}}
	for _, table := range kept {
		q := tables.Query{Table: table, Limit: tables.MaxLimit}
		if table == "invoices_v4" {
			q.List = "C1"
		}
		p, err := store.Page(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		s.pages[table] = p.Documents
	}
	return s
}

// restore puts the snapshot back, as a server does that lost its newest writes.
func (s snapshot) restore(t *testing.T, store tables.Store) {
	t.Helper()
	for _, table := range kept {
		err := errors.Join(store.Truncate(t.Context(), table),
			store.Apply(t.Context(), tables.Batch{Writes: []tables.Write{{Table: table, Documents: s.pages[table]}}}))
		if err != nil {
			t.Fatal(err)
		}
	}
	err := errors.Join(store.ResetCheckpoint(t.Context(), "invoices_v4"),
		store.Apply(t.Context(), tables.Batch{Checkpoint: &tables.Checkpoint{Name: "invoices_v4", Store: logID, At: s.at}}))
	if err != nil {
		t.Fatal(err)
	}
}

func TestTablesThatStepBackAreFoldedAgainFromWhatIsThere(t *testing.T) {
	for _, quiet := range []bool{false, true} { // with and without news in the log
		store, src := openTables(t), newSource(created("C1", "I1", 1))
		o := options(store, src, "one", projections.Invoices)

		r, stop := start(t, o)
		waitFor(t, r, "invoices", src.append())
		awaitStatus(t, r, "invoices", func(s engine.Status) bool { return s.CaughtUp })
		old := take(t, store)
		waitFor(t, r, "invoices", src.append(created("C1", "I2", 2), created("C1", "I3", 3)))
		old.restore(t, store)
		if !quiet {
			src.append(created("C1", "I4", 4))
		}
		for limit := within(t); ; time.Sleep(5 * time.Millisecond) {
			got, err := dumpOrNothing(store)
			if err == nil && got >= 3 {
				break
			}
			if limit.Err() != nil {
				t.Fatalf("quiet %v: %d invoices are there (%v): the feed went on behind what was lost", quiet, got, err)
			}
		}
		stop()
		if got, want := dump(t, store, "invoices_v4", "C1"), replayed(t, projections.Invoices, src.log, "C1"); got != want {
			t.Fatalf("quiet %v: got\n%s\nwant\n%s", quiet, got, want)
		}
	}
}

func dumpOrNothing(store tables.Store) (int64, error) {
	p, err := store.Page(context.Background(), tables.Query{Table: "invoices_v4", List: "C1", Limit: 1})
	return p.Total, err
}

// streams are the log by stream, or away.
type streams struct {
	*source
	err error
}

func (s streams) Read(_ context.Context, stream string, _ uint64) iter.Seq2[events.Recorded, error] {
	return func(yield func(events.Recorded, error) bool) {
		if s.err != nil {
			yield(events.Recorded{}, s.err)
			return
		}
		for _, r := range s.log {
			if r.Stream == stream && !yield(r, nil) {
				return
			}
		}
	}
}

func TestWhatIsNotBuiltIsReadFromItsStreamAndNoListIsAPart(t *testing.T) {
	ctx, store, src := t.Context(), openTables(t), newSource(created("C1", "I1", 1), accepted("I1"))
	if err := engine.Prepare(ctx, store, projections.Invoices, projections.Purchases); err != nil {
		t.Fatal(err)
	}
	away := errors.New("the log is away")
	reader := projections.NewReader(store, streams{source: src})
	query := projections.InvoiceQuery{Company: "C1", Page: engine.Page{Limit: 10}}

	i, err := reader.GetInvoice(ctx, "I1")
	if err != nil || i.Company != "C1" || i.Status != projections.StatusAccepted {
		t.Errorf("an invoice of the log: %+v, %v", i, err)
	}
	if _, err := reader.GetInvoice(ctx, "I9"); !errors.Is(err, engine.ErrNotFound) {
		t.Errorf("an invoice that nobody made: %v", err)
	}
	if _, err := projections.NewReader(store, streams{source: src, err: away}).GetInvoice(ctx, "I1"); !errors.Is(err,
		away) {
		t.Errorf("while neither tables nor log can say: %v", err)
	}
	if _, err := reader.ListInvoices(ctx, query); !errors.Is(err, engine.ErrNotBuilt) {
		t.Errorf("a list that is not built: %v", err)
	}
	if _, err := engine.Get[projections.Purchase](ctx, reader, projections.Purchases, "P1"); !errors.Is(err,
		engine.ErrNotBuilt) {
		t.Errorf("a document that no stream of its own makes: %v", err)
	}
	r, _ := start(t, options(store, src, "one", projections.Invoices, projections.Purchases))
	awaitStatus(t, r, "invoices", func(s engine.Status) bool { return s.CaughtUp })
	awaitStatus(t, r, "purchases", func(s engine.Status) bool { return s.CaughtUp })
	if l, err := reader.ListInvoices(ctx, query); err != nil || l.Total != 1 {
		t.Errorf("once it is built: %d, %v", l.Total, err)
	}
	if _, err := engine.Get[projections.Purchase](ctx, reader, projections.Purchases, "P1"); !errors.Is(err,
		engine.ErrNotFound) {
		t.Errorf("once it is built: %v", err)
	}
}
