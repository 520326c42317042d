package delivery_test

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"sync"

	"folio/bus"
	"folio/events"
	"folio/eventstore"
	"folio/processors/delivery"
)

// memoryLog is an event log with EventStoreDB's rules of appending, for tests that
// stop the world between any two steps.
type memoryLog struct {
	mu      sync.Mutex
	all     []events.Recorded
	streams map[string][]events.Recorded
	wake    chan struct{}
}

func newMemoryLog() *memoryLog {
	return &memoryLog{streams: map[string][]events.Recorded{}, wake: make(chan struct{})}
}

func (l *memoryLog) Append(_ context.Context, stream string, expected int64, ps ...eventstore.Pending) (eventstore.Appended, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	held := l.streams[stream]
	last := int64(len(held)) - 1
	if expected < last { // a repetition, or a conflict
		repeated := held[expected+1:]
		for i, p := range ps {
			if i >= len(repeated) || repeated[i].ID != p.ID.String() {
				return eventstore.Appended{}, fmt.Errorf("%s: %w", stream, eventstore.ErrConflict)
			}
		}
		r := repeated[len(ps)-1]
		return eventstore.Appended{Revision: r.Revision, Position: r.Position}, nil
	}
	if expected > last {
		return eventstore.Appended{}, fmt.Errorf("%s: %w", stream, eventstore.ErrConflict)
	}
	var r events.Recorded
	for _, p := range ps {
		n := uint64(len(l.all) + 1)
		r = events.Recorded{ID: p.ID.String(), Stream: stream, Revision: uint64(len(l.streams[stream])),
			Position: events.Position{Commit: n, Prepare: n}, Type: p.Type, Meta: p.Meta, Raw: p.Data}
		l.all, l.streams[stream] = append(l.all, r), append(l.streams[stream], r)
	}
	close(l.wake)
	l.wake = make(chan struct{})
	return eventstore.Appended{Revision: r.Revision, Position: r.Position}, nil
}

// facts are the events of the whole log, or of one stream.
func (l *memoryLog) facts(stream string) []events.Recorded {
	l.mu.Lock()
	defer l.mu.Unlock()
	held := l.all
	if stream != "" {
		held = l.streams[stream]
	}
	out := slices.Clone(held)
	for i, r := range out {
		opened, err := events.Open(r)
		if err != nil {
			panic(err)
		}
		out[i] = opened
	}
	return out
}

func (l *memoryLog) Read(_ context.Context, stream string, from uint64) iter.Seq2[events.Recorded, error] {
	return func(yield func(events.Recorded, error) bool) {
		l.mu.Lock()
		held := slices.Clone(l.streams[stream])
		l.mu.Unlock()
		for _, r := range held[min(int(from), len(held)):] {
			if !yield(r, nil) {
				return
			}
		}
	}
}

// past finds what a company was owed in the log itself.
type past struct{ log *memoryLog }

func (p past) Owed(_ context.Context, company string, after, until events.Position, limit int) (out []delivery.Owed, err error) {
	for _, r := range p.log.facts("") {
		e, ok := r.Event.(events.DeliveryScheduled)
		if ok && e.Company == company && after.Before(r.Position) && !until.Before(r.Position) && len(out) < limit {
			out = append(out, delivery.Owed{Delivery: e.Delivery, Code: e.Code, At: r.Meta.At, Scheduled: r.Position})
		}
	}
	return out, nil
}

// feed is the log as a bus.Source of some types, a few events at a time.
type feed struct {
	log   *memoryLog
	types []string
}

func (f feed) Follow(ctx context.Context, _ string, after events.Position, handle func(context.Context, bus.Batch) error) error {
	l := f.log
	for at := after.Commit; ; {
		l.mu.Lock()
		end, wake := uint64(len(l.all)), l.wake
		next := slices.Clone(l.all[at:min(at+20, end)])
		l.mu.Unlock()
		b := bus.Batch{CaughtUp: at+uint64(len(next)) == end}
		for _, r := range next {
			at++
			if slices.Contains(f.types, r.Type) {
				b.Deliveries = append(b.Deliveries, bus.Delivery{ID: r.ID, Payload: []byte(r.Raw), Event: r})
			}
		}
		b.Position = events.Position{Commit: at, Prepare: at}
		if err := handle(ctx, b); err != nil {
			return err
		}
		if !b.CaughtUp {
			continue
		}
		select {
		case <-wake:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}
