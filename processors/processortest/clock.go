package processortest

import (
	"slices"
	"sync"
	"testing"
	"time"
)

// Clock stands still until a test moves it.
type Clock struct {
	mu      sync.Mutex
	now     time.Time
	waiting []alarm
	waited  chan struct{} // holds a token once somebody waits
}

// alarm is somebody who waits for a time.
type alarm struct {
	at   time.Time
	ring chan time.Time
}

// Now is the time that the clock shows.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

// At fires once Set has moved the clock there.
func (c *Clock) At(t time.Time) <-chan time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	ch := make(chan time.Time, 1)
	if !t.After(c.now) {
		ch <- c.now
		return ch
	}
	c.waiting = append(c.waiting, alarm{t, ch})
	select {
	case c.waited <- struct{}{}:
	default:
	}
	return ch
}

// AwaitWaiter waits until somebody waits for the clock who did not at the last call.
func (c *Clock) AwaitWaiter(t testing.TB) {
	t.Helper()
	select {
	case <-c.waited:
	case <-time.After(2 * time.Minute):
		t.Fatal("nobody waits for the clock")
	}
}

// Set moves the clock and wakes those whose time has come.
func (c *Clock) Set(t time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = t
	c.waiting = slices.DeleteFunc(c.waiting, func(a alarm) bool {
		due := !a.at.After(t)
		if due {
			a.ring <- t
		}
		return due
	})
}

// At is a clock that shows a time.
func At(t time.Time) *Clock { return &Clock{now: t, waited: make(chan struct{}, 1)} }
