package submission

import (
	"context"
	"maps"
	"slices"
	"sync"

	"folio/events"
	"folio/tables"
)

// draft is what the feed made of the events that were at hand. It goes to the tables in one transaction with the
// checkpoint that it stands for, because a transaction for each event costs more than all that is in it. What a crash
// loses of it is heard again. An event that comes twice changes nothing, in the draft as in the tables.
type draft struct {
	mu      sync.Mutex
	puts    map[string]tables.Item
	removes map[string]tables.Removal
}

// put refuses at its event what the tables would refuse with the whole draft, so that only the event's stream is held.
func (d *draft) put(it tables.Item) error {
	if err := (tables.WorklistChange{Worklist: Name, Put: []tables.Item{it}}).Validate(); err != nil {
		return err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.puts == nil {
		d.puts = map[string]tables.Item{}
	}
	d.puts[it.Key] = it
	return nil
}

// remove is put of a removal. An item that is put in the same draft came before.
func (d *draft) remove(r tables.Removal) error {
	if err := (tables.WorklistChange{Worklist: Name, Remove: []tables.Removal{r}}).Validate(); err != nil {
		return err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.removes == nil {
		d.removes = map[string]tables.Removal{}
	}
	d.removes[r.Key] = r
	return nil
}

// find is an item that the tables may not have yet.
func (d *draft) find(key string) (tables.Item, bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	it, ok := d.puts[key]
	return it, ok
}

// change is what was drafted, items in order of creation.
func (d *draft) change() tables.WorklistChange {
	d.mu.Lock()
	defer d.mu.Unlock()
	return tables.WorklistChange{Worklist: Name,
		Put:    slices.SortedFunc(maps.Values(d.puts), tables.ByOrder),
		Remove: slices.Collect(maps.Values(d.removes))}
}

// clear begins anew: what was drafted is in the tables, or will be heard again.
func (d *draft) clear() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.puts, d.removes = nil, nil
}

// write brings the draft to the tables by apply, and then tells the lanes of what is new there. After an error all of
// it stays drafted: what the quarantine set free is not heard again, and what is comes to the same.
func (p *Processor) write(apply func(tables.Batch) error) error {
	c := p.draft.change()
	var b tables.Batch
	if len(c.Put)+len(c.Remove) > 0 {
		b.Work = []tables.WorklistChange{c}
	}
	if err := apply(b); err != nil {
		return err
	}
	p.draft.clear()
	for _, it := range c.Put {
		p.lanes.More(it.Group) // one invoice more ends no wait
	}
	return nil
}

// save writes the draft together with the checkpoint that it stands for.
func (p *Processor) save(ctx context.Context, at events.Position) error {
	return p.write(func(b tables.Batch) error { return p.Apply(ctx, b, at) })
}
