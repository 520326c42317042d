// Package verify reads a whole log again and holds it against everything that was said of it: the checkpoints of the
// transparency log, the rules by which facts follow on one another, what was sent to authorities, the files in the
// vault and the live read models. It changes nothing.
package verify

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"time"

	"folio/events"
	"folio/eventstore"
	"folio/projections/engine"
	"folio/tables"
)

// Log is the event log as it is read here; *eventstore.Log is one.
type Log interface {
	All(ctx context.Context, after events.Position, f eventstore.Filter) iter.Seq2[events.Recorded, error]
	Read(ctx context.Context, stream string, from uint64) iter.Seq2[events.Recorded, error]
	End(ctx context.Context) (events.Position, error)
}

// Secrets is the vault as it is read here.
type Secrets interface {
	Open(ctx context.Context, ref string) ([]byte, error)
	File(ctx context.Context, sha256 string) ([]byte, error)
}

// Config is what is verified.
type Config struct {
	Log       Log
	Logs      []string // ids of the log, oldest first; the last one is its present one
	Secrets   Secrets
	Decisions engine.Decisions
	Tables    tables.Store
	// Models are compared with a replay, in a table store that Scratch opens for it; none: they are left out.
	Models  []engine.Projection
	Scratch func(ctx context.Context) (tables.Store, error)
	// Held are checkpoints that somebody else kept.
	Held []Held
	// Sent rebuilds what was sent; nil: that is left out.
	Sent Rebuilder
	// Now is the present: no event can have been appended later. Nil: nobody looks.
	Now func() time.Time
	// State is a file from which an interrupted run goes on; empty: none is kept.
	State string
	// Progress hears of events that were read; may be nil.
	Progress func(events int64)
}

// Difference is something that is not as it was said to be. Its place is an event, or where one is missing.
type Difference struct {
	Stream   string
	Revision uint64
	Position events.Position
	What     string
}

// Error names the place.
func (d *Difference) Error() string {
	switch {
	case d.Stream == "" && d.Position.IsZero():
		return d.What // of the log as a whole
	case d.Stream == "":
		return fmt.Sprintf("at position %s: %s", d.Position, d.What)
	}
	return fmt.Sprintf("stream %s, revision %d, position %s: %s", d.Stream, d.Revision, d.Position, d.What)
}

func differs(r events.Recorded, format string, args ...any) *Difference {
	return &Difference{Stream: r.Stream, Revision: r.Revision, Position: r.Position, What: fmt.Sprintf(format, args...)}
}

// Report is what was looked at, and what could not be.
type Report struct {
	Events      int64    `json:"events"`
	Leaves      int64    `json:"leaves"`      // of the present tree
	Checkpoints int64    `json:"checkpoints"` // of all trees, and those that others hold
	Files       int64    `json:"files"`
	Submissions int64    `json:"submissions"` // rebuilt, byte for byte
	Documents   int64    `json:"documents"`   // of read models
	Notes       []string `json:"notes,omitempty"`
	MoreNotes   int64    `json:"more_notes,omitempty"` // that are not told one by one
}

// maxNotes bounds what is told of what could not be verified; the rest is counted.
const maxNotes = 20

func (r *Report) note(format string, args ...any) {
	if len(r.Notes) == maxNotes {
		r.MoreNotes++
		return
	}
	r.Notes = append(r.Notes, fmt.Sprintf(format, args...))
}

// Run verifies everything, up to where the log ends when it begins. A *Difference is the first one in the order of the
// log; any other error is that something could not be read.
func Run(ctx context.Context, c Config) (_ Report, err error) {
	r := &run{Config: c, streams: newStreams(c.Log), taxpayers: newTaxpayers()}
	defer func() {
		for _, t := range r.trees {
			t.stop()
		}
		err = errors.Join(err, r.models.close())
	}()
	if err := r.begin(ctx); err != nil {
		return r.report, err
	}
	err = r.read(ctx)
	if err = earlier(err, r.models.settle()); err != nil {
		return r.report, err
	}
	if err := r.compareModels(ctx); err != nil {
		return r.report, err
	}
	return r.report, r.forget()
}

// earlier is why a run ends that may end for two reasons: of two differences the one that comes first in the log.
func earlier(err, replay error) error {
	var a, b *Difference
	if err == nil || errors.As(err, &a) && errors.As(replay, &b) && b.Position.Before(a.Position) {
		return replay
	}
	return err
}

