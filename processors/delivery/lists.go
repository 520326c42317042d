package delivery

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"folio/commands/webhook"
	"folio/events"
	"folio/processors/lanes"
	"folio/processors/reactor"
	"folio/tables"
)

// listName is the worklist of a company's deliveries. Ids of companies are ULIDs.
func listName(company string) string { return "deliveries_" + strings.ToLower(company) }

func (p *Processor) list(company string) tables.Worklist { return p.cache.Worklist(listName(company)) }

// watched is how long a company that is being worked on stays out of the timekeeper's
// sight.
const watched = time.Minute

// batch is what the feed folded since its last checkpoint and has yet to tell the lanes. It belongs to the feed.
type batch struct {
	companies map[string]events.Position // that have news, with the last of it
	released  map[string]bool            // of them, those whose item may have that guard already
	heard     []heard
	causes    bool
}

// heard is a delivery that a lane may be waiting to hear of.
type heard struct{ company, id string }

func newBatch() *batch {
	return &batch{companies: map[string]events.Position{}, released: map[string]bool{}}
}

// news notes that a company's lane has something to look at. A name that the tables would refuse is refused here,
// at its event, so that only the event's stream is held. Refused later, it would fail every checkpoint, and nobody's
// deliveries would go on.
func (b *batch) news(company string, at events.Position) error {
	item := tables.Item{Key: company, At: at}
	if err := (tables.WorklistChange{Worklist: Name, Put: []tables.Item{item}}).Validate(); err != nil {
		return fmt.Errorf("the event's company: %w", err)
	}
	b.companies[company] = at
	return nil
}

// save hands the changed lists over with the checkpoint, and wakes the lanes that have work now. The lists are ahead of
// the tables until those are written. Calls do not wait for that, because the facts are in the log already.
func (p *Processor) save(ctx context.Context, at events.Position) error {
	b := p.batch
	p.batch = newBatch()
	if err := p.watch(ctx, b); err != nil {
		return err
	}
	if err := p.cache.Save(ctx, at); err != nil {
		return err
	}
	p.heardTo.Store(&at)
	if b.causes {
		p.chores.Wake(scheduling)
	}
	p.tell(b)
	return nil
}

// tell lets the lanes know of a batch, those with fast receivers first: the slow ones' calls cost them time.
func (p *Processor) tell(b *batch) {
	for _, h := range b.heard {
		p.heard(h.company, h.id)
	}
	for _, slow := range []bool{false, true} {
		for _, company := range slices.Sorted(maps.Keys(b.companies)) {
			if p.connections.slowpoke(company) == slow {
				p.lanes.Wake(company)
			}
		}
	}
}

// watch puts the companies with news among those that are worked on: should this process die, the next one looks at
// their lists.
func (p *Processor) watch(ctx context.Context, b *batch) error {
	p.resting.Lock()
	defer p.resting.Unlock()
	due := p.Clock.Now().Add(watched)
	for _, company := range slices.Sorted(maps.Keys(b.companies)) {
		if err := p.List.Put(ctx, tables.Item{Key: company, Due: due, At: b.companies[company]}); err != nil {
			return err
		}
		if !b.released[company] {
			continue
		}
		// The guard ignores an event that is heard again, but a lane may have put the company to rest in between.
		if err := p.List.Postpone(ctx, company, due); err != nil {
			return err
		}
	}
	return nil
}

// rest puts a company out of sight until its next delivery is due; false when one is due already. News of the company
// come after its list was changed (watch), so either they are on the list by now or they undo this.
func (p *Processor) rest(ctx context.Context, company string) (bool, error) {
	p.resting.Lock()
	defer p.resting.Unlock()
	sub, err := p.subs.now(ctx, company)
	if err != nil {
		return false, err
	}
	until := tables.Never
	if sub.Status != webhook.Paused { // the change of its subscription wakes it
		next, some, err := p.list(company).NextDue(ctx)
		if err != nil || some && !next.After(p.Clock.Now()) {
			return false, err
		}
		if some {
			until = next
		}
	}
	p.chores.Wake(settling)
	return true, p.List.Postpone(ctx, company, until)
}

// settlePause gathers changes that no checkpoint brings to the tables. A crash meanwhile costs a look at a list that
// holds nothing.
const settlePause = 20 * time.Millisecond

// settle brings them there.
func (p *Processor) settle(ctx context.Context) lanes.Next {
	if p.sleep(ctx, settlePause) {
		p.cache.Seal()
		p.chores.Wake(timing)
	}
	return lanes.Asleep()
}

// dueAtOnce is how many companies are woken between two looks at the clock.
const dueAtOnce = 1000

// keepTime wakes each company when its next delivery is due.
func (p *Processor) keepTime(ctx context.Context) lanes.Next {
	due, err := p.List.Due(ctx, p.Clock.Now(), dueAtOnce)
	if err != nil {
		return lanes.Failed(err)
	}
	p.resting.Lock()
	for _, c := range due {
		err = errors.Join(err, p.List.Postpone(ctx, c.Key, p.Clock.Now().Add(watched)))
	}
	p.resting.Unlock()
	for _, c := range due {
		p.lanes.Wake(c.Key)
	}
	if err != nil {
		return lanes.Failed(err)
	}
	return reactor.NextDue(ctx, p.List)
}

// prune forgets the traces of a list that the feed can no longer bring back.
func (p *Processor) prune(ctx context.Context, list tables.Worklist) error {
	_, err := list.PruneBefore(ctx, p.cache.Saved())
	return err
}

// all is more companies or replays than there will ever be.
const all = 10_000_000

// forget starts the processor's worklists over; the log fills them again. The list of companies goes last: a crash
// before that is made good by the next try.
func (p *Processor) forget(ctx context.Context) error {
	companies, err := p.Tables.Worklist(Name).All(ctx, all)
	if err != nil {
		return err
	}
	var errs []error
	for _, c := range companies {
		errs = append(errs, p.Tables.Worklist(listName(c.Key)).Clear(ctx))
	}
	for _, name := range []string{causesList, replaysList} {
		errs = append(errs, p.Tables.Worklist(name).Clear(ctx))
	}
	if err := errors.Join(errs...); err != nil {
		return err
	}
	return p.Tables.Worklist(Name).Clear(ctx)
}
