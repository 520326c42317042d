package admission

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"folio/fault"
)

func newTestGate(all, each int64) *Gate {
	return New("tests", Limits{All: all, Each: each, Line: 20, Lines: 50, Patience: time.Minute})
}

func TestOneWhoseCallerHasGoneWaitsNoLonger(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newTestGate(1, 1)
		leave, err := g.Enter(t.Context(), "A", 1)
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		var all sync.WaitGroup
		for _, party := range []string{"A", "B"} {
			all.Go(func() {
				if _, err := g.Enter(ctx, party, 1); !errors.Is(err, context.Canceled) {
					t.Errorf("one of %s: %v", party, err)
				}
			})
		}
		synctest.Wait()
		cancel()
		all.Wait()
		if _, err := g.Enter(ctx, "C", 1); !errors.Is(err, context.Canceled) {
			t.Errorf("one that had gone before: %v", err)
		}
		leave()
		leave() // the second time changes nothing
		if err := g.Pass(t.Context(), "A", 1, func() error { return nil }); err != nil {
			t.Error(err)
		}
		if u := g.Usage(); u.Used != 0 || u.Waiting != 0 || len(g.parties) != 0 || len(g.turns) != 0 {
			t.Errorf("after everybody left: %+v, %d parties, %d turns", u, len(g.parties), len(g.turns))
		}
	})
}

func TestAFloodOfOnePartyKeepsNoOtherWaiting(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newTestGate(2, 2)
		var mu sync.Mutex
		var order []string
		var all sync.WaitGroup
		ask := func(party string) {
			all.Go(func() {
				_ = g.Pass(t.Context(), party, 1, func() error {
					mu.Lock()
					order = append(order, party)
					mu.Unlock()
					time.Sleep(time.Second)
					return nil
				})
			})
			synctest.Wait()
		}
		for range 20 {
			ask("flood")
		}
		ask("small")
		ask("late")
		all.Wait()
		if first := slices.Index(order, "late"); first > 5 {
			t.Errorf("it had to wait for %d others: %s", first, order)
		}
	})
}

func TestAPartyKeepsToItsShareAndTheCostCounts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newTestGate(10, 6)
		enter := func(party string, cost int64) (inside *bool) {
			inside = new(bool)
			go func() {
				if leave, err := g.Enter(t.Context(), party, cost); err == nil {
					*inside = true
					time.Sleep(time.Second)
					leave()
				}
			}()
			synctest.Wait()
			return inside
		}
		a1, a2 := enter("A", 4), enter("A", 3)
		b1, c1 := enter("B", 100), enter("C", 1)
		if !*a1 || *a2 || !*b1 || *c1 {
			t.Errorf("inside: A's first %v, A's second %v, B's, cut down to its share, %v, C's %v", *a1, *a2, *b1, *c1)
		}
		if u := g.Usage(); u.Used != 10 || u.Waiting != 2 {
			t.Errorf("%+v", u)
		}
		time.Sleep(3 * time.Second)
		synctest.Wait()
		if u := g.Usage(); !*a2 || !*c1 || u.Used != 0 {
			t.Errorf("later: A's second %v, C's %v, %+v", *a2, *c1, u)
		}
	})
}

func TestAFullLineIsToldSo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := New("tests", Limits{All: 1, Each: 1, Line: 2, Lines: 3, Patience: 5 * time.Second})
		leave, err := g.Enter(t.Context(), "A", 1)
		if err != nil {
			t.Fatal(err)
		}
		defer leave()
		refused := func(party string, code fault.Code, constant string) {
			t.Helper()
			_, err := g.Enter(t.Context(), party, 1)
			if f := fault.As(err); f == nil || f.Code != code || f.Constant != constant || f.RetryAfter < 1 {
				t.Errorf("one of %s: %v", party, err)
			}
		}
		for range 2 {
			go refused("A", fault.TooMany, "TOO_MANY_AT_ONCE") // once its patience is over: it waited for itself
			synctest.Wait()
		}
		go refused("B", fault.Unavailable, "BUSY") // likewise, and it waited for another
		synctest.Wait()
		refused("A", fault.TooMany, "TOO_MANY_AT_ONCE")
		refused("B", fault.Unavailable, "BUSY")
		time.Sleep(6 * time.Second)
		synctest.Wait()
		if u := g.Usage(); u.Waiting != 0 || u.Refused != 5 || len(g.turns) != 0 {
			t.Errorf("%+v, %d turns", u, len(g.turns))
		}
	})
}

