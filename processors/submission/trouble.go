package submission

import (
	"errors"
	"fmt"
	"runtime/debug"

	"folio/events"
	"folio/waiting"
)

// troubled says that a stream of the log cannot be read or folded on. What needs it waits,
// and what does not goes on.
func troubled(err error) bool {
	var t *events.Trouble
	return errors.As(err, &t)
}

// held is the verdict of a series that needs such a stream: sending without what it says
// could hurt the order of the invoices, or give a number twice.
func held(err error) verdict {
	v := because(waiting.RecordsHeld, "A record that this series needs cannot be read in the event log, and nothing is "+
		"sent on half of it. "+
		"The operator of this service has been told and must look at it; the invoices keep their place.", true)
	v.cause = err
	return v
}

// gap says why an earlier invoice of the series may be missing from the worklist: the event
// that created it cannot be read, so that nobody knows its series, only its company.
func (t *turn) gap() error {
	return t.Troubled(companyOf(t.series))
}

// safely does a step, and makes a panic the fault of what it was about alone: of a series,
// or of one of its open submissions.
func (t *turn) safely(do func() verdict) (v verdict) {
	defer func() {
		if p := recover(); p != nil {
			v = failure(fmt.Errorf("panic in a turn of series %s: %v\n%s", t.series, p, debug.Stack()))
		}
	}()
	return do()
}
