package access

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"folio/fault"
	"folio/tables/sqlite"
)

// attempt logs in and says how long to wait, 0 for a plain wrong password, -1 for in.
func (h *house) attempt(t *testing.T, email, password, remote string) int {
	t.Helper()
	_, _, err := h.accounts.Login(ctx, email, password, remote)
	f := fault.As(err)
	switch {
	case err == nil:
		return -1
	case f == nil:
		t.Fatal(err)
	case f.Code == fault.TooMany:
		if f.RetryAfter < 1 {
			t.Errorf("429 without Retry-After: %+v", f)
		}
		return f.RetryAfter
	}
	return 0
}

func TestFailuresCostMoreAndMoreTime(t *testing.T) {
	h := newHouse(t, newJournal(), newClock())
	h.register(t, email, password)
	for n := range pairRule.free + 1 {
		if wait := h.attempt(t, email, "wrong", "192.0.2.1"); wait != 0 {
			t.Fatalf("failure %d waits %d s", n+1, wait)
		}
	}
	for _, want := range []int{1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900} {
		if got := h.attempt(t, email, password, "192.0.2.1"); got != want {
			t.Fatalf("with the right password: waits %d s, want %d", got, want)
		}
		// A wait that is not over does not grow, and what is left is rounded up.
		h.advance(time.Duration(want)*time.Second - 300*time.Millisecond)
		if got := h.attempt(t, email, "wrong", "192.0.2.1"); got != 1 {
			t.Fatalf("with 0.3 s left: waits %d s", got)
		}
		h.advance(300 * time.Millisecond)
		if got := h.attempt(t, email, "wrong", "192.0.2.1"); got != 0 {
			t.Fatalf("after Retry-After it still waits %d s", got)
		}
	}
	h.advance(pairRule.longest)
	if got := h.attempt(t, email, password, "192.0.2.1"); got != -1 {
		t.Fatalf("the right password waits %d s", got)
	}
}

func TestGuessesLockNobodyElseOut(t *testing.T) {
	h := newHouse(t, newJournal(), newClock())
	h.register(t, email, password)
	h.register(t, "luis@example.com", password)
	for n := range 20 { // of one account, then of many that are invented, through one proxy
		h.attempt(t, email, "wrong", "192.0.2.66")
		h.attempt(t, fmt.Sprintf("invented%d@example.com", n), "wrong", "192.0.2.66")
	}
	for _, remote := range []string{"192.0.2.1", "198.51.100.1"} {
		if got := h.attempt(t, email, password, remote); got != -1 {
			t.Errorf("the owner, from %s: %d", remote, got)
		}
	}
	if got := h.attempt(t, "luis@example.com", password, "192.0.2.66"); got != -1 {
		t.Errorf("somebody else behind the proxy: %d", got)
	}
}

func TestACrowdOfGuessesIsSlowedDown(t *testing.T) {
	for name, guess := range map[string]func(h *house, n int) int{
		"one account from many places": func(h *house, n int) int {
			return h.attempt(t, "Nobody@example.com", "wrong", fmt.Sprintf("192.0.2.%d", n))
		},
		"many accounts from one place": func(h *house, n int) int {
			return h.attempt(t, fmt.Sprintf("victim%d@example.com", n), "wrong", "192.0.2.1")
		},
	} {
		h := newHouse(t, newJournal(), newClock())
		for n := range crowdRule.free + 1 {
			if got := guess(h, n); got != 0 {
				t.Fatalf("%s: guess %d waits %d s", name, n+1, got)
			}
		}
		if got := guess(h, 200); got != 1 {
			t.Errorf("%s: waits %d s", name, got)
		}
	}
}

