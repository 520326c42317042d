package notary_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"testing"
	"time"

	decide "folio/commands/transparency"
	"folio/events"
	"folio/processors/notary"
	"folio/tables"
	"folio/transparency"
)

// Two notaries at once, neither knowing of the other, record one history and sign nothing else.
func TestTwoNotariesAtOnce(t *testing.T) {
	w := newWorld(t)
	other := w.freshTables()
	_, stop := w.start(w.config(w.tables))
	_, stopOther := w.start(w.config(other))
	roots := map[int64]string{}
	for range 20 {
		w.record(10)
		for _, db := range []*noisy{w.tables, other} {
			h := w.head(db, "by both", atLeast(1))
			w.signed(h)
			if of := roots[h.Size]; of != "" && of != h.Root {
				t.Fatalf("size %d was signed with the roots %s and %s", h.Size, of, h.Root)
			}
			roots[h.Size] = h.Root
		}
	}
	if err := errors.Join(stop(), stopOther()); err != nil {
		t.Fatal(err)
	}
	recorded := map[int64]string{}
	for _, c := range w.checkpoints() {
		recorded[c.Size] = c.Root
	}
	for size, root := range roots {
		if recorded[size] != root {
			t.Errorf("size %d was signed and is not recorded so", size)
		}
	}
	w.grown()
}

// forging is a log in which one event is another one for whoever reads it through this.
type forging struct{ source }

func (f forging) Follow(ctx context.Context, after events.Position,
	handle func(context.Context, notary.Batch) error) error {
	return f.source.Follow(ctx, after, func(ctx context.Context, b notary.Batch) error {
		b.Events = slices.Clone(b.Events)
		for i, e := range b.Events {
			if e.Stream == "invoice-3" {
				b.Events[i].Raw = []byte(`{"number":33}`)
			}
		}
		return handle(ctx, b)
	})
}

// told passes errors on.
type told struct{ to chan<- string }

func (h told) Enabled(_ context.Context, l slog.Level) bool { return l >= slog.LevelError }

func (h told) Handle(_ context.Context, r slog.Record) error {
	select {
	case h.to <- r.Message:
	default:
	}
	return nil
}
func (h told) WithAttrs([]slog.Attr) slog.Handler { return h }
func (h told) WithGroup(string) slog.Handler      { return h }

// Two notaries at once, of which one reads another log than the other: whoever records a checkpoint first decides, and
// nothing that is not recorded is signed by either.
func TestTwoNotariesOfTwoLogsSignOneTree(t *testing.T) {
	w := newWorld(t)
	w.record(5)
	other := w.config(w.freshTables())
	other.Config.Source = forging{source{w.log}}
	stores := []tables.Store{w.tables, other.Tables}
	own := w.config(w.tables)
	found := make(chan string, 100)
	own.Logger, other.Logger = slog.New(told{found}), slog.New(told{found})
	_, stop := w.start(own)
	_, stopOther := w.start(other)
	signed := map[string]bool{}
	for range 20 {
		w.record(10)
		w.minute()
		for _, db := range stores {
			store, err := transparency.OpenStore(t.Context(), db)
			if err != nil {
				t.Fatal(err)
			}
			switch h, err := store.Head(t.Context()); {
			case err == nil:
				w.signed(h)
				signed[fmt.Sprint(h.Size, " ", h.Root)] = true
			case !errors.Is(err, transparency.ErrNone):
				t.Fatal(err)
			}
		}
	}
	select {
	case what := <-found:
		if what != "no checkpoint is signed" {
			t.Error(what)
		}
	case <-time.After(time.Minute):
		t.Error("neither finds that the log is not the one that is recorded")
	}
	_, _ = stop(), stopOther() // one of them ended by itself
	recorded := map[string]bool{}
	for r, err := range w.log.Read(t.Context(), decide.Decider.Stream("L"), 0) {
		if err != nil {
			t.Fatal(err)
		}
		if opened, err := events.Open(r); err == nil {
			if c, ok := opened.Event.(events.CheckpointRecorded); ok {
				recorded[fmt.Sprint(c.Size, " ", c.Root)] = true
			}
		}
	}
	for head := range signed {
		if !recorded[head] {
			t.Errorf("%s was signed and is not recorded", head)
		}
	}
}
