// Package storetest is the suite that every event log must pass through package
// eventstore: the embedded node, a server and the log in memory alike. It uses streams with random
// names, so it may run on a log that holds other events.
package storetest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"testing"
	"time"

	"github.com/google/uuid"

	"folio/events"
	"folio/eventstore"
)

// Log is what every event log can do; *eventstore.Log is one.
type Log interface {
	Append(ctx context.Context, stream string, expected int64, ps ...eventstore.Pending) (eventstore.Appended, error)
	Read(ctx context.Context, stream string, from uint64) iter.Seq2[events.Recorded, error]
	ReadLast(ctx context.Context, stream string) (events.Recorded, bool, error)
	All(ctx context.Context, after events.Position, f eventstore.Filter) iter.Seq2[events.Recorded, error]
	End(ctx context.Context) (events.Position, error)
	Follow(ctx context.Context, after events.Position, f eventstore.Filter, o eventstore.FollowOptions,
		handle func(context.Context, eventstore.Batch) error) error
}

// Run runs the whole suite; open returns a log that is closed with t.
func Run(t *testing.T, open func(t *testing.T) Log) {
	t.Run("append", func(t *testing.T) { appending(t, open) })
	t.Run("contend", func(t *testing.T) { contending(t, open) })
	t.Run("read", func(t *testing.T) { reading(t, open) })
	t.Run("all", func(t *testing.T) { readingAll(t, open) })
	t.Run("follow", func(t *testing.T) { following(t, open) })
}

// patience is how long a test waits for what must happen.
const patience = 2 * time.Minute

var at = time.Date(2026, 3, 1, 12, 30, 15, 123456789, time.UTC)

// place is one test's own part of the log.
type place struct {
	Log
	t   *testing.T
	run string // random
}

func newPlace(t *testing.T, l Log) place {
	return place{Log: l, t: t, run: "t" + uuid.NewString()[:13]}
}

// stream names a stream of this test.
func (p place) stream(name string) string { return p.run + "-" + name }

// typ names an event type of this test.
func (p place) typ(name string) string { return p.run + name }

// event is one of this test's, with an id derived from its name.
func (p place) event(typ, name string) eventstore.Pending {
	return eventstore.Pending{
		ID:   uuid.NewSHA1(uuid.NameSpaceOID, []byte(p.run+name)),
		Type: p.typ(typ),
		Meta: events.Meta{Schema: 1, Correlation: "c-" + name, Causation: "k", Actor: "a", Request: "r", At: at},
		Data: json.RawMessage(fmt.Sprintf(`{"name":%q}`, name)),
	}
}

// many are n events named prefix0, prefix1, ...
func (p place) many(prefix string, n int) []eventstore.Pending {
	ps := make([]eventstore.Pending, n)
	for i := range ps {
		ps[i] = p.event("Happened", fmt.Sprint(prefix, i))
	}
	return ps
}

// put appends and must succeed.
func (p place) put(stream string, expected int64, ps ...eventstore.Pending) eventstore.Appended {
	p.t.Helper()
	a, err := p.Append(p.t.Context(), stream, expected, ps...)
	if err != nil {
		p.t.Fatal(err)
	}
	return a
}

// conflicts appends and must be told that the stream has moved on.
func (p place) conflicts(stream string, expected int64, ps ...eventstore.Pending) {
	p.t.Helper()
	if _, err := p.Append(p.t.Context(), stream, expected, ps...); !errors.Is(err, eventstore.ErrConflict) {
		p.t.Errorf("append expecting %d: got %v, want a conflict", expected, err)
	}
}

// length is the number of events in stream.
func (p place) length(stream string) int {
	p.t.Helper()
	return len(p.all(p.Read(p.t.Context(), stream, 0)))
}

// all collects a read, which must succeed.
func (p place) all(seq iter.Seq2[events.Recorded, error]) (out []events.Recorded) {
	p.t.Helper()
	for r, err := range seq {
		if err != nil {
			p.t.Fatal(err)
		}
		out = append(out, r)
	}
	return out
}

// end is the present end of the log.
func (p place) end() events.Position {
	p.t.Helper()
	e, err := p.End(p.t.Context())
	if err != nil {
		p.t.Fatal(err)
	}
	return e
}

// names are the data's names, in order.
func names(t *testing.T, rs []events.Recorded) []string {
	t.Helper()
	out := make([]string, len(rs))
	for i, r := range rs {
		var d struct{ Name string }
		if err := json.Unmarshal(r.Raw, &d); err != nil {
			t.Fatal(err)
		}
		out[i] = d.Name
	}
	return out
}

// follower is a Follow under way.
type follower struct {
	t       *testing.T
	batches chan eventstore.Batch
	states  chan eventstore.FollowState
	cancel  context.CancelFunc
	ended   chan error
}

func (p place) follow(after events.Position, f eventstore.Filter, o eventstore.FollowOptions) *follower {
	ctx, cancel := context.WithCancel(p.t.Context())
	fw := &follower{
		t: p.t, cancel: cancel, ended: make(chan error, 1),
		batches: make(chan eventstore.Batch, 10_000), states: make(chan eventstore.FollowState, 10_000),
	}
	o.OnState = func(s eventstore.FollowState) { fw.states <- s }
	go func() {
		fw.ended <- p.Follow(ctx, after, f, o, func(_ context.Context, b eventstore.Batch) error {
			fw.batches <- b
			return nil
		})
	}()
	p.t.Cleanup(cancel)
	return fw
}

// until gathers what is delivered until enough says so.
func (fw *follower) until(enough func(got []events.Recorded, last eventstore.Batch) bool) (got []events.Recorded,
	last eventstore.Batch) {
	fw.t.Helper()
	limit := time.After(patience)
	for {
		select {
		case last = <-fw.batches:
			got = append(got, last.Events...)
			if enough(got, last) {
				return got, last
			}
		case err := <-fw.ended:
			fw.t.Fatalf("follow ended after %d events: %v", len(got), err)
		case <-limit:
			fw.t.Fatalf("still waiting after %d events, position %v, caught up %v", len(got), last.Position, last.CaughtUp)
		}
	}
}

// caughtUp waits for the present.
func (fw *follower) caughtUp() ([]events.Recorded, eventstore.Batch) {
	fw.t.Helper()
	return fw.until(func(_ []events.Recorded, b eventstore.Batch) bool { return b.CaughtUp })
}

// count waits for n events.
func (fw *follower) count(n int) ([]events.Recorded, eventstore.Batch) {
	fw.t.Helper()
	return fw.until(func(got []events.Recorded, _ eventstore.Batch) bool { return len(got) >= n })
}

// stop ends the follower, which must say that its context ended.
func (fw *follower) stop() {
	fw.t.Helper()
	fw.cancel()
	if err := <-fw.ended; !errors.Is(err, context.Canceled) {
		fw.t.Errorf("follow ended with %v", err)
	}
}
