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

// Decisions are what operators decided about streams in quarantine. *quarantine.Room is one.
type Decisions interface {
	// Skips says whether everybody goes on without an event.
	Skips(r events.Recorded) bool
	// Covers says whether everybody goes on without what is missing.
	Covers(t *events.Trouble) bool
}

// Without is a log without what everybody goes on without.
func Without(log Streams, d Decisions) Streams { return without{log, d} }

type without struct {
	Streams
	Decisions
}

// Read implements Streams.
func (w without) Read(ctx context.Context, stream string, from uint64) iter.Seq2[events.Recorded, error] {
	read := func(from uint64) iter.Seq2[events.Recorded, error] { return w.Streams.Read(ctx, stream, from) }
	return func(yield func(events.Recorded, error) bool) {
		for e, err := range events.Beyond(read, from, w.Covers) {
			if (err != nil || !w.Skips(e)) && !yield(e, err) {
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
