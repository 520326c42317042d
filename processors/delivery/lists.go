package delivery

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"folio/events"
	"folio/tables"
)

// listName is the worklist of a company's deliveries. Ids of companies are ULIDs.
func listName(company string) string { return "deliveries_" + strings.ToLower(company) }

func (p *Processor) list(company string) tables.Worklist {
	return p.c.Tables.Worklist(listName(company))
}

// document is what is owed about one document, in order; nothing for none.
func (p *Processor) document(ctx context.Context, company, document string) ([]tables.Item, error) {
	if document == "" {
		return nil, nil
	}
	return p.list(company).InGroup(ctx, document, maxDocument)
}

// watched is how long a company that is being worked on stays out of the timekeeper's
// sight.
const watched = time.Minute

// nothing is the document of which nothing can be let go.
const nothing = ""

// change writes a company's list and its place among the companies in one batch, lets
// go of what nothing holds back any more, and wakes the company.
func (p *Processor) change(ctx context.Context, company, document string, at events.Position, c tables.WorklistChange) error {
	p.lists.Lock()
	defer p.lists.Unlock()
	return p.changeLocked(ctx, company, at, c, document)
}

func (p *Processor) changeLocked(ctx context.Context, company string, at events.Position, c tables.WorklistChange, release string) error {
	c.Worklist = listName(company)
	due := p.c.Clock.Now().Add(watched)
	err := p.c.Tables.Apply(ctx, tables.Batch{Work: []tables.WorklistChange{
		{Worklist: Name, Put: []tables.Item{{Key: company, Due: due, At: at}}}, c}})
	if err != nil {
		return fmt.Errorf("change the deliveries of company %s: %w", company, err)
	}
	released, err := p.release(ctx, company, release)
	if err != nil {
		return err
	}
	if released {
		// The batch's guard ignores an event that is heard again, but a lane may have
		// put the company to rest between the two.
		if err := p.companies.Postpone(ctx, company, due); err != nil {
			return err
		}
	}
	p.wake(company)
	return nil
}

// release gives the deliveries of a document that nothing earlier holds back any more
// their own due time.
func (p *Processor) release(ctx context.Context, company, document string) (released bool, err error) {
	items, err := p.document(ctx, company, document)
	if err != nil {
		return false, err
	}
	for _, it := range items {
		w, err := waitOf(it)
		if err != nil {
			return released, err
		}
		if own := tables.FromMicros(w.Due); it.Due.Equal(tables.Never) && own.Before(tables.Never) {
			if err := p.list(company).Postpone(ctx, it.Key, own); err != nil {
				return released, err
			}
			released = true
		}
		if w.holds() {
			break
		}
	}
	return released, nil
}

// rest puts a company out of sight until its next delivery is due. It is false when
// something is due already.
func (p *Processor) rest(ctx context.Context, company string) (bool, error) {
	next, some, err := p.list(company).NextDue(ctx)
	if err != nil {
		return false, err
	}
	if some && !next.After(p.c.Clock.Now()) {
		return false, nil
	}
	if !some {
		next = tables.Never
	}
	return true, p.companies.Postpone(ctx, company, next)
}

// keepTime wakes each company when its next delivery is due.
func (p *Processor) keepTime(ctx context.Context) {
	for ctx.Err() == nil {
		pause, err := p.wakeDue(ctx)
		if err != nil && ctx.Err() == nil {
			p.c.Logger.Warn("due deliveries cannot be listed, trying again", "error", err)
			pause = failurePause
		}
		select {
		case <-p.c.Clock.After(pause):
		case <-p.timing:
		case <-ctx.Done():
		}
	}
}

// longest is how long the timekeeper sleeps at most: a machine's clock may be set.
const longest = time.Hour

// dueAtOnce is how many companies are woken between two looks at the clock.
const dueAtOnce = 1000

func (p *Processor) wakeDue(ctx context.Context) (time.Duration, error) {
	now := p.c.Clock.Now()
	due, err := p.companies.Due(ctx, now, dueAtOnce)
	if err != nil {
		return 0, err
	}
	for _, c := range due {
		if err := p.companies.Postpone(ctx, c.Key, now.Add(watched)); err != nil {
			return 0, err
		}
		p.wake(c.Key)
	}
	next, some, err := p.companies.NextDue(ctx)
	if err != nil || !some {
		return longest, err
	}
	return min(max(next.Sub(now), 0), longest), nil
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
func (p *Processor) forget(ctx context.Context) error { return Forget(ctx, p.c.Tables) }
