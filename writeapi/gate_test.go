package writeapi

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

func TestAGateLetsAsManyInAsItHolds(t *testing.T) {
	g := newGate(1)
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	inside := errors.New("what f says")
	err := g.pass(t.Context(), "A", func() error {
		for _, company := range []string{"A", "B"} {
			if err := g.pass(gone, company, func() error { t.Error("a second one came in"); return nil }); !errors.Is(err, context.Canceled) {
				t.Errorf("one of %s whose caller has gone: %v", company, err)
			}
		}
		return inside
	})
	if !errors.Is(err, inside) {
		t.Errorf("the first one: %v", err)
	}
	if err := g.pass(t.Context(), "A", func() error { return nil }); err != nil {
		t.Errorf("one after the other: %v", err)
	}
	if len(g.lines) > 0 {
		t.Errorf("%d companies are remembered for ever", len(g.lines))
	}
}

func TestAFloodOfOneCompanyKeepsNoOtherWaiting(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGate(2)
		var mu sync.Mutex
		var order []string
		var all sync.WaitGroup
		ask := func(company string) {
			all.Go(func() {
				_ = g.pass(t.Context(), company, func() error {
					mu.Lock()
					order = append(order, company)
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
		if first := slices.Index(order, "late"); first > 3 {
			t.Errorf("it had to wait for %d others: %s", first, strings.Join(order, " "))
		}
	})
}
