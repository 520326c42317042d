package storetest

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"testing"
	"time"

	"folio/eventstore"
)

// Server is one that a test may stop and start again on the same data.
type Server interface {
	Address() string
	Stop(t *testing.T)
	Start(t *testing.T)
}

// RunRestart checks what must survive a restart; s is running.
func RunRestart(t *testing.T, s Server) {
	l, err := eventstore.Open(t.Context(), eventstore.Options{Address: s.Address()})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()

	t.Run("everything reads as before, at the same positions", func(t *testing.T) {
		p := newPlace(t, l)
		start := p.end()
		p.put(p.stream("1"), eventstore.NoStream, p.many("a", 50)...)
		p.put(p.stream("2"), eventstore.NoStream, p.many("b", 50)...)
		mine := eventstore.Filter{Streams: []string{p.run}}
		before, end := p.all(p.All(t.Context(), start, mine)), p.end()
		s.Stop(t)
		s.Start(t)
		if after := p.all(p.All(t.Context(), start, mine)); len(before) != 100 || !reflect.DeepEqual(before, after) ||
			p.end() != end {
			t.Errorf("%d events before, %d after, end %v then %v", len(before), len(after), end, p.end())
		}
	})

	t.Run("a repeated append is recognised after a restart", func(t *testing.T) {
		p := newPlace(t, l)
		ps := p.many("a", 3)
		a := p.put(p.stream("1"), eventstore.NoStream, ps...)
		s.Stop(t)
		s.Start(t)
		if again := p.put(p.stream("1"), eventstore.NoStream, ps...); again != a || p.length(p.stream("1")) != 3 {
			t.Errorf("answered %+v, first %+v, %d events", again, a, p.length(p.stream("1")))
		}
		p.conflicts(p.stream("1"), eventstore.NoStream, p.many("b", 3)...)
	})

	t.Run("a follower goes on by itself and says so", func(t *testing.T) {
		p := newPlace(t, l)
		fw := p.follow(p.end(), eventstore.Filter{Streams: []string{p.run}}, eventstore.FollowOptions{})
		fw.caughtUp()
		p.put(p.stream("1"), eventstore.NoStream, p.event("A", "0"))
		got, _ := fw.count(1)
		for i := range 3 {
			s.Stop(t)
			fw.state(func(st eventstore.FollowState) bool { return !st.Connected && st.Err != nil })
			s.Start(t)
			p.put(p.stream("1"), int64(i), p.event("A", fmt.Sprint(i+1)))
			more, _ := fw.count(1)
			got = append(got, more...)
			fw.state(func(st eventstore.FollowState) bool { return st.Connected && st.CaughtUp && st.Err == nil })
		}
		inOrder(t, got, 4)
		fw.stop()
	})

	t.Run("a stopped server is unavailable, at once when the caller is in a hurry", func(t *testing.T) {
		p := newPlace(t, l)
		s.Stop(t)
		defer s.Start(t)
		ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
		defer cancel()
		if _, err := p.Append(ctx, p.stream("1"), eventstore.NoStream, p.event("A", "0")); !errors.Is(err,
			eventstore.ErrUnavailable) {
			t.Errorf("append: %v", err)
		}
		if _, err := p.End(ctx); !errors.Is(err, eventstore.ErrUnavailable) {
			t.Errorf("end: %v", err)
		}
	})
}

// state waits for a state that is right.
func (fw *follower) state(right func(eventstore.FollowState) bool) {
	fw.t.Helper()
	limit := time.After(patience)
	for {
		select {
		case s := <-fw.states:
			if right(s) {
				return
			}
		case <-limit:
			fw.t.Fatal("the state never came")
		}
	}
}
