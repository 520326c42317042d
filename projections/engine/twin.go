package engine

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"folio/events"
	"folio/tables"
)

// Twin folds a projection once more, in a store of its own, and compares what comes of it with the live documents.
// It is not safe for concurrent use.
type Twin struct {
	p       Projection
	live    tables.Store
	table   string // of the live documents
	upTo    events.Position
	scratch tables.Store
	folder  *folder
	types   map[string]bool
	batch   []events.Recorded
	owning  Projection      // whose documents own those of p
	owners  map[string]bool // of documents that the replay made, where each has one
}

// twinBatch is how many events are folded at a time.
const twinBatch = 4096

// NewTwin begins a twin of the documents that readers get now, as of the position up to which
// they were folded. False when there are none: they are being built. The documents of owners
// own those of a projection that is Owned.
func NewTwin(ctx context.Context, live, scratch tables.Store, p, owners Projection) (*Twin, bool, error) {
	b, err := loadBuild(ctx, live, p)
	if err != nil || !b.Ready {
		return nil, false, err
	}
	t := &Twin{p: p, owning: owners, live: live, table: p.table(b.Serving), scratch: scratch, types: map[string]bool{},
		owners: map[string]bool{}}
	c, err := live.Checkpoint(ctx, t.table)
	if errors.Is(err, tables.ErrNotFound) {
		return nil, false, nil
	}
	if err != nil {
		return nil, false, fmt.Errorf("read how far %s came: %w", p.name, err)
	}
	t.upTo = c.At
	if err := scratch.Define(ctx, p.schemas(1)...); err != nil {
		return nil, false, fmt.Errorf("define the tables of the replay: %w", err)
	}
	t.folder = newFolder(p, p.table(1), scratch)
	for _, name := range p.types {
		t.types[name] = true
	}
	return t, true, nil
}

// Add takes one more event in the order of the log, opened.
func (t *Twin) Add(ctx context.Context, r events.Recorded) error {
	if !t.types[r.Type] || t.upTo.Before(r.Position) {
		return nil
	}
	if t.batch = append(t.batch, r); len(t.batch) < twinBatch {
		return nil
	}
	return t.Flush(ctx)
}

// Flush writes what was added.
func (t *Twin) Flush(ctx context.Context) error {
	writes, _, err := t.folder.fold(ctx, t.batch)
	if err == nil && len(writes) > 0 {
		err = t.scratch.Apply(ctx, tables.Batch{Writes: writes})
	}
	if err != nil {
		return fmt.Errorf("replay %s: %w", t.p.name, err)
	}
	t.batch = t.batch[:0]
	if t.p.Owned() {
		for _, w := range writes {
			for _, d := range w.Documents {
				if d.List != "" {
					t.owners[d.List] = true
				}
			}
		}
	}
	return nil
}

// Mismatch is a live document that does not follow from the log.
type Mismatch struct {
	Projection string
	Document   string
	At         events.Position // of the last event that shaped it, live or in the replay
	What       string
}

// Compare looks at every document. Those that events beyond the position have changed meanwhile are passed over.
func (t *Twin) Compare(ctx context.Context) (compared int64, found *Mismatch, err error) {
	if err := t.Flush(ctx); err != nil {
		return 0, nil, err
	}
	lists, err := t.lists(ctx)
	if err != nil {
		return 0, nil, err
	}
	for _, list := range lists {
		n, found, err := t.walk(ctx, list, t.live, t.table, t.compare)
		if compared += n; err != nil || found != nil {
			return compared, found, err
		}
		_, found, err = t.walk(ctx, list, t.scratch, t.p.table(1), t.missing)
		if err != nil || found != nil {
			return compared, found, err
		}
	}
	return compared, nil, nil
}

// lists are those that the live documents or the replay have; one without a name for documents without lists.
func (t *Twin) lists(ctx context.Context) ([]string, error) {
	switch {
	case t.p.Owned():
		return t.ownersOf(ctx)
	case t.p.counted == "":
		return []string{""}, nil
	}
	names := map[string]bool{}
	for table, store := range map[string]tables.Store{t.table: t.live, t.p.table(1): t.scratch} {
		if err := ids(ctx, store, countersOf(table), func(id string) { names[id] = true }); err != nil {
			return nil, err
		}
	}
	return slices.Sorted(maps.Keys(names)), nil
}

