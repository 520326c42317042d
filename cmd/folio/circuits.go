package main

import (
	"context"
	"time"

	"folio/authority/circuit"
	"folio/waiting"
)

// circuitPauses is how many first pauses a circuit stays open.
const circuitPauses = 6

// guardAuthorities puts a circuit around each driver, notes for readers how authorities
// were last seen, and wakes what waits when one is back.
func (s *service) guardAuthorities() {
	for name, driver := range s.drivers.byName {
		guarded := circuit.Wrap(driver, circuit.Options{
			Pause: circuitPauses * s.flags.RetryBase, Now: time.Now,
			After:   func(d time.Duration, f func()) { time.AfterFunc(d, f) },
			Changed: s.authoritySeen,
			Retry:   func() { s.submission.WakeAll() },
			Called:  s.called,
		})
		s.drivers.byName[name] = guarded
		s.circuits = append(s.circuits, guarded)
	}
}

func (s *service) authoritySeen(state circuit.State) {
	if !state.Up {
		s.logger.Warn("authority down", "authority", state.Authority, "environment", state.Environment, "fault", state.Fault,
			"next_try", state.NextTry)
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	// The circuit lets calls pass until they fail; an authority that never answered is not up.
	err := s.seen.Put(ctx, waiting.Authority{Authority: state.Authority, Environment: string(state.Environment),
		Up:    state.Up && state.LastSuccess != nil,
		Since: state.Since, LastSuccess: state.LastSuccess, LastFailure: state.LastFailure, Fault: state.Fault,
		NextTry: state.NextTry})
	if err != nil {
		s.logger.Debug("how the authority was seen was not noted", "error", err)
	}
}
