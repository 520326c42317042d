package writebehind

import (
	"context"
	"errors"
	"math"
	"slices"
	"time"

	"folio/events"
	"folio/tables"
)

// worklist is one list through the cache; the embedded one is that of the tables.
type worklist struct {
	tables.Worklist
	c    *Cache
	name string
}

// kept is an item as every store keeps it.
func kept(it tables.Item) tables.Item {
	it.Due = tables.FromMicros(tables.Micros(it.Due))
	return it
}

// Put implements tables.Worklist.
func (w worklist) Put(ctx context.Context, items ...tables.Item) error {
	if err := w.c.begun(); err != nil {
		return err
	}
	if err := (tables.WorklistChange{Worklist: w.name, Put: items}).Validate(); err != nil {
		return err
	}
	for _, it := range items {
		if !w.put(kept(it)) {
			if err := w.putBehind(ctx, it); err != nil {
				return err
			}
		}
	}
	return nil
}

// put is false when only the tables know whether the item is older than something that was removed.
func (w worklist) put(it tables.Item) bool {
	w.c.mu.Lock()
	defer w.c.mu.Unlock()
	known := false
	for _, l := range w.c.layers() {
		if e, ok := l.lists[w.name][it.Key]; ok && (e.put || e.gone) {
			if known = true; !e.it.At.Before(it.At) {
				return true // it is the older one
			}
		}
	}
	if !known && !w.c.written.Before(it.At) {
		return false
	}
	w.c.open.put(w.name, it)
	w.changed(it.Key)
	return true
}

// putBehind puts an item that may be older than what the tables had: it waits for them.
func (w worklist) putBehind(ctx context.Context, it tables.Item) error {
	if err := w.c.flush(ctx, w.name); err != nil {
		return err
	}
	defer w.c.changed(it.At, w.name)
	return w.Worklist.Put(ctx, it)
}

// changed brings a change that is open into memory. It is called with mu held.
func (w worklist) changed(key string) {
	w.c.versions[w.name]++
	w.c.memory.change(w.name, key, *w.c.open.lists[w.name][key])
}

// Remove implements tables.Worklist.
func (w worklist) Remove(_ context.Context, key string, at events.Position) error {
	if err := w.c.begun(); err != nil {
		return err
	}
	err := (tables.WorklistChange{Worklist: w.name, Remove: []tables.Removal{{Key: key, At: at}}}).Validate()
	if err != nil {
		return err
	}
	w.c.mu.Lock()
	defer w.c.mu.Unlock()
	for _, l := range w.c.layers() {
		if e, ok := l.lists[w.name][key]; ok && at.Before(e.it.At) {
			return nil
		}
	}
	w.c.open.remove(w.name, key, at)
	w.changed(key)
	return nil
}

// Postpone implements tables.Worklist.
func (w worklist) Postpone(_ context.Context, key string, due time.Time) error {
	if err := w.c.begun(); err != nil {
		return err
	}
	if err := tables.CheckName("worklist", w.name); err != nil {
		return err
	}
	w.c.mu.Lock()
	defer w.c.mu.Unlock()
	w.c.open.postpone(w.name, key, tables.FromMicros(tables.Micros(due)))
	w.changed(key)
	return nil
}

// Get implements tables.Worklist.
func (w worklist) Get(ctx context.Context, key string) (tables.Item, error) {
	if err := w.c.begun(); err != nil {
		return tables.Item{}, err
	}
	if items, ok := w.whole(ctx); ok {
		it, found := items[key]
		w.c.mu.Unlock()
		if !found {
			return tables.Item{}, tables.ErrNotFound
		}
		return it, nil
	}
	return w.over(ctx, key, w.changes()[key])
}

// over is an item of the tables with changes. One that begins with a put or a removal needs no look at the tables: see
// Cache.written.
func (w worklist) over(ctx context.Context, key string, changes []entry) (it tables.Item, err error) {
	found := false
	if len(changes) == 0 || !changes[0].put && !changes[0].gone {
		it, err = w.Worklist.Get(ctx, key)
		if err != nil && !errors.Is(err, tables.ErrNotFound) {
			return it, err
		}
		found = err == nil
	}
	for _, e := range changes {
		it, found = e.over(it, found)
	}
	if !found {
		return tables.Item{}, tables.ErrNotFound
	}
	return it, nil
}

// Due implements tables.Worklist.
func (w worklist) Due(ctx context.Context, now time.Time, limit int) ([]tables.Item, error) {
	due := dueBy(now)
	q := query{of: due, order: tables.ByDue, limit: limit,
		never: func(at time.Time) bool { return !due(tables.Item{Due: at}) }}
	return w.read(ctx, q, func(limit int) ([]tables.Item, error) {
		return w.Worklist.Due(ctx, now, limit)
	})
}

func dueBy(now time.Time) func(tables.Item) bool {
	return func(it tables.Item) bool { return !it.Due.After(now) && it.Due.Before(tables.Never) }
}

// InGroup implements tables.Worklist.
func (w worklist) InGroup(ctx context.Context, group string, limit int) ([]tables.Item, error) {
	q := query{of: func(it tables.Item) bool { return it.Group == group }, order: tables.ByOrder, limit: limit}
	return w.read(ctx, q, func(limit int) ([]tables.Item, error) { return w.Worklist.InGroup(ctx, group, limit) })
}

