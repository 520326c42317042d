package main

import (
	"context"
	"fmt"

	"folio/processors"
	"folio/processors/reactor"
	"folio/projections"
	"folio/projections/engine"
)

// forgetAhead drops what the tables made from events that the log no longer has, because an
// older copy of it was given to Folio on purpose.
func (s *stores) forgetAhead(ctx context.Context) error {
	end, err := s.log.End(ctx)
	if err != nil {
		return fmt.Errorf("find the end of the log: %w", err)
	}
	at, err := s.saved(ctx)
	if err != nil || !end.Before(at) {
		return err
	}
	for _, p := range projections.All {
		if err := engine.StartOver(ctx, s.tables, p); err != nil {
			return fmt.Errorf("start %s over: %w", p.Name(), err)
		}
	}
	for _, name := range processors.Names() {
		// Asked for first: whoever stops in between has the worklists emptied all the same.
		err := reactor.AskRebuild(ctx, s.tables, s.id, name)
		if err == nil {
			err = s.tables.ResetCheckpoint(ctx, name)
		}
		if err != nil {
			return fmt.Errorf("start the worklist of %s over: %w", name, err)
		}
	}
	fmt.Printf("the read models came to %s and the log ends at %s: what they had beyond it is forgotten\n", at, end)
	return nil
}
