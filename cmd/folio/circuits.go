package main

import (
	"context"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"folio/authority"
	"folio/authority/circuit"
	"folio/authority/measure"
	"folio/waiting"
)

// circuitPauses is how many first pauses a circuit stays open.
const circuitPauses = 6

// guardAuthorities puts a circuit around each driver, notes for readers how authorities
// were last seen, and wakes what waits when one is back.
func (s *service) guardAuthorities() {
	for name, driver := range s.drivers.byName {
		guarded := circuit.Wrap(measure.Wrap(driver, s.authorityCalled), circuit.Options{
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

// circuitMetrics show which authorities are taken to be down.
type circuitMetrics struct{ s *service }

var circuitOpen = prometheus.NewDesc("folio_circuit_open", "1 while an authority counts as down in this process, so "+
	"that nothing but one call now and then is sent; 0 before the first call, too.",
	[]string{"authority", "environment"}, nil)

// Describe implements prometheus.Collector.
func (circuitMetrics) Describe(out chan<- *prometheus.Desc) { out <- circuitOpen }

// Collect implements prometheus.Collector.
func (m circuitMetrics) Collect(out chan<- prometheus.Metric) {
	for _, c := range m.s.circuits {
		open := map[authority.Environment]bool{authority.Production: false, authority.Testing: false}
		for _, state := range c.States() {
			open[state.Environment] = !state.Up
		}
		for environment, is := range open {
			out <- prometheus.MustNewConstMetric(circuitOpen, prometheus.GaugeValue, truth(is), c.Name(), string(environment))
		}
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
