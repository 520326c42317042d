//go:build long

package e2e

import (
	"fmt"
	"sync/atomic"
	"testing"
	"time"
)

// moved is a clock that programs of a test show: the machine's, and so many seconds ahead of it. It is moved between
// two lives of a program.
type moved struct {
	t     *testing.T
	ahead atomic.Int64
}

// movedClock has the rest of the test run a program whose clock can be moved. Such a test is not parallel: others run
// the program as it is.
func movedClock(t *testing.T) *moved {
	t.Helper()
	t.Setenv(aheadVariable, "0") // refuses a parallel test
	real := program
	program = withOwnClock(t)
	t.Cleanup(func() { program = real })
	return &moved{t: t}
}

// Now is the time that programs show.
func (m *moved) Now() time.Time { return time.Now().Add(time.Duration(m.ahead.Load()) * time.Second) }

// to sets what the clock of programs shows that start from now on.
func (m *moved) to(at time.Time) {
	m.t.Helper()
	seconds := int64(time.Until(at) / time.Second)
	if seconds < m.ahead.Load() {
		m.t.Fatalf("the clock of %s would go back to %s", m.Now(), at)
	}
	m.ahead.Store(seconds)
	m.t.Setenv(aheadVariable, fmt.Sprint(seconds))
}
