// Package clock is the time and waiting for it, so that tests need not wait, and the one sleep that ends early.
package clock

import (
	"context"
	"time"
)

// Clock is the time, and waiting for it; a test's clock does not wait.
type Clock interface {
	Now() time.Time
	// At fires at a time, at once when that has passed. It takes no span: one that was
	// reckoned before the clock was moved would end too late.
	At(t time.Time) <-chan time.Time
}

// Real is the machine's.
type Real struct{}

// Now is time.Now.
func (Real) Now() time.Time { return time.Now() }

// At is time.After of what is left until t.
func (Real) At(t time.Time) <-chan time.Time { return time.After(time.Until(t)) }

// Sleep lets d pass on the machine's clock; false when ctx ends first.
func Sleep(ctx context.Context, d time.Duration) bool {
	return SleepUnless[struct{}](ctx, d, nil)
}

// SleepUnless is Sleep that ends early, and truly, when wake gives something or is closed.
func SleepUnless[T any](ctx context.Context, d time.Duration, wake <-chan T) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	return Await(ctx, t.C, wake)
}

// Await waits for a time that a Clock gave, or for wake; false when ctx ends first.
func Await[T any](ctx context.Context, at <-chan time.Time, wake <-chan T) bool {
	select {
	case <-at:
		return true
	case <-wake:
		return true
	case <-ctx.Done():
		return false
	}
}
