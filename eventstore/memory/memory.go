// Package memory is an event log in memory for tests, with the rules of the real one:
// exact expectations, appends known again by the ids of their events, the same limits and
// refusals. It passes storetest. A test breaks it with Faults.
package memory

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"sync"

	"folio/events"
	"folio/eventstore"
)

// Log is an event log; make it with New. It is safe for concurrent use.
type Log struct {
	mu      sync.Mutex
	all     []events.Recorded // never changed, only appended to
	streams map[string][]events.Recorded
	more    chan struct{} // closed by the next append
	faults  Faults
}

// Faults are what a test does to the calls of others. Each may be nil.
type Faults struct {
	// Append is asked before each append; its error is the answer, and nothing is kept.
	Append func(stream string, expected int64, ps []eventstore.Pending) error
	// Answer is given the outcome of each append, which stands; an error of its own is an
	// answer that got lost.
	Answer func(stream string, outcome error) error
	// Read is asked before each read of a stream; its error is what the read yields.
	Read func(stream string) error
}

// New makes an empty log.
func New() *Log {
	return &Log{streams: map[string][]events.Recorded{}, more: make(chan struct{})}
}

// Break sets the faults from now on; those of before are gone.
func (l *Log) Break(f Faults) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.faults = f
}

func (l *Log) broken() Faults {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.faults
}

// Append is eventstore.Log's.
func (l *Log) Append(
	ctx context.Context, stream string, expected int64, ps ...eventstore.Pending,
) (eventstore.Appended, error) {
	if err := ctx.Err(); err != nil {
		return eventstore.Appended{}, err
	}
	if err := eventstore.Check(stream, expected, ps, eventstore.DefaultMaxAppend); err != nil {
		return eventstore.Appended{}, err
	}
	f := l.broken()
	if f.Append != nil {
		if err := f.Append(stream, expected, ps); err != nil {
			return eventstore.Appended{}, err
		}
	}
	done, err := l.append(stream, expected, ps)
	if f.Answer != nil {
		if lost := f.Answer(stream, err); lost != nil {
			return eventstore.Appended{}, lost
		}
	}
	return done, err
}

func (l *Log) append(stream string, expected int64, ps []eventstore.Pending) (eventstore.Appended, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	held := l.streams[stream]
	switch last := int64(len(held)) - 1; {
	case expected > last:
		return eventstore.Appended{}, fmt.Errorf("append to %s at %d: %w", stream, last, eventstore.ErrConflict)
	case expected < last:
		return repeated(stream, held[expected+1:], ps)
	}
	for _, p := range ps {
		at := uint64(len(l.all) + 1)
		meta := p.Meta
		meta.At = meta.At.UTC()
		raw, err := p.Metadata()
		if err != nil {
			return eventstore.Appended{}, fmt.Errorf("append to %s: %w", stream, err)
		}
		r := events.Recorded{ID: p.ID.String(), Stream: stream, Revision: uint64(len(held)),
			Position: events.Position{Commit: at, Prepare: at}, Type: p.Type, Meta: meta, RawMeta: raw,
			Raw: slices.Clone(p.Data)}
		l.all, held = append(l.all, r), append(held, r)
	}
	l.streams[stream] = held
	close(l.more)
	l.more = make(chan struct{})
	last := held[len(held)-1]
	return eventstore.Appended{Revision: last.Revision, Position: last.Position}, nil
}

// repeated is the answer that an append had at its first try, if what follows its
// expectation is its own.
func repeated(stream string, held []events.Recorded, ps []eventstore.Pending) (eventstore.Appended, error) {
	for i, p := range ps {
		if i >= len(held) || held[i].ID != p.ID.String() {
			return eventstore.Appended{}, fmt.Errorf("append to %s: %w", stream, eventstore.ErrConflict)
		}
	}
	last := held[len(ps)-1]
	return eventstore.Appended{Revision: last.Revision, Position: last.Position}, nil
}

// Read is eventstore.Log's.
func (l *Log) Read(ctx context.Context, stream string, from uint64) iter.Seq2[events.Recorded, error] {
	return func(yield func(events.Recorded, error) bool) {
		if f := l.broken(); f.Read != nil {
			if err := f.Read(stream); err != nil {
				yield(events.Recorded{}, err)
				return
			}
		}
		held := l.Stream(stream)
		give(ctx, held[min(from, uint64(len(held))):], yield)
	}
}

// give yields rs until ctx ends.
func give(ctx context.Context, rs []events.Recorded, yield func(events.Recorded, error) bool) {
	for _, r := range rs {
		if err := ctx.Err(); err != nil {
			yield(events.Recorded{}, err)
			return
		}
		if !yield(r, nil) {
			return
		}
	}
}

// ReadLast is eventstore.Log's.
func (l *Log) ReadLast(_ context.Context, stream string) (events.Recorded, bool, error) {
	held := l.Stream(stream)
	if len(held) == 0 {
		return events.Recorded{}, false, nil
	}
	return held[len(held)-1], true, nil
}

// All is eventstore.Log's.
func (l *Log) All(
	ctx context.Context, after events.Position, f eventstore.Filter,
) iter.Seq2[events.Recorded, error] {
	return func(yield func(events.Recorded, error) bool) {
		wanted, err := f.Matcher()
		if err != nil {
			yield(events.Recorded{}, err)
			return
		}
		all, _ := l.Events()
		give(ctx, slices.DeleteFunc(slices.Clone(all[after.Commit:]), func(r events.Recorded) bool { return !wanted(r) }),
			yield)
	}
}

// End is eventstore.Log's.
func (l *Log) End(context.Context) (events.Position, error) {
	all, _ := l.Events()
	return events.Position{Commit: uint64(len(all)), Prepare: uint64(len(all))}, nil
}

// Follow is eventstore.Log's. It is never disconnected.
func (l *Log) Follow(ctx context.Context, after events.Position, f eventstore.Filter, o eventstore.FollowOptions,
	handle func(context.Context, eventstore.Batch) error) error {
	wanted, err := f.Matcher()
	if err != nil {
		return err
	}
	if o.MaxBatch <= 0 {
		o.MaxBatch = eventstore.DefaultMaxBatch
	}
	if o.OnState != nil {
		o.OnState(eventstore.FollowState{Connected: true})
	}
	for at := after.Commit; ; {
		if err := ctx.Err(); err != nil {
			return err
		}
		all, more := l.Events()
		var b eventstore.Batch
		for ; at < uint64(len(all)) && len(b.Events) < o.MaxBatch; at++ {
			if wanted(all[at]) {
				b.Events = append(b.Events, all[at])
			}
		}
		b.Position, b.CaughtUp = events.Position{Commit: at, Prepare: at}, at == uint64(len(all))
		if err := handle(ctx, b); err != nil {
			return err
		}
		if o.OnState != nil {
			o.OnState(eventstore.FollowState{Connected: true, CaughtUp: b.CaughtUp})
		}
		if !b.CaughtUp {
			continue
		}
		select {
		case <-more:
		case <-ctx.Done():
		}
	}
}