// The owner's place may be shared with whoever guesses: the password is taken all the
// same, after a few seconds at most, and guesses take as long.
func TestThePlaceThatKnewThePasswordIsNeverRefused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHouse(t, newJournal(), newClock())
		h.register(t, email, password)
		h.accounts.throttle.now, h.accounts.places.now = time.Now, time.Now
		if got := h.attempt(t, email, password, "192.0.2.1"); got != -1 {
			t.Fatal(got)
		}
		for range crowdRule.free + 50 {
			h.attempt(t, email, "wrong", "198.51.100.1") // the account, from elsewhere
		}
		began := time.Now()
		for range 20 {
			if got := h.attempt(t, email, "wrong", "192.0.2.1"); got != 0 {
				t.Fatalf("a wrong password waits %d s", got)
			}
		}
		if took := time.Since(began); took < 14*knownRule.longest/2 {
			t.Errorf("20 guesses took %s", took)
		}
		began = time.Now()
		if got := h.attempt(t, email, password, "192.0.2.1"); got != -1 {
			t.Errorf("the right password: %d", got)
		}
		if took := time.Since(began); took > knownRule.longest {
			t.Errorf("the right password took %s", took)
		}
	})
}

func TestAKnownPlaceIsRememberedInTheTables(t *testing.T) {
	store, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "tables.db"))
	if err != nil {
		t.Fatal(err)
	}
	c := newClock()
	open := func() *places {
		p := newPlaces(signing, c.now)
		p.store, p.log = store, slog.Default()
		return p
	}
	if err := store.Define(t.Context(), placesSchema); err != nil {
		t.Fatal(err)
	}
	open().used(t.Context(), "ana", "192.0.2.1")
	p := open()
	for _, q := range []struct {
		account, place string
		want           bool
	}{{"ana", "192.0.2.1", true}, {"ana", "192.0.2.2", false}, {"luis", "192.0.2.1", false}} {
		if got := p.known(t.Context(), q.account, q.place); got != q.want {
			t.Errorf("%s from %s is known: %v", q.account, q.place, got)
		}
	}
	c.advance(placeLife + time.Second)
	if p.known(t.Context(), "ana", "192.0.2.1") {
		t.Error("a place is known for ever")
	}
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
	p = open()
	p.used(t.Context(), "ana", "192.0.2.9")
	if p.known(t.Context(), "ana", "192.0.2.1") {
		t.Error("a table that is away knows places")
	}
}

func TestGuessesSentAtOnceAreNotAllTried(t *testing.T) {
	for name, place := range map[string]func(n int) (remote string, most int){
		"from one place":   func(int) (string, int) { return "10.0.0.1", pairRule.free + 1 },
		"from many places": func(n int) (string, int) { return fmt.Sprintf("10.0.0.%d", n), crowdRule.free + 1 },
	} {
		h := newHouse(t, newJournal(), newClock())
		h.register(t, email, password)
		before := *h.derived
		var all sync.WaitGroup
		for n := range 200 {
			remote, _ := place(n)
			all.Go(func() { h.try(email, fmt.Sprintf("guess %d", n), remote) })
		}
		all.Wait()
		_, most := place(0)
		if n := *h.derived - before; n > most+2 { // those compared at the same time
			t.Errorf("%s: %d guesses were compared", name, n)
		}
	}
}

// try logs in and leaves what comes of it.
func (h *house) try(email, password, remote string) {
	_, _, _ = h.accounts.Login(ctx, email, password, remote)
}

func TestAThrottledLogInReadsNothing(t *testing.T) {
	h := newHouse(t, newJournal(), newClock())
	for range pairRule.free + 1 {
		h.attempt(t, email, "wrong", "192.0.2.1")
	}
	reads, derived := h.reads, *h.derived
	if got := h.attempt(t, email, "wrong", "192.0.2.1"); got != 1 || h.reads != reads || *h.derived != derived {
		t.Errorf("waits %d s after %d reads and %d derivations", got, h.reads-reads, *h.derived-derived)
	}
}

func TestAPauseEndsWithTheCaller(t *testing.T) {
	th := newThrottle(newClock().now)
	s := subject{"x", rule{0, time.Hour}}
	th.failed(s)
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if err := th.pause(gone, s); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

func TestFailuresAreForgotten(t *testing.T) {
	c := newClock()
	th := newThrottle(c.now)
	a := subject{"a", pairRule}
	for range 30 {
		th.failed(a)
	}
	c.advance(forgetAfter + time.Second)
	th.failed(a)
	if err := th.check(a); err != nil {
		t.Errorf("after half an hour: %v", err)
	}
	for n := range 2 * maxSubjects {
		th.failed(subject{fmt.Sprint(n), pairRule})
	}
	if n := th.m.Len(); n > maxSubjects {
		t.Errorf("%d subjects are remembered", n)
	}
}
