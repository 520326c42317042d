package readapi

import (
	"context"

	"github.com/go-json-experiment/json/jsontext"

	"folio/events"
	"folio/httpapi"
	"folio/projections"
	"folio/projections/engine"
	"folio/strict"
)

// changes are a page of the invoices that changed after a position, in the order in which they did.
type changes struct {
	after events.Position // of what is read next
	more  bool            // the page is full
}

// walked reads updated_since, with the cursor of such a list; nil when it is not asked for. A time is only where the
// walk begins: from the first event of the company then or later, all that follows in the log belongs to it.
func (a api) walked(ctx context.Context, q *strict.Query) (*changes, error) {
	if !q.Given("updated_since") {
		return nil, nil
	}
	var since events.Moment
	if q.String("updated_since", strict.MaxLen(60)) != since.Position.String() { // the beginning is no moment
		var err error
		if since, err = a.moment(ctx, q, "updated_since"); err != nil {
			return nil, err
		}
	}
	for _, other := range []string{"page", "at", "references"} {
		if q.Given(other) {
			q.Fail(other, strict.CodeNotAllowed,
				"It does not go with updated_since, which walks by cursor through the present. Leave one of them away.")
		}
	}
	w := &changes{after: since.Position}
	if text := q.String("cursor", strict.MaxLen(60)); text != "" {
		var err error
		if w.after, err = events.ParsePosition(text); err != nil {
			q.Fail("cursor", "NOT_A_POSITION", "Send next_cursor of the page before, such as C:12/P:12.")
			return w, nil
		}
		return w, a.reached(ctx, q, "cursor", w.after)
	}
	if since.Time.IsZero() {
		return w, nil
	}
	var err error
	w.after, err = a.Documents.UpdatedSince(ctx, httpapi.Caller(ctx).Company, since.Time)
	return w, err
}

// find goes on where the part before it ended.
func (w *changes) find(from *projections.Reader) func(context.Context, projections.InvoiceQuery) (
	engine.List[projections.Invoice], error) {
	return func(ctx context.Context, q projections.InvoiceQuery) (engine.List[projections.Invoice], error) {
		list, until, err := from.ListUpdated(ctx, q, w.after)
		w.after, w.more = until, int64(len(list.Documents)) < list.Total
		return list, err
	}
}

// close ends the envelope: where the next page begins, null when nothing more changed yet, and where to go on later.
func (w *changes) close(out []byte) []byte {
	until, _ := jsontext.AppendQuote(nil, w.after.String())
	out = append(out, `],"next_cursor":`...)
	if w.more {
		out = append(out, until...)
	} else {
		out = append(out, "null"...)
	}
	return append(append(out, `,"updated_until":`...), until...)
}
