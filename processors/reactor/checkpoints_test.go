package reactor_test

import (
	"context"
	"errors"
	"path/filepath"
	"testing"

	"folio/events"
	"folio/processors/reactor"
	"folio/tables"
	"folio/tables/sqlite"
)

func position(n uint64) events.Position { return events.Position{Commit: n, Prepare: n} }

func openStore(t *testing.T) *sqlite.Store {
	t.Helper()
	store, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "tables.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = store.Close() })
	return store
}

func TestARunEndsWhenTheTablesSteppedBack(t *testing.T) {
	store := openStore(t)
	c := &reactor.Checkpoints{Store: store, Log: "log"}
	err := c.Run(t.Context(), func(ctx context.Context) error {
		if _, err := c.Load(ctx, "p"); err != nil {
			return err
		}
		for _, n := range []uint64{3, 5} {
			if err := c.Save(ctx, "p", position(n)); err != nil {
				return err
			}
		}
		back := tables.Batch{Checkpoint: &tables.Checkpoint{Name: "p", Store: "log", At: position(3)}}
		if err := errors.Join(store.ResetCheckpoint(ctx, "p"), store.Apply(ctx, back)); err != nil {
			return err
		}
		if err := c.Save(ctx, "p", position(6)); !errors.Is(err, tables.ErrCheckpointMoved) {
			t.Errorf("it was saved all the same: %v", err)
		}
		<-ctx.Done() // as a feed does
		return nil
	})
	if !errors.Is(err, tables.ErrCheckpointMoved) {
		t.Fatalf("the run ended with %v", err)
	}
	if at, err := (&reactor.Checkpoints{Store: store, Log: "log"}).Load(t.Context(), "p"); err != nil ||
		at != position(3) {
		t.Errorf("the next run begins at %s, %v", at, err)
	}
}

func TestTracesBeforeTheCheckpointArePruned(t *testing.T) {
	store := openStore(t)
	list := store.Worklist("p")
	if err := list.Remove(t.Context(), "done", position(2)); err != nil {
		t.Fatal(err)
	}
	c := &reactor.Checkpoints{Store: store, Log: "log", Traces: []tables.Worklist{list}}
	if _, err := c.Load(t.Context(), "p"); err != nil {
		t.Fatal(err)
	}
	if err := c.Save(t.Context(), "p", position(5)); err != nil {
		t.Fatal(err)
	}
	if n, err := list.PruneBefore(t.Context(), position(5)); err != nil || n != 0 {
		t.Errorf("%d traces were left, %v", n, err)
	}
}
