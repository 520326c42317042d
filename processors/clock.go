package processors

import "time"

// Clock is the time, and waiting for it; a test's clock does not wait.
type Clock interface {
	Now() time.Time
	// At fires at a time, at once when that has passed. It takes no span: one that was
	// reckoned before the clock was moved would end too late.
	At(t time.Time) <-chan time.Time
}

// RealClock is the machine's.
type RealClock struct{}

// Now is time.Now.
func (RealClock) Now() time.Time { return time.Now() }

// At is time.After of what is left until t.
func (RealClock) At(t time.Time) <-chan time.Time { return time.After(time.Until(t)) }
