package engine

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
	states   *recent[*joined]
	shared   *evolution // what other folders made of states
	aimed    bool       // an event of the last batch changes a document, or did when it was heard before
	past     past
	orphans  int64 // events for documents that were never created
	// documents and lists are the sums of what is written.
	documents, lists *tally
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
	sum     sum             // as it was written last; see tally
}

// counter is how many documents a list has up to an event.
type counter struct {
	Count int64 `json:"count"`
	list  string
	at    events.Position
	dirty bool
	sum   sum
}

const (
	keptDocuments = 512
	keptCounters  = 8192
)

func newFolder(p Projection, table string, store getter, shared *evolution, past past) *folder {
	f := &folder{p: p, table: table, store: store, shared: shared, past: past}
	f.forget()
	return f
}

// target is one event with a document that it changes.
type target struct {
	event *events.Recorded // in the batch
	folds []func(any)
	id    string
	list  string // of a counted event
}

// fold returns the writes of a batch, documents first, then the counters of lists, and
// the position of its last event. On an event that cannot be folded it returns the
// writes and the position of those before it, and a *StoppedError. After any other
// error nothing has changed, so that the batch can be folded again.
func (f *folder) fold(ctx context.Context, batch []events.Recorded) ([]tables.Write, events.Position, error) {
	opened, last, stop := f.open(batch)
	if err := f.loadJoined(ctx, opened); err != nil {
		var stopped *StoppedError
		if errors.As(err, &stopped) {
			return f.upTo(ctx, opened, stopped)
		}
		return nil, events.Position{}, err
	}
	targets, failed := f.aim(opened)
	if failed != nil {
		return f.upTo(ctx, opened, failed)
	}
	f.aimed = len(targets) > 0
	if err := f.load(ctx, targets); err != nil {
		f.forget() // states have evolved
		return nil, events.Position{}, err
	}
	var docs []*document
	var counters []*counter
	for _, t := range targets {
		d, c, err := f.apply(t)
		if err != nil {
			return f.upTo(ctx, opened, &StoppedError{Projection: f.p.name, Event: *t.event, Err: err})
		}
		if d != nil && !d.dirty {
			d.dirty, d.by = true, *t.event
			docs = append(docs, d)
		}
		if c != nil && !c.dirty {
			c.dirty = true
			counters = append(counters, c)
		}
	}
	writes, at, err := f.writes(docs, counters)
	if err != nil {
		return f.upTo(ctx, opened, &StoppedError{Projection: f.p.name, Event: at, Err: err})
	}
	f.docs.trim()
	f.counters.trim()
	f.states.trim()
	return writes, last, stop
}

// upTo folds what came before an event that failed, from what is stored: the failed
// fold may have left its document half changed.
func (f *folder) upTo(ctx context.Context, opened []events.Recorded,
	stop *StoppedError) ([]tables.Write, events.Position, error) {
	f.forget()
	i := slices.IndexFunc(opened, func(r events.Recorded) bool { return !r.Position.Before(stop.Event.Position) })
	before := opened[:max(i, 0)]
	if len(before) == 0 {
		return nil, events.Position{}, stop
	}
	writes, last, err := f.fold(ctx, before)
	if err != nil {
		return writes, last, err
	}
	return writes, last, stop
}

func (f *folder) forget() {
	f.docs, f.counters = newRecent[*document](keptDocuments), newRecent[*counter](keptCounters)
	f.states = newRecent[*joined](keptJoined)
}

// open decodes what the projection listens to, up to the first that it cannot. Last is the
// position of the last event before that one.
func (f *folder) open(batch []events.Recorded) (opened []events.Recorded, last events.Position, stop error) {
	if f.opened(batch) {
		return batch, batch[len(batch)-1].Position, nil
	}
	opened = make([]events.Recorded, 0, len(batch))
	for _, r := range batch {
		if _, ok := f.p.rules[r.Type]; ok && (f.guard == nil || f.guard.Admits(r)) {
			o, err := events.Open(r)
			if err != nil {
				return opened, last, &StoppedError{Projection: f.p.name, Event: r, Err: err}
			}
			opened = append(opened, o)
		}
		last = r.Position
	}
	return opened, last, nil
}

