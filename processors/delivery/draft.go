package delivery

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"folio/events"
	"folio/tables"
)

// draft is what a batch of the feed changes in the worklists. It is written in one go
// with the checkpoint: one transaction for hundreds of events. Until it is handed over
// the feed's own reads look through it, and lanes see the lists as they were. It belongs
// to the feed's goroutine.
type draft struct {
	lists     map[string]map[string]*drafted // by worklist, by key
	order     []string                       // of the worklists
	companies map[string]events.Position     // that have news, with the last of it
	released  map[string]bool                // of them, those whose item may have that guard already
	keyless   bool                           // an item without a key was left out
	heard     []taken
	causes    bool
}

// drafted is an item as the draft leaves it.
type drafted struct {
	it                   tables.Item
	put, gone, postponed bool
}

// taken is a delivery that a lane may be waiting to hear of.
type taken struct{ company, id string }

func newDraft() *draft {
	return &draft{lists: map[string]map[string]*drafted{}, companies: map[string]events.Position{}, released: map[string]bool{}}
}

func (d *draft) list(name string) map[string]*drafted {
	items, ok := d.lists[name]
	if !ok {
		items = map[string]*drafted{}
		d.lists[name], d.order = items, append(d.order, name)
	}
	return items
}

// put and remove follow the rules of tables.Worklist. An item without a key is left out, and
// fault tells of it.
func (d *draft) put(list string, it tables.Item) {
	if it.Key == "" {
		d.keyless = true
		return
	}
	items := d.list(list)
	if e, ok := items[it.Key]; !ok || e.it.At.Before(it.At) {
		items[it.Key] = &drafted{it: it, put: true}
	}
}

func (d *draft) remove(list, key string, at events.Position) {
	if key == "" {
		d.keyless = true
		return
	}
	items := d.list(list)
	if e, ok := items[key]; !ok || !at.Before(e.it.At) {
		items[key] = &drafted{it: tables.Item{Key: key, At: at}, gone: true}
	}
}

// fault is why the event folded last cannot be kept. The tables would refuse the whole draft
// each time that it is written, and every company's deliveries with it.
func (d *draft) fault() error {
	if !d.keyless {
		return nil
	}
	d.keyless = false
	return fmt.Errorf("the event names no delivery: %w", tables.ErrInvalid)
}

// postpone gives an item, as it was read, the due time that it holds now.
func (d *draft) postpone(list string, it tables.Item) {
	items := d.list(list)
	e, ok := items[it.Key]
	if !ok {
		e = &drafted{}
		items[it.Key] = e
	}
	e.it, e.postponed = it, true
}

// add makes a change that follows what the draft has. The due time of the last change of an
// item is its due time, whether the guard lets the change through or not.
func (d *draft) add(c tables.WorklistChange) {
	items := d.list(c.Worklist)
	for _, it := range c.Put {
		e := items[it.Key]
		d.put(c.Worklist, it)
		if e != nil && e.postponed {
			d.postpone(c.Worklist, items[it.Key].it)
		}
	}
	for _, r := range c.Remove {
		d.remove(c.Worklist, r.Key, r.At)
	}
	for _, p := range c.Postpone {
		it := tables.Item{Key: p.Key}
		if e := items[p.Key]; e != nil {
			it = e.it
		}
		it.Due = p.Due
		d.postpone(c.Worklist, it)
	}
}

// news of a company: its lane has something to look at.
func (d *draft) news(company string, at events.Position) { d.companies[company] = at }

// changes are the draft as a store takes it.
func (d *draft) changes() []tables.WorklistChange {
	out := make([]tables.WorklistChange, 0, len(d.order)+1)
	for _, name := range d.order {
		c := tables.WorklistChange{Worklist: name}
		for _, key := range slices.Sorted(maps.Keys(d.lists[name])) {
			e := d.lists[name][key]
			if e.put {
				c.Put = append(c.Put, e.it)
			}
			if e.gone {
				c.Remove = append(c.Remove, tables.Removal{Key: key, At: e.it.At})
			}
			if e.postponed {
				c.Postpone = append(c.Postpone, tables.Postponement{Key: key, Due: e.it.Due})
			}
		}
		out = append(out, c)
	}
	return out
}

