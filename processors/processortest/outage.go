package processortest

import (
	"sync/atomic"

	"folio/eventstore"
)

// Outage is a log that takes no appends until End. Use its Step: Step(o.Step).Log(log).
type Outage struct {
	Met  chan struct{} // holds a token once an append was refused
	over atomic.Bool
}

// NewOutage is one that has begun.
func NewOutage() *Outage { return &Outage{Met: make(chan struct{}, 1)} }

// Step refuses what is done during the outage.
func (o *Outage) Step(_ string, do func() error) error {
	if o.over.Load() {
		return do()
	}
	select {
	case o.Met <- struct{}{}:
	default:
	}
	return eventstore.ErrUnavailable
}

// End ends the outage.
func (o *Outage) End() { o.over.Store(true) }