// opened says that the whole batch is to be folded as it is.
func (f *folder) opened(batch []events.Recorded) bool {
	return f.guard == nil && len(batch) > 0 && !slices.ContainsFunc(batch, func(r events.Recorded) bool {
		_, heard := f.p.rules[r.Type]
		return !heard || r.Event == nil
	})
}

// aim says which documents the events change.
func (f *folder) aim(opened []events.Recorded) ([]target, *StoppedError) {
	targets := make([]target, 0, len(opened))
	for i := range opened {
		aimed, err := f.targets(&opened[i])
		if err != nil {
			return nil, &StoppedError{Projection: f.p.name, Event: opened[i], Err: err}
		}
		targets = append(targets, aimed...)
	}
	return targets, nil
}

// targets are the documents that one event changes, each once.
func (f *folder) targets(r *events.Recorded) (out []target, err error) {
	defer recovered(&err)
	state, news := f.evolve(r)
	for _, rule := range f.p.rules[r.Type] {
		if rule.joined && !news {
			continue
		}
		for _, c := range rule.changes(r, state) {
			i := slices.IndexFunc(out, func(t target) bool { return t.id == c.id })
			if i < 0 {
				out = append(out, target{event: r, id: c.id})
				i = len(out) - 1
			}
			out[i].folds = append(out[i].folds, c.fold)
		}
	}
	if r.Type != f.p.counted || len(out) == 0 {
		return out, nil
	}
	if len(out) > 1 {
		return nil, fmt.Errorf("%s puts %d documents into a list, which takes one", r.Type, len(out))
	}
	if out[0].list = f.p.list(*r); out[0].list == "" {
		return nil, fmt.Errorf("%s names no list for %s", r.Type, r.Stream)
	}
	return out, nil
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
	if lists := missing(targets, f.counters.get, func(t target) string { return t.list }); len(lists) > 0 {
		found, err := f.store.GetMany(ctx, countersOf(f.table), lists)
		if err != nil {
			return err
		}
		for _, list := range lists {
			c := &counter{list: list}
			d, ok := found[list]
			if ok {
				if err := decodeCounter(d, c); err != nil {
					return err
				}
			}
			if c.sum, err = f.lists.found(d, ok); err != nil {
				return err
			}
			f.counters.put(list, c)
		}
	}
	f.begin(targets)
	ids := missing(targets, f.docs.get, func(t target) string { return t.id })
	if len(ids) == 0 {
		return nil
	}
	found, err := f.store.GetMany(ctx, f.table, ids)
	if err != nil {
		return err
	}
	for _, id := range ids {
		d, ok := found[id]
		was, err := f.documents.found(d, ok)
		if err != nil {
			return err
		}
		f.docs.put(id, &document{id: id, at: d.At, list: d.List, ordinal: d.Ordinal, raw: d.Body, sum: was})
	}
	return nil
}

// begin makes the documents that the first event of their stream brings into being, and those that one event alone
// makes. They need no read: their list has not counted them, or no other event comes by. If the tables have one
// already, they have it as it is folded here, or as later events make it, and leave it alone.
func (f *folder) begin(targets []target) {
	for _, t := range targets {
		first := f.p.category != "" && t.list != "" && t.event.Revision == 0
		if _, known := f.docs.get(t.id); known || !first && !f.p.once {
			continue
		}
		if f.p.once {
			f.docs.put(t.id, &document{id: t.id})
			continue
		}
		if c, ok := f.counters.get(t.list); ok && c.at.Before(t.event.Position) {
			f.docs.put(t.id, &document{id: t.id})
		}
	}
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
