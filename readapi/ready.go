package readapi

import (
	"bytes"
	"context"
	"net/http"
	"slices"
	"sync"

	"folio/cache"
	"folio/httpapi"
	"folio/projections"
	"folio/projections/engine"
	"folio/resource"
	"folio/tables"

	"github.com/go-json-experiment/json"
)

// readyMemory bounds the records that are kept encoded, in bytes: some 8,000.
const readyMemory = 20 << 20

// ready is the record of an invoice as it is answered.
type ready struct {
	about
	body   []byte // JSON, with the end of its line; pending_reason is null
	reason int    // where that null is
	tag    []string
	asOf   []string // Folio-As-Of
}

func (i *ready) size() int { return cap(i.body) + cache.SizeOf(i.about) + cache.SizeOf(i.tag) + 100 }

// noReasonYet is in every record once: within its texts quotes are escaped.
var noReasonYet = []byte(`"pending_reason":null`)

// makeReady encodes the record of an invoice.
func (a api) makeReady(i projections.Invoice) (*ready, error) {
	record, err := a.papers.Record(i)
	if err != nil {
		return nil, err
	}
	body, err := json.Marshal(record, json.Deterministic(true))
	if err != nil {
		return nil, err
	}
	body = append(body, '\n')
	return &ready{about: aboutOf(i), body: bytes.Clone(body), tag: []string{tagOf(body)}, asOf: []string{i.At.String()},
		reason: bytes.Index(body, noReasonYet) + len(noReasonYet) - len("null")}, nil
}

// with are the bytes of the record with why the invoice waits.
func (i *ready) with(reason *resource.PendingReason) ([]byte, error) {
	if reason == nil {
		return i.body, nil
	}
	text, err := json.Marshal(reason, json.Deterministic(true))
	if err != nil {
		return nil, err
	}
	return bytes.Join([][]byte{i.body[:i.reason], text, i.body[i.reason+len("null"):]}, nil), nil
}

// write answers with the record, or that the caller has it (304).
func (i *ready) write(w http.ResponseWriter, r *http.Request, reason *resource.PendingReason) error {
	body, err := i.with(reason)
	if err != nil {
		return err
	}
	tag := i.tag
	if reason != nil {
		tag = []string{tagOf(body)}
	}
	h := w.Header()
	// Canonical form of these names; setting the map saves looking for it.
	h["Folio-As-Of"], h["Etag"] = i.asOf, tag
	if known := r.Header.Get("If-None-Match"); known != "" && names(known, tag[0]) {
		w.WriteHeader(http.StatusNotModified)
		return nil
	}
	httpapi.Bytes(w, http.StatusOK, "application/json", body)
	return nil
}

// readyInvoice is the invoice that the path names, if it is the caller's.
func (a api) readyInvoice(r *http.Request) (*ready, error) {
	id, err := httpapi.PathID(r, "invoice_id")
	if err != nil {
		return nil, errNoInvoice
	}
	if err := a.fresh(r, projections.Invoices.Name()); err != nil {
		return nil, err
	}
	if i, ok := a.hot.Get(id); ok {
		if i.company != httpapi.Caller(r.Context()).Company {
			return nil, errNoInvoice
		}
		return i, nil
	}
	mark := a.hot.Mark()
	found, err := a.ownInvoice(r.Context(), id)
	if err != nil {
		return nil, err
	}
	return a.keepReady(mark, found)
}

// keepReady encodes an invoice that was read after the mark, and keeps it.
func (a api) keepReady(mark engine.Mark, i projections.Invoice) (*ready, error) {
	out, err := a.makeReady(i)
	if err == nil {
		a.hot.Keep(mark, i.ID, i.Company, i.Ordinal, out)
	}
	return out, err
}

// listReady answers a list with records that are kept, and makes those that are not.
func (a api) listReady(w http.ResponseWriter, r *http.Request, query projections.InvoiceQuery,
	l listing[tables.Document, resource.Invoice]) error {
	why := a.reasonsNow(r)
	if query.Plain() {
		page := engine.Page{Offset: int((l.page - 1) * l.perPage), Limit: int(l.perPage), Before: l.before}
		if known, total, ok := a.hot.Page(query.Company, page); ok {
			if done, err := a.answerReady(w, l, known, total, why); done || err != nil {
				return err
			}
		}
	}
	var mark engine.Mark
	l.records = records[tables.Document, resource.Invoice]{of: projections.Invoices,
		find: func(ctx context.Context, p engine.Page) (engine.List[tables.Document], error) {
			query.Page, mark = p, a.hot.Mark()
			found, err := a.Documents.ListInvoiceRows(ctx, query)
			if err == nil && query.Plain() {
				a.hot.KeepTotal(mark, query.Company, found.Total)
			}
			return found, err
		},
		ready: func(d tables.Document) ([]byte, error) {
			i, err := a.readyRow(mark, d)
			if err != nil {
				return nil, err
			}
			return a.line(i, why)
		}}
	return httpapi.Parts(w, r, l.parts(r.Context()))
}

// readyRow is the record of a stored document that was read after the mark.
func (a api) readyRow(mark engine.Mark, d tables.Document) (*ready, error) {
	if i, ok := a.hot.Get(d.ID); ok && i.At == d.At && i.Ordinal == d.Ordinal {
		return i, nil
	}
	i, err := engine.Decode[projections.Invoice](projections.Invoices, d)
	if err != nil {
		return nil, err
	}
	return a.keepReady(mark, i)
}

// line is the record without the end of its line.
func (a api) line(i *ready, why reasonFor) ([]byte, error) {
	reason, err := reasonOf(&i.about, why)
	if err != nil {
		return nil, err
	}
	body, err := i.with(reason)
	return body[:max(len(body)-1, 0)], err
}

// answerReady answers with a page of records that are kept, unless they are so large that they are to be answered in
// parts.
func (a api) answerReady(w http.ResponseWriter, l listing[tables.Document, resource.Invoice], known []*ready,
	total int64, why reasonFor) (done bool, err error) {
	size := 200
	for _, i := range known {
		size += len(i.body)
	}
	if size > partBytes {
		return false, nil
	}
	room := answered.Get().(*[]byte)
	defer answered.Put(room)
	out := l.open(slices.Grow((*room)[:0], size), total)
	for n, i := range known {
		if n > 0 {
			out = append(out, ',')
		}
		line, err := a.line(i, why)
		if err != nil {
			return false, err
		}
		out = append(out, line...)
	}
	var following int64
	if n := len(known); n > 0 && known[n-1].Ordinal > 1 { // all of a company's have ordinals, from 1 on
		following = known[n-1].Ordinal
	}
	out = append(l.close(out, following), '\n')
	httpapi.Bytes(w, http.StatusOK, "application/json", out)
	if cap(out) <= keptPage {
		*room = out
	}
	return true, nil
}

// answered are pages that were sent, to be written over: one of 100 records is a quarter of a megabyte, which would be
// collected after each answer. A larger one than keptPage is.
var answered = sync.Pool{New: func() any { return new([]byte) }}

const keptPage = 512 << 10
