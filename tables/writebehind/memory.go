package writebehind

import (
	"slices"
	"time"

	"github.com/hashicorp/golang-lru/v2/simplelru"

	"folio/tables"
)

// memory keeps short lists whole, as they are with every change so far. Long ones are read where they are.
type memory struct {
	known *simplelru.LRU[string, *held]
	items int // in all lists
}

// held is one list; nil items say that it is too long.
type held struct {
	items map[string]tables.Item
	asked int // how often a long list was asked for its next due time
}

// askedAnew is after how many such questions a long list is looked at anew: it may be short by then.
const askedAnew = 4

// The bounds of memory: an item takes some hundred bytes.
const (
	keptLists = 20_000
	longList  = 128
	keptItems = 100_000 // in all
)

func newMemory() memory {
	m := memory{}
	known, err := simplelru.NewLRU(keptLists, func(string, *held) {})
	if err != nil {
		panic(err) // only for a size below 1
	}
	m.known = known
	return m
}

func (m *memory) forget(list string) {
	if h, ok := m.known.Peek(list); ok {
		m.items -= len(h.items)
		m.known.Remove(list)
	}
}

// learn keeps a list in memory. Of one that is too long to keep it remembers only that.
func (m *memory) learn(list string, items []tables.Item) {
	m.forget(list)
	h := &held{}
	if len(items) <= longList && m.items+len(items) <= keptItems {
		h.items = make(map[string]tables.Item, len(items))
		for _, it := range items {
			h.items[it.Key] = it
		}
	}
	if m.known.Len() == keptLists {
		if _, oldest, ok := m.known.RemoveOldest(); ok {
			m.items -= len(oldest.items)
		}
	}
	m.items += len(h.items)
	m.known.Add(list, h)
}

// change makes a change of one item, if the list is held.
func (m *memory) change(list string, key string, e entry) {
	h, ok := m.known.Peek(list)
	if !ok || h.items == nil {
		return
	}
	before := len(h.items)
	it, found := h.items[key]
	if it, found = e.over(it, found); found {
		h.items[key] = it
	} else {
		delete(h.items, key)
	}
	m.items += len(h.items) - before
	if len(h.items) > longList || m.items > keptItems {
		m.items -= len(h.items)
		h.items = nil
	}
}

// whole is a list that is held.
func (m *memory) whole(list string) (map[string]tables.Item, bool) {
	h, ok := m.known.Get(list)
	return h.orNil(), ok && h.items != nil
}

func (h *held) orNil() map[string]tables.Item {
	if h == nil {
		return nil
	}
	return h.items
}

// query is which items of a list are wanted, and in which order.
type query struct {
	of func(tables.Item) bool
	// never says that an item with such a due time is not wanted, whatever else it is; may be nil.
	never func(due time.Time) bool
	order func(a, b tables.Item) int
	limit int
}

// pick gives the items that a query wants.
func (q query) pick(items []tables.Item) []tables.Item {
	items = slices.DeleteFunc(items, func(it tables.Item) bool { return !q.of(it) })
	slices.SortFunc(items, q.order)
	return items[:min(len(items), max(q.limit, 0))]
}
