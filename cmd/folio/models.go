package main

import (
	"context"
	"time"

	"folio/events"
	"folio/eventstore"
	"folio/projections"
	"folio/projections/engine"
	"folio/readapi"
)

// models tells how every read model stands, whichever process folds it: from the tables and
// the log that all of them share.
func (s *service) models(ctx context.Context) ([]readapi.Model, error) {
	end, err := s.log.End(ctx)
	if err != nil {
		return nil, readable(ctx, err)
	}
	all := make([]readapi.Model, 0, len(projections.All))
	for _, p := range projections.All {
		b, err := engine.Inspect(ctx, s.tables, p)
		if err != nil {
			return nil, err
		}
		m := readapi.Model{Name: p.Name(), Version: p.Version(), State: conditionOf(b)}
		if !b.At.IsZero() {
			at := b.At.String()
			m.Position = &at
		}
		lag, err := lagOf(ctx, s.log, p, b.At, end)
		if err != nil {
			return nil, readable(ctx, err)
		}
		m.LagSeconds = lag.Seconds()
		all = append(all, m)
	}
	return all, nil
}

// lagOf is the age of the first event after a position that the projection reads; 0 for none.
func lagOf(ctx context.Context, log wholeLog, p engine.Projection, at,
	end events.Position) (time.Duration, error) {
	if !at.Before(end) {
		return 0, nil
	}
	for r, err := range log.All(ctx, at, eventstore.Filter{Types: p.Types()}) {
		if err != nil {
			return 0, err
		}
		return max(0, time.Since(r.Meta.At)), nil
	}
	return 0, nil
}
