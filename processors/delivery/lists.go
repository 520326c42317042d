package delivery

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"time"

	"folio/tables"
)

// listName is the worklist of a company's deliveries. Ids of companies are ULIDs.
func listName(company string) string { return "deliveries_" + strings.ToLower(company) }

func (p *Processor) list(company string) tables.Worklist {
	return p.Tables.Worklist(listName(company))
}

// written is a company's list in the tables, with all that was handed over of it: for what
// only they know.
func (p *Processor) written(ctx context.Context, company string) (tables.Worklist, error) {
	return p.list(company), p.writer.flush(ctx, listName(company))
}

// hold takes Processor.lists for a look at a company's list. What is still to be written
// of it is waited for before: whoever holds them waits for nobody, mostly.
func (p *Processor) hold(ctx context.Context, company string) error {
	if list := listName(company); !p.books.whole(list) {
		if err := p.writer.flush(ctx, list); err != nil {
			return err
		}
	}
	return p.lists.Acquire(ctx, 1)
}

// watched is how long a company that is being worked on stays out of the timekeeper's
// sight.
const watched = time.Minute

// nothing is the document of which nothing can be let go.
const nothing = ""

// release gives the deliveries of a document that nothing earlier holds back any more
// their own due time.
func (p *Processor) release(ctx context.Context, company, document string) error {
	items, err := p.document(ctx, company, document)
	if err != nil {
		return err
	}
	for _, it := range items {
		w, err := waitOf(it)
		if err != nil {
			return err
		}
		if own := tables.FromMicros(w.Due); it.Due.Equal(tables.Never) && own.Before(tables.Never) {
			it.Due = own
			p.draft.postpone(listName(company), it)
			p.draft.released[company] = true
		}
		if w.holds() {
			break
		}
	}
	return nil
}

// restAt is when a company without anything due has to be looked at again: Never when
// nothing of its waits for the clock. It is false when something is due already. Hold
// Processor.lists.
func (p *Processor) restAt(ctx context.Context, company string) (time.Time, bool, error) {
	next, some, known := p.books.next(listName(company))
	if !known {
		list, err := p.written(ctx, company)
		if err != nil {
			return next, false, err
		}
		if next, some, err = list.NextDue(ctx); err != nil {
			return next, false, err
		}
		p.books.forget(listName(company)) // it may be short by now
	}
	if some && !next.After(p.Clock.Now()) {
		return next, false, nil
	}
	if !some {
		next = tables.Never
	}
	return next, true, nil
}

// rests are the due times of companies that were put to rest and are not handed over
// yet. Hold Processor.lists.
func (p *Processor) rests() (out []tables.Postponement) {
	for _, company := range slices.Sorted(maps.Keys(p.resting)) {
		out = append(out, tables.Postponement{Key: company, Due: p.resting[company]})
	}
	return out
}

// restPause gathers rests. A crash meanwhile costs a look at a list that holds nothing.
const restPause = 20 * time.Millisecond

// keepRests writes the rests of companies, many at a time.
func (p *Processor) keepRests(ctx context.Context) {
	for {
		select {
		case <-p.settling:
		case <-ctx.Done():
			return
		}
		if !p.wait(ctx, restPause) || p.writeRests(ctx) != nil {
			return // ctx ended
		}
	}
}

// writeRests is over without an error unless ctx ends.
func (p *Processor) writeRests(ctx context.Context) error {
	if err := p.writer.room(ctx); err != nil {
		return err
	}
	if err := p.lists.Acquire(ctx, 1); err != nil {
		return err
	}
	defer p.lists.Release(1)
	if len(p.resting) == 0 {
		return nil
	}
	rests := tables.WorklistChange{Worklist: Name, Postpone: p.rests()}
	clear(p.resting)
	p.writer.hand(tables.Batch{Work: []tables.WorklistChange{rests}}, func() { kick(p.timing) })
	return nil
}

// keepTime wakes each company when its next delivery is due.
func (p *Processor) keepTime(ctx context.Context) {
	for ctx.Err() == nil {
		next, err := p.wakeDue(ctx)
		if err != nil && ctx.Err() == nil {
			p.Logger.Warn("due deliveries cannot be listed, trying again", "error", err)
			next = p.Clock.Now().Add(failurePause)
		}
		select {
		case <-p.Clock.At(next):
		case <-p.timing:
		case <-ctx.Done():
		}
	}
}

// longest is how long the timekeeper sleeps at most: a machine's clock may be set.
const longest = time.Hour

// dueAtOnce is how many companies are woken between two looks at the clock.
const dueAtOnce = 1000

// wakeDue wakes the companies whose next delivery is due, and says when to look again.
func (p *Processor) wakeDue(ctx context.Context) (time.Time, error) {
	now := p.Clock.Now()
	due, err := p.companies.Due(ctx, now, dueAtOnce)
	if err != nil {
		return now, err
	}
	later := make([]tables.Postponement, len(due))
	for i, c := range due {
		later[i] = tables.Postponement{Key: c.Key, Due: now.Add(watched)}
	}
	if len(due) > 0 {
		if err := p.Tables.Apply(ctx, tables.Batch{Work: []tables.WorklistChange{{Worklist: Name, Postpone: later}}}); err != nil {
			return now, err
		}
	}
	for _, c := range due {
		p.wake(c.Key)
	}
	next, some, err := p.companies.NextDue(ctx)
	if latest := now.Add(longest); err != nil || !some || next.After(latest) {
		return latest, err
	}
	return next, nil
}

// Forget starts the processor's worklists over; the log fills them again. Nobody may
// work on them meanwhile: hold the lease Name.
func Forget(ctx context.Context, store tables.Store) error {
	companies, err := store.Worklist(Name).InGroup(ctx, "", all)
	if err != nil {
		return err
	}
	var errs []error
	for _, c := range companies {
		errs = append(errs, store.Worklist(listName(c.Key)).Clear(ctx))
	}
	for _, name := range []string{causesList, replaysList, Name} {
		errs = append(errs, store.Worklist(name).Clear(ctx))
	}
	return errors.Join(append(errs, store.ResetCheckpoint(ctx, Name))...)
}

// forget empties the lists, for a log that is shorter than it was.
func (p *Processor) forget(ctx context.Context) error { return Forget(ctx, p.Tables) }
