package readapi

import (
	"context"
	"iter"
	"maps"
	"net/http"
	"slices"
	"strconv"

	"folio/httpapi"
	"folio/projections"
	"folio/projections/engine"
	"folio/strict"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// A page is read and answered in parts of about partBytes of stored documents, so that a
// page of large documents costs no more memory than one of small ones. A part takes
// partMemory with all that is made of it, and between two parts other companies have
// their turns.
const (
	partBytes  = 2 << 20
	partMemory = 12 * partBytes
)

// listing is one page of a list being answered in the specification's envelope.
type listing[D, T any] struct {
	a             api
	page, perPage int64
	before        int64    // cursor, 0 for none
	cursor        bool     // the envelope names the next cursor
	changes       *changes // the walk is in their order; nil: in that of creation
	records[D, T]
}

// records are the documents of a projection as a list shows them.
type records[D, T any] struct {
	of     engine.Projection
	find   func(context.Context, engine.Page) (engine.List[D], error)
	record func(D) (T, error)
	// ready, when it is not nil, gives the record encoded.
	ready func(D) ([]byte, error)
}

func listed[D, T any](of engine.Projection,
	find func(context.Context, engine.Page) (engine.List[D], error),
	record func(D) (T, error)) records[D, T] {
	return records[D, T]{of: of, find: find, record: record}
}

// answerList answers with one page of records. The caller has read its own parameters from q.
func answerList[D, T any](a api, w http.ResponseWriter, r *http.Request, q *strict.Query, of records[D, T]) error {
	l := listing[D, T]{a: a, records: of}
	l.page, l.perPage = pageOf(q)
	if err := q.Done(); err != nil {
		return err
	}
	if err := a.fresh(r, of.of.Name()); err != nil {
		return err
	}
	return httpapi.Parts(w, r, l.parts(r.Context()))
}

// pageOf reads the page parameters that every list has.
func pageOf(q *strict.Query) (page, perPage int64) {
	return q.Int("page", 1, strict.Between(1, maxPage)), q.Int("per_page", 100, strict.Between(1, 100))
}

// parts are the bytes of the envelope. Each part is made when it is its company's turn;
// while it is written, at the speed of the caller, nothing of the gate is held.
func (l listing[D, T]) parts(ctx context.Context) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		next := engine.Page{Offset: int((l.page - 1) * l.perPage), Limit: int(l.perPage), Before: l.before,
			MaxBytes: partBytes}
		if l.ahead() {
			next.Limit++
		}
		for first := true; ; first = false {
			var out []byte
			var found engine.List[D]
			var following int64
			err := l.a.Work.Pass(ctx, httpapi.Caller(ctx).Party(), partMemory, func() (err error) {
				if found, err = l.find(ctx, next); err != nil {
					return err
				}
				if next.Limit -= len(found.Documents); l.ahead() && next.Limit == 0 {
					found.Documents, following = found.Documents[:len(found.Documents)-1], found.Last+1
				}
				out, err = l.encode(found, first)
				return err
			})
			more := found.Cut && next.Limit > 0 && len(found.Documents) > 0
			if err == nil && !more {
				out = l.close(out, following)
			}
			if !yield(out, err) || err != nil || !more {
				return
			}
			next.Offset, next.Before = 0, found.Last
		}
	}
}

// encode makes the records of a part; the first one begins the envelope.
func (l listing[D, T]) encode(found engine.List[D], first bool) ([]byte, error) {
	var out []byte
	if first {
		out = l.open(out, found.Total)
	}
	for i, d := range found.Documents {
		body, err := l.encoded(d)
		if err != nil {
			return nil, err
		}
		if i > 0 || !first {
			out = append(out, ',')
		}
		out = append(out, body...)
	}
	return out, nil
}

// open begins the envelope.
func (l listing[D, T]) open(out []byte, total int64) []byte {
	out = append(out, `{"page":`...)
	out = strconv.AppendInt(out, l.page, 10)
	out = append(out, `,"total_pages":`...)
	out = strconv.AppendInt(out, pages(total, l.perPage), 10)
	out = append(out, `,"total_results":`...)
	out = strconv.AppendInt(out, total, 10)
	out = append(out, `,"per_page":`...)
	out = strconv.AppendInt(out, l.perPage, 10)
	return append(out, `,"data":[`...)
}

// encoded is the record of a document.
func (l listing[D, T]) encoded(d D) ([]byte, error) {
	if l.ready != nil {
		return l.ready(d)
	}
	record, err := l.record(d)
	if err != nil {
		return nil, err
	}
	return json.Marshal(record, json.Deterministic(true))
}

// ahead says that one document more than the page is read, so that no cursor leads to an empty page.
func (l listing[D, T]) ahead() bool { return l.cursor && l.changes == nil }

// close ends the envelope. Following is the next cursor, 0 where nothing comes behind the page.
func (l listing[D, T]) close(out []byte, following int64) []byte {
	if l.changes != nil {
		return append(l.changes.close(out), '}')
	}
	out = append(out, `],"next_cursor":`...)
	if following > 0 {
		out, _ = jsontext.AppendQuote(out, strconv.FormatInt(following, 10))
	} else {
		out = append(out, "null"...)
	}
	return append(out, '}')
}

// pages is how many pages hold so many results.
func pages(total, perPage int64) int64 { return (total + perPage - 1) / perPage }

// sure makes a record function of one that cannot fail.
func sure[D, T any](f func(D) T) func(D) (T, error) {
	return func(d D) (T, error) { return f(d), nil }
}

// numbered are what a company has under numbers, by number.
func numbered[N, T any](all map[int]N, record func(int, N) T) records[int, T] {
	numbers := slices.Sorted(maps.Keys(all))
	find := func(_ context.Context, p engine.Page) (engine.List[int], error) {
		from := min(p.Offset, len(numbers))
		return engine.List[int]{Documents: numbers[from:min(from+p.Limit, len(numbers))], Total: int64(len(numbers))}, nil
	}
	return listed(projections.Companies, find, sure(func(number int) T { return record(number, all[number]) }))
}
