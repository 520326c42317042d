package engine

import (
	"context"
	"errors"
	"fmt"

	"folio/events"
	"folio/tables"

	"golang.org/x/sync/errgroup"
)

// Twins fold projections once more and compare what comes of it with the live documents: the sums of their rows, and
// where those are not the same row by row. It is not safe for concurrent use.
type Twins struct {
	TwinConfig
	scratch replica
	all     []*twin
	batch   []events.Recorded
}

// TwinConfig is what twins are made of.
type TwinConfig struct {
	Live    tables.Store
	Scratch tables.Store // for the twins alone; empty, or what they left there
	Log     Streams      // has the events that Add will be given
	Of      []Projection
	// Rows has every row kept and compared, for twins that go on from what they left, and to learn which row differs of a
	// projection of which no rows were kept: see TwinReport.Again.
	Rows bool
}

// twin is one projection.
type twin struct {
	p      Projection
	table  string // of the live documents
	upTo   events.Position
	folder *folder
	types  map[string]bool
	batch  []events.Recorded
	kept   bool     // the scratch store has its rows
	sums   []*tally // of its tables; none: rows are compared
}

// twinBatch is how many events are folded at a time.
const twinBatch = 500

// NewTwins begins twins of the documents that readers get now, each as of the position up to which it was folded.
// Building are the projections that readers do not get yet: they have no twin.
func NewTwins(ctx context.Context, config TwinConfig) (t *Twins, building []string, err error) {
	t = &Twins{TwinConfig: config, scratch: replica{config.Scratch}}
	shared, hash := newEvolution(keptJoined), newDigest()
	for _, p := range t.Of {
		b, err := loadBuild(ctx, t.Live, p)
		if err != nil {
			return nil, nil, err
		}
		one := &twin{p: p, table: p.table(b.Serving), types: map[string]bool{}, kept: t.Rows || !p.once}
		if !b.Ready {
			building = append(building, p.name)
			continue
		}
		// Rows and checkpoint are written together: a table without a checkpoint has no rows, or somebody took it away.
		c, err := t.Live.Checkpoint(ctx, one.table)
		if err != nil && !errors.Is(err, tables.ErrNotFound) {
			return nil, nil, fmt.Errorf("read how far %s came: %w", p.name, err)
		}
		one.upTo = c.At
		if err := t.scratch.define(ctx, p.schemas(1)); err != nil {
			return nil, nil, err
		}
		one.folder = newFolder(p, p.table(1), t.scratch, shared, pastOf(t.Log))
		if !t.Rows {
			one.count(hash.another())
		}
		for _, name := range p.types {
			one.types[name] = true
		}
		t.all = append(t.all, one)
	}
	return t, building, nil
}

// count has the twin add up what it writes.
func (one *twin) count(hash *digest) {
	for _, schema := range one.p.schemas(1) {
		one.sums = append(one.sums, &tally{digest: hash, schema: schema})
	}
	one.folder.documents = one.sums[0]
	if len(one.sums) > 1 {
		one.folder.lists = one.sums[1]
	}
}

// Add takes one more event in the order of the log. One that is opened already is not decoded again.
func (t *Twins) Add(ctx context.Context, r events.Recorded) error {
	if t.batch = append(t.batch, r); len(t.batch) < twinBatch {
		return nil
	}
	return t.Flush(ctx)
}

// Flush folds and writes what was added. Of several projections that cannot fold it, the first event counts.
func (t *Twins) Flush(ctx context.Context) error {
	folded := make([]refolded, len(t.all))
	var g errgroup.Group
	g.SetLimit(atOnce)
	for i, one := range t.all {
		g.Go(func() error {
			folded[i] = one.fold(ctx, t.batch)
			return nil
		})
	}
	_ = g.Wait()
	clear(t.batch)
	t.batch = t.batch[:0]
	var writes []tables.Write
	var first *StoppedError
	for _, f := range folded {
		if f.err != nil {
			return f.err
		}
		if writes = append(writes, f.writes...); f.stopped == nil {
			continue
		}
		if first == nil || f.stopped.Event.Position.Before(first.Event.Position) {
			first = f.stopped
		}
	}
	if err := t.scratch.write(ctx, writes); err != nil {
		return fmt.Errorf("keep the replay: %w", err)
	}
	if first != nil {
		return first
	}
	return nil
}

