package projections

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"folio/events"
	"folio/fault"
	"folio/projections/engine"
)

// ErrTooWide refuses a list of the past whose filters leave too many documents to look at.
var ErrTooWide error = fault.New(fault.Invalid, "PAST_TOO_WIDE", fmt.Sprintf(
	"With filters, a list of the past looks at %d documents at most, and here it would be more: narrow it with "+
		"date_from and date_to, external_reference, recipient_document or number, or leave the filters away.", maxCandidates))

// maxCandidates is how many documents one list of the past may fold for its filters.
const maxCandidates = 1000

// atOnce is how many candidates are read of the tables at once.
const atOnce = 100

// ListInvoicesAt reads a page of the list as it was at a moment, which the tables must have
// reached. Which invoices there were then follows from the order in which they were created,
// and each of them is folded from its stream. With filters every candidate is folded, up to
// a bound: ErrTooWide.
func (r *Reader) ListInvoicesAt(ctx context.Context, q InvoiceQuery, m events.Moment) (engine.List[Invoice], error) {
	x := pastList{r: r, q: q, m: m}
	switch {
	case q.References != "":
		return x.referring(ctx)
	case len(q.filters()) > 0:
		return x.filtered(ctx)
	}
	return x.all(ctx)
}

// AnyInvoiceAt says whether a list of the past has an invoice at all.
func (r *Reader) AnyInvoiceAt(ctx context.Context, q InvoiceQuery, m events.Moment) (bool, error) {
	x := pastList{r: r, q: q, m: m}
	found := false
	err := x.candidates(ctx, func(Invoice, int) bool {
		found = true
		return false
	})
	return found, err
}

// pastList is one page of a list of the past.
type pastList struct {
	r *Reader
	q InvoiceQuery
	m events.Moment
}

// born is how many invoices the company had at the moment. They have the ordinals 1, 2, ...
// in the order of the log, so that the last one is found by halving.
func (x pastList) born(ctx context.Context) (int64, error) {
	now, err := x.now(ctx, InvoiceQuery{}, engine.Page{Limit: 1})
	if err != nil {
		return 0, err
	}
	low, high := int64(0), now.Total
	for low < high {
		middle := low + (high-low+1)/2
		there, err := x.now(ctx, InvoiceQuery{}, engine.Page{Limit: 1, Before: middle + 1})
		if err != nil {
			return 0, err
		}
		held, err := x.began(ctx, there)
		if err != nil {
			return 0, err
		}
		if held {
			low = middle
		} else {
			high = middle - 1
		}
	}
	return low, nil
}

// now reads the list as it is, with the filters of q.
func (x pastList) now(ctx context.Context, q InvoiceQuery, page engine.Page) (engine.List[Invoice], error) {
	q.Company, q.Page = x.q.Company, page
	return x.r.ListInvoices(ctx, q)
}

// began says whether the only document of the list existed at the moment.
func (x pastList) began(ctx context.Context, l engine.List[Invoice]) (bool, error) {
	for _, i := range l.Documents {
		return x.r.Began(ctx, Invoices, i.ID, x.m)
	}
	return false, nil
}

// all is a page without filters: it costs what the page costs, wherever it is.
func (x pastList) all(ctx context.Context) (engine.List[Invoice], error) {
	total, err := x.born(ctx)
	if err != nil {
		return engine.List[Invoice]{}, err
	}
	p := x.q.Page
	first := total
	if p.Before > 0 {
		first = min(first, p.Before-1)
	}
	out := engine.List[Invoice]{Total: total}
	next := first - int64(p.Offset)
	if next < 1 {
		return out, nil
	}
	part, err := x.now(ctx, InvoiceQuery{}, engine.Page{Limit: p.Limit, Before: next + 1, MaxBytes: p.MaxBytes})
	if err != nil {
		return engine.List[Invoice]{}, err
	}
	for _, i := range part.Documents {
		then, _, err := x.then(ctx, i)
		if err != nil {
			return engine.List[Invoice]{}, err
		}
		out.Documents = append(out.Documents, then)
	}
	out.Last, out.Cut = part.Last, part.Cut
	return out, nil
}

// then is an invoice of the list as it was, and how many bytes it takes.
func (x pastList) then(ctx context.Context, now Invoice) (Invoice, int, error) {
	d, err := x.r.DocumentAt(ctx, Invoices, now.ID, x.m)
	if err != nil {
		return Invoice{}, 0, fmt.Errorf("invoice %s at %s: %w", now.ID, x.m, err)
	}
	d.Ordinal = now.Ordinal
	i, err := engine.Decode[Invoice](Invoices, d)
	return i, len(d.Body), err
}

// filtered is a page of those that pass the filters.
func (x pastList) filtered(ctx context.Context) (engine.List[Invoice], error) {
	p := x.q.Page
	var out engine.List[Invoice]
	passed, bytes := 0, 0
	err := x.candidates(ctx, func(i Invoice, size int) bool {
		out.Total++
		if p.Before > 0 && i.Ordinal >= p.Before {
			return true
		}
		if passed++; passed <= p.Offset || len(out.Documents) == p.Limit || out.Cut {
			return true
		}
		out.Documents, out.Last = append(out.Documents, i), i.Ordinal
		bytes += size
		out.Cut = p.MaxBytes > 0 && bytes >= p.MaxBytes
		return true
	})
	return out, err
}

// candidates folds every invoice that may pass the filters, newest first, and yields those
// that do, until yield says that it is enough.
func (x pastList) candidates(ctx context.Context, yield func(i Invoice, bytes int) bool) error {
	total, err := x.born(ctx)
	if err != nil || total == 0 {
		return err
	}
	seen := 0
	for before := total + 1; ; {
		part, err := x.now(ctx, x.q.lasting(), engine.Page{Limit: atOnce, Before: before, MaxBytes: 1 << 20})
		if err != nil {
			return err
		}
		for _, i := range part.Documents {
			if seen++; seen > maxCandidates {
				return ErrTooWide
			}
			then, bytes, err := x.then(ctx, i)
			if err != nil {
				return err
			}
			if x.q.admits(then) && !yield(then, bytes) {
				return nil
			}
			before = i.Ordinal
		}
		if len(part.Documents) < atOnce && !part.Cut || before <= 1 {
			return nil
		}
	}
}

// lasting are the filters that hold now if they held at any moment: what a document says
// never changes, nor does its number once it has one, nor what the authority decided.
func (q InvoiceQuery) lasting() InvoiceQuery {
	q.References = ""
	if s := q.Status; !strings.EqualFold(s, StatusAccepted) && !strings.EqualFold(s, StatusRejected) {
		q.Status = ""
	}
	return q
}

// referring is a page of the notes that named an invoice at the moment.
func (x pastList) referring(ctx context.Context) (engine.List[Invoice], error) {
	original, err := engine.GetAt[Invoice](ctx, x.r, Invoices, x.q.References, x.m)
	if errors.Is(err, engine.ErrNotFound) || err == nil && original.Company != x.q.Company {
		return engine.List[Invoice]{}, nil
	}
	if err != nil {
		return engine.List[Invoice]{}, err
	}
	return x.r.among(ctx, x.q, original.Named, func(ctx context.Context, id string) (Invoice, error) {
		now, err := x.r.GetInvoice(ctx, id)
		if err != nil {
			return now, err
		}
		then, _, err := x.then(ctx, now)
		return then, err
	})
}
