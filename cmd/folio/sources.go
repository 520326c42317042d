package main

import (
	"context"
	"fmt"
	"iter"
	"slices"

	"folio/bus"
	"folio/events"
	"folio/eventstore"
	"folio/eventstore/fanout"
	"folio/fault"
	"folio/projections"
	"folio/quarantine"
)

// newReader makes the one reader of the log that read models and processors share.
func newReader(log *eventstore.Log) *fanout.Reader {
	r := fanout.New(log, fanout.Options{})
	for _, p := range projections.All {
		r.Want(p.Types()...)
	}
	r.Want(quarantine.Types...)
	return r
}

// folds is the log as projections read it. Every event moves their position, so that a
// read may ask for the position of any write (Folio-Min-Position).
type folds struct {
	log    *eventstore.Log
	reader *fanout.Reader
}

func (f folds) Head(ctx context.Context) (events.Position, error) { return f.log.End(ctx) }

func (f folds) Follow(ctx context.Context, after events.Position, types []string,
	handle func(context.Context, projections.Batch) error) error {
	return f.reader.Follow(ctx, after, eventstore.Filter{Types: types}, eventstore.FollowOptions{CheckpointEvery: 1},
		func(ctx context.Context, b eventstore.Batch) error { return handle(ctx, projections.Batch(b)) })
}

// foldGuards are the guards of read models.
type foldGuards struct{ *quarantine.Room }

func (g foldGuards) Table(ctx context.Context, table string, types ...string) (projections.Guard, error) {
	return g.Room.Table(ctx, table, types...)
}

// reactions is the log as one processor reads it, with what operators decided about streams
// that it holds.
type reactions struct {
	reader *fanout.Reader
	types  []string
}

func (s *service) reactions(types []string) reactions {
	types = slices.Concat(types, quarantine.Types)
	slices.Sort(types)
	types = slices.Compact(types) // a processor may react to such decisions itself
	s.reader.Want(types...)
	return reactions{s.reader, types}
}

func (s reactions) Follow(ctx context.Context, _ string, after events.Position,
	handle func(context.Context, bus.Batch) error) error {
	of := eventstore.Filter{Types: s.types}
	return s.reader.Follow(ctx, after, of, eventstore.FollowOptions{}, func(ctx context.Context, b eventstore.Batch) error {
		out := bus.Batch{Deliveries: make([]bus.Delivery, len(b.Events)), Position: b.Position, CaughtUp: b.CaughtUp}
		for i, r := range b.Events {
			out.Deliveries[i] = bus.Delivery{ID: r.ID, Payload: []byte(r.Raw), Event: r,
				Headers: map[string]string{"type": r.Type, "stream": r.Stream}}
		}
		return handle(ctx, out)
	})
}

// streams is the log as a reader uses it for documents that the tables do not have.
type streams struct{ log projections.Streams }

// Read is that of the log; an error says that the document may be there all the same.
func (s streams) Read(ctx context.Context, stream string, from uint64) iter.Seq2[events.Recorded, error] {
	return func(yield func(events.Recorded, error) bool) {
		for r, err := range s.log.Read(ctx, stream, from) {
			if !yield(r, readable(ctx, err)) {
				return
			}
		}
	}
}

// readable makes a fault of an error that is none: whoever hears it may ask again.
func readable(ctx context.Context, err error) error {
	if err != nil && ctx.Err() == nil && fault.As(err) == nil {
		err = fmt.Errorf("%w: %w", errNotReadable, err)
	}
	return err
}

var errNotReadable = &fault.Error{Code: fault.Unavailable, Constant: "LOG_UNAVAILABLE", RetryAfter: 2,
	Text: "The service cannot read the event log now, so it cannot say whether this exists. Ask again in a moment."}

// pastLog is the log as the past is read in it: its streams as a reader uses them, and its end.
type pastLog struct {
	projections.Streams
	log *eventstore.Log
}

// End is the position of the log's last event.
func (p pastLog) End(ctx context.Context) (events.Position, error) {
	at, err := p.log.End(ctx)
	return at, readable(ctx, err)
}
