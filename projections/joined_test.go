package projections_test

import (
	"context"
	"errors"
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

// decided is what operators decided: to go on without an event, or without all that is missing.
type decided struct {
	skips  string
	covers bool
}

func (d decided) Skips(r events.Recorded) bool  { return r.ID == d.skips }
func (d decided) Covers(t *events.Trouble) bool { return d.covers }

// cutLog is a log in which the first events of a stream are missing.
type cutLog struct {
	*source
	stream string
	first  uint64 // that is there
}

func (c cutLog) Read(ctx context.Context, stream string, from uint64) iter.Seq2[events.Recorded, error] {
	if stream == c.stream && from < c.first {
		return func(yield func(events.Recorded, error) bool) {
			yield(events.Recorded{}, &events.Trouble{Kind: events.Cut, Stream: stream, Revision: from, Next: c.first})
		}
	}
	return c.source.Read(ctx, stream, from)
}

// A stream whose past cannot be had stops at its event and nowhere else, until an operator decides to do without.
func TestAPastThatIsCutStopsItsStreamOnly(t *testing.T) {
	src := newSource(created("C1", "I1", 1), created("C1", "I2", 1), started("I1", 1), numbered("I1", 7), accepted("I1"),
		started("I2", 2), numbered("I2", 8), accepted("I2"))
	cut := src.log[4]
	for _, covers := range []bool{false, true} {
		log := engine.Without(cutLog{src, cut.Stream, 2}, decided{covers: covers})
		scratch, err := engine.NewScratch(t.Context(), openTables(t), projections.VATBook, log)
		if err != nil {
			t.Fatal(err)
		}
		err = scratch.Fold(t.Context(), cut)
		var stopped *engine.StoppedError
		var trouble *events.Trouble
		if covers && err != nil || !covers && (!errors.As(err, &stopped) || stopped.Event.ID != cut.ID ||
			!errors.As(err, &trouble) || trouble.Kind != events.Cut) {
			t.Errorf("covered %v: %v", covers, err)
		}
		if err := scratch.Fold(t.Context(), src.log[7]); err != nil {
			t.Errorf("covered %v: another stream: %v", covers, err)
		}
	}
}

func TestAnEventThatEverybodyGoesOnWithoutIsInNoState(t *testing.T) {
	src := newSource(created("C1", "I1", 1), started("I1", 1), numbered("I1", 7), accepted("I1"))
	skipped := src.log[2]
	log := engine.Without(src, decided{skips: skipped.ID})
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
