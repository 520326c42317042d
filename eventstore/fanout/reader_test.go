package fanout_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"testing"
	"testing/synctest"
	"time"

	"folio/events"
	"folio/eventstore"
	"folio/eventstore/fanout"
)

var narrow = fanout.Options{Window: 1000}

func TestAllThatAreBuiltTogetherCostOnePassAndALiveEventOneMessage(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLog(t, mixed(20_000)...)
		r := fanout.New(l, narrow)
		var ears []*ear
		for i := range 12 {
			ears = append(ears, listen(t, r, events.Position{}, 1, takes(time.Duration(i)*time.Microsecond), "a", "b", "c"))
			time.Sleep(100 * time.Millisecond) // each begins a little later
		}
		ears = append(ears, listen(t, r, events.Position{}, 1, nil, "c"))
		time.Sleep(time.Minute)
		for _, e := range ears {
			e.wantAll(l, events.Position{})
		}
		if _, sent, _ := l.counts(); sent != 20_000 {
			t.Errorf("%d events were read, want each of 20000 once", sent)
		}
		if s := r.Stats(); s.Passes != 1 || s.Events != 20_000 {
			t.Errorf("%+v, want one pass", s)
		}
		reads, sent, open := l.counts()
		l.append("b")
		time.Sleep(time.Millisecond)
		for _, e := range ears {
			e.wantAll(l, events.Position{})
		}
		if r, s, o := l.counts(); r != reads || s != sent+1 || o != 1 || open != 1 {
			t.Errorf("%d reads more, %d messages, %d subscriptions for a live event: want 0, 1, 1", r-reads, s-sent, o)
		}
	})
}

// Whoever wants every event takes part in the passes of the others: a live event is one message.
func TestOneThatWantsEveryEventCostsNoPassOfItsOwn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLog(t, mixed(5000)...)
		r := fanout.New(l, narrow)
		r.Want("a")
		r.WantAll()
		some, all := listen(t, r, events.Position{}, 1, nil, "a"), listen(t, r, events.Position{}, 1, nil)
		time.Sleep(time.Minute)
		some.wantAll(l, events.Position{})
		all.wantAll(l, events.Position{})
		if s := r.Stats(); s.Passes != 1 || s.Events != 5000 {
			t.Errorf("%+v, want one pass", s)
		}
		_, sent, _ := l.counts()
		l.append("z")
		time.Sleep(time.Millisecond)
		some.wantAll(l, events.Position{})
		all.wantAll(l, events.Position{})
		if _, s, open := l.counts(); s != sent+1 || open != 1 {
			t.Errorf("%d messages, %d subscriptions for a live event: want 1 and 1", s-sent, open)
		}
		late := listen(t, r, events.Position{}, 1, nil) // another one, when the others are in the present
		time.Sleep(time.Minute)
		late.wantAll(l, events.Position{})
		if _, _, open := l.counts(); open != 1 {
			t.Errorf("%d subscriptions go on, want one", open)
		}
	})
}

func TestNobodyWaitsForOneThatStandsStillAndItMissesNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLog(t, mixed(10)...)
		r := fanout.New(l, narrow)
		gate, stuck := make(chan struct{}), false
		stands := listen(t, r, events.Position{}, 1, func(e events.Recorded) {
			if e.Position.Commit > 10 && !stuck {
				stuck = true
				<-gate
			}
		}, "a", "b", "c")
		other := listen(t, r, events.Position{}, 1, nil, "a", "b", "c")
		time.Sleep(time.Second)
		for range 30 { // live
			l.append(mixed(100)...)
			synctest.Wait()
			other.wantAll(l, events.Position{})
		}
		close(gate)
		time.Sleep(10 * time.Second)
		stands.wantAll(l, events.Position{})
		if s := r.Stats(); s.Passes != 2 || s.Open != 1 {
			t.Errorf("%+v, want one pass of its own that met the other", s)
		}
	})
}

func TestInThePastOneThatIsMuchSlowerIsLeftBehindInTime(t *testing.T) {
	for name, slow := range map[string]func(events.Recorded){
		"slow": takes(50 * time.Millisecond),
		"dead": takes(time.Hour),
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				l := newLog(t, mixed(20_000)...)
				r := fanout.New(l, narrow)
				listen(t, r, events.Position{}, 1, slow, "a")
				var ears []*ear
				for range 3 {
					ears = append(ears, listen(t, r, events.Position{}, 1, takes(10*time.Microsecond), "a", "b", "c"))
				}
				time.Sleep(15 * time.Second)
				for _, e := range ears {
					e.wantAll(l, events.Position{})
				}
			})
		})
	}
}

func TestARebuildReadsBesideTheOthersAndMeetsThem(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLog(t, mixed(5_000)...)
		r := fanout.New(l, narrow)
		live := listen(t, r, events.Position{Commit: 4_990, Prepare: 4_990}, 1, nil, "a", "b", "c")
		time.Sleep(time.Second)
		_, before, _ := l.counts()
		var built []*ear
		for range 5 {
			built = append(built, listen(t, r, events.Position{}, 1, takes(time.Microsecond), "a", "b", "c"))
		}
		time.Sleep(time.Minute)
		if _, sent, open := l.counts(); sent-before != 5_000 || open != 1 {
			t.Errorf("%d events read, %d subscriptions: want the past once, and one", sent-before, open)
		}
		l.append(mixed(3)...)
		time.Sleep(time.Millisecond)
		for _, e := range built {
			e.wantAll(l, events.Position{})
		}
		live.wantAll(l, events.Position{Commit: 4_990, Prepare: 4_990})
	})
}

