package storetest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"

	"folio/events"
	"folio/eventstore"
)

func reading(t *testing.T, open func(t *testing.T) Log) {
	t.Run("from every revision to the end", func(t *testing.T) {
		p := newPlace(t, open(t))
		s := p.stream("1")
		p.put(s, eventstore.NoStream, p.many("a", 5)...)
		for from := range uint64(8) {
			got := p.all(p.Read(t.Context(), s, from))
			if want := max(0, 5-int(from)); len(got) != want {
				t.Errorf("from %d: %d events, want %d", from, len(got), want)
			}
			for i, r := range got {
				if r.Revision != from+uint64(i) {
					t.Errorf("from %d: event %d has revision %d", from, i, r.Revision)
				}
			}
		}
	})

	t.Run("a stream that does not exist yields nothing", func(t *testing.T) {
		p := newPlace(t, open(t))
		if n := p.length(p.stream("none")); n != 0 {
			t.Errorf("%d events", n)
		}
		if r, found, err := p.ReadLast(t.Context(), p.stream("none")); found || err != nil {
			t.Errorf("last is %+v, %v, %v", r, found, err)
		}
	})

	t.Run("the last event", func(t *testing.T) {
		p := newPlace(t, open(t))
		s := p.stream("1")
		a := p.put(s, eventstore.NoStream, p.many("a", 5)...)
		r, found, err := p.ReadLast(t.Context(), s)
		if err != nil || !found || r.Revision != 4 || r.Position != a.Position {
			t.Errorf("got %+v, %v, %v, appended %+v", r, found, err, a)
		}
	})

	t.Run("twice through the same sequence, and left early", func(t *testing.T) {
		p := newPlace(t, open(t))
		s := p.stream("1")
		p.put(s, eventstore.NoStream, p.many("a", 300)...)
		seq := p.Read(t.Context(), s, 0)
		for range 2 {
			for _, err := range seq {
				if err != nil {
					t.Fatal(err)
				}
				break
			}
			if n := len(p.all(seq)); n != 300 {
				t.Errorf("%d events", n)
			}
		}
	})

	t.Run("a context that ends within the read is an error", func(t *testing.T) {
		p := newPlace(t, open(t))
		s := p.stream("1")
		p.put(s, eventstore.NoStream, p.many("a", 300)...)
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		n := 0
		var ended error
		for _, err := range p.Read(ctx, s, 0) {
			if n++; n == 10 {
				cancel()
			}
			ended = err
		}
		if !errors.Is(ended, context.Canceled) || n == 300 {
			t.Errorf("ended after %d events with %v", n, ended)
		}
	})
}

func readingAll(t *testing.T, open func(t *testing.T) Log) {
	t.Run("after every position, exclusive, also within one append", func(t *testing.T) {
		p := newPlace(t, open(t))
		start := p.end()
		p.put(p.stream("1"), eventstore.NoStream, p.many("a", 3)...)
		last := p.put(p.stream("2"), eventstore.NoStream, p.many("b", 2)...)
		mine := eventstore.Filter{Streams: []string{p.run}}
		got := p.all(p.All(t.Context(), start, mine))
		if want := []string{"a0", "a1", "a2", "b0", "b1"}; !slices.Equal(names(t, got), want) {
			t.Fatalf("got %v, want %v", names(t, got), want)
		}
		for i, r := range got {
			if i > 0 && !got[i-1].Position.Before(r.Position) {
				t.Errorf("positions %v, %v", got[i-1].Position, r.Position)
			}
			if n := len(p.all(p.All(t.Context(), r.Position, mine))); n != 4-i {
				t.Errorf("after %v: %d events, want %d", r.Position, n, 4-i)
			}
		}
		if got[4].Position != last.Position || p.end().Before(last.Position) {
			t.Errorf("last is at %v, appended at %v, the end is %v", got[4].Position, last.Position, p.end())
		}
	})

	t.Run("filters are exact", func(t *testing.T) {
		p := newPlace(t, open(t))
		start := p.end()
		filtered(t, p, func(f eventstore.Filter) []string { return names(t, p.all(p.All(t.Context(), start, f))) })
	})

	t.Run("the log keeps every stream's order while many append", func(t *testing.T) {
		p := newPlace(t, open(t))
		start := p.end()
		const writers, each = 16, 20
		var wg sync.WaitGroup
		for w := range writers {
			wg.Go(func() {
				s := p.stream(fmt.Sprint(w))
				for i := range each {
					if _, err := p.Append(t.Context(), s, int64(i-1), p.event("A", fmt.Sprint(w, ".", i))); err != nil {
						t.Error(err)
						return
					}
				}
			})
		}
		wg.Wait()
		got := p.all(p.All(t.Context(), start, eventstore.Filter{Streams: []string{p.run}}))
		inOrder(t, got, writers*each)
	})
}

// inOrder checks n events: positions rise, revisions of each stream are dense.
func inOrder(t *testing.T, got []events.Recorded, n int) {
	t.Helper()
	if len(got) != n {
		t.Fatalf("%d events, want %d", len(got), n)
	}
	next := map[string]uint64{}
	for i, r := range got {
		if i > 0 && !got[i-1].Position.Before(r.Position) {
			t.Fatalf("event %d at %v after %v", i, r.Position, got[i-1].Position)
		}
		if r.Revision != next[r.Stream] {
			t.Fatalf("%s: revision %d, want %d", r.Stream, r.Revision, next[r.Stream])
		}
		next[r.Stream]++
	}
}

// filtered appends a few events and checks what each filter selects.
func filtered(t *testing.T, p place, selected func(eventstore.Filter) []string) {
	t.Helper()
	p.put(p.stream("x-1"), eventstore.NoStream, p.event("Made", "x made"), p.event("MadeUp", "x made up"))
	p.put(p.stream("xy-1"), eventstore.NoStream, p.event("Made", "xy made"), p.event("made", "xy lower"))
	p.put(p.stream("y-1"), eventstore.NoStream, p.event("Gone", "y gone"))
	for _, c := range []struct {
		name string
		f    eventstore.Filter
		want []string
	}{
		{"a type is not its prefix", eventstore.Filter{Types: []string{p.typ("Made")}}, []string{"x made", "xy made"}},
		{"several types", eventstore.Filter{Types: []string{p.typ("MadeUp"), p.typ("Gone")}},
			[]string{"x made up", "y gone"}},
		{"a stream prefix", eventstore.Filter{Streams: []string{p.stream("x-")}}, []string{"x made", "x made up"}},
		{"several stream prefixes", eventstore.Filter{Streams: []string{p.stream("xy"), p.stream("y-")}},
			[]string{"xy made", "xy lower", "y gone"}},
		{"a type that never happened", eventstore.Filter{Types: []string{p.typ("Mad")}}, nil},
		{"signs that mean something elsewhere",
			eventstore.Filter{Streams: []string{p.run + ".x", p.run + "-(", p.run + "-[xy]"}}, nil},
	} {
		if got := selected(c.f); !slices.Equal(got, c.want) {
			t.Errorf("%s: got %v, want %v", c.name, got, c.want)
		}
	}
}
