package projections_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"testing"
	"time"

	"pgregory.net/rapid"

	_ "folio/rapidseed"

	"folio/events"
	"folio/projections"
	"folio/projections/engine"
	"folio/projections/projectiontest"
	"folio/tables"
	"folio/tables/sqlite"
)

// walker follows the invoices of a company by pages, as a caller does.
type walker struct {
	from  *projections.Reader
	ask   projections.InvoiceQuery
	after events.Position
	seen  []projections.Invoice
	err   error // the first fault
}

// page reads the next page; false when nothing is left for now.
func (w *walker) page() bool {
	got, until, err := w.from.ListUpdated(context.Background(), w.ask, w.after)
	if err != nil {
		w.err = cmp.Or(w.err, err)
		return false
	}
	last := w.after
	for _, i := range got.Documents {
		if !last.Before(i.At) {
			w.err = cmp.Or(w.err, fmt.Errorf("%s of %s comes after %s", i.ID, i.At, last))
		}
		last = i.At
	}
	if until.Before(last) {
		w.err = cmp.Or(w.err, fmt.Errorf("the page ends at %s, before %s", until, last))
	}
	w.seen, w.after = append(w.seen, got.Documents...), until
	return len(got.Documents) == w.ask.Page.Limit || got.Cut
}

// drawn is a history in which each invoice changes some times, all of it at few times.
func drawn(t *rapid.T) (all []given, company map[string]string) {
	company = map[string]string{}
	for range rapid.IntRange(1, 40).Draw(t, "events") {
		id := fmt.Sprint("I", rapid.IntRange(1, 6).Draw(t, "invoice"))
		g := given{Stream: "invoice-" + id, Event: events.NoteReserved{Note: fmt.Sprint("N", len(all))}}
		if company[id] == "" {
			company[id] = rapid.SampledFrom([]string{"C1", "C1", "C2"}).Draw(t, "company")
			g = created(company[id], id, 1)
		}
		g.At = projectiontest.Start.Add(time.Duration(rapid.IntRange(0, 2).Draw(t, "minute")) * time.Minute)
		all = append(all, g)
	}
	return all, company
}

// A walk beside a projection that writes one document after the other, that breaks and hears its events again, sees
// each invoice in the state of its last event, and no state of any twice.
func TestAWalkByChangesNeitherSkipsNorRepeats(t *testing.T) {
	folder, round := t.TempDir(), 0
	rapid.Check(t, func(t *rapid.T) {
		round++
		db, err := sqlite.Open(context.Background(), filepath.Join(folder, fmt.Sprint(round, ".db")))
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = db.Close() }() // a file that is thrown away
		if err := engine.Prepare(context.Background(), db, projections.Invoices); err != nil {
			t.Fatal(err)
		}
		history, company := drawn(t)
		src := newSource(created("C3", "first", 1))
		src.size = rapid.IntRange(0, 9).Draw(t, "size of a batch")
		w := &walker{from: projections.NewReader(db, nil), ask: projections.InvoiceQuery{Company: "C1", Page: engine.Page{
			Limit:    rapid.IntRange(1, 4).Draw(t, "limit"),
			MaxBytes: rapid.SampledFrom([]int{0, 1, 2000}).Draw(t, "bytes")}}}
		pages := rapid.SliceOfN(rapid.IntRange(0, 3), 1, 30).Draw(t, "pages between two writes")
		broken := rapid.SliceOfN(rapid.Bool(), 1, 30).Draw(t, "broken writes")
		folded(t, db, src)
		src.append(history...)
		store, step := &faults{Store: db, left: -1}, 0
		store.between = func() {
			for range pages[step%len(pages)] {
				w.page()
			}
			store.set(-1)
			if step < 3*len(broken) && broken[step%len(broken)] {
				store.set(0)
			}
			step++
		}
		folded(t, store, src)
		for w.page() {
		}
		want, got := map[string]events.Position{}, map[string]events.Position{}
		for _, r := range src.log {
			if id := events.Aggregate(r.Stream); company[id] == "C1" {
				want[id] = r.Position
			}
		}
		for _, i := range w.seen {
			got[i.ID] = i.At
		}
		if w.err != nil || !maps.Equal(got, want) {
			t.Fatalf("seen %v, want %v; %v", got, want, w.err)
		}
	})
}

// folded runs a projection of invoices to the end of the log.
func folded(t *rapid.T, store tables.Store, src *source) {
	r, err := engine.NewRunner(options(store, src, "one", projections.Invoices))
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- r.Run(ctx) }()
	waiting, end := context.WithTimeout(ctx, 2*time.Minute)
	for err == nil && !r.Status()[0].CaughtUp { // which has no signal of its own
		time.Sleep(time.Millisecond)
		err = waiting.Err()
	}
	err = cmp.Or(err, r.WaitFor(waiting, "invoices", src.append()))
	end()
	cancel()
	if err = errors.Join(err, <-done); err != nil {
		t.Fatal(err)
	}
}

// A time is where a walk begins: at the first event then or later, whatever older ones follow it in the log.
func TestAWalkBeginsAtATime(t *testing.T) {
	minute := func(n int) time.Time { return projectiontest.Start.Add(time.Duration(n) * time.Minute) }
	at := func(n int, g given) given { g.At = minute(n); return g }
	src := newSource(at(0, created("C1", "I1", 1)), at(5, created("C2", "X", 1)), at(2, created("C1", "I2", 1)),
		at(2, created("C1", "I3", 1)), at(1, started("I1", 1)), at(3, started("I3", 2)))
	store := openTables(t)
	r, stop := start(t, options(store, src, "one", projections.Invoices, projections.Facts))
	for _, name := range []string{"invoices", "facts"} {
		awaitStatus(t, r, name, func(s engine.Status) bool { return s.CaughtUp })
	}
	stop()
	reader := projections.NewReader(store, nil)
	for from, want := range map[time.Time]string{
		minute(0):                      "I2 I1 I3 ",
		minute(2):                      "I2 I1 I3 ",
		minute(2).Add(time.Nanosecond): "I3 ",
		minute(3):                      "I3 ",
		minute(4):                      "",
	} {
		after, err := reader.UpdatedSince(t.Context(), "C1", from)
		if err != nil {
			t.Fatal(err)
		}
		w := &walker{from: reader, after: after,
			ask: projections.InvoiceQuery{Company: "C1", Page: engine.Page{Limit: 2}}}
		for w.page() {
		}
		got := ""
		for _, i := range w.seen {
			got += i.ID + " "
		}
		if w.err != nil || got != want || w.after != src.end() {
			t.Errorf("since %s: %q up to %s, want %q; %v", from, got, w.after, want, w.err)
		}
	}
}
