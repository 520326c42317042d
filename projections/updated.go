package projections

import (
	"context"
	"errors"
	"fmt"
	"time"

	"folio/events"
	"folio/projections/engine"
	"folio/tables"
)

// ListUpdated reads invoices in the order in which they changed last, those after a position, and says up to where
// there are no others: who goes on from there misses no change and hears of none twice. An invoice that changes during
// the walk moves to its end. Each event changes one invoice, so a position alone names a place in the order.
//
// Total counts what is left of the walk. Page's Offset, Before and OldestFirst mean nothing here.
func (r *Reader) ListUpdated(ctx context.Context, q InvoiceQuery, after events.Position) (
	out engine.List[Invoice], until events.Position, err error,
) {
	err = r.Where(ctx, Invoices, func(table string) error {
		out, until, err = r.updatedOf(ctx, table, q, after)
		return err
	})
	if errors.Is(err, tables.ErrInvalid) {
		err = engine.ErrNotBuilt // the tables that still serve are of a version without this order
	}
	if err != nil {
		return engine.List[Invoice]{}, after, fmt.Errorf("updated invoices: %w", err)
	}
	return out, until, nil
}

// updatedOf reads the checkpoint first and shows nothing beyond it: tables without transactions may show a later event
// of a batch before an earlier one, and whoever went on after the later one would miss the other.
func (r *Reader) updatedOf(ctx context.Context, table string, q InvoiceQuery, after events.Position) (
	out engine.List[Invoice], until events.Position, err error,
) {
	c, err := r.Store().Checkpoint(ctx, table)
	if errors.Is(err, tables.ErrNotFound) {
		return out, after, nil
	}
	if err != nil || !after.Before(c.At) {
		return out, after, err
	}
	filters := append(q.filters(), tables.Filter{Attribute: "updated", Op: tables.AtLeast, Value: factID(after) + "+"},
		tables.Filter{Attribute: "updated", Op: tables.AtMost, Value: factID(c.At)})
	page, err := r.Store().Page(ctx, tables.Query{Table: table, List: q.Company, Filters: filters, Sort: "updated",
		Limit: q.Page.Limit, MaxBytes: q.Page.MaxBytes, BodiesOnly: true})
	if err != nil {
		return out, after, err
	}
	out.Total, out.Cut, until = page.Total, page.Cut, c.At
	for _, d := range page.Documents {
		i, err := engine.Decode[Invoice](Invoices, d)
		if err != nil {
			return out, after, err
		}
		out.Documents, out.Last = append(out.Documents, i), i.Ordinal
	}
	if n := len(out.Documents); page.Cut || n == q.Page.Limit {
		until = out.Documents[n-1].At
	}
	return out, until, nil
}

// UpdatedSince is the position before the first event of a company that happened at a time or later; without such an
// event it is how far the read model of facts came. Clocks of several processes differ and the log's order is its own:
// an older event may follow.
func (r *Reader) UpdatedSince(ctx context.Context, company string, from time.Time) (after events.Position, err error) {
	err = r.Where(ctx, Facts, func(table string) error {
		c, err := r.Store().Checkpoint(ctx, table)
		if errors.Is(err, tables.ErrNotFound) {
			return nil
		}
		if err != nil {
			return err
		}
		page, err := r.Store().Page(ctx, tables.Query{Table: table, List: company, Limit: 1, Uncounted: true,
			Filters: []tables.Filter{{Attribute: "time", Op: tables.AtLeast, Value: from.Format(time.RFC3339Nano)}}})
		if err != nil {
			return err
		}
		after = c.At
		for _, d := range page.Documents {
			if !c.At.Before(d.At) {
				after = before(d.At)
			}
		}
		return nil
	})
	if err != nil {
		return after, fmt.Errorf("facts of %s since %s: %w", company, from, err)
	}
	return after, nil
}

// before is the greatest position below p; the beginning has none below it.
func before(p events.Position) events.Position {
	if p.Prepare == 0 {
		return events.Position{}
	}
	return events.Position{Commit: p.Commit, Prepare: p.Prepare - 1}
}
