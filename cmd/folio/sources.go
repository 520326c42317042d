package main

import (
	"context"

	"folio/bus"
	"folio/events"
	"folio/eventstore"
	"folio/projections"
)

// folds is the log as projections read it. Every event moves their position, so that a
// read may ask for the position of any write (Folio-Min-Position).
type folds struct{ log *eventstore.Log }

func (f folds) Head(ctx context.Context) (events.Position, error) { return f.log.End(ctx) }

func (f folds) Follow(ctx context.Context, after events.Position, types []string, handle func(context.Context, projections.Batch) error) error {
	return f.log.Follow(ctx, after, eventstore.Filter{Types: types}, eventstore.FollowOptions{CheckpointEvery: 1},
		func(ctx context.Context, b eventstore.Batch) error { return handle(ctx, projections.Batch(b)) })
}

// reactions is the log as one processor reads it.
type reactions struct {
	log   *eventstore.Log
	types []string
}

func (s reactions) Follow(ctx context.Context, _ string, after events.Position, handle func(context.Context, bus.Batch) error) error {
	return s.log.Follow(ctx, after, eventstore.Filter{Types: s.types}, eventstore.FollowOptions{},
		func(ctx context.Context, b eventstore.Batch) error {
			out := bus.Batch{Deliveries: make([]bus.Delivery, len(b.Events)), Position: b.Position, CaughtUp: b.CaughtUp}
			for i, r := range b.Events {
				out.Deliveries[i] = bus.Delivery{ID: r.ID, Payload: []byte(r.Raw), Event: r,
					Headers: map[string]string{"type": r.Type, "stream": r.Stream}}
			}
			return handle(ctx, out)
		})
}
