package outage

import (
	"slices"
	"time"

	"folio/events"
)

// The calls that a tally keeps as evidence: the first and the last ones.
const (
	keptFirst = 3
	keptLast  = 5
)

// Tally are failing calls of one place, with none that got through between. The zero value
// is none. It is folded in memory: what a crash forgets fails again while the outage lasts.
type Tally struct {
	Calls int
	Since time.Time // of the first
	Last  time.Time // of the last
	first []events.FailingCall
	last  []events.FailingCall
}

// With is the tally with one more failing call. Calls may end in another order than they
// began; Since is that of the earliest.
func (t Tally) With(c events.FailingCall) Tally {
	c.At = c.At.UTC()
	if t.Calls++; t.Calls == 1 || c.At.Before(t.Since) {
		t.Since = c.At
	}
	if c.At.After(t.Last) {
		t.Last = c.At
	}
	if len(t.first) < keptFirst {
		t.first = append(slices.Clip(t.first), c)
		return t
	}
	t.last = append(slices.Clip(t.last), c)
	t.last = t.last[max(0, len(t.last)-keptLast):]
	return t
}

// Due says that the calls are an outage.
func (t Tally) Due(by Threshold) bool {
	return t.Calls >= max(1, by.Calls) && t.Last.Sub(t.Since) >= by.After
}

// Evidence are the first and the last calls, in the order in which they failed.
func (t Tally) Evidence() []events.FailingCall { return slices.Concat(t.first, t.last) }
