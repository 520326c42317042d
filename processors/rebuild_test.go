package processors_test

import (
	"context"
	"path/filepath"
	"testing"
	"testing/synctest"

	"folio/events"
	"folio/processors"
	"folio/tables/sqlite"
)

func TestAskedForARebuildTheOwnerStartsOver(t *testing.T) {
	store, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "tables.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	forgotten, began := 0, make(chan events.Position, 1)
	run := processors.Rebuilding(store, "p", func(ctx context.Context) error {
		c := processors.Checkpoints{Store: store, Log: "log", Forget: func(context.Context) error { forgotten++; return nil }}
		at, err := c.Load(ctx, "p")
		if err == nil {
			began <- at
			err = c.Save(ctx, "p", events.Position{Commit: 7, Prepare: 7})
		}
		if err != nil {
			return err
		}
		<-ctx.Done()
		return ctx.Err()
	})
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error)
		began = make(chan events.Position, 1)
		go func() { ended <- run(ctx) }()
		if at := <-began; !at.IsZero() || forgotten != 0 {
			t.Errorf("the first run begins at %s, %d forgotten", at, forgotten)
		}
		// Another log's request does not stand in the way.
		for _, log := range []string{"other", "log"} {
			if err := processors.AskRebuild(ctx, store, log, "p"); err != nil {
				t.Fatal(err)
			}
		}
		if at := <-began; !at.IsZero() || forgotten != 1 {
			t.Errorf("asked for a rebuild it begins at %s, %d forgotten", at, forgotten)
		}
		if asked, err := processors.RebuildAsked(ctx, store, "p"); asked || err != nil {
			t.Errorf("the request stays: %v, %v", asked, err)
		}
		cancel()
		if err := <-ended; err == nil {
			t.Error("it ended without the error of its run")
		}
	})
}
