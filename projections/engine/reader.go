package engine

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"sync/atomic"

	"github.com/go-json-experiment/json"

	"folio/events"
	"folio/fault"
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

var (
	// ErrNotFound: there is no such document.
	ErrNotFound = tables.ErrNotFound
	// ErrNotBuilt: the read model is being built, so what it lacks may exist all the same.
	// It is a fault: 503 with Retry-After.
	ErrNotBuilt error = &fault.Error{Code: fault.Unavailable, Constant: "READ_MODEL_NOT_BUILT", RetryAfter: 2,
		Text: "This part of the service's data is being put together anew from its log. Nothing is lost: ask again in a " +
			"moment."}
)

// Streams reads the events of one stream, none of one that is not there.
type Streams interface {
	Read(ctx context.Context, stream string, from uint64) iter.Seq2[events.Recorded, error]
}

// Reader gives documents to the read API. It never writes.
type Reader struct {
	store   tables.Store
	streams Streams
	reads   atomic.Uint64
}

// NewReader reads from store, whose tables Prepare or a runner defined, and from the
// document's own stream what the tables do not have (yet): see OfStream.
func NewReader(store tables.Store, streams Streams) *Reader {
	return &Reader{store: store, streams: streams}
}

// Reads counts what was read so far.
func (r *Reader) Reads() uint64 { return r.reads.Load() }

// Store is where the documents are.
func (r *Reader) Store() tables.Store { return r.store }

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
	Filters     []tables.Filter
	// MaxBytes ends the part after the document that makes it so long; 0 means no bound.
	MaxBytes int
}

// reads is a Reader, or one that embeds it.
type reads interface{ reader() *Reader }

func (r *Reader) reader() *Reader { return r }

// Get reads a document by id. One that the tables do not have is folded from its stream, if
// the projection is OfStream, so that ErrNotFound is never said of a document whose events
// are in the log; other projections say ErrNotBuilt until they have caught up. While a raised
// version is being built it answers with the later of the old and the new document.
func Get[D any, P placed[D]](ctx context.Context, from reads, p Projection, id string) (D, error) {
	var none D
	d, err := from.reader().get(ctx, p, id)
	if err != nil {
		return none, fmt.Errorf("read %s %.60q: %w", p.name, id, err)
	}
	return Decode[D, P](p, d)
}

func (r *Reader) get(ctx context.Context, p Projection, id string) (tables.Document, error) {
	r.reads.Add(1)
	at, err := locate(ctx, r.store, p)
	if err != nil {
		return tables.Document{}, err
	}
	d, err := r.row(ctx, at.serving, id)
	if at.own != at.serving && (err == nil || errors.Is(err, ErrNotFound)) {
		if newer, e := r.row(ctx, at.own, id); e == nil && (err != nil || d.At.Before(newer.At)) {
			d, err = newer, nil
		}
	}
	switch {
	case !errors.Is(err, ErrNotFound):
		return d, err
	case p.category != "" && r.streams != nil:
		return r.DocumentAt(ctx, p, id, events.Moment{})
	case !at.built:
		return d, ErrNotBuilt
	}
	return d, err
}

// DocumentAt makes the document from its stream alone, as it was at a moment. The projection
// must be OfStream. ErrNotFound says that it did not exist then.
func (r *Reader) DocumentAt(ctx context.Context, p Projection, id string, at events.Moment) (tables.Document, error) {
	replay := NewReplay(p)
	for e, err := range r.streams.Read(ctx, p.category+"-"+id, 0) {
		if err == nil && !at.Holds(e) {
			break
		}
		if err == nil && slices.Contains(p.types, e.Type) {
			err = replay.Fold(ctx, e)
		}
		if err != nil {
			return tables.Document{}, fmt.Errorf("from its stream: %w", err)
		}
	}
	for _, d := range replay.Documents() {
		if d.ID == id {
			d.Ordinal = 0 // it is not known which of its list it is
			return d, nil
		}
	}
	return tables.Document{}, ErrNotFound
}