// Whatever comes, goes and gives up: never more inside than allowed, and nothing left.
func TestNoOrderOfEventsBreaksTheLimits(t *testing.T) {
	for seed := range uint64(20) {
		synctest.Test(t, func(t *testing.T) {
			random := rand.New(rand.NewPCG(seed, 1))
			g := New("tests", Limits{All: 10, Each: 4, Line: 5, Lines: 12, Patience: 3 * time.Second})
			var mu sync.Mutex
			var in int64
			of := map[string]int64{}
			count := func(party string, cost int64) {
				mu.Lock()
				defer mu.Unlock()
				in, of[party] = in+cost, of[party]+cost
				if in > 10 || of[party] > 4 {
					t.Errorf("seed %d: %d inside, %d of %s", seed, in, of[party], party)
				}
			}
			var all sync.WaitGroup
			for range 300 {
				party, cost := fmt.Sprint(random.IntN(6)), random.Int64N(5)
				stay, patience := time.Duration(random.Int64N(1e9)), time.Duration(random.Int64N(4e9))
				all.Go(func() {
					ctx, cancel := context.WithTimeout(t.Context(), patience)
					defer cancel()
					leave, err := g.Enter(ctx, party, cost)
					if err != nil {
						return
					}
					count(party, max(cost, 1))
					time.Sleep(stay)
					count(party, -max(cost, 1))
					leave()
				})
				time.Sleep(time.Duration(random.Int64N(1e8)))
			}
			all.Wait()
			if u := g.Usage(); u.Used != 0 || u.Waiting != 0 || len(g.parties) != 0 || len(g.turns) != 0 {
				t.Errorf("seed %d: left over %+v, %d parties, %d turns", seed, u, len(g.parties), len(g.turns))
			}
		})
	}
}

// A party that takes long leaves half of the time to the others, when there are others.
func TestWhoTakesLongRestsWhileOthersCome(t *testing.T) {
	for others, want := range map[bool]int{false: 10, true: 6} {
		synctest.Test(t, func(t *testing.T) {
			g := New("tests", Limits{All: 2, Each: 1, Line: 100, Lines: 100, Free: 50 * time.Millisecond})
			ctx, cancel := context.WithTimeout(t.Context(), 9500*time.Millisecond)
			defer cancel()
			var all sync.WaitGroup
			long, quick := 0, 0
			all.Go(func() {
				for g.Pass(ctx, "long", 1, func() error { time.Sleep(time.Second); return nil }) == nil {
					long++
				}
			})
			if others {
				all.Go(func() {
					for g.Pass(ctx, "quick", 1, func() error { time.Sleep(10 * time.Millisecond); return nil }) == nil {
						quick++
					}
				})
			}
			all.Wait()
			if long > want || long < want-2 || others && quick < 900 {
				t.Errorf("with others %v: %d long ones, %d quick ones", others, long, quick)
			}
			time.Sleep(3 * time.Second)
			synctest.Wait()
			if u := g.Usage(); u.Used != 0 || len(g.parties) != 0 {
				t.Errorf("left over %+v, %d parties", u, len(g.parties))
			}
		})
	}
}

// A place is wanted by who waits for what others use, not by who waits for its own share.
func TestAPlaceIsWantedByOthers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newTestGate(3, 2)
		ctx, cancel := context.WithCancel(t.Context())
		var all sync.WaitGroup
		ask := func(party string) {
			all.Go(func() { _ = g.Pass(ctx, party, 1, func() error { <-ctx.Done(); return nil }) })
			synctest.Wait()
		}
		for i, party := range []string{"A", "A", "A", "B"} {
			if ask(party); g.Wanted() {
				t.Errorf("wanted after request %d", i)
			}
		}
		if ask("B"); !g.Wanted() {
			t.Error("B has a share left and no place, and nobody wants one")
		}
		cancel()
		all.Wait()
	})
}
