package memory

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"

	"folio/events"
	"folio/eventstore"
)

// Events are all events so far, and a channel that closes when there are more.
func (l *Log) Events() ([]events.Recorded, <-chan struct{}) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clip(l.all), l.more
}

// Stream are the events of a stream so far. Faults do not touch it.
func (l *Log) Stream(name string) []events.Recorded {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clip(l.streams[name])
}

// Facts are the events of a stream so far, opened.
func (l *Log) Facts(t testing.TB, stream string) []events.Event {
	t.Helper()
	var out []events.Event
	for _, r := range l.Stream(stream) {
		opened, err := events.Open(r)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, opened.Event)
	}
	return out
}

// Streams are the names of the streams with a prefix, sorted.
func (l *Log) Streams(prefix string) []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	var out []string
	for name := range l.streams {
		if strings.HasPrefix(name, prefix) {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return out
}

// Count is how many events the streams with a prefix have.
func (l *Log) Count(prefix string) int {
	n := 0
	for _, name := range l.Streams(prefix) {
		n += len(l.Stream(name))
	}
	return n
}

// Record appends facts to the end of a stream, as somebody else does: their ids are drawn,
// and no fault touches them.
func (l *Log) Record(t testing.TB, m events.Meta, stream string, facts ...events.Event) []events.Recorded {
	t.Helper()
	ps := make([]eventstore.Pending, len(facts))
	for i, e := range facts {
		name, schema, data, err := events.Encode(e)
		if err != nil {
			t.Fatal(err)
		}
		m.Schema = schema
		ps[i] = eventstore.Pending{ID: uuid.New(), Type: name, Data: data, Meta: m}
	}
	for {
		held := l.Stream(stream)
		done, err := l.append(stream, int64(len(held))-1, ps)
		if err == nil {
			return l.Stream(stream)[len(held) : done.Revision+1]
		}
	}
}
