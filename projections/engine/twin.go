package engine

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"folio/clock"
	"folio/events"
	"folio/tables"

	"golang.org/x/sync/errgroup"
)

// Twins fold projections once more, in a store of their own, and compare what comes of it with the live documents, row
// by row. It is not safe for concurrent use.
type Twins struct {
	live    tables.Store
	scratch replica
	all     []*twin
	batch   []events.Recorded
}

// twin is one projection.
type twin struct {
	p      Projection
	table  string // of the live documents
	upTo   events.Position
	folder *folder
	types  map[string]bool
	batch  []events.Recorded
}

// twinBatch is how many events are folded at a time.
const twinBatch = 500

// NewTwins begins twins of the documents that readers get now, each as of the position up to which it was folded.
// Building are the projections that readers do not get yet: they have no twin. The log has the events that Add will be
// given.
func NewTwins(ctx context.Context, live, scratch tables.Store, log Streams, of []Projection) (t *Twins,
	building []string, err error) {
	t = &Twins{live: live, scratch: replica{scratch}}
	shared := newEvolution(keptJoined)
	for _, p := range of {
		b, err := loadBuild(ctx, live, p)
		if err != nil {
			return nil, nil, err
		}
		one := &twin{p: p, table: p.table(b.Serving), types: map[string]bool{}}
		c, err := live.Checkpoint(ctx, one.table)
		if !b.Ready || errors.Is(err, tables.ErrNotFound) {
			building = append(building, p.name)
			continue
		}
		if err != nil {
			return nil, nil, fmt.Errorf("read how far %s came: %w", p.name, err)
		}
		one.upTo = c.At
		if err := t.scratch.define(ctx, p.schemas(1)); err != nil {
			return nil, nil, err
		}
		one.folder = newFolder(p, p.table(1), t.scratch, shared, pastOf(log))
		for _, name := range p.types {
			one.types[name] = true
		}
		t.all = append(t.all, one)
	}
	return t, building, nil
}

// Add takes one more event in the order of the log, opened.
func (t *Twins) Add(ctx context.Context, r events.Recorded) error {
	if t.batch = append(t.batch, r); len(t.batch) < twinBatch {
		return nil
	}
	return t.Flush(ctx)
}

// Flush folds and writes what was added. Of several projections that cannot fold it, the first event counts.
func (t *Twins) Flush(ctx context.Context) error {
	var writes []tables.Write
	var first *StoppedError
	for _, one := range t.all {
		for _, r := range t.batch {
			if one.types[r.Type] && !one.upTo.Before(r.Position) {
				one.batch = append(one.batch, r)
			}
		}
		w, _, err := one.folder.fold(ctx, one.batch)
		var stopped *StoppedError
		switch {
		case errors.As(err, &stopped):
			if first == nil || stopped.Event.Position.Before(first.Event.Position) {
				first = stopped
			}
		case err != nil:
			return fmt.Errorf("replay %s: %w", one.p.name, err)
		}
		clear(one.batch)
		writes, one.batch = append(writes, w...), one.batch[:0]
	}
	clear(t.batch)
	t.batch = t.batch[:0]
	if err := t.scratch.write(ctx, writes); err != nil {
		return fmt.Errorf("keep the replay: %w", err)
	}
	if first != nil {
		return first
	}
	return nil
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
	g.SetLimit(comparers)
	for i, one := range t.all {
		g.Go(func() error {
			results[i].TwinReport, results[i].err = t.compare(ctx, one, end)
			return nil
		})
	}
	_ = g.Wait()
	for _, r := range results {
		c.Documents, c.Later, c.Found = c.Documents+r.Documents, c.Later+r.Later, r.Found
		if r.err != nil || r.Found != nil {
			return c, r.err
		}
	}
	return c, nil
}

// comparers is how many projections are compared at once.
const comparers = 2

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
		c := comparison{twin: one, schema: live, end: end,
			live:  rows{store: t.live, table: live.Name},
			again: rows{store: t.scratch.Store, table: again[i].Name, opened: true, schema: live}}
		n, found, err := c.run(ctx)
		if err == nil && found == nil {
			found, err = c.ahead(ctx)
		}
		if i == 0 {
			out.Documents = n
		}
		out.Later += c.passed
		if out.Found = found; err != nil || found != nil {
			return out, err
		}
	}
	return out, nil
}

// comparison walks through a live table and its replay side by side, in the order of ids.
type comparison struct {
	*twin
	schema      tables.Schema
	live, again rows
	end         func(context.Context) (events.Position, error)
	reaches     events.Position // the log had events up to here
	passed      int64           // rows that are beyond the twin's position
	newest      tables.Row      // of them
}

