package verify

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"folio/events"
	"folio/eventstore"
	"folio/projections/engine"
	"folio/tables"
)

// models are the live read models beside their replays, which are folded beside the rest of the run.
type models struct {
	scratch tables.Store
	twins   *engine.Twins
	batch   []events.Recorded
	work    chan []events.Recorded // nil: nobody folds
	done    chan error             // what ended the folding
	stopped bool                   // done was heard
}

// modelBatch is how many events are handed over at once.
const modelBatch = 250

// openModels begins the replays.
func (r *run) openModels(ctx context.Context) (err error) {
	if len(r.Models) == 0 {
		return nil
	}
	if r.models.scratch, err = r.Scratch(ctx); err != nil {
		return fmt.Errorf("open the tables of the replay: %w", err)
	}
	twins, building, err := engine.NewTwins(ctx, r.twins(r.Models, r.State != ""))
	if err != nil {
		return err
	}
	if len(building) > 0 { // one note, so that it leaves room for others
		r.report.note("read models that are being built are not compared: %s", strings.Join(building, ", "))
	}
	r.models.twins = twins
	return nil
}

// twins are those of some read models. A run that may be gone on from keeps every row, since nobody keeps the sums.
func (r *run) twins(of []engine.Projection, rows bool) engine.TwinConfig {
	return engine.TwinConfig{Live: r.Tables, Scratch: r.models.scratch, Log: engine.Without(r.Log, r.Decisions), Of: of,
		Rows: rows}
}

// begin folds what comes until settle, or until something cannot be folded.
func (m *models) begin(ctx context.Context) {
	m.work, m.done, m.stopped = make(chan []events.Recorded, 1), make(chan error, 1), false
	go func(work chan []events.Recorded) {
		for batch := range work {
			for _, e := range batch {
				if err := m.twins.Add(ctx, e); err != nil {
					m.done <- err
					return
				}
			}
		}
		m.done <- m.twins.Flush(ctx)
	}(m.work)
}

// add hands an event over. It fails when an earlier one could not be folded.
func (m *models) add(ctx context.Context, e events.Recorded) error {
	if m.twins == nil {
		return nil
	}
	if m.work == nil {
		m.begin(ctx)
	}
	if m.batch = append(m.batch, e); len(m.batch) < modelBatch {
		return nil
	}
	return m.hand()
}

// hand gives a batch away.
func (m *models) hand() error {
	batch := m.batch
	m.batch = nil
	select {
	case m.work <- batch:
		return nil
	case err := <-m.done:
		m.stopped = true
		return unfolded(err)
	}
}

// settle awaits that everything that was added is folded and kept.
func (m *models) settle() error {
	if m.work == nil {
		return nil
	}
	err := m.hand()
	close(m.work)
	if !m.stopped {
		err = unfolded(<-m.done)
	}
	m.work = nil
	return err
}

// unfolded is an event that a replay cannot fold as a difference.
func unfolded(err error) error {
	var s *engine.StoppedError
	if errors.As(err, &s) {
		return differs(s.Event, "the read model %s cannot be made of it: %v", s.Projection, s.Err)
	}
	return err
}

func (m *models) close() error {
	if m.scratch == nil {
		return nil
	}
	_ = m.settle() // why the run ends is known
	return m.scratch.Close()
}

// compareModels compares every row of the live read models with its replay.
func (r *run) compareModels(ctx context.Context) error {
	if r.models.twins == nil {
		return nil
	}
	c, err := r.models.twins.Compare(ctx, r.Log.End)
	if err == nil && c.Found == nil && len(c.Again) > 0 {
		var named engine.TwinReport
		named, err = r.compareRows(ctx, c.Again)
		c.Documents, c.Later, c.Found = c.Documents+named.Documents, c.Later+named.Later, named.Found
	}
	r.report.Documents += c.Documents
	if err == nil && c.Found != nil {
		return r.modelDiffers(ctx, c.Found)
	}
	if c.Later > 0 {
		r.report.note("%d rows of read models were changed by events that came meanwhile: verify again to compare them",
			c.Later)
	}
	return unfolded(err)
}

// compareRows reads the log once more, to learn which row of some read models differs.
func (r *run) compareRows(ctx context.Context, of []engine.Projection) (c engine.TwinReport, err error) {
	twins, _, err := engine.NewTwins(ctx, r.twins(of, true))
	if err != nil {
		return c, err
	}
	for e, err := range r.Log.All(ctx, events.Position{}, eventstore.Filter{}) {
		if err != nil {
			return c, fmt.Errorf("read the log once more: %w", err)
		}
		if events.KinshipOf(e) == events.Foreign || r.Decisions.Skips(e) {
			continue
		}
		if err := twins.Add(ctx, e); err != nil {
			return c, err
		}
	}
	return twins.Compare(ctx, r.Log.End)
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
