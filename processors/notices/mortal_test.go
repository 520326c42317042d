package notices_test

import (
	"context"
	"errors"
	"sync/atomic"
)

var errDead = errors.New("the process is dead")

// mortal is a process that can die at any of its effects, before or after it: from then on
// nothing that it does has an effect.
type mortal struct {
	dead   atomic.Bool
	left   atomic.Int64 // effects until it dies; 0 or less: it does not
	after  bool
	cancel context.CancelFunc
}

func (m *mortal) die() {
	m.dead.Store(true)
	m.cancel()
}

func (m *mortal) step(_ string, do func() error) error {
	if m.dead.Load() {
		return errDead
	}
	dies := m.left.Add(-1) == 0
	if dies && !m.after {
		m.die()
		return errDead
	}
	err := do()
	if dies {
		m.die()
		return errDead
	}
	return err
}
