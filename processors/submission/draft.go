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

// take gives what was drafted, items in order of creation, and begins anew.
func (d *draft) take() tables.WorklistChange {
	d.mu.Lock()
	defer d.mu.Unlock()
	c := tables.WorklistChange{Worklist: Name,
		Put:    slices.SortedFunc(maps.Values(d.puts), tables.ByOrder),
		Remove: slices.Collect(maps.Values(d.removes))}
	d.puts, d.removes = nil, nil
	return c
}

// save brings the draft to the tables, and then tells the lanes of what is new there. After an error the events of the
// draft come again.
func (p *Processor) save(ctx context.Context, at events.Position) error {
	c := p.draft.take()
	var b tables.Batch
	if len(c.Put)+len(c.Remove) > 0 {
		b.Work = []tables.WorklistChange{c}
	}
	if err := p.Apply(ctx, b, at); err != nil {
		return err
	}
	for _, it := range c.Put {
		p.lanes.More(it.Group) // one invoice more ends no wait
	}
	return nil
}
