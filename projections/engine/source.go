package engine

import (
	"context"
	"iter"

	"folio/events"
)

// Batch is a run of events in log order, as a Source hands it over.
type Batch struct {
	// Events may be empty when only Position moved. They need not be opened.
	Events []events.Recorded
	// Position is how far the source has looked, events of other types included.
	Position events.Position
	// CaughtUp says that nothing was waiting behind this batch.
	CaughtUp bool
}

// Without is a log without the events that everybody goes on without.
func Without(log Streams, skips func(events.Recorded) bool) Streams { return without{log, skips} }

type without struct {
	Streams
	skips func(events.Recorded) bool
}

// Read implements Streams.
func (w without) Read(ctx context.Context, stream string, from uint64) iter.Seq2[events.Recorded, error] {
	return func(yield func(events.Recorded, error) bool) {
		for e, err := range w.Streams.Read(ctx, stream, from) {
			if (err != nil || !w.skips(e)) && !yield(e, err) {
				return
			}
		}
	}
}

// Source is the log as the runner needs it.
type Source interface {
	Streams
	// Follow hands over every event of the types after the position, in log order,
	// until ctx ends or handle fails, and returns that error. It calls handle one
	// batch at a time, without waiting for a batch to fill, and once with CaughtUp
	// when it reaches the end, if only to say so. It should report Position soon when
	// only events of other types pass: WaitFor depends on it for their positions.
	Follow(ctx context.Context, after events.Position, types []string, handle func(context.Context, Batch) error) error
	// Head is the position of the last event in the log, zero for an empty one.
	Head(ctx context.Context) (events.Position, error)
}
