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
)

// comparison walks through a live table and its replay side by side, in the order of ids.
type comparison struct {
	*twin
	schema      tables.Schema
	live, again rows
	scratch     replica
	end         func(context.Context) (events.Position, error)
	reaches     events.Position // the log had events up to here
	looked      int64           // live rows that were looked at
	passed      int64           // of them those that are beyond the twin's position
	newest      tables.Row      // of them
}

// add says whether the sum of the live rows is that of the replay. Rows that were changed meanwhile count as the replay
// has them. What is wrong with a row is left for run to say.
func (c *comparison) add(ctx context.Context, want sum) (same bool, err error) {
	hash, total := c.sums[0].digest.another(), sum{} // tables are added up side by side
	var passed []string
	for {
		live, err := c.live.head(ctx)
		if err != nil {
			return false, err
		}
		if live == nil || len(passed) == twinPage {
			if err := c.discount(ctx, passed, &want); err != nil {
				return false, err
			}
			passed = passed[:0]
		}
		if live == nil {
			return total == want, nil
		}
		c.live.step()
		c.looked++
		if !c.upTo.Before(live.At) {
			total.add(hash.of(live.Document, live.Kept))
			continue
		}
		if wrong, err := c.beyond(ctx, live); err != nil || wrong != nil {
			return false, err
		}
		passed = append(passed, live.ID)
	}
}

// discount takes rows that are not compared off the replay's sum.
func (c *comparison) discount(ctx context.Context, ids []string, want *sum) error {
	if len(ids) == 0 || !c.kept {
		return nil
	}
	found, err := c.scratch.GetMany(ctx, c.again.table, ids)
	if err != nil {
		return err
	}
	again := tally{digest: c.sums[0].digest.another(), schema: c.schema}
	for _, d := range found {
		one, err := again.of(d)
		if err != nil {
			return err
		}
		want.take(one)
	}
	return nil
}

// beyond passes over a row that a later event shaped, unless the log has no such event.
func (c *comparison) beyond(ctx context.Context, live *tables.Row) (*Mismatch, error) {
	if err := c.later(ctx, live.At); err != nil {
		return nil, err
	}
	if c.reaches.Before(live.At) {
		return c.wrong(live, live.At, "it says that an event shaped it which the log does not have"), nil
	}
	if c.passed++; c.newest.At.Before(live.At) {
		c.newest = *live
	}
	return nil, nil
}

// run walks through both and finds the first row that is not as it should be.
func (c *comparison) run(ctx context.Context) (found *Mismatch, err error) {
	for {
		live, err := c.live.head(ctx)
		if err != nil {
			return nil, err
		}
		again, err := c.again.head(ctx)
		if err != nil {
			return nil, err
		}
		switch {
		case live == nil && again == nil:
			return nil, nil
		case live == nil || again != nil && again.ID < live.ID:
			return c.wrong(again, again.At, "it is missing"), nil
		}
		c.live.step()
		twin := again
		if again != nil && again.ID == live.ID {
			c.again.step()
		} else {
			twin = nil
		}
		c.looked++
		if c.upTo.Before(live.At) {
			if wrong, err := c.beyond(ctx, live); err != nil || wrong != nil {
				return wrong, err
			}
			continue
		}
		if twin == nil {
			return c.wrong(live, live.At, "the log makes no such document"), nil
		}
		if what := unlike(live, twin); what != "" {
			return c.wrong(live, twin.At, what), nil
		}
	}
}

// ahead finds a row that is beyond where its read model stands: no event changed it meanwhile, and whoever put it there
// wants it passed over. A store without transactions writes documents first, so the checkpoint is awaited for a while.
func (c *comparison) ahead(ctx context.Context) (*Mismatch, error) {
	for range checkpointLooks {
		stands, err := c.live.store.Checkpoint(ctx, c.table)
		switch {
		case c.passed == 0: // none is
			return nil, nil
		case errors.Is(err, tables.ErrNotFound):
			if c.upTo != (events.Position{}) { // a rebuild took over
				return nil, nil
			}
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
			d, err := openReplica(r.page[i].Document)
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