// refolded is what came of a batch.
type refolded struct {
	writes  []tables.Write // that are kept
	stopped *StoppedError  // at an event that cannot be folded
	err     error
}

// fold folds those events of a batch that the live documents have heard of.
func (one *twin) fold(ctx context.Context, batch []events.Recorded) (f refolded) {
	for _, r := range batch {
		if one.types[r.Type] && !one.upTo.Before(r.Position) {
			one.batch = append(one.batch, r)
		}
	}
	writes, _, err := one.folder.fold(ctx, one.batch)
	if !errors.As(err, &f.stopped) && err != nil {
		f.err = fmt.Errorf("replay %s: %w", one.p.name, err)
	}
	clear(one.batch)
	if one.batch = one.batch[:0]; one.kept {
		f.writes = writes
	}
	return f
}

// Mismatch is a live document that does not follow from the log.
type Mismatch struct {
	Projection string
	Document   string
	At         events.Position // of the last event that shaped it, live or in the replay
	What       string
}

// TwinReport is what came of comparing.
type TwinReport struct {
	Documents int64     // that were looked at
	Later     int64     // rows that were changed meanwhile, and were not compared
	Found     *Mismatch // nil: there is none
	// Again are projections whose rows are not what the log makes of them, and of which none were kept: twins with Rows
	// tell which row it is.
	Again []Projection
}

// Compare looks at every row of the live tables and of the replay: documents, and how many each list has. Rows that
// events beyond a twin's position have changed meanwhile are passed over: no row may be beyond where its read model
// stands by then, nor beyond the end of the log, which end tells.
func (t *Twins) Compare(ctx context.Context, end func(context.Context) (events.Position, error)) (c TwinReport,
	err error) {
	if err := t.Flush(ctx); err != nil {
		return c, err
	}
	results := make([]verdict, len(t.all))
	var g errgroup.Group
	g.SetLimit(atOnce)
	for i, one := range t.all {
		g.Go(func() error {
			results[i].TwinReport, results[i].err = t.compare(ctx, one, end)
			return nil
		})
	}
	_ = g.Wait()
	for _, r := range results {
		c.Documents, c.Later, c.Found = c.Documents+r.Documents, c.Later+r.Later, r.Found
		c.Again = append(c.Again, r.Again...)
		if r.err != nil || r.Found != nil {
			return c, r.err
		}
	}
	return c, nil
}

// atOnce is how many projections are folded or compared at once, beside who reads the log.
const atOnce = 2

// verdict is what came of comparing one projection.
type verdict struct {
	TwinReport
	err error
}

// compare looks at the tables of one projection.
func (t *Twins) compare(ctx context.Context, one *twin,
	end func(context.Context) (events.Position, error)) (out TwinReport, err error) {
	again := one.p.schemas(1)
	for i, live := range one.p.schemasOf(one.table) {
		begin := func() comparison {
			return comparison{twin: one, schema: live, end: end, scratch: t.scratch,
				live:  rows{store: t.Live, table: live.Name},
				again: rows{store: t.Scratch, table: again[i].Name, opened: true, schema: live}}
		}
		c, same := begin(), false
		if len(one.sums) > 0 {
			if same, err = c.add(ctx, one.sums[i].rows); err != nil {
				return out, err
			}
		}
		var found *Mismatch
		switch {
		case !same && one.kept:
			c = begin()
			found, err = c.run(ctx)
		case !same:
			out.Again = []Projection{one.p}
			return out, nil
		}
		if err == nil && found == nil {
			found, err = c.ahead(ctx)
		}
		if i == 0 {
			out.Documents = c.looked
		}
		out.Later += c.passed
		if out.Found = found; err != nil || found != nil {
			return out, err
		}
	}
	return out, nil
}
