package main

import (
	"context"
	"errors"
	"fmt"

	"folio/events"
	"folio/eventstore"
	"folio/version"
)

// understood refuses a log that a newer program has written to in a way that this one does not know.
func (s *stores) understood() error {
	if s.format <= events.LogFormat {
		return nil
	}
	return fmt.Errorf("this event log has format %d, since folio %s wrote to it; this is folio %s, which knows "+
		"formats up to %d: run that version or a newer one, or go back to a backup from before (docs/upgrading.md)",
		s.format, s.raised, version.Number(), events.LogFormat)
}

// raiseFormat marks the log with the format of this program before it writes anything else: programs that
// do not know it refuse the log from then on.
func (s *stores) raiseFormat(ctx context.Context) error {
	if s.format >= events.LogFormat {
		return nil
	}
	err := recordStore(ctx, s.log, s.last, "folio", s.id)
	if err != nil && !errors.Is(err, eventstore.ErrConflict) { // another process did it at the same moment
		return err
	}
	s.format = events.LogFormat
	return nil
}
