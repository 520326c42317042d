package main

import (
	"context"
	"fmt"
	"iter"

	"folio/events"
	"folio/eventstore"
	"folio/eventstore/fanout"
	"folio/fault"
	"folio/processors/delivery"
	"folio/projections"
	"folio/projections/engine"
	"folio/quarantine"
)

// newReader makes the one reader of the log that read models and processors share. Whole: the
// notary is among them.
func newReader(log *eventstore.Log, whole bool) *fanout.Reader {
	r := fanout.New(log, fanout.Options{})
	for _, p := range projections.All {
		r.Want(p.Types()...)
	}
	r.Want(quarantine.Types...)
	if whole {
		r.WantAll()
	}
	return r
}

// folds is the log as projections read it. Every event moves their position, so that a
// read may ask for the position of any write (Folio-Min-Position).
type folds struct {
	engine.Streams
	log    *eventstore.Log
	reader *fanout.Reader
}

// Head is the position of the last event.
func (f folds) Head(ctx context.Context) (events.Position, error) { return f.log.End(ctx) }

func (f folds) Follow(ctx context.Context, after events.Position, types []string,
	handle func(context.Context, engine.Batch) error) error {
	return f.reader.Follow(ctx, after, eventstore.Filter{Types: types}, eventstore.FollowOptions{CheckpointEvery: 1},
		func(ctx context.Context, b eventstore.Batch) error { return handle(ctx, engine.Batch(b)) })
}

// foldGuards are the guards of read models.
type foldGuards struct{ *quarantine.Room }

func (g foldGuards) Table(ctx context.Context, table string, types ...string) (engine.Guard, error) {
	return g.Room.Table(ctx, table, types...)
}

// streams is the log as a reader uses it for documents that the tables do not have.
type streams struct{ log engine.Streams }

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
	engine.Streams
	log *eventstore.Log
}

// End is the position of the log's last event.
func (p pastLog) End(ctx context.Context) (events.Position, error) {
	at, err := p.log.End(ctx)
	return at, readable(ctx, err)
}

// webhookFacts is what webhooks tell of, for the feed.
type webhookFacts struct{ streams streams }

func (webhookFacts) Types() []string { return delivery.Told() }

func (w webhookFacts) Again(ctx context.Context, r events.Recorded) (bool, error) {
	return delivery.Again(ctx, w.streams, r)
}