// All implements tables.Worklist.
func (w worklist) All(ctx context.Context, limit int) ([]tables.Item, error) {
	q := query{of: func(tables.Item) bool { return true }, order: byKey, limit: limit}
	return w.read(ctx, q, func(limit int) ([]tables.Item, error) { return w.Worklist.All(ctx, limit) })
}

// Groups implements tables.Worklist.
func (w worklist) Groups(ctx context.Context, now time.Time, limit int) (out []string, err error) {
	items, err := w.Due(ctx, now, math.MaxInt32)
	for _, it := range items {
		if len(out) < limit && !slices.Contains(out, it.Group) {
			out = append(out, it.Group)
		}
	}
	return out, err
}

// NextDue implements tables.Worklist. A list that was long may be short by now: it is looked at anew.
func (w worklist) NextDue(ctx context.Context) (time.Time, bool, error) {
	items, err := w.Due(ctx, tables.Never, 1)
	if err != nil || len(items) == 0 {
		return time.Time{}, false, err
	}
	w.c.mu.Lock()
	defer w.c.mu.Unlock()
	if h, ok := w.c.memory.known.Peek(w.name); ok && h.items == nil {
		if h.asked++; h.asked == askedAnew {
			w.c.memory.forget(w.name)
		}
	}
	return items[0].Due, true, nil
}

// Count implements tables.Worklist.
func (w worklist) Count(ctx context.Context) (int64, error) {
	if err := w.c.begun(); err != nil {
		return 0, err
	}
	if items, ok := w.whole(ctx); ok {
		defer w.c.mu.Unlock()
		return int64(len(items)), nil
	}
	if err := w.c.flush(ctx, w.name); err != nil {
		return 0, err
	}
	return w.Worklist.Count(ctx)
}

// PruneBefore implements tables.Worklist.
func (w worklist) PruneBefore(ctx context.Context, p events.Position) (int64, error) {
	if err := w.c.flush(ctx, w.name); err != nil {
		return 0, err
	}
	return w.Worklist.PruneBefore(ctx, p)
}

// Clear implements tables.Worklist.
func (w worklist) Clear(ctx context.Context) error {
	if err := w.c.flush(ctx, w.name); err != nil {
		return err
	}
	defer w.c.changed(events.Position{}, w.name)
	return w.Worklist.Clear(ctx)
}

func byKey(a, b tables.Item) int {
	return tables.ByOrder(tables.Item{Key: a.Key}, tables.Item{Key: b.Key})
}

// read gives the items of a query: from memory, or from the tables with what they lack. Fetch reads so many there.
func (w worklist) read(ctx context.Context, q query, fetch func(limit int) ([]tables.Item, error)) ([]tables.Item,
	error) {
	if err := w.c.begun(); err != nil {
		return nil, err
	}
	if items, ok := w.whole(ctx); ok {
		out := make([]tables.Item, 0, len(items))
		for _, it := range items {
			out = append(out, it)
		}
		w.c.mu.Unlock()
		return q.pick(out), nil
	}
	changes := w.changes()
	limit := max(q.limit, 0)
	if limit > 0 {
		limit += len(changes) // as many of the first ones may be gone
	}
	stored, err := fetch(limit)
	if err != nil || len(changes) == 0 {
		return stored, err
	}
	out := make([]tables.Item, 0, len(stored)+len(changes))
	for _, it := range stored {
		found := true
		for _, e := range changes[it.Key] {
			it, found = e.over(it, found)
		}
		delete(changes, it.Key)
		if found {
			out = append(out, it)
		}
	}
	for key, es := range changes {
		if last := es[len(es)-1]; q.never != nil && last.postponed && q.never(last.it.Due) {
			continue
		}
		it, err := w.over(ctx, key, es)
		if errors.Is(err, tables.ErrNotFound) {
			continue
		}
		if err != nil {
			return nil, err
		}
		out = append(out, it)
	}
	return q.pick(out), nil
}

// changes are what the tables lack of the list, by key, the oldest first. They are taken before the tables are read:
// what is written in between is made twice, which changes nothing.
func (w worklist) changes() map[string][]entry {
	w.c.mu.Lock()
	defer w.c.mu.Unlock()
	return w.lacking()
}

func (w worklist) lacking() map[string][]entry {
	out := map[string][]entry{}
	for _, l := range w.c.layers() {
		for key, e := range l.lists[w.name] {
			out[key] = append(out[key], *e)
		}
	}
	return out
}

// whole is the list as it is held in memory, after it was read there unless it is long. When it is held, mu is, too.
func (w worklist) whole(ctx context.Context) (map[string]tables.Item, bool) {
	w.c.mu.Lock()
	if items, ok := w.c.memory.whole(w.name); ok {
		return items, true
	}
	known, version := w.c.memory.known.Contains(w.name), w.c.versions[w.name]
	w.c.mu.Unlock()
	if known {
		return nil, false
	}
	stored, err := w.Worklist.All(ctx, longList+1)
	if err != nil {
		return nil, false // whoever reads the tables next hears of it
	}
	w.c.mu.Lock()
	if w.c.versions[w.name] != version {
		w.c.mu.Unlock() // it was changed, or written, meanwhile
		return nil, false
	}
	w.c.memory.learn(w.name, stored)
	for key, es := range w.lacking() {
		for _, e := range es {
			w.c.memory.change(w.name, key, e)
		}
	}
	if items, ok := w.c.memory.whole(w.name); ok {
		return items, true
	}
	w.c.mu.Unlock()
	return nil, false
}
