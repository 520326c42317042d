package writebehind

import (
	"maps"
	"slices"
	"time"

	"folio/events"
	"folio/tables"
)

// layer is what changed in worklists and is not in the tables yet, the net effect for each item.
type layer struct {
	lists map[string]map[string]*entry
	order []string // of the lists
	// checkpoint is how far the log was folded with it; nil: it does not say.
	checkpoint *events.Position
}

// entry is an item as a layer leaves it.
type entry struct {
	it                   tables.Item
	put, gone, postponed bool
}

func newLayer() *layer { return &layer{lists: map[string]map[string]*entry{}} }

func (l *layer) list(name string) map[string]*entry {
	items, ok := l.lists[name]
	if !ok {
		items = map[string]*entry{}
		l.lists[name], l.order = items, append(l.order, name)
	}
	return items
}

// put follows the rules of tables.Worklist. The batch that a layer becomes may be applied again when its answer was
// lost:
// a due time, which has no guard, would then undo a put that came after it. So that put sets its due time, too.
func (l *layer) put(list string, it tables.Item) {
	items := l.list(list)
	if e, ok := items[it.Key]; !ok || e.it.At.Before(it.At) {
		items[it.Key] = &entry{it: it, put: true, postponed: ok && e.postponed}
	}
}

func (l *layer) remove(list, key string, at events.Position) {
	items := l.list(list)
	if e, ok := items[key]; !ok || !at.Before(e.it.At) {
		items[key] = &entry{it: tables.Item{Key: key, At: at}, gone: true}
	}
}

func (l *layer) postpone(list, key string, due time.Time) {
	items := l.list(list)
	e, ok := items[key]
	if !ok {
		e = &entry{it: tables.Item{Key: key}}
		items[key] = e
	}
	e.it.Due, e.postponed = due, true
}

// add makes the changes of a layer that follows.
func (l *layer) add(next *layer) {
	for _, name := range next.order {
		for key, e := range next.lists[name] {
			switch {
			case e.put:
				l.put(name, e.it)
			case e.gone:
				l.remove(name, key, e.it.At)
			}
			if e.postponed {
				l.postpone(name, key, e.it.Due)
			}
		}
	}
	if next.checkpoint != nil {
		l.checkpoint = next.checkpoint
	}
}

// size is how many items change.
func (l *layer) size() (n int) {
	for _, items := range l.lists {
		n += len(items)
	}
	return n
}

// changes are the layer as a store takes it.
func (l *layer) changes() []tables.WorklistChange {
	out := make([]tables.WorklistChange, 0, len(l.order))
	for _, name := range l.order {
		c := tables.WorklistChange{Worklist: name}
		for _, key := range slices.Sorted(maps.Keys(l.lists[name])) {
			e := l.lists[name][key]
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

// latest is the highest guard or checkpoint in the layer.
func (l *layer) latest() (at events.Position) {
	for _, items := range l.lists {
		for _, e := range items {
			if at.Before(e.it.At) {
				at = e.it.At
			}
		}
	}
	if l.checkpoint != nil && at.Before(*l.checkpoint) {
		at = *l.checkpoint
	}
	return at
}

// over is an item as the entry leaves it; it is found if the item exists.
func (e entry) over(it tables.Item, found bool) (tables.Item, bool) {
	switch {
	case e.put && (!found || it.At.Before(e.it.At)):
		return e.it, true
	case e.gone && found && !e.it.At.Before(it.At):
		return it, false
	case e.postponed && found:
		it.Due = e.it.Due
	}
	return it, found
}