// Began says whether the document of a projection that is Listed and OfStream existed at a
// moment. Its stream may begin before it does: an attempt to create it may have been given up.
func (r *Reader) Began(ctx context.Context, p Projection, id string, m events.Moment) (bool, error) {
	for e, err := range r.streams.Read(ctx, p.category+"-"+id, 0) {
		if err != nil {
			return false, fmt.Errorf("the beginning of %s %s: %w", p.category, id, err)
		}
		if e.Type == p.counted {
			return m.Holds(e), nil
		}
	}
	return false, nil
}

// GetAt reads a document as it was at a moment: its stream is folded up to there. The
// projection must be OfStream. ErrNotFound says that it did not exist then.
func GetAt[D any, P placed[D]](ctx context.Context, from reads, p Projection, id string, m events.Moment) (D, error) {
	var none D
	d, err := from.reader().DocumentAt(ctx, p, id, m)
	if err != nil {
		return none, fmt.Errorf("read %s %.60q at %s: %w", p.name, id, m, err)
	}
	return Decode[D, P](p, d)
}

// row is Get of the store, where a table or id that cannot be has no documents.
func (r *Reader) row(ctx context.Context, table, id string) (tables.Document, error) {
	d, err := r.store.Get(ctx, table, id)
	if errors.Is(err, tables.ErrNoTable) || errors.Is(err, tables.ErrInvalid) {
		err = ErrNotFound
	}
	return d, err
}

// Find reads a page of a list, newest first unless the page says otherwise; ErrNotBuilt
// until the list is whole.
func Find[D any, P placed[D]](ctx context.Context, from reads, p Projection, list string,
	page Page) (List[D], error) {
	found, err := FindRows(ctx, from, p, list, page)
	if err != nil {
		return List[D]{}, err
	}
	out := List[D]{Total: found.Total, Cut: found.Cut, Last: found.Last, Documents: make([]D, len(found.Documents))}
	for i, d := range found.Documents {
		if out.Documents[i], err = Decode[D, P](p, d); err != nil {
			return List[D]{}, err
		}
	}
	return out, nil
}

// FindRows is Find of documents as they are stored.
func FindRows(ctx context.Context, from reads, p Projection, list string, page Page) (List[tables.Document], error) {
	q := page.query(list)
	q.BodiesOnly = true
	found, err := from.reader().page(ctx, p, q)
	if err != nil {
		return List[tables.Document]{}, fmt.Errorf("list %s: %w", p.name, err)
	}
	out := List[tables.Document]{Total: found.Total, Cut: found.Cut, Documents: found.Documents}
	if n := len(found.Documents); n > 0 {
		out.Last = found.Documents[n-1].Ordinal
	}
	return out, nil
}

// query asks the tables for the page; they are told the table later.
func (page Page) query(list string) tables.Query {
	q := tables.Query{List: list, Filters: page.Filters, NewestFirst: !page.OldestFirst, Offset: page.Offset,
		Limit: page.Limit, MaxBytes: page.MaxBytes}
	if page.Before > 0 {
		q.BeforeOrdinal = &page.Before
	}
	return q
}

// page is a page of the documents that are read now.
func (r *Reader) page(ctx context.Context, p Projection, q tables.Query) (found tables.Page, err error) {
	err = r.Where(ctx, p, func(table string) error {
		q.Table = table
		found, err = r.store.Page(ctx, q)
		return err
	})
	return found, err
}

// Decode is a document of the projection as its type.
func Decode[D any, P placed[D]](p Projection, d tables.Document) (D, error) {
	var doc D
	if err := json.Unmarshal(d.Body, &doc); err != nil {
		return doc, fmt.Errorf("decode %s %s: %w", p.name, d.ID, err)
	}
	P(&doc).place(d)
	return doc, nil
}
