package engine

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"folio/events"
)

func TestWhatNobodyWaitsForGathers(t *testing.T) {
	present := Batch{CaughtUp: true, Position: events.Position{Commit: 1, Prepare: 1}}
	some := present
	some.Events = make([]events.Recorded, 1)
	past := some
	past.CaughtUp = false
	later := events.Position{Commit: 2, Prepare: 2}
	waits := func(g *gauge) { g.watch(later) }
	for name, c := range map[string]struct {
		gathered, rebuild bool
		batch             Batch
		before            func(*gauge) // the pause
		within            func(*gauge) // 5 ms later
		want              time.Duration
	}{
		"a gathered one behind an event":           {gathered: true, batch: some, want: gatherPause},
		"a gathered one behind others' events":     {gathered: true, batch: present, want: gatherPause},
		"one that writes wait for":                 {batch: some},
		"one that writes wait for, others' events": {batch: present, want: passingPause},
		"the past":               {gathered: true, batch: past},
		"a rebuild":              {gathered: true, rebuild: true, batch: some},
		"somebody waits":         {gathered: true, batch: some, before: waits},
		"somebody waits, others": {batch: present, before: waits},
		"somebody begins to":     {gathered: true, batch: some, within: waits, want: 5 * time.Millisecond},
		"somebody left": {gathered: true, batch: some, want: gatherPause, before: func(g *gauge) {
			w, _ := g.watch(later)
			g.leave(w)
		}},
		"what was waited for is there": {gathered: true, batch: some, want: gatherPause, before: func(g *gauge) {
			g.watch(later)
			g.advance(later)
		}},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := &worker{p: Projection{gathered: c.gathered}}
				w.gauge.own(true)
				f := &feed{w: w}
				if c.rebuild {
					f.replaces = &feed{w: w}
				}
				if c.before != nil {
					c.before(&w.gauge)
				}
				if c.within != nil {
					time.AfterFunc(5*time.Millisecond, func() { c.within(&w.gauge) })
				}
				began := time.Now()
				f.gather(context.Background(), c.batch)
				if took := time.Since(began); took != c.want {
					t.Errorf("it paused for %s, not %s", took, c.want)
				}
			})
		})
	}
}

func TestTheEndEndsThePause(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		began := time.Now()
		(&feed{w: &worker{p: Projection{gathered: true}}}).gather(ctx, Batch{CaughtUp: true})
		if took := time.Since(began); took != 0 {
			t.Errorf("it paused for %s", took)
		}
	})
}

func TestWhoWaitsHearsHowFarItCame(t *testing.T) {
	at := func(n uint64) events.Position { return events.Position{Commit: n, Prepare: n} }
	g := &gauge{owned: true}
	before, _ := g.watch(at(2))
	g.advance(at(5))
	behind, _ := g.watch(at(3))
	later, _ := g.watch(at(6))
	if before.reached != at(5) || behind.reached != at(5) || !later.reached.IsZero() {
		t.Errorf("they hear of %s, %s and %s", before.reached, behind.reached, later.reached)
	}
	<-before.woken
	<-behind.woken
}
