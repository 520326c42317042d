package commands_test

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"folio/commands"
	"folio/events"
	"folio/eventstore"
	"folio/eventstore/memory"
)

// memoryLog is a log with hooks to be between two steps, which counts what is asked of it.
type memoryLog struct {
	*memory.Log
	mu       sync.Mutex
	expected []int64 // of each append that was tried
	reads    int

	before func(stream string) // before an append is looked at
	answer func(error) error   // after an append: what the caller gets
	fail   error               // of every read
}

func newMemoryLog() *memoryLog {
	l := &memoryLog{Log: memory.New()}
	l.Break(memory.Faults{
		Append: func(stream string, expected int64, _ []eventstore.Pending) error {
			if l.before != nil {
				l.before(stream)
			}
			l.mu.Lock()
			defer l.mu.Unlock()
			l.expected = append(l.expected, expected)
			return nil
		},
		Answer: func(_ string, outcome error) error {
			if l.answer == nil {
				return outcome
			}
			return l.answer(outcome)
		},
		Read: func(string) error {
			l.mu.Lock()
			defer l.mu.Unlock()
			l.reads++
			return l.fail
		},
	})
	return l
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
	Decide: func(c string, s total) ([]events.Event, error) {
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
	return l.Record(t, events.Meta{}, stream, events.PasswordChanged{Secret: secret})[0]
}
