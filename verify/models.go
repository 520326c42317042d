package verify

import (
	"context"
	"errors"
	"fmt"

	"folio/events"
	"folio/eventstore"
	"folio/projections"
	"folio/projections/engine"
	"folio/tables"
)

// models are the live read models beside their replays.
type models struct {
	scratch tables.Store
	twins   []*engine.Twin
}

// openModels begins the replays.
func (r *run) openModels(ctx context.Context) (err error) {
	if len(r.Models) == 0 {
		return nil
	}
	if r.models.scratch, err = r.Scratch(ctx); err != nil {
		return fmt.Errorf("open the tables of the replay: %w", err)
	}
	for _, p := range r.Models {
		twin, built, err := engine.NewTwin(ctx, r.Tables, r.models.scratch, p, projections.Companies)
		if err != nil {
			return err
		}
		if !built {
			r.report.note("the read model %s is being built: it is not compared", p.Name())
			continue
		}
		r.models.twins = append(r.models.twins, twin)
	}
	return nil
}

// replayed gives an event to every replay.
func (r *run) replayed(ctx context.Context, e events.Recorded) error {
	for _, t := range r.models.twins {
		if err := stopped(t.Add(ctx, e)); err != nil {
			return err
		}
	}
	return nil
}

// stopped is an event that a replay cannot fold as a difference.
func stopped(err error) error {
	var s *engine.StoppedError
	if errors.As(err, &s) {
		return differs(s.Event, "the read model %s cannot be made of it: %v", s.Projection, s.Err)
	}
	return err
}

func (m *models) flush(ctx context.Context) error {
	for _, t := range m.twins {
		if err := stopped(t.Flush(ctx)); err != nil {
			return err
		}
	}
	return nil
}

func (m *models) close() error {
	if m.scratch == nil {
		return nil
	}
	return m.scratch.Close()
}

// compareModels compares every live document with its replay.
func (r *run) compareModels(ctx context.Context) error {
	for _, t := range r.models.twins {
		n, found, err := t.Compare(ctx)
		r.report.Documents += n
		if err != nil {
			return stopped(err)
		}
		if found != nil {
			return r.modelDiffers(ctx, found)
		}
	}
	return nil
}

// modelDiffers names the event that should have made a document what it is not.
func (r *run) modelDiffers(ctx context.Context, m *engine.Mismatch) error {
	d := &Difference{Position: m.At, What: fmt.Sprintf(
		"the document %s of the read model %s is not as the log has it: %s; build it anew: folio projections rebuild %s",
		m.Document, m.Projection, m.What, m.Projection)}
	before := m.At
	if before.Commit > 0 {
		before = events.Position{Commit: before.Commit - 1, Prepare: before.Commit - 1}
	}
	for e, err := range r.Log.All(ctx, before, eventstore.Filter{}) {
		if err == nil && e.Position == m.At {
			d.Stream, d.Revision = e.Stream, e.Revision
		}
		break
	}
	return d
}
