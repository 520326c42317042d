package main

import (
	"context"
	"fmt"

	"folio/projections"
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
		if err := projections.StartOver(ctx, s.tables, p); err != nil {
			return fmt.Errorf("start %s over: %w", p.Name(), err)
		}
	}
	known, err := s.tables.Checkpoints(ctx)
	if err != nil {
		return fmt.Errorf("read how far the worklists came: %w", err)
	}
	for _, c := range known {
		if c.Store != s.id || !end.Before(c.At) {
			continue
		}
		if err := s.tables.Worklist(c.Name).Clear(ctx); err != nil {
			return fmt.Errorf("empty the worklist %s: %w", c.Name, err)
		}
		if err := s.tables.ResetCheckpoint(ctx, c.Name); err != nil {
			return fmt.Errorf("start %s over: %w", c.Name, err)
		}
	}
	fmt.Printf("the read models came to %s and the log ends at %s: what they had beyond it is forgotten\n", at, end)
	return nil
}
