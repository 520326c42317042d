package submission_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"iter"
	"slices"
	"sync"

	"folio/bus"
	"folio/events"
	"folio/eventstore"
	"folio/processors/submission"
)

// memoryLog is an event log with EventStoreDB's rules of appending, for tests that
// stop the world between any two steps.
type memoryLog struct {
	mu      sync.Mutex
	all     []events.Recorded
	streams map[string][]events.Recorded
	decoded map[string][]events.Event
	wake    chan struct{}
}

func newMemoryLog() *memoryLog {
	return &memoryLog{streams: map[string][]events.Recorded{}, decoded: map[string][]events.Event{}, wake: make(chan struct{})}
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
		e, err := events.Decode(r.Type, r.Meta.Schema, r.Raw)
		if err != nil {
			return eventstore.Appended{}, err
		}
		l.all, l.streams[stream], l.decoded[stream] = append(l.all, r), append(l.streams[stream], r), append(l.decoded[stream], e)
	}
	close(l.wake)
	l.wake = make(chan struct{})
	return eventstore.Appended{Revision: r.Revision, Position: r.Position}, nil
}

func (l *memoryLog) stream(name string) []events.Recorded {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.streams[name])
}

// facts are the events of a stream.
func (l *memoryLog) facts(name string) []events.Event {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.decoded[name])
}

// named are the streams of a category, sorted.
func (l *memoryLog) named(category string) []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	var out []string
	for name := range l.streams {
		if len(name) > len(category) && name[:len(category)+1] == category+"-" {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return out
}

func (l *memoryLog) Read(_ context.Context, stream string, from uint64) iter.Seq2[events.Recorded, error] {
	return func(yield func(events.Recorded, error) bool) {
		held := l.stream(stream)
		for _, r := range held[min(int(from), len(held)):] {
			if !yield(r, nil) {
				return
			}
		}
	}
}

// Follow gives the events that the processor lists, a few at a time.
func (l *memoryLog) Follow(ctx context.Context, _ string, after events.Position, handle func(context.Context, bus.Batch) error) error {
	for at := after.Commit; ; {
		l.mu.Lock()
		end, wake := uint64(len(l.all)), l.wake
		next := slices.Clone(l.all[at:min(at+20, end)])
		l.mu.Unlock()
		b := bus.Batch{CaughtUp: at+uint64(len(next)) == end}
		for _, r := range next {
			at++
			if slices.Contains(submission.Types, r.Type) {
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

// memoryFiles are files by content.
type memoryFiles struct {
	mu sync.Mutex
	m  map[string][]byte
}

func (f *memoryFiles) StoreFile(_ context.Context, content []byte) (string, error) {
	sum := sha256.Sum256(content)
	name := hex.EncodeToString(sum[:])
	f.mu.Lock()
	defer f.mu.Unlock()
	f.m[name] = slices.Clone(content)
	return name, nil
}

func (f *memoryFiles) File(_ context.Context, name string) ([]byte, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	content, ok := f.m[name]
	if !ok {
		return nil, errors.New("no such file: " + name)
	}
	return slices.Clone(content), nil
}

// memoryTickets outlive a process, as the vault's do.
type memoryTickets struct {
	mu sync.Mutex
	m  map[string][]byte
}

func (v *memoryTickets) Open(_ context.Context, ref string) ([]byte, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	return slices.Clone(v.m[ref]), nil
}

func (v *memoryTickets) Seal(_ context.Context, ref string, blob []byte) error {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.m[ref] = slices.Clone(blob)
	return nil
}
