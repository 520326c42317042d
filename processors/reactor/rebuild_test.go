package reactor_test

import (
	"context"
	"log/slog"
	"path/filepath"
	"testing"
	"testing/synctest"

	"folio/clock"
	"folio/events"
	"folio/processors/reactor"
	"folio/tables/sqlite"
)

func TestAskedForARebuildTheOwnerStartsOver(t *testing.T) {
	store, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "tables.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	forgotten, began := 0, make(chan events.Position, 1)
	run := func(ctx context.Context) error {
		c := reactor.Checkpoints{Store: store, Log: "log", Forget: func(context.Context) error { forgotten++; return nil }}
		at, err := c.Load(ctx, "p")
		if err == nil {
			began <- at
			err = c.Save(ctx, "p", position(7))
		}
		if err != nil {
			return err
		}
		<-ctx.Done()
		return ctx.Err()
	}
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		b := reactor.Base{Tables: store, Clock: clock.Real{}, Logger: slog.New(slog.DiscardHandler)}
		ended := make(chan struct{})
		began = make(chan events.Position, 1)
		go func() {
			defer close(ended)
			reactor.Own(ctx, b.Logger, &leases{}, "a", loop{b.New("p"), run})
		}()
		if at := <-began; !at.IsZero() || forgotten != 0 {
			t.Errorf("the first run begins at %s, %d forgotten", at, forgotten)
		}
		// Another log's request does not stand in the way.
		for _, log := range []string{"other", "log"} {
			if err := reactor.AskRebuild(ctx, store, log, "p"); err != nil {
				t.Fatal(err)
			}
		}
		if at := <-began; !at.IsZero() || forgotten != 1 {
			t.Errorf("asked for a rebuild it begins at %s, %d forgotten", at, forgotten)
		}
		if asked, err := reactor.RebuildAsked(ctx, store, "p"); asked || err != nil {
			t.Errorf("the request stays: %v, %v", asked, err)
		}
		cancel()
		<-ended
	})
}
