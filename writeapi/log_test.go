package writeapi_test

import (
	"context"
	"iter"
	"slices"
	"strings"
	"sync"

	"folio/events"
	"folio/eventstore"
	"folio/projections"
)

// memory is an event log in memory: exact revisions, idempotent by event id, and
// followed by the projections.
type memory struct {
	mu   sync.Mutex
	all  []events.Recorded
	more chan struct{} // closed by the next append
	// before is asked before each append; its error is the answer, and nothing is kept.
	before func(stream string) error
	// after is asked when the events are kept: its error is an answer that got lost.
	after func(stream string) error
	// broken are streams that cannot be read.
	broken map[string]error
}

func newMemory() *memory { return &memory{more: make(chan struct{})} }

func (m *memory) stream(name string) []events.Recorded {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.of(name)
}

func (m *memory) of(name string) []events.Recorded {
	var out []events.Recorded
	for _, r := range m.all {
		if r.Stream == name {
			out = append(out, r)
		}
	}
	return out
}

func (m *memory) Append(_ context.Context, stream string, expected int64, ps ...eventstore.Pending) (eventstore.Appended, error) {
	m.mu.Lock()
	before, after := m.before, m.after
	m.mu.Unlock()
	if before != nil {
		if err := before(stream); err != nil {
			return eventstore.Appended{}, err
		}
	}
	done, err := m.append(stream, expected, ps)
	if err == nil && after != nil {
		err = after(stream)
	}
	return done, err
}

func (m *memory) append(stream string, expected int64, ps []eventstore.Pending) (eventstore.Appended, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	have := m.of(stream)
	if int64(len(have))-1 != expected {
		own := have[min(int(expected+1), len(have)):]
		if len(own) < len(ps) || own[0].ID != ps[0].ID.String() {
			return eventstore.Appended{}, eventstore.ErrConflict
		}
		last := own[len(ps)-1]
		return eventstore.Appended{Revision: last.Revision, Position: last.Position}, nil
	}
	var last events.Recorded
	for i, p := range ps {
		at := uint64(len(m.all) + 1)
		last = events.Recorded{ID: p.ID.String(), Stream: stream, Revision: uint64(len(have) + i), Type: p.Type,
			Position: events.Position{Commit: at, Prepare: at}, Meta: p.Meta, Raw: p.Data}
		m.all = append(m.all, last)
	}
	close(m.more)
	m.more = make(chan struct{})
	return eventstore.Appended{Revision: last.Revision, Position: last.Position}, nil
}

func (m *memory) Read(_ context.Context, stream string, from uint64) iter.Seq2[events.Recorded, error] {
	return func(yield func(events.Recorded, error) bool) {
		m.mu.Lock()
		broken := m.broken[stream]
		m.mu.Unlock()
		if broken != nil {
			yield(events.Recorded{}, broken)
			return
		}
		for _, r := range m.stream(stream) {
			if r.Revision >= from && !yield(r, nil) {
				return
			}
		}
	}
}

func (m *memory) Head(context.Context) (events.Position, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	at := uint64(len(m.all))
	return events.Position{Commit: at, Prepare: at}, nil
}

func (m *memory) Follow(ctx context.Context, after events.Position, types []string, handle func(context.Context, projections.Batch) error) error {
	for {
		m.mu.Lock()
		all, more := m.all[after.Commit:], m.more
		m.mu.Unlock()
		at := after.Commit + uint64(len(all))
		b := projections.Batch{Position: events.Position{Commit: at, Prepare: at}, CaughtUp: true}
		for _, r := range all {
			if slices.Contains(types, r.Type) {
				b.Events = append(b.Events, r)
			}
		}
		if err := handle(ctx, b); err != nil {
			return err
		}
		after = b.Position
		select {
		case <-more:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// hook sets what happens before appends; nil takes it away.
func (m *memory) hook(before func(stream string) error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.before = before
}

func (m *memory) unreadable(stream string, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.broken = map[string]error{stream: err}
}

// losing loses the answer of the next append to a stream with the prefix.
func (m *memory) losing(prefix string) {
	var once sync.Once
	m.mu.Lock()
	defer m.mu.Unlock()
	m.after = func(stream string) (err error) {
		if strings.HasPrefix(stream, prefix) {
			once.Do(func() { err = eventstore.ErrUnavailable })
		}
		return err
	}
}

// failing refuses the next append to a stream with the prefix.
func (m *memory) failing(prefix string) {
	var once sync.Once
	m.hook(func(stream string) (err error) {
		if strings.HasPrefix(stream, prefix) {
			once.Do(func() { err = eventstore.ErrUnavailable })
		}
		return err
	})
}

func (m *memory) count(prefix string) int {
	m.mu.Lock()
	defer m.mu.Unlock()
	n := 0
	for _, r := range m.all {
		if strings.HasPrefix(r.Stream, prefix) {
			n++
		}
	}
	return n
}
