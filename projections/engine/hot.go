package engine

import (
	"strconv"

	"folio/cache"
)

// Hot keeps what readers make of the documents of one projection, up to a number of bytes. It does so only in the
// process that folds the projection, and while that writes the documents that are read: there each change is
// forgotten before anybody is told that the projection came so far. In other processes it keeps nothing.
type Hot[V any] struct {
	heat   *heat
	values *cache.Cache[V]
	places *cache.Cache[string] // ids by list and ordinal, which never change
	totals *cache.Cache[int64]
}

// A place takes some 200 bytes, what is made of a document some 2,000.
const (
	placesShare = 10
	totalsShare = 50
)

// NewHot keeps up to limit bytes of values, whose size is known to size. Without a runner nothing is ever kept.
func NewHot[V any](r *Runner, p Projection, limit int, size func(V) int) (*Hot[V], error) {
	h := &Hot[V]{heat: &heat{}, values: cache.New(limit, size),
		places: cache.New(limit/placesShare, func(id string) int { return len(id) }),
		totals: cache.New(limit/totalsShare, func(int64) int { return 8 })}
	if r == nil {
		return h, nil
	}
	w, err := r.worker(p.name)
	if err != nil {
		return nil, err
	}
	h.heat = &w.heat
	h.heat.mu.Lock()
	defer h.heat.mu.Unlock()
	h.heat.kept = append(h.heat.kept, h)
	return h, nil
}

// Get is what was kept of a document.
func (h *Hot[V]) Get(id string) (v V, ok bool) {
	if !h.heat.live.Load() {
		return v, false
	}
	return h.values.Get(id)
}

// Page is what was kept of a page of a list, newest first: all of it and the length of the list, or nothing.
func (h *Hot[V]) Page(list string, page Page) (values []V, total int64, ok bool) {
	if !h.heat.live.Load() {
		return nil, 0, false
	}
	if total, ok = h.totals.Get(list); !ok {
		return nil, 0, false
	}
	from, to := page.query(list).Ordinals(total)
	for n := to; n >= from; n-- {
		id, ok := h.places.Get(placeOf(list, n))
		if !ok {
			return nil, 0, false
		}
		v, ok := h.values.Get(id)
		if !ok {
			return nil, 0, false
		}
		values = append(values, v)
	}
	return values, total, true
}

// Mark is to be taken before a document is read of which something is to be kept.
func (h *Hot[V]) Mark() Mark { return h.heat.mark() }

// Keep keeps what was made of a document that was read after the mark, unless it changed meanwhile. The ordinal in its
// list is 0 where it is not known.
func (h *Hot[V]) Keep(m Mark, id, list string, ordinal int64, v V) {
	h.heat.since(m, id, func() {
		h.values.Add(id, v)
		if ordinal > 0 {
			h.places.Add(placeOf(list, ordinal), id)
		}
	})
}

// KeepTotal keeps the length of a list that was read after the mark.
func (h *Hot[V]) KeepTotal(m Mark, list string, total int64) {
	h.heat.since(m, list, func() { h.totals.Add(list, total) })
}

func placeOf(list string, ordinal int64) string {
	return string(strconv.AppendInt(append(make([]byte, 0, len(list)+12), list+"/"...), ordinal, 10))
}

func (h *Hot[V]) forget(id string)        { h.values.Remove(id) }
func (h *Hot[V]) forgetTotal(list string) { h.totals.Remove(list) }

func (h *Hot[V]) clear() {
	h.values.Clear()
	h.places.Clear()
	h.totals.Clear()
}
