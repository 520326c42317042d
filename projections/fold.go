package projections

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"folio/events"
	"folio/tables"
)

// ErrInconsistent: the stored documents cannot have come from this log in this order.
// The way out is a rebuild.
var ErrInconsistent = errors.New("read model disagrees with the log: rebuild it")

// getter is the part of a store that folding reads.
type getter interface {
	GetMany(ctx context.Context, table string, ids []string) (map[string]tables.Document, error)
}

// folder folds batches into the documents of one table. What it keeps between batches
// is the fold of all events so far, so it stays right whatever others write.
type folder struct {
	p        Projection
	table    string
	store    getter
	guard    Guard // nil: everything is folded
	docs     *recent[*document]
	counters *recent[*counter]
	orphans  int64 // events for documents that were never created
}

// document is a row being folded. A nil body has not been folded into yet.
type document struct {
	id      string
	at      events.Position
	list    string
	ordinal int64
	raw     []byte // as stored, until the first fold needs it
	body    any
	dirty   bool
	by      events.Recorded // the first event since the last write; of a dirty document
}

// counter is how many documents a list has up to an event.
type counter struct {
	Count int64 `json:"count"`
	list  string
	at    events.Position
	dirty bool
}

const (
	keptDocuments = 512
	keptCounters  = 8192
)

func newFolder(p Projection, table string, store getter) *folder {
	f := &folder{p: p, table: table, store: store}
	f.forget()
	return f
}

// target is one event with the document it changes.
type target struct {
	event events.Recorded
	rule  rule
	id    string
	list  string // of a counted event
}

// fold returns the writes of a batch, documents first, then the counters of lists, and
// the position of its last event. On an event that cannot be folded it returns the
// writes and the position of those before it, and a *StoppedError. After any other
// error nothing has changed, so that the batch can be folded again.
func (f *folder) fold(ctx context.Context, batch []events.Recorded) ([]tables.Write, events.Position, error) {
	targets, last, stop := f.open(batch)
	if err := f.load(ctx, targets); err != nil {
		return nil, events.Position{}, err
	}
	var docs []*document
	var counters []*counter
	for i, t := range targets {
		d, c, err := f.apply(t)
		if err != nil {
			return f.upTo(ctx, targets[:i], &StoppedError{Projection: f.p.name, Event: t.event, Err: err})
		}
		if d != nil && !d.dirty {
			d.dirty, d.by = true, t.event
			docs = append(docs, d)
		}
		if c != nil && !c.dirty {
			c.dirty = true
			counters = append(counters, c)
		}
	}
	writes, at, err := f.writes(docs, counters)
	if err != nil {
		i := slices.IndexFunc(targets, func(t target) bool { return t.event.Position == at.Position })
		return f.upTo(ctx, targets[:max(i, 0)], &StoppedError{Projection: f.p.name, Event: at, Err: err})
	}
	f.docs.trim()
	f.counters.trim()
	return writes, last, stop
}

// upTo folds what came before an event that failed, from what is stored: the failed
// fold may have left its document half changed.
func (f *folder) upTo(ctx context.Context, targets []target, stop *StoppedError) ([]tables.Write, events.Position, error) {
	f.forget()
	if len(targets) == 0 {
		return nil, events.Position{}, stop
	}
	before := make([]events.Recorded, len(targets))
	for i, t := range targets {
		before[i] = t.event
	}
	writes, last, err := f.fold(ctx, before)
	if err != nil {
		return writes, last, err
	}
	return writes, last, stop
}

func (f *folder) forget() {
	f.docs, f.counters = newRecent[*document](keptDocuments), newRecent[*counter](keptCounters)
}

// open decodes what the projection listens to, up to the first that it cannot.
func (f *folder) open(batch []events.Recorded) (targets []target, last events.Position, stop error) {
	targets = make([]target, 0, len(batch))
	for _, r := range batch {
		rule, ok := f.p.rules[r.Type]
		if !ok || f.guard != nil && !f.guard.Admits(r) {
			last = r.Position
			continue
		}
		t, err := f.target(r, rule)
		if err != nil {
			return targets, last, &StoppedError{Projection: f.p.name, Event: r, Err: err}
		}
		last = r.Position
		if t.id != "" {
			targets = append(targets, t)
		}
	}
	return targets, last, nil
}

func (f *folder) target(r events.Recorded, rule rule) (t target, err error) {
	defer recovered(&err)
	r, err = events.Open(r)
	if err != nil {
		return target{}, err
	}
	t = target{event: r, rule: rule, id: rule.key(r)}
	if r.Type == f.p.counted && t.id != "" {
		if t.list = f.p.list(r); t.list == "" {
			return target{}, fmt.Errorf("%s names no list for %s", r.Type, r.Stream)
		}
	}
	return t, nil
}

// recovered turns a panic of a projection's own code into an error that stops its feed.
func recovered(err *error) {
	if p := recover(); p != nil {
		*err = fmt.Errorf("panic in the projection: %v", p)
	}
}

// load fetches counters and documents that are not in memory. Counters come first:
// they are written after their documents, so a counter that includes an event
// promises that the later read sees the event's document.
func (f *folder) load(ctx context.Context, targets []target) error {
	lists, ids := missing(targets, f.counters.get, func(t target) string { return t.list }),
		missing(targets, f.docs.get, func(t target) string { return t.id })
	if len(lists) > 0 {
		found, err := f.store.GetMany(ctx, countersOf(f.table), lists)
		if err != nil {
			return err
		}
		for _, list := range lists {
			c := &counter{list: list}
			if d, ok := found[list]; ok {
				if err := decodeCounter(d, c); err != nil {
					return err
				}
			}
			f.counters.put(list, c)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	found, err := f.store.GetMany(ctx, f.table, ids)
	if err != nil {
		return err
	}
	for _, id := range ids {
		d := found[id]
		f.docs.put(id, &document{id: id, at: d.At, list: d.List, ordinal: d.Ordinal, raw: d.Body})
	}
	return nil
}

// missing are the keys that memory does not have, each once. Looking them up keeps
// those that it has from being forgotten during the batch.
func missing[V any](targets []target, get func(string) (V, bool), key func(target) string) []string {
	var out []string
	seen := map[string]bool{}
	for _, t := range targets {
		k := key(t)
		if k == "" || seen[k] {
			continue
		}
		seen[k] = true
		if _, ok := get(k); !ok {
			out = append(out, k)
		}
	}
	return out
}
