package readapi

import (
	"context"

	"folio/fault"
)

// errHeld answers for a document whose record cannot be read in the log. That it is not
// there would be a false no: whoever hears it may issue it twice.
var errHeld = &fault.Error{Code: fault.Unavailable, Constant: "RECORDS_HELD", RetryAfter: 60,
	Text: "A record of this document cannot be read in the event log, so that it cannot be shown. " +
		"It is not lost; the operator of this service has been told and must look at it."}

// Quarantine knows which streams of the log are held; *quarantine.Room does.
type Quarantine interface {
	Holds(ctx context.Context, stream string) (bool, error)
}

// held says that a document is missing because its stream is held; nil that it is not.
func (a api) held(ctx context.Context, stream string) error {
	if a.Quarantine == nil {
		return nil
	}
	held, err := a.Quarantine.Holds(ctx, stream)
	if err == nil && held {
		err = errHeld
	}
	return err
}
