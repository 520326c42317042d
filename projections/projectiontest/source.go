package projectiontest

import (
	"context"
	"testing"

	"folio/events"
	"folio/eventstore"
	"folio/eventstore/memory"
	"folio/projections/engine"
)

// Source is a log in memory as a runner reads it.
type Source struct{ *memory.Log }

// NewSource makes a log with a history, recorded at the times that Log gives it.
func NewSource(t testing.TB, history ...Given) Source {
	t.Helper()
	l := memory.New()
	for i, r := range Log(history...) {
		l.Record(t, r.Meta, r.Stream, history[i].Event)
	}
	return Source{l}
}

// Head is the position of the last event.
func (s Source) Head(ctx context.Context) (events.Position, error) { return s.End(ctx) }

// Follow hands over the events of the types, and goes on with what is appended.
func (s Source) Follow(ctx context.Context, after events.Position, types []string,
	handle func(context.Context, engine.Batch) error) error {
	return s.Log.Follow(ctx, after, eventstore.Filter{Types: types}, eventstore.FollowOptions{},
		func(ctx context.Context, b eventstore.Batch) error { return handle(ctx, engine.Batch(b)) })
}
