package projections_test

import (
	"context"
	"fmt"
	"sync"
	"testing"

	"folio/events"
	"folio/projections"
	"folio/projections/engine"
)

func newHot(t *testing.T, r *engine.Runner) *engine.Hot[events.Position] {
	t.Helper()
	h, err := engine.NewHot(r, projections.Invoices, 1<<20, func(events.Position) int { return 100 })
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func TestWhatIsKeptIsNeverBehindWhatWasWaitedFor(t *testing.T) {
	ctx, store, src := t.Context(), openTables(t), newSource()
	r, stop := start(t, options(store, src, "one", projections.Invoices))
	hot := newHot(t, r)
	const invoices = 40
	for i := range invoices {
		src.append(created("C1", fmt.Sprint("I", i), i+1))
	}
	waitFor(t, r, "invoices", src.append())
	awaitStatus(t, r, "invoices", func(s engine.Status) bool { return s.CaughtUp })
	reader := projections.NewReader(store, nil)
	reading, done := context.WithCancel(ctx)
	var all sync.WaitGroup
	for range 2 {
		all.Go(func() {
			for n := 0; reading.Err() == nil; n++ {
				id := fmt.Sprint("I", n%invoices)
				mark := hot.Mark()
				if i, err := reader.GetInvoice(reading, id); err == nil {
					hot.Keep(mark, id, i.Company, i.Ordinal, i.At)
				}
			}
		})
	}
	kept := 0
	for i := range invoices {
		id := fmt.Sprint("I", i)
		at := src.append(started(id, int64(i+1)))
		waitFor(t, r, "invoices", at)
		for range 20 {
			if known, ok := hot.Get(id); ok {
				kept++
				if known.Before(at) {
					t.Fatalf("%s is kept as of %s after %s was shown", id, known, at)
				}
			}
		}
	}
	done()
	all.Wait()
	t.Logf("%d looks found something", kept)
	stop()
	for i := range invoices {
		if _, ok := hot.Get(fmt.Sprint("I", i)); ok {
			t.Fatal("a process that folds no more keeps what others change")
		}
	}
}

func TestAPageIsKeptWholeOrNotAtAll(t *testing.T) {
	ctx, store, src := t.Context(), openTables(t), newSource()
	for i := range 5 {
		src.append(created("C1", fmt.Sprint("I", i), i+1))
	}
	r, _ := start(t, options(store, src, "one", projections.Invoices))
	hot, reader := newHot(t, r), projections.NewReader(store, nil)
	awaitStatus(t, r, "invoices", func(s engine.Status) bool { return s.CaughtUp })
	keep := func(ids ...string) {
		mark := hot.Mark()
		for _, id := range ids {
			i, err := reader.GetInvoice(ctx, id)
			if err != nil {
				t.Fatal(err)
			}
			hot.Keep(mark, id, i.Company, i.Ordinal, i.At)
		}
		hot.KeepTotal(mark, "C1", 5)
	}
	two := engine.Page{Offset: 1, Limit: 2}
	keep("I3")
	if _, _, ok := hot.Page("C1", two); ok {
		t.Error("half a page")
	}
	keep("I2")
	got, total, ok := hot.Page("C1", two)
	if !ok || total != 5 || len(got) != 2 || !got[1].Before(got[0]) {
		t.Errorf("%v of %d, %v", got, total, ok)
	}
	if _, _, ok := hot.Page("C2", two); ok {
		t.Error("another company's page")
	}
	waitFor(t, r, "invoices", src.append(created("C1", "I5", 1)))
	if _, _, ok := hot.Page("C1", two); ok {
		t.Error("the length of the list is that of before")
	}
}

func TestWithoutARunnerNothingIsKept(t *testing.T) {
	hot := newHot(t, nil)
	hot.Keep(hot.Mark(), "I1", "C1", 1, events.Position{Commit: 1})
	hot.KeepTotal(hot.Mark(), "C1", 1)
	if _, ok := hot.Get("I1"); ok {
		t.Error("kept")
	}
	if _, _, ok := hot.Page("C1", engine.Page{Limit: 1}); ok {
		t.Error("a page is kept")
	}
}
