package quarantine_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"testing"
	"time"

	"folio/events"
	"folio/eventstore"
	"folio/quarantine"
	"folio/tables/sqlite"
)

// damaged is a log of which one event cannot be read any more: whoever follows it tries again for good.
type damaged struct{ quarantine.Log }

func (damaged) Follow(ctx context.Context, _ events.Position, _ eventstore.Filter, o eventstore.FollowOptions,
	_ func(context.Context, eventstore.Batch) error) error {
	o.OnState(eventstore.FollowState{Err: fmt.Errorf("position 7: %w", eventstore.ErrDamaged)})
	<-ctx.Done()
	return ctx.Err()
}

func TestADamagedLogIsNotWaitedFor(t *testing.T) {
	store, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "tables.db"))
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithTimeout(t.Context(), 10*time.Second)
	defer stop()
	_, err = quarantine.Open(ctx, damaged{}, store, time.Now, slog.New(slog.DiscardHandler))
	if !errors.Is(err, eventstore.ErrDamaged) {
		t.Errorf("%v, want that the log is damaged", err)
	}
	if err := store.Close(); err != nil {
		t.Error(err)
	}
}
