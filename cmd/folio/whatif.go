package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"folio/events"
	"folio/eventstore"
	"folio/projections/engine"
	"folio/quarantine"
	"folio/tables/sqlite"
)

// compare folds this program's projection over history into a scratch store and shows how it
// differs from the documents that are read. Live data is read and never written.
func (c *replayCmd) compare(ctx context.Context, s *stores, m events.Moment,
	room *quarantine.Room) (err error) {
	dir, err := os.MkdirTemp("", "folio-replay-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	store, err := sqlite.Open(ctx, filepath.Join(dir, "scratch.db"))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	p := c.wanted()[0]
	scratch, err := engine.NewScratch(ctx, store, p, engine.Without(s.log, room))
	if err != nil {
		return err
	}
	if err := foldInto(ctx, scratch, s.log, m, room.Skips); err != nil {
		return fmt.Errorf("replay %s: %w", p.Name(), err)
	}
	live, err := engine.Inspect(ctx, s.tables, p)
	if err != nil {
		return err
	}
	until := "the end of the log"
	if !m.IsZero() {
		until = m.String()
	}
	d := newDiffing(s, p, live.Table, "replayed", scratch.Side())
	with := fmt.Sprintf("version %d of this program replayed up to %s", p.Version(), until)
	if c.Out == "" {
		return d.show(ctx, os.Stdout, formatFlag{"text"}, with)
	}
	f, err := os.Create(c.Out)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	return d.show(ctx, f, formatFlag{"json"}, with)
}

// foldInto folds the log up to a moment, without what operators have everybody go on without.
func foldInto(ctx context.Context, scratch *engine.Scratch, log *eventstore.Log, m events.Moment,
	skips func(events.Recorded) bool) error {
	var batch []events.Recorded
	for e, err := range log.All(ctx, events.Position{}, eventstore.Filter{}) {
		if err != nil {
			return err
		}
		if !m.Holds(e) {
			break
		}
		if events.KinshipOf(e) == events.Foreign || skips(e) {
			continue
		}
		if batch = append(batch, e); len(batch) == replayBatch {
			if err := scratch.Fold(ctx, batch...); err != nil {
				return err
			}
			batch = nil
		}
	}
	return scratch.Fold(ctx, batch...)
}
