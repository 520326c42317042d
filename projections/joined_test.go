package projections_test

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"sync/atomic"
	"testing"

	"folio/events"
	"folio/projections"
	"folio/projections/engine"
	"folio/projections/projectiontest"
)

// countingReads is a log that counts the streams that are read.
type countingReads struct {
	*source
	reads atomic.Int64
}

func (c *countingReads) Read(ctx context.Context, stream string, from uint64) iter.Seq2[events.Recorded, error] {
	c.reads.Add(1)
	return c.source.Read(ctx, stream, from)
}

func TestWhatAnInvoiceIsIsReadOfItsStreamOnceMemoryForgotIt(t *testing.T) {
	var given []given
	for i := range 5000 {
		given = append(given, created("C1", fmt.Sprintf("I%04d", i), 1))
	}
	late := []string{"I0000", "I0001", "I4999"}
	for i, id := range late {
		given = append(given, started(id, int64(i+1)), numbered(id, int64(i+1)), accepted(id))
	}
	src := &countingReads{source: newSource(given...)}
	for _, p := range []engine.Projection{projections.VATBook, projections.Facts} {
		src.reads.Store(0)
		store := openTables(t)
		scratch, err := engine.NewScratch(t.Context(), store, p, src)
		if err != nil {
			t.Fatal(err)
		}
		for batch := range slices.Chunk(src.log, 500) {
			if err := scratch.Fold(t.Context(), batch...); err != nil {
				t.Fatal(err)
			}
		}
		if n := src.reads.Load(); n != 2 {
			t.Errorf("%s read %d streams, and had forgotten 2 of 3", p.Name(), n)
		}
		once := engine.NewReplay(p)
		if err := once.Fold(t.Context(), src.log...); err != nil {
			t.Fatal(err)
		}
		want := projectiontest.Dump(once.Documents())
		rows, err := store.Scan(t.Context(), fmt.Sprintf("%s_v%d", p.Name(), p.Version()), "", 10_000)
		if err != nil {
			t.Fatal(err)
		}
		if len(rows) != len(once.Documents()) || len(rows) == 0 {
			t.Errorf("%s has %d documents, want %d", p.Name(), len(rows), len(once.Documents()))
		}
		for i, d := range once.Documents() {
			if string(rows[i].Body) != string(d.Body) || rows[i].At != d.At {
				t.Fatalf("%s has %s, want %s of\n%s", p.Name(), rows[i].Body, d.Body, want)
			}
		}
	}
}

func TestAnEventThatEverybodyGoesOnWithoutIsInNoState(t *testing.T) {
	src := newSource(created("C1", "I1", 1), started("I1", 1), numbered("I1", 7), accepted("I1"))
	skipped := src.log[2]
	log := engine.Without(src, func(r events.Recorded) bool { return r.ID == skipped.ID })
	store := openTables(t)
	scratch, err := engine.NewScratch(t.Context(), store, projections.VATBook, log)
	if err != nil {
		t.Fatal(err)
	}
	if err := scratch.Fold(t.Context(), src.log[3]); err != nil {
		t.Fatal(err)
	}
	rows, err := store.Scan(t.Context(), fmt.Sprintf("vat_book_v%d", projections.VATBook.Version()), "", 10)
	if err != nil || len(rows) != 1 {
		t.Fatalf("%d documents, %v", len(rows), err)
	}
	d, err := engine.Decode[projections.VATLine](projections.VATBook, rows[0].Document)
	if err != nil {
		t.Fatal(err)
	}
	if d.Number != 0 || d.Recipient.Document != "30500010912" {
		t.Errorf("the line has number %d and recipient %q", d.Number, d.Recipient.Document)
	}
}
