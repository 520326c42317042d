package readapi

import (
	"context"
	"net/http"
	"slices"

	"folio/events"
	"folio/httpapi"
	"folio/projections"
	"folio/projections/engine"
	"folio/resource"
	"folio/strict"
	"folio/tables"
)

func (a api) readInvoice(w http.ResponseWriter, r *http.Request) error {
	i, err := a.readyInvoice(r)
	if err != nil {
		return err
	}
	if r.URL.RawQuery != "" {
		m, err := a.onlyAt(r)
		if err != nil {
			return err
		}
		if !m.IsZero() {
			return a.readInvoiceAt(w, r, i.id, m)
		}
	}
	handsOver, err := a.handsOver(i.country)
	if err != nil {
		return err
	}
	if handsOver {
		return a.readInvoiceNow(w, r, i.id)
	}
	reason, err := reasonOf(&i.about, a.reasonsNow(r))
	if err != nil {
		return err
	}
	return i.write(w, r, reason)
}

// readInvoiceNow answers with a record whose delivery depends on whether the authority is away, so it is not kept.
func (a api) readInvoiceNow(w http.ResponseWriter, r *http.Request, id string) error {
	i, err := a.ownInvoice(r.Context(), id)
	if err != nil {
		return err
	}
	w.Header().Set("Folio-As-Of", i.At.String())
	record, err := a.record(r, i, a.reasonsNow(r), a.awayNow(r.Context()))
	if err != nil {
		return err
	}
	return httpapi.JSON(w, http.StatusOK, record)
}

// invoice is the one that the path names, if it is the caller's.
func (a api) invoice(r *http.Request) (projections.Invoice, error) {
	id, err := httpapi.PathID(r, "invoice_id")
	if err != nil {
		return projections.Invoice{}, errNoInvoice
	}
	if err := a.fresh(r, projections.Invoices.Name()); err != nil {
		return projections.Invoice{}, err
	}
	return a.ownInvoice(r.Context(), id)
}

// ownInvoice reads an invoice of the caller's.
func (a api) ownInvoice(ctx context.Context, id string) (projections.Invoice, error) {
	i, err := a.Documents.GetInvoice(ctx, id)
	if err != nil {
		return i, a.missing(ctx, err, errNoInvoice, "invoice-"+id)
	}
	if i.Company != httpapi.Caller(ctx).Company {
		return i, errNoInvoice
	}
	return i, nil
}

// record is the invoice as readers see it, in the language of the request. Why tells why it waits, away whether its
// authority is.
func (a api) record(r *http.Request, i projections.Invoice, why reasonFor, away awayFor) (resource.Invoice, error) {
	out, err := a.papers.Record(i)
	if err != nil {
		return resource.Invoice{}, err
	}
	if out.Delivery, err = a.delivery(r, i, away); err != nil {
		return resource.Invoice{}, err
	}
	about := aboutOf(i)
	out.PendingReason, err = reasonOf(&about, why)
	return out, err
}

// maxPage is beyond any list; a page past the end is empty, not an error.
const maxPage = 1_000_000_000

// plainCursor is the cursor of a list without updated_since. Those of lists with it look different, and a walk that
// leaves updated_since away on its second page would not know from "a whole number" what is missing.
func plainCursor(q *strict.Query) int64 {
	if _, err := events.ParsePosition(q.String("cursor")); err == nil {
		q.Fail("cursor", strict.CodeNotAllowed, "This is the cursor of a list with updated_since: send updated_since beside it "+
			"on each page.")
		return 0
	}
	return q.Int("cursor", 0, strict.Between(1, 1<<62))
}

func (a api) listInvoices(w http.ResponseWriter, r *http.Request) error {
	q := strict.ReadQuery(r)
	page := q.Int("page", 1, strict.Between(1, maxPage))
	perPage := q.Int("per_page", 100, strict.Between(1, 100))
	changed, err := a.walked(r.Context(), q)
	if err != nil {
		return err
	}
	cursor := int64(0)
	if changed == nil {
		cursor = plainCursor(q)
	}
	query := projections.InvoiceQuery{
		Company: httpapi.Caller(r.Context()).Company,
		Status:  q.String("status", strict.MaxLen(20)), InvoiceType: q.String("invoice_type", strict.MaxLen(20)),
	}
	query.DateFrom, query.DateTo = datesOf(q)
	query.ExternalReference = q.String("external_reference", strict.MaxLen(200))
	query.Number = q.String("number", strict.MaxLen(20))
	query.RecipientDocument = q.String("recipient_document", strict.MaxLen(40))
	query.References = q.String("references", strict.MaxLen(64))
	if q.Has("cursor") && q.Has("page") {
		q.Fail("cursor", "CURSOR_AND_PAGE", "Walk by cursor or by page, not by both.")
	}
	checkStatus(q, query.Status)
	m, err := a.at(r.Context(), q)
	if err != nil {
		return err
	}
	if err := a.plainFilters(r.Context(), q, &query); err != nil {
		return err
	}
	if err := q.Done(); err != nil {
		return err
	}
	if err := a.fresh(r, projections.Invoices.Name()); err != nil {
		return err
	}
	find, why, away := a.Documents.ListInvoices, a.reasonsNow(r), a.awayNow(r.Context())
	if m.IsZero() && query.References == "" && changed == nil && a.Handover == nil {
		return a.listReady(w, r, query, listing[tables.Document, resource.Invoice]{a: a, page: page, perPage: perPage,
			before: cursor, cursor: true})
	}
	if changed != nil {
		find = changed.find(a.Documents)
	}
	if !m.IsZero() {
		if find, why, err = a.listAt(r.Context(), m); err != nil {
			return err
		}
		away = neverAway
	}
	return httpapi.Parts(w, r, listing[projections.Invoice, resource.Invoice]{
		a: a, page: page, perPage: perPage, before: cursor, cursor: true, changes: changed,
		records: listed(projections.Invoices, func(ctx context.Context,
			p engine.Page) (engine.List[projections.Invoice], error) {
			query.Page = p
			return find(ctx, query)
		}, func(i projections.Invoice) (resource.Invoice, error) { return a.record(r, i, why, away) }),
	}.parts(r.Context()))
}

var statuses = []string{projections.StatusPending, projections.StatusInProcess, projections.StatusAccepted,
	projections.StatusRejected}

func checkStatus(q *strict.Query, status string) {
	if status != "" && !slices.ContainsFunc(statuses, func(s string) bool { return equalFold(s, status) }) {
		q.Fail("status", strict.CodeNotAllowed, "Use one of Pending, In process, Accepted, Rejected.")
	}
}