// Whatever their places, speeds and wishes, each hears all that it wants once and in order.
func TestEachHearsAllItWantsOnceAndInOrder(t *testing.T) {
	for seed := range uint64(20) {
		synctest.Test(t, func(t *testing.T) {
			rnd := rand.New(rand.NewPCG(seed, 7))
			l := newLog(t, mixed(1+rnd.IntN(4_000))...)
			r := fanout.New(l, fanout.Options{Window: 1 + rnd.IntN(800), WindowBytes: 1 + rnd.IntN(5_000)})
			type started struct {
				*ear
				after events.Position
			}
			var ears []started
			for range 8 {
				after := events.Position{}
				if at := uint64(rnd.IntN(len(l.all()))); rnd.IntN(2) == 0 && at > 0 {
					after = events.Position{Commit: at, Prepare: at}
				}
				types := [][]string{{"a"}, {"b", "c"}, {"a", "b", "c", "d"}, {"d"}}[rnd.IntN(4)]
				speed := time.Duration(rnd.IntN(3)*rnd.IntN(200)) * time.Microsecond
				ears = append(ears, started{listen(t, r, after, 1, takes(speed), types...), after})
				time.Sleep(time.Duration(rnd.IntN(400)) * time.Millisecond)
				l.append(mixed(rnd.IntN(900))...)
			}
			time.Sleep(10 * time.Minute)
			l.append("d")
			time.Sleep(time.Second)
			for _, e := range ears {
				if e.wantAll(l, e.after); t.Failed() {
					t.Fatalf("seed %d: %+v", seed, r.Stats())
				}
			}
			if s := r.Stats(); s.Open != 1 {
				t.Errorf("seed %d: %+v, want all to have met", seed, s)
			}
		})
	}
}

// Whoever begins beside others has not caught up before it has what was in the log then.
func TestCaughtUpIsAsOfTheFollowersOwnBeginning(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLog(t, mixed(3)...)
		r := fanout.New(l, narrow)
		listen(t, r, events.Position{}, 1, nil, "a", "b", "c")
		time.Sleep(time.Second)
		l.mu.Lock()
		l.slow = time.Minute
		l.mu.Unlock()
		l.append("a")
		e := listen(t, r, events.Position{}, 1, nil, "a")
		time.Sleep(30 * time.Second)
		if heard, _, up := e.now(); len(heard) != 1 || up {
			t.Errorf("heard %v, caught up %v: another event is on its way", heard, up)
		}
		time.Sleep(31 * time.Second)
		e.wantAll(l, events.Position{})
	})
}

func TestATypeThatNobodyWantedBeforeIsReadFromThenOn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLog(t, mixed(100)...)
		r := fanout.New(l, narrow)
		r.Want("a", "b")
		first := listen(t, r, events.Position{}, 1, nil, "a")
		time.Sleep(time.Second)
		second := listen(t, r, events.Position{}, 1, nil, "b")
		time.Sleep(time.Second)
		if s := r.Stats(); s.Passes != 1 {
			t.Errorf("%+v, want one pass for what was known", s)
		}
		third := listen(t, r, events.Position{}, 1, nil, "b", "c")
		time.Sleep(time.Second)
		l.append(mixed(3)...)
		synctest.Wait()
		for _, e := range []*ear{first, second, third} {
			e.wantAll(l, events.Position{})
		}
	})
}

func TestAPositionIsToldAsOftenAsAsked(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLog(t, "a")
		r := fanout.New(l, narrow)
		each, seldom := listen(t, r, events.Position{}, 1, nil, "a"), listen(t, r, events.Position{}, 32, nil, "a")
		time.Sleep(time.Second)
		before, seldomBefore := each.batches(), seldom.batches()
		for i := range 64 {
			l.append([]string{"b", "foreign"}[i%2])
			synctest.Wait()
			if _, at, _ := each.now(); at.Commit != uint64(i+2) {
				t.Fatalf("at %s after event %d", at, i+1)
			}
		}
		if all, some := each.batches()-before, seldom.batches()-seldomBefore; all != 64 || some != 2 {
			t.Errorf("told %d and %d times, want 64 and 2", all, some)
		}
	})
}

func TestWhatEndsAFollower(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLog(t, "a", "b")
		r := fanout.New(l, narrow)
		for _, f := range []eventstore.Filter{{}, {Streams: []string{"s-"}}, {Types: []string{"$metadata"}}} {
			if err := r.Follow(t.Context(), events.Position{}, f, eventstore.FollowOptions{}, nil); !errors.Is(err,
				eventstore.ErrInvalid) {
				t.Errorf("%+v: %v", f, err)
			}
		}
		boom := errors.New("boom")
		err := r.Follow(t.Context(), events.Position{}, eventstore.Filter{Types: []string{"a"}}, eventstore.FollowOptions{},
			func(context.Context, eventstore.Batch) error { return boom })
		if err != boom {
			t.Errorf("got %v, want the handler's error as it is", err)
		}
		e := listen(t, r, events.Position{}, 1, nil, "a")
		synctest.Wait()
		e.stop()
		if err := <-e.ended; !errors.Is(err, context.Canceled) {
			t.Errorf("got %v, want that of the context", err)
		}
		synctest.Wait()
		if _, _, open := l.counts(); open != 0 || r.Stats().Open != 0 {
			t.Errorf("%d readings go on for nobody", open)
		}
		e = listen(t, r, events.Position{}, 1, nil, "a")
		time.Sleep(time.Second)
		l.ended <- eventstore.ErrClosed
		if err := <-e.ended; !errors.Is(err, eventstore.ErrClosed) {
			t.Errorf("got %v, want that of the log", err)
		}
	})
}
