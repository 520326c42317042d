package storetest

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"

	"folio/events"
	"folio/eventstore"
)

func following(t *testing.T, open func(t *testing.T) Log) {
	t.Run("the past, then the present, in order", func(t *testing.T) {
		p := newPlace(t, open(t))
		start := p.end()
		s := p.stream("1")
		p.put(s, eventstore.NoStream, p.many("a", 100)...)
		fw := p.follow(start, eventstore.Filter{Streams: []string{p.run}}, eventstore.FollowOptions{})
		got, last := fw.caughtUp()
		if last.Position.Before(got[len(got)-1].Position) {
			t.Errorf("position %v, last event at %v", last.Position, got[len(got)-1].Position)
		}
		for i := range 20 {
			p.put(s, int64(99+i), p.event("Happened", fmt.Sprint("b", i)))
		}
		more, last := fw.count(20)
		inOrder(t, append(got, more...), 120)
		if !last.CaughtUp {
			t.Error("live and not caught up")
		}
		fw.stop()
	})

	t.Run("from every position, exclusive, also within one append", func(t *testing.T) {
		p := newPlace(t, open(t))
		start := p.end()
		p.put(p.stream("1"), eventstore.NoStream, p.many("a", 4)...)
		mine := eventstore.Filter{Types: []string{p.typ("Happened")}}
		all := p.all(p.All(t.Context(), start, mine))
		for i, r := range all {
			fw := p.follow(r.Position, mine, eventstore.FollowOptions{})
			got, last := fw.caughtUp()
			if len(got) != 3-i || last.Position.Before(all[3].Position) {
				t.Errorf("after event %d: %d events up to %v", i, len(got), last.Position)
			}
			fw.stop()
		}
	})

	t.Run("an end without news is caught up at once", func(t *testing.T) {
		p := newPlace(t, open(t))
		a := p.put(p.stream("1"), eventstore.NoStream, p.event("A", "0"))
		fw := p.follow(a.Position, eventstore.Filter{Streams: []string{p.run}}, eventstore.FollowOptions{})
		if got, last := fw.caughtUp(); len(got) != 0 || last.Position.Before(a.Position) {
			t.Errorf("%d events, position %v", len(got), last.Position)
		}
		fw.stop()
	})

	t.Run("filters are exact", func(t *testing.T) {
		p := newPlace(t, open(t))
		start := p.end()
		filtered(t, p, func(f eventstore.Filter) []string {
			fw := p.follow(start, f, eventstore.FollowOptions{})
			got, _ := fw.caughtUp()
			fw.stop()
			if len(got) == 0 {
				return nil
			}
			return names(t, got)
		})
	})

	// What can be relied on: caught up, the position is past everything that was there when the follower began; live,
	// it is at most CheckpointEvery events behind.
	t.Run("the position moves past events of no interest", func(t *testing.T) {
		for _, every := range []int{1, 8} {
			p := newPlace(t, open(t))
			start := p.end()
			a := p.put(p.stream("1"), eventstore.NoStream, p.many("a", 100)...)
			none := eventstore.Filter{Types: []string{p.typ("Never")}}
			fw := p.follow(start, none, eventstore.FollowOptions{CheckpointEvery: every})
			got, last := fw.caughtUp()
			if last.Position.Before(a.Position) {
				t.Errorf("every %d: caught up at %v, but the log ended at %v", every, last.Position, a.Position)
			}
			live := p.put(p.stream("2"), eventstore.NoStream, p.event("Happened", "b0"))
			for i := 1; i < every; i++ {
				p.put(p.stream("2"), int64(i-1), p.event("Happened", fmt.Sprint("b", i)))
			}
			more, _ := fw.until(func(_ []events.Recorded, b eventstore.Batch) bool { return !b.Position.Before(live.Position) })
			if n := len(got) + len(more); n != 0 {
				t.Errorf("every %d: %d events", every, n)
			}
			fw.stop()
		}
	})

	t.Run("a slow follower misses nothing", func(t *testing.T) {
		p := newPlace(t, open(t))
		start := p.end()
		resume, got := make(chan struct{}), make(chan events.Recorded, 5000)
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			_ = p.Follow(ctx, start, eventstore.Filter{Streams: []string{p.run}}, eventstore.FollowOptions{MaxBatch: 7},
				func(_ context.Context, b eventstore.Batch) error {
					if len(b.Events) > 7 {
						t.Errorf("batch of %d", len(b.Events))
					}
					if len(b.Events) > 0 {
						<-resume
					}
					for _, r := range b.Events {
						got <- r
					}
					return nil
				})
		}()
		const streams, each = 10, 200
		for i := range streams {
			p.put(p.stream(fmt.Sprint(i)), eventstore.NoStream, p.many(fmt.Sprint(i, "."), each)...)
		}
		close(resume)
		all := make([]events.Recorded, streams*each)
		for i := range all {
			all[i] = <-got
		}
		cancel()
		<-ended
		inOrder(t, all, streams*each)
	})

	t.Run("followers agree with the log while many append", func(t *testing.T) {
		p := newPlace(t, open(t))
		start := p.end()
		mine := eventstore.Filter{Streams: []string{p.run}}
		const writers, each = 8, 15
		early := p.follow(start, mine, eventstore.FollowOptions{})
		var wg sync.WaitGroup
		for w := range writers {
			wg.Go(func() {
				for i := range each {
					if _, err := p.Append(t.Context(), p.stream(fmt.Sprint(w)), int64(i-1),
						p.event("A", fmt.Sprint(w, ".", i))); err != nil {
						t.Error(err)
					}
				}
			})
		}
		midway := p.follow(start, mine, eventstore.FollowOptions{})
		wg.Wait()
		want := names(t, p.all(p.All(t.Context(), start, mine)))
		for name, fw := range map[string]*follower{"early": early, "midway": midway} {
			got, _ := fw.count(writers * each)
			inOrder(t, got, writers*each)
			if !slices.Equal(names(t, got), want) {
				t.Errorf("%s follower heard another order than the log's", name)
			}
			fw.stop()
		}
	})
}
