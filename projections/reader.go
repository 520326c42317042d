package projections

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/go-json-experiment/json"

	"folio/events"
	"folio/tables"
)

// Place is where a document stands; it is not part of its JSON.
type Place struct {
	// At is the position of the last event that shaped the document.
	At events.Position `json:"-"`
	// Ordinal counts from 1 in the document's list, by age; 0 without a list.
	Ordinal int64 `json:"-"`
}

func (p *Place) place(d tables.Document) { p.At, p.Ordinal = d.At, d.Ordinal }

// placed is a pointer to a document type that embeds Place.
type placed[D any] interface {
	*D
	place(tables.Document)
}

// ErrNotFound: there is no such document (yet).
var ErrNotFound = tables.ErrNotFound

// Reader gives documents to the read API. It never writes.
type Reader struct {
	store tables.Store
	// known holds the tables of projections that serve their own version. Such a table
	// is dropped before its successor goes on, so one that still answers is not stale.
	known sync.Map
}

// NewReader reads from store, whose tables Prepare or a runner defined.
func NewReader(store tables.Store) *Reader { return &Reader{store: store} }

// tables are where documents of p are read and where this program's version keeps them.
func (r *Reader) tables(ctx context.Context, p Projection) (serving, own string, err error) {
	if t, ok := r.known.Load(p.name); ok {
		return t.(string), t.(string), nil
	}
	serving, own, ready, err := servingTable(ctx, r.store, p)
	if err == nil && ready {
		r.known.Store(p.name, own)
	}
	return serving, own, err
}

// moved forgets a table that does not have what was asked for; true when another one
// took its place since.
func (r *Reader) moved(ctx context.Context, p Projection, table string) bool {
	if _, ok := r.known.LoadAndDelete(p.name); !ok {
		return false
	}
	serving, _, err := r.tables(ctx, p)
	return err == nil && serving != table
}

// List is one page of a list and the count over all pages.
type List[D any] struct {
	Documents []D
	Total     int64
	// Last is the ordinal of the last of Documents, for Page.Before; Cut says that
	// Page.MaxBytes ended them.
	Last int64
	Cut  bool
}

// Page says which part of a list is asked for.
type Page struct {
	Offset int
	Limit  int // 1 to tables.MaxLimit
	// Before, when above 0, keeps ordinals below it: a walk from newest to oldest that
	// gives it the last ordinal seen does not shift while documents are added.
	Before int64
	// OldestFirst turns the order around; Before is not for it.
	OldestFirst bool
	// MaxBytes ends the part after the document that makes it so long; 0 means no bound.
	MaxBytes int
}

// Get reads a document by id; ErrNotFound when there is none. While a raised version
// is being built it answers with the later of the old and the new document.
func Get[D any, P placed[D]](ctx context.Context, r *Reader, p Projection, id string) (D, error) {
	var none D
	d, table, err := r.get(ctx, p, id)
	if errors.Is(err, ErrNotFound) && r.moved(ctx, p, table) {
		d, _, err = r.get(ctx, p, id)
	}
	if err != nil {
		return none, fmt.Errorf("read %s %.60q: %w", p.name, id, err)
	}
	return decodeAs[D, P](p, d)
}

func (r *Reader) get(ctx context.Context, p Projection, id string) (d tables.Document, table string, err error) {
	serving, own, err := r.tables(ctx, p)
	if err != nil {
		return d, "", err
	}
	d, err = r.row(ctx, serving, id)
	if own != serving && (err == nil || errors.Is(err, ErrNotFound)) {
		if newer, e := r.row(ctx, own, id); e == nil && (err != nil || d.At.Before(newer.At)) {
			d, err = newer, nil
		}
	}
	return d, serving, err
}

// row is Get of the store, where a table or id that cannot be has no documents.
func (r *Reader) row(ctx context.Context, table, id string) (tables.Document, error) {
	d, err := r.store.Get(ctx, table, id)
	if errors.Is(err, tables.ErrNoTable) || errors.Is(err, tables.ErrInvalid) {
		err = ErrNotFound
	}
	return d, err
}

// Find reads a page of a list, newest first unless the page says otherwise.
func Find[D any, P placed[D]](ctx context.Context, r *Reader, p Projection, list string, page Page, filters ...tables.Filter) (List[D], error) {
	q := tables.Query{List: list, Filters: filters, NewestFirst: !page.OldestFirst, Offset: page.Offset, Limit: page.Limit, MaxBytes: page.MaxBytes, BodiesOnly: true}
	if page.Before > 0 {
		q.BeforeOrdinal = &page.Before
	}
	found, err := r.page(ctx, p, &q)
	if err == nil && found.Total == 0 && r.moved(ctx, p, q.Table) {
		found, err = r.page(ctx, p, &q)
	}
	if err != nil {
		return List[D]{}, fmt.Errorf("list %s: %w", p.name, err)
	}
	out := List[D]{Total: found.Total, Cut: found.Cut, Documents: make([]D, len(found.Documents))}
	for i, d := range found.Documents {
		if out.Documents[i], err = decodeAs[D, P](p, d); err != nil {
			return List[D]{}, err
		}
		out.Last = d.Ordinal
	}
	return out, nil
}

func (r *Reader) page(ctx context.Context, p Projection, q *tables.Query) (tables.Page, error) {
	serving, _, err := r.tables(ctx, p)
	if err != nil {
		return tables.Page{}, err
	}
	q.Table = serving
	found, err := r.store.Page(ctx, *q)
	if errors.Is(err, tables.ErrNoTable) {
		return tables.Page{}, nil
	}
	return found, err
}

func decodeAs[D any, P placed[D]](p Projection, d tables.Document) (D, error) {
	var doc D
	if err := json.Unmarshal(d.Body, &doc); err != nil {
		return doc, fmt.Errorf("decode %s %s: %w", p.name, d.ID, err)
	}
	P(&doc).place(d)
	return doc, nil
}

// ListEnumerations reads the numbering ranges of a company, the newest first.
func (r *Reader) ListEnumerations(ctx context.Context, company string, page Page) (List[Enumeration], error) {
	return Find[Enumeration](ctx, r, Enumerations, company, page)
}

// GetEnumeration reads a numbering range.
func (r *Reader) GetEnumeration(ctx context.Context, id string) (Enumeration, error) {
	return Get[Enumeration](ctx, r, Enumerations, id)
}