// run is one verification.
type run struct {
	Config
	report  Report
	streams *streams
	// taxpayers are the numbers of all companies together.
	taxpayers taxpayers
	trees     []*tree
	models    models
	folded    []tables.Checkpoint // how far the tables came when it began
	end       events.Position
	at        events.Position // read up to here
	last      events.Recorded // the last event that counts
	// renewed is where the vault was given up last: files that events before it name may be gone.
	renewed events.Position
	// formed is from where on a program of this format has written: documents of before may have been
	// written in another form. The zero position: it wrote all.
	formed events.Position
}

// begin learns what the log is held against, before the log's end is looked at: what is added meanwhile is not missing.
func (r *run) begin(ctx context.Context) (err error) {
	if err := r.openTrees(ctx); err != nil {
		return err
	}
	if err := r.openFormat(ctx); err != nil {
		return err
	}
	if err := r.tablesAhead(ctx); err != nil {
		return err
	}
	if err := r.openModels(ctx); err != nil {
		return err
	}
	if r.end, err = r.Log.End(ctx); err != nil {
		return fmt.Errorf("find the end of the log: %w", err)
	}
	return r.resume()
}

// tablesAhead notes how far the tables came.
func (r *run) tablesAhead(ctx context.Context) (err error) {
	if r.folded, err = r.Tables.Checkpoints(ctx); err != nil {
		return fmt.Errorf("read how far the read models came: %w", err)
	}
	return nil
}

// ahead finds tables that know of events which the log does not have.
func (r *run) ahead() error {
	for _, c := range r.folded {
		if c.Store == r.Logs[len(r.Logs)-1] && r.end.Before(c.At) {
			return differs(r.last, "the log ends here, and the tables of %s hold events up to %s: the end of the log is missing",
				c.Name, c.At)
		}
	}
	return nil
}

// saveEvery is after how many events a run that is interrupted can be gone on from.
const saveEvery = 20_000

// read goes through the log, and tells the first difference.
func (r *run) read(ctx context.Context) error { return r.doubted(r.through(ctx)) }

func (r *run) through(ctx context.Context) error {
	for e, err := range r.Log.All(ctx, r.at, eventstore.Filter{}) {
		if err != nil {
			return fmt.Errorf("read the log after %s: %w", r.at, err)
		}
		if r.end.Before(e.Position) {
			break
		}
		if err := r.event(ctx, e); err != nil {
			return err
		}
		r.at = e.Position
		if r.report.Events++; r.Progress != nil && r.report.Events%1000 == 0 {
			r.Progress(r.report.Events)
		}
		if r.report.Events%saveEvery == 0 && !r.doubts() {
			if err := r.save(); err != nil {
				return err
			}
		}
	}
	if err := r.ended(ctx); err != nil {
		return err
	}
	return r.ahead()
}

// event holds one event against everything.
func (r *run) event(ctx context.Context, e events.Recorded) error {
	if err := r.leaf(ctx, e); err != nil {
		return err
	}
	if events.KinshipOf(e) == events.Foreign {
		return nil
	}
	if err := r.timely(e); err != nil {
		return err
	}
	r.last = e
	opened, err := r.open(e)
	if err != nil {
		return err
	}
	if err := r.follows(ctx, opened); err != nil {
		return err
	}
	if opened.Event == nil {
		return nil
	}
	if err := r.filed(ctx, opened); err != nil {
		return err
	}
	return r.models.add(ctx, opened)
}

// clockSkew is how far the clocks of Folio's processes and of the log's servers may be apart.
const clockSkew = time.Minute

// timely holds the time at which the log says that it took an event, which no leaf has, against the event before and
// against the time that the event itself tells.
func (r *run) timely(e events.Recorded) error {
	logged := e.When()
	if before := r.last.Logged; logged.Add(clockSkew).Before(before) {
		return differs(e, "the log says that it was appended at %s, and the one before it at %s", moment(logged),
			moment(before))
	}
	if r.Now != nil && logged.After(r.Now().Add(clockSkew)) {
		return differs(e, "the log says that it was appended at %s, which has not come yet", moment(logged))
	}
	if logged.Add(clockSkew).Before(e.Meta.At) {
		return differs(e, "the log says that it was appended at %s, and it was recorded at %s", moment(logged),
			moment(e.Meta.At))
	}
	return nil
}

func moment(t time.Time) string { return t.UTC().Format(time.RFC3339Nano) }

// open decodes an event, unless operators decided to go on without it.
func (r *run) open(e events.Recorded) (events.Recorded, error) {
	if r.Decisions.Skips(e) {
		r.report.note("%s revision %d is left out by a decision of an operator", e.Stream, e.Revision)
		return e, nil
	}
	opened, err := events.Open(e)
	if err != nil {
		return e, differs(e, "it cannot be read: %v", err)
	}
	return opened, nil
}
