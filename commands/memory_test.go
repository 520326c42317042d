package commands_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"folio/commands"
	"folio/events"
	"folio/eventstore"
)

// memoryLog has EventStoreDB's rules of appending, and hooks to be between two steps.
type memoryLog struct {
	mu       sync.Mutex
	streams  map[string][]events.Recorded
	position uint64
	expected []int64 // of each append that was tried
	reads    int

	before func(stream string) // before an append is looked at
	answer func(error) error   // after an append: what the caller gets
	fail   error               // of every read
}

func newMemoryLog() *memoryLog { return &memoryLog{streams: map[string][]events.Recorded{}} }

func (l *memoryLog) Append(_ context.Context, stream string, expected int64,
	ps ...eventstore.Pending) (eventstore.Appended, error) {
	if before := l.before; before != nil {
		before(stream)
	}
	done, err := l.append(stream, expected, ps)
	if l.answer != nil {
		if lost := l.answer(err); lost != nil {
			return eventstore.Appended{}, lost
		}
	}
	return done, err
}

func (l *memoryLog) append(stream string, expected int64, ps []eventstore.Pending) (eventstore.Appended, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.expected = append(l.expected, expected)
	held := l.streams[stream]
	if last := int64(len(held)) - 1; expected < last {
		for i, p := range ps {
			at := int(expected) + 1 + i
			if at >= len(held) || held[at].ID != p.ID.String() {
				return eventstore.Appended{}, fmt.Errorf("%s: %w", stream, eventstore.ErrConflict)
			}
		}
		r := held[int(expected)+len(ps)]
		return eventstore.Appended{Revision: r.Revision, Position: r.Position}, nil
	} else if expected > last {
		return eventstore.Appended{}, fmt.Errorf("%s: %w", stream, eventstore.ErrConflict)
	}
	var r events.Recorded
	for _, p := range ps {
		l.position++
		r = events.Recorded{ID: p.ID.String(), Stream: stream, Revision: uint64(len(l.streams[stream])),
			Position: events.Position{Commit: l.position, Prepare: l.position}, Type: p.Type, Meta: p.Meta, Raw: p.Data}
		l.streams[stream] = append(l.streams[stream], r)
	}
	return eventstore.Appended{Revision: r.Revision, Position: r.Position}, nil
}

func (l *memoryLog) Read(_ context.Context, stream string, from uint64) iter.Seq2[events.Recorded, error] {
	l.mu.Lock()
	held, fail := slices.Clone(l.streams[stream]), l.fail
	l.reads++
	l.mu.Unlock()
	return func(yield func(events.Recorded, error) bool) {
		if fail != nil {
			yield(events.Recorded{}, fail)
			return
		}
		for _, r := range held[min(int(from), len(held)):] {
			if !yield(r, nil) {
				return
			}
		}
	}
}

func (l *memoryLog) stream(name string) []events.Recorded {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.streams[name])
}

var errGone = fmt.Errorf("connection lost: %w", eventstore.ErrUnavailable)

// total is a decider for tests: passwords are added up, "x" is refused, "" is nothing.
type total struct {
	Seen string
	N    int
}

var errRefused = errors.New("refused")

var totals = commands.Decider[total, string]{
	Category: "account",
	Initial:  func() total { return total{} },
	Decide: func(s total, c string) ([]events.Event, error) {
		switch {
		case c == "x" || c == "once" && strings.Contains(s.Seen, "once"):
			return nil, errRefused
		case c == "":
			return nil, nil
		case c == "next":
			return []events.Event{events.PasswordChanged{Secret: fmt.Sprint(s.N + 1)}}, nil
		}
		var out []events.Event
		for _, part := range strings.Fields(c) {
			out = append(out, events.PasswordChanged{Secret: part})
		}
		return out, nil
	},
	Evolve: func(s total, e events.Event) total {
		if e, ok := e.(events.PasswordChanged); ok {
			s.Seen += e.Secret
			s.N++
		}
		return s
	},
}

var noon = time.Date(2026, 12, 15, 15, 0, 0, 0, time.UTC)

func clock() time.Time { return noon }

func request(name string) commands.Request {
	return commands.Request{ID: commands.Derived(name), Correlation: "corr", Causation: "cause", Actor: "ana", At: noon}
}

// foreign is an append by somebody else.
func (l *memoryLog) foreign(t *testing.T, stream, secret string) events.Recorded {
	t.Helper()
	name, schema, data, err := events.Encode(events.PasswordChanged{Secret: secret})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := l.append(stream, int64(len(l.stream(stream)))-1,
		[]eventstore.Pending{{ID: uuid.New(), Type: name, Data: data, Meta: events.Meta{Schema: schema}}}); err != nil {
		t.Fatal(err)
	}
	all := l.stream(stream)
	return all[len(all)-1]
}