// save hands the draft and the checkpoint to the writer, and wakes whoever has work now.
// Lists that are in memory are ahead of the tables until it has written: what is due
// there is in the log already, and goes out without waiting for it. The error is ctx's.
func (p *Processor) save(ctx context.Context, at events.Position) error {
	checkpoint := tables.Checkpoint{Name: Name, At: at}
	if err := p.writer.room(ctx); err != nil {
		return err
	}
	if err := p.lists.Acquire(ctx, 1); err != nil {
		return err
	}
	defer p.lists.Release(1)
	d := p.draft
	p.draft = newDraft()
	changes := d.changes()
	for _, c := range changes {
		p.books.apply(c)
	}
	later := p.tell(d)
	rested := len(p.resting) > 0
	work := append([]tables.WorklistChange{p.places(d)}, changes...)
	clear(p.resting)
	p.writer.hand(tables.Batch{Work: work, Checkpoint: &checkpoint}, func() {
		p.heardTo.Store(&checkpoint.At)
		if d.causes {
			kick(p.scheduling)
		}
		if rested {
			kick(p.timing)
		}
		later()
	})
	return nil
}

// tell lets lanes know of the draft: those whose lists are in memory now, the others
// once it is written.
func (p *Processor) tell(d *draft) (later func()) {
	inMemory := make(map[string]bool, len(d.companies))
	for company := range d.companies {
		inMemory[company] = p.books.whole(listName(company))
	}
	p.news(d, inMemory, true)
	return func() { p.news(d, inMemory, false) }
}

// news says what of a draft was heard and whose lists changed, to fast receivers' companies
// first: the slow ones' calls cost them time.
func (p *Processor) news(d *draft, inMemory map[string]bool, now bool) {
	for _, t := range d.heard {
		if inMemory[t.company] == now {
			p.heard(t.company, t.id)
		}
	}
	for _, slow := range []bool{false, true} {
		for _, company := range slices.Sorted(maps.Keys(d.companies)) {
			if p.gate.slowpoke(company) == slow && inMemory[company] == now {
				p.wake(company)
			}
		}
	}
}

// places puts the companies with news, and those that rest, among the companies. Hold
// Processor.lists.
func (p *Processor) places(d *draft) tables.WorklistChange {
	due := p.Clock.Now().Add(watched)
	out := tables.WorklistChange{Worklist: Name}
	for _, company := range slices.Sorted(maps.Keys(d.companies)) {
		out.Put = append(out.Put, tables.Item{Key: company, Due: due, At: d.companies[company]})
		if d.released[company] {
			// The guard ignores an event that is heard again, but a lane may have put the
			// company to rest in between.
			out.Postpone = append(out.Postpone, tables.Postponement{Key: company, Due: due})
		}
		delete(p.resting, company)
	}
	out.Postpone = append(out.Postpone, p.rests()...)
	return out
}

// document is what is owed about one document, in order; nothing for none.
func (p *Processor) document(ctx context.Context, company, document string) ([]tables.Item, error) {
	if document == "" {
		return nil, nil
	}
	list := listName(company)
	held, known := p.books.group(list, document)
	if !known {
		written, err := p.written(ctx, company)
		if err != nil {
			return nil, err
		}
		if held, err = written.InGroup(ctx, document, maxDocument); err != nil {
			return nil, err
		}
	}
	return p.draft.over(list, held, func(it tables.Item) bool { return it.Group == document }), nil
}

// over is what is held of a list as the draft leaves it, with what it adds that belongs
// there, in order.
func (d *draft) over(list string, held []tables.Item, belongs func(tables.Item) bool) []tables.Item {
	changed := d.lists[list]
	if len(changed) == 0 {
		return held
	}
	out, seen := make([]tables.Item, 0, len(held)), map[string]bool{}
	for _, it := range held {
		seen[it.Key] = true
		switch e, ok := changed[it.Key]; {
		case !ok || e.it.At.Before(it.At):
			out = append(out, it)
		case !e.gone:
			out = append(out, e.it)
		}
	}
	for key, e := range changed {
		if !seen[key] && !e.gone && belongs(e.it) {
			out = append(out, e.it)
		}
	}
	slices.SortFunc(out, byOrder)
	return out
}

// item is a delivery as the draft leaves it; ErrNotFound when it waits no more.
func (p *Processor) item(ctx context.Context, company, id string) (tables.Item, error) {
	list := listName(company)
	if e, ok := p.draft.lists[list][id]; ok {
		if e.gone {
			return tables.Item{}, tables.ErrNotFound
		}
		return e.it, nil
	}
	return p.listed(ctx, company, id)
}

// listed is a delivery as the list has it.
func (p *Processor) listed(ctx context.Context, company, id string) (tables.Item, error) {
	if it, found, known := p.books.get(listName(company), id); known {
		if !found {
			return it, tables.ErrNotFound
		}
		return it, nil
	}
	list, err := p.written(ctx, company)
	if err != nil {
		return tables.Item{}, err
	}
	it, err := list.Get(ctx, id)
	if err != nil && !errors.Is(err, tables.ErrNotFound) {
		return it, fmt.Errorf("look for delivery %s: %w", id, err)
	}
	return it, err
}