func (c *comparison) run(ctx context.Context) (n int64, found *Mismatch, err error) {
	for {
		live, err := c.live.head(ctx)
		if err != nil {
			return n, nil, err
		}
		again, err := c.again.head(ctx)
		if err != nil {
			return n, nil, err
		}
		switch {
		case live == nil && again == nil:
			return n, nil, nil
		case live == nil || again != nil && again.ID < live.ID:
			return n, c.wrong(again, again.At, "it is missing"), nil
		}
		c.live.step()
		twin := again
		if again != nil && again.ID == live.ID {
			c.again.step()
		} else {
			twin = nil
		}
		n++
		if c.upTo.Before(live.At) {
			if err := c.later(ctx, live.At); err != nil || c.reaches.Before(live.At) {
				return n, c.wrong(live, live.At, "it says that an event shaped it which the log does not have"), err
			}
			if c.passed++; c.newest.At.Before(live.At) {
				c.newest = *live
			}
			continue
		}
		if twin == nil {
			return n, c.wrong(live, live.At, "the log makes no such document"), nil
		}
		if what := unlike(live, twin); what != "" {
			return n, c.wrong(live, twin.At, what), nil
		}
	}
}

// ahead finds a row that is beyond where its read model stands: no event changed it meanwhile, and whoever put it there
// wants it passed over. A store without transactions writes documents first, so the checkpoint is awaited for a while.
func (c *comparison) ahead(ctx context.Context) (*Mismatch, error) {
	for range checkpointLooks {
		stands, err := c.live.store.Checkpoint(ctx, c.table)
		switch {
		case c.passed == 0, errors.Is(err, tables.ErrNotFound): // none is, or a rebuild took over
			return nil, nil
		case err != nil:
			return nil, err
		case !stands.At.Before(c.newest.At):
			return nil, nil
		}
		clock.Sleep(ctx, checkpointPause)
	}
	return c.wrong(&c.newest, c.newest.At, "it says that an event shaped it which the read model has not come to"),
		ctx.Err()
}

// How often and after which time a checkpoint is looked at again.
const (
	checkpointLooks = 10
	checkpointPause = 100 * time.Millisecond
)

// later finds out how far the log reaches, for a row that is newer than what is compared.
func (c *comparison) later(ctx context.Context, at events.Position) (err error) {
	if c.reaches.Before(at) {
		c.reaches, err = c.end(ctx)
	}
	return err
}

func (c *comparison) wrong(r *tables.Row, at events.Position, what string) *Mismatch {
	if c.schema.Name != c.table {
		what = "the row of " + c.schema.Name + ": " + what
	}
	return &Mismatch{c.p.name, r.ID, at, what}
}

// unlike says how a live row is not the replay's; empty when it is.
func unlike(live, twin *tables.Row) string {
	switch {
	case live.At != twin.At:
		return fmt.Sprintf("it says that the event at %s shaped it last, and that was the one at %s", live.At, twin.At)
	case live.List != twin.List || live.Ordinal != twin.Ordinal:
		return fmt.Sprintf("it stands at %d of the list %s, and should at %d of %s", live.Ordinal, live.List, twin.Ordinal,
			twin.List)
	case !slices.Equal(live.Kept, twin.Kept):
		return "what it is found by is not what the log makes of it"
	case !bytes.Equal(live.Body, twin.Body):
		return "its content is not what the log makes of it"
	}
	return ""
}

// rows walk through a table, a page at a time.
type rows struct {
	store  tables.Store
	table  string
	opened bool          // the rows are replicas
	schema tables.Schema // of what they are replicas of
	page   []tables.Row
	last   string
	ended  bool
}

// twinPage is how many rows are read at a time.
const twinPage = 500

// head is the next row; nil at the end.
func (r *rows) head(ctx context.Context) (*tables.Row, error) {
	if len(r.page) == 0 && !r.ended {
		var err error
		if r.page, err = r.store.Scan(ctx, r.table, r.last, twinPage); err != nil {
			return nil, err
		}
		r.ended = len(r.page) < twinPage
		for i := range r.page {
			r.last = r.page[i].ID
			if !r.opened {
				continue
			}
			d, err := openReplica(r.page[i].Document, r.schema)
			if err != nil {
				return nil, err
			}
			if r.page[i].Kept, err = r.schema.Kept(d); err != nil {
				return nil, err
			}
			r.page[i].Document = d
		}
	}
	if len(r.page) == 0 {
		return nil, nil
	}
	return &r.page[0], nil
}

func (r *rows) step() { r.page = r.page[1:] }
