package engine

import (
	"context"
	"errors"
	"fmt"

	"folio/events"
	"folio/tables"
)

// Rows asks for documents of an owned projection.
type Rows struct {
	Owner   string
	Filters []tables.Filter
	// Sort orders by an indexed attribute; "": by id.
	Sort       string
	Descending bool
	Offset     int
	Limit      int // 1 to tables.MaxLimit
	// After goes on behind an id, in the order of ids; nothing is counted then.
	After string
}

// Owned reads a page of an owned projection; ErrNotBuilt until it is whole.
func (r *Reader) Owned(ctx context.Context, p Projection, q Rows) (tables.Page, error) {
	found, err := r.page(ctx, p, tables.Query{List: q.Owner, Filters: q.Filters, Sort: q.Sort, NewestFirst: q.Descending,
		Offset: q.Offset, Limit: q.Limit, AfterID: q.After, Uncounted: q.After != "", BodiesOnly: true})
	if err != nil {
		return tables.Page{}, fmt.Errorf("rows of %s: %w", p.name, err)
	}
	return found, nil
}

// Sum counts and adds up documents of an owned projection by group; ErrNotBuilt until it is
// whole. The table of q is filled in.
func (r *Reader) Sum(ctx context.Context, p Projection, q tables.Sums) (groups []tables.Group, err error) {
	err = r.Where(ctx, p, func(table string) error {
		q.Table = table
		groups, err = r.store.Sum(ctx, q)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("sums of %s: %w", p.name, err)
	}
	return groups, nil
}

// FindOwned is Owned with the documents decoded, and how many there are.
func FindOwned[D any, P placed[D]](ctx context.Context, from reads, p Projection, q Rows) ([]D, int64, error) {
	found, err := from.reader().Owned(ctx, p, q)
	if err != nil {
		return nil, 0, err
	}
	out := make([]D, len(found.Documents))
	for i, d := range found.Documents {
		if out[i], err = Decode[D, P](p, d); err != nil {
			return nil, 0, err
		}
	}
	return out, found.Total, nil
}

// walkPart is how many documents WalkOwned reads at once.
const walkPart = 500

// WalkOwned hands over all documents of an owner that pass the filters in the order of their ids,
// part by part, until yield says that it is enough. What is added meanwhile may be missing.
func WalkOwned[D any, P placed[D]](ctx context.Context, from reads, p Projection, rows Rows,
	yield func([]D) error) error {
	return from.reader().WalkRows(ctx, p, rows, func(docs []tables.Document) (err error) {
		part := make([]D, len(docs))
		for i, d := range docs {
			if part[i], err = Decode[D, P](p, d); err != nil {
				return err
			}
		}
		return yield(part)
	})
}

// WalkRows is WalkOwned for readers that do not know the documents' type; they get the
// attributes, too. Only owner and filters of q count.
func (r *Reader) WalkRows(ctx context.Context, p Projection, q Rows, yield func([]tables.Document) error) error {
	for after := ""; ; {
		found, err := r.page(ctx, p, tables.Query{List: q.Owner, Filters: q.Filters, Limit: walkPart, AfterID: after,
			Uncounted: true})
		if err != nil {
			return fmt.Errorf("rows of %s: %w", p.name, err)
		}
		if err := yield(found.Documents); err != nil || len(found.Documents) < walkPart {
			return err
		}
		after = found.Documents[walkPart-1].ID
	}
}

// Where reads the table in which the documents are now; ErrNotBuilt until it is whole. A table
// that was dropped in between is looked for once more.
func (r *Reader) Where(ctx context.Context, p Projection, read func(table string) error) error {
	r.reads.Add(1)
	for again := true; ; again = false {
		at, err := locate(ctx, r.store, p)
		if err == nil && !at.built {
			err = ErrNotBuilt
		}
		if err != nil {
			return err
		}
		if err := read(at.serving); !errors.Is(err, tables.ErrNoTable) {
			return err
		}
		if !again {
			return ErrNotBuilt
		}
	}
}

// Position is up to where the documents that are read have everything of the log.
func (r *Reader) Position(ctx context.Context, p Projection) (at events.Position, err error) {
	err = r.Where(ctx, p, func(table string) error {
		at, err = position(ctx, r.store, table)
		return err
	})
	return at, err
}

// Owned says that each document has an owner, a company, which may read it.
func (p Projection) Owned() bool { return p.owner != nil }

// Attributes are what its documents are found by.
func (p Projection) Attributes() []tables.Attribute { return p.attributes }

// Values are the attributes of a document, which is a pointer to the projection's type.
func (p Projection) Values(doc any) map[string]string { return p.values(doc) }
