package access

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"folio/fault"
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
	h := newHouse(t, newMemory(), newClock())
	h.register(t, email, password)
	for n := range freeFailures + 1 {
		if wait := h.attempt(t, email, "wrong", "192.0.2.1"); wait != 0 {
			t.Fatalf("failure %d waits %d s", n+1, wait)
		}
	}
	for _, want := range []int{1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900} {
		if got := h.attempt(t, email, password, "198.51.100.1"); got != want {
			t.Fatalf("with the right password from elsewhere: waits %d s, want %d", got, want)
		}
		// A wait that is not over does not grow, and what is left is rounded up.
		h.advance(time.Duration(want)*time.Second - 300*time.Millisecond)
		if got := h.attempt(t, email, "wrong", "198.51.100.1"); got != 1 {
			t.Fatalf("with 0.3 s left: waits %d s", got)
		}
		h.advance(300 * time.Millisecond)
		if got := h.attempt(t, email, "wrong", "198.51.100.1"); got != 0 {
			t.Fatalf("after Retry-After it still waits %d s", got)
		}
	}
	h.advance(longestLock)
	if got := h.attempt(t, email, password, "203.0.113.1"); got != -1 {
		t.Fatalf("the right password waits %d s", got)
	}
	for n := range freeFailures {
		if wait := h.attempt(t, email, "wrong", "203.0.113.2"); wait != 0 {
			t.Errorf("after a success failure %d waits %d s", n+1, wait)
		}
	}
}

func TestOneAddressThatTriesManyAccountsIsSlowedDown(t *testing.T) {
	h := newHouse(t, newMemory(), newClock())
	h.register(t, email, password)
	for n := range freeFailures + 1 {
		h.attempt(t, fmt.Sprintf("victim%d@example.com", n), "wrong", "192.0.2.1")
	}
	if wait := h.attempt(t, email, password, "192.0.2.1"); wait != 1 {
		t.Errorf("the same address waits %d s", wait)
	}
	if wait := h.attempt(t, email, password, "192.0.2.2"); wait != -1 {
		t.Errorf("another address waits %d s", wait)
	}
}

func TestUnknownAccountsAreThrottledLikeKnownOnes(t *testing.T) {
	h := newHouse(t, newMemory(), newClock())
	for n := range freeFailures + 1 {
		h.attempt(t, "nobody@example.com", "wrong", fmt.Sprintf("192.0.2.%d", n))
	}
	if wait := h.attempt(t, "Nobody@example.com", "wrong", "198.51.100.1"); wait != 1 {
		t.Errorf("waits %d s", wait)
	}
}

func TestGuessesSentAtOnceAreNotAllTried(t *testing.T) {
	h := newHouse(t, newMemory(), newClock())
	h.register(t, email, password)
	before := *h.derived
	var all sync.WaitGroup
	for n := range 200 {
		all.Go(func() { h.attempt(t, email, fmt.Sprintf("guess %d", n), fmt.Sprintf("10.0.0.%d", n)) })
	}
	all.Wait()
	// Two may be compared at the same time.
	if n := *h.derived - before; n > freeFailures+2 {
		t.Errorf("%d guesses were compared", n)
	}
}

func TestOldFailuresAreForgotten(t *testing.T) {
	c := newClock()
	th := newThrottle(c.now)
	for range 30 {
		th.failed("account a")
	}
	c.advance(2*longestLock + time.Second)
	th.failed("account a")
	if err := th.check("account a"); err != nil {
		t.Errorf("after half an hour: %v", err)
	}
	for n := range maxSubjects + 10 {
		th.failed(fmt.Sprint("address ", n))
	}
	c.advance(longestLock + time.Second)
	th.failed("address x")
	if n := len(th.m); n > 2 {
		t.Errorf("%d subjects are remembered", n)
	}
}
