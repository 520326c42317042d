package submission

import (
	"context"
	"fmt"

	"golang.org/x/sync/errgroup"

	"folio/commands/invoice"
	"folio/commands/numbering"
	"folio/tables"
	"folio/waiting"
)

// queue is the head of the worklist, in order of creation, with each invoice as the
// log knows it now. Those that are in an open submission have left the queue, and one that
// is final already leaves the list. It is empty when an invoice came to the waiting room since this turn looked there:
// a later one may be in the queue, and the next turn moves the earlier one first. More says that others are behind it.
func (t *turn) queue(ctx context.Context, state numbering.State, limit int) (_ []invoice.Full, more bool, _ error) {
	items, _, err := t.queued(ctx, state, limit+1)
	if err != nil {
		return nil, false, err
	}
	if more = len(items) > limit; more {
		items = items[:limit]
	}
	if late, err := t.List.InGroup(ctx, waiting.Unassigned(companyOf(t.series)), 1); err != nil || len(late) > 0 {
		return nil, false, err
	}
	ids := make([]string, len(items))
	for i, it := range items {
		ids[i] = it.Key
	}
	states, err := t.loadAll(ctx, ids)
	if err != nil {
		return nil, false, err
	}
	queue := states[:0]
	for i, s := range states {
		if !final(s.Status) {
			queue = append(queue, s)
		} else if err := t.List.Remove(ctx, ids[i], items[i].At); err != nil {
			return nil, false, err
		}
	}
	return queue, more, nil
}

// queued are the first items of the worklist that are in no open submission. Those behind an invoice on its move to a
// contingency point wait until the move has ended, and moving is that point: if the invoice comes back, it may be dated
// before one that the authority would have by then, and ARCA takes the dates of a series in their order only (10016).
func (t *turn) queued(ctx context.Context, state numbering.State,
	limit int) (out []tables.Item, moving int, err error) {
	skip := len(state.Withdrawn)
	open := map[string]bool{}
	for _, o := range state.Open {
		skip += len(o.Invoices)
		for _, id := range o.Invoices {
			open[id] = true
		}
	}
	items, err := t.List.InGroup(ctx, t.series, limit+skip)
	for _, it := range items {
		if len(out) == limit {
			break
		}
		if point := state.WithdrawnTo(it.Key); point != 0 {
			s, err := t.load(ctx, it.Key)
			if err != nil {
				return nil, 0, err
			}
			if !final(s.Status) {
				return out, point, nil
			}
			continue
		}
		if !open[it.Key] {
			out = append(out, it)
		}
	}
	return out, 0, err
}

func final(s invoice.Status) bool { return s == invoice.Accepted || s == invoice.Rejected }

func (t *turn) load(ctx context.Context, id string) (invoice.State, error) {
	s, _, err := t.log.Invoices.Load(ctx, id)
	return s, known(id, s, err)
}

func (t *turn) loadFull(ctx context.Context, id string) (invoice.Full, error) {
	s, _, err := t.log.Documents.Load(ctx, id)
	return s, known(id, s.State, err)
}

func known(id string, s invoice.State, err error) error {
	if err == nil && s.Status == invoice.None {
		return fmt.Errorf("invoice %s is on the worklist but not in the log", id)
	}
	return err
}

func (t *turn) loadAll(ctx context.Context, ids []string) ([]invoice.Full, error) {
	states := make([]invoice.Full, len(ids))
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(parallel)
	for i, id := range ids {
		g.Go(func() (err error) {
			states[i], err = t.loadFull(ctx, id)
			return err
		})
	}
	return states, g.Wait()
}