// ownersOf are those that there are, or that own something that the replay made.
func (t *Twin) ownersOf(ctx context.Context) ([]string, error) {
	names := maps.Clone(t.owners)
	err := allIDs(ctx, t.live, t.owning, func(id string) { names[id] = true })
	return slices.Sorted(maps.Keys(names)), err
}

// pageHandler looks at a page of documents.
type pageHandler = func(context.Context, []tables.Document) (*Mismatch, error)

// twinPage is how many documents are compared at a time.
const twinPage = 500

// walk hands over a list of the projection, or a table without lists, a page at a time.
func (t *Twin) walk(ctx context.Context, list string, store tables.Store, table string,
	each pageHandler) (int64, *Mismatch, error) {
	if list != "" && !t.p.Owned() {
		return t.walkListed(ctx, list, store, table, each)
	}
	return walkPages(ctx, store, tables.Query{Table: table, List: list, Limit: twinPage, Uncounted: true}, each,
		func(q *tables.Query, last tables.Document) { q.AfterID = last.ID })
}

func (t *Twin) walkListed(ctx context.Context, list string, store tables.Store, table string,
	each pageHandler) (int64, *Mismatch, error) {
	return walkPages(ctx, store, tables.Query{Table: table, List: list, Limit: twinPage}, each,
		func(q *tables.Query, last tables.Document) { q.AfterOrdinal = &last.Ordinal })
}

func walkPages(ctx context.Context, store tables.Store, q tables.Query, each pageHandler,
	next func(*tables.Query, tables.Document)) (n int64, found *Mismatch, err error) {
	for {
		got, err := store.Page(ctx, q)
		if err != nil {
			return n, nil, fmt.Errorf("read the documents of %s: %w", q.Table, err)
		}
		n += int64(len(got.Documents))
		if found, err = each(ctx, got.Documents); err != nil || found != nil {
			return n, found, err
		}
		if len(got.Documents) < q.Limit {
			return n, nil, nil
		}
		next(&q, got.Documents[len(got.Documents)-1])
	}
}

func idsOf(page []tables.Document) []string {
	ids := make([]string, len(page))
	for i, d := range page {
		ids[i] = d.ID
	}
	return ids
}

// compare holds live documents against the replay's.
func (t *Twin) compare(ctx context.Context, page []tables.Document) (*Mismatch, error) {
	twins, err := t.scratch.GetMany(ctx, t.p.table(1), idsOf(page))
	if err != nil {
		return nil, fmt.Errorf("read the replay of %s: %w", t.p.name, err)
	}
	for _, d := range page {
		twin, known := twins[d.ID]
		if t.upTo.Before(d.At) {
			continue
		}
		if !known {
			return &Mismatch{t.p.name, d.ID, d.At, "the log makes no such document"}, nil
		}
		if what := unlike(d, twin); what != "" {
			return &Mismatch{t.p.name, d.ID, twin.At, what}, nil
		}
	}
	return nil, nil
}

// unlike says how a live document is not the replay's; empty when it is.
func unlike(live, twin tables.Document) string {
	switch {
	case live.At != twin.At:
		return fmt.Sprintf("it says that the event at %s shaped it last, and that was the one at %s", live.At, twin.At)
	case live.List != twin.List || live.Ordinal != twin.Ordinal:
		return fmt.Sprintf("it stands at %d of the list %s, and should at %d of %s", live.Ordinal, live.List, twin.Ordinal,
			twin.List)
	case !maps.Equal(live.Attributes, twin.Attributes):
		return "what it is found by is not what the log makes of it"
	case !bytes.Equal(live.Body, twin.Body):
		return "its content is not what the log makes of it"
	}
	return ""
}

// missing looks for what the replay has, and the live documents lack or have where a walk through the lists does not
// come by.
func (t *Twin) missing(ctx context.Context, page []tables.Document) (*Mismatch, error) {
	live, err := t.live.GetMany(ctx, t.table, idsOf(page))
	if err != nil {
		return nil, fmt.Errorf("read the documents of %s: %w", t.p.name, err)
	}
	for _, d := range page {
		found, known := live[d.ID]
		if !known {
			return &Mismatch{t.p.name, d.ID, d.At, "it is missing"}, nil
		}
		if t.upTo.Before(found.At) {
			continue
		}
		if what := unlike(found, d); what != "" {
			return &Mismatch{t.p.name, d.ID, d.At, what}, nil
		}
	}
	return nil, nil
}
