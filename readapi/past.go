package readapi

import (
	"context"
	"net/http"
	"time"

	"folio/events"
	"folio/httpapi"
	"folio/past"
	"folio/projections"
	"folio/projections/engine"
	"folio/resource"
	"folio/strict"
)

// onlyAt reads the moment that a request's at names, where at is the only parameter.
func (a api) onlyAt(r *http.Request) (events.Moment, error) {
	q := strict.ReadQuery(r)
	m, err := a.at(r.Context(), q)
	if err != nil {
		return m, err
	}
	return m, q.Done()
}

// at reads the moment that the parameter at names; the zero moment when it is not there. An
// empty one is refused: whoever asks for the past is not to get the present. So is one that has
// not come yet: what a read will give then is not known.
func (a api) at(ctx context.Context, q *strict.Query) (events.Moment, error) {
	return a.moment(ctx, q, "at")
}

// moment reads a parameter as at does.
func (a api) moment(ctx context.Context, q *strict.Query, name string) (events.Moment, error) {
	text := q.String(name, strict.MaxLen(60))
	if text == "" && !q.Given(name) {
		return events.Moment{}, nil
	}
	m, err := events.ParseMoment(text)
	if err != nil {
		q.Fail(name, "NOT_A_MOMENT", "Write a position as an answer gave it, like C:12/P:12 with the same number twice, "+
			"or a time like 2026-03-02T15:04:05Z.")
		return events.Moment{}, nil
	}
	if m.Time.IsZero() {
		end, err := a.Log.End(ctx)
		if err != nil {
			return m, err
		}
		if end.Before(m.Position) {
			q.Fail(name, "NOT_YET", "The event log has not come to this position: it is of another log, or "+
				"of one before a restore. Use one that an answer of this service gave.")
		}
	} else if m.Time.After(a.Clock()) {
		q.Fail(name, "NOT_YET", "This time has not come yet: name one that has passed.")
	}
	return m, nil
}

// pastMemory is what folding one document or one page of facts takes.
const pastMemory = 8 << 20

// pass runs f, which reads the log, when it is the caller's turn.
func (a api) pass(ctx context.Context, f func() error) error {
	return a.Work.Pass(ctx, httpapi.Caller(ctx).Party(), pastMemory, f)
}

// readInvoiceAt answers with the invoice as a read gave it at the moment.
func (a api) readInvoiceAt(w http.ResponseWriter, r *http.Request, id string, m events.Moment) error {
	var record resource.Invoice
	err := a.pass(r.Context(), func() error {
		i, err := engine.GetAt[projections.Invoice](r.Context(), a.Documents, projections.Invoices, id, m)
		if err != nil {
			return a.missing(r.Context(), err, errNotYetInvoice, "invoice-"+id)
		}
		w.Header().Set("Folio-As-Of", i.At.String())
		record, err = a.record(r, i, noReason, neverAway)
		return err
	})
	if err != nil {
		return err
	}
	return httpapi.JSON(w, http.StatusOK, record)
}

// noReason is the reasonFor of the past: why an invoice waited is no fact.
func noReason(*about) (*resource.PendingReason, error) { return nil, nil }

// listAt is how a list of the past is read, once the tables have what belongs to it.
func (a api) listAt(ctx context.Context, m events.Moment) (
	func(context.Context, projections.InvoiceQuery) (engine.List[projections.Invoice], error), reasonFor, error,
) {
	return func(ctx context.Context, q projections.InvoiceQuery) (engine.List[projections.Invoice], error) {
		return a.Documents.ListInvoicesAt(ctx, q, m)
	}, noReason, a.come(ctx, projections.Invoices.Name(), m)
}

// come waits until the tables of a projection have all documents that there were at a moment.
func (a api) come(ctx context.Context, projection string, m events.Moment) error {
	position := m.Position
	if !m.Time.IsZero() {
		end, err := a.Log.End(ctx)
		if err != nil {
			return err
		}
		position = end
	}
	return a.reaches(ctx, projection, position)
}

// companyAt is the company as it was, and where it stood.
func (a api) companyAt(ctx context.Context, id string, m events.Moment) (projections.Company, standing, error) {
	for _, p := range []engine.Projection{projections.Invoices, projections.Enumerations} {
		if err := a.come(ctx, p.Name(), m); err != nil {
			return projections.Company{}, nil, err
		}
	}
	var c projections.Company
	at := m.Time
	err := a.pass(ctx, func() (err error) {
		if c, err = engine.GetAt[projections.Company](ctx, a.Documents, projections.Companies, id, m); err != nil {
			return a.missing(ctx, err, errNotYetCompany, "company-"+id)
		}
		for r, err := range past.Until(past.Company(ctx, a.Log, id, events.Position{}), m) {
			if err != nil {
				return err
			}
			if m.Time.IsZero() {
				at = r.When()
			}
		}
		return nil
	})
	return c, standingAt{a, m, at}, err
}

// standingAt is that of a moment. Where the moment is a position, its clock is that of the
// company's last event until then.
type standingAt struct {
	a  api
	m  events.Moment
	at time.Time
}

func (s standingAt) clock() time.Time { return s.at }

// numbered looks at the oldest range: it was there if any was.
func (s standingAt) numbered(ctx context.Context, company string) (bool, error) {
	found, err := s.a.Documents.ListEnumerations(ctx, company, engine.Page{Limit: 1, OldestFirst: true})
	if err != nil || len(found.Documents) == 0 {
		return false, err
	}
	oldest := found.Documents[0]
	for r, err := range past.Until(past.Series(ctx, s.a.Log, oldest.SeriesID, events.Position{}), s.m) {
		if err != nil {
			return false, err
		}
		if e, ok := r.Event.(events.NumberingRangeUploaded); ok && e.Range == oldest.ID {
			return true, nil
		}
	}
	return false, nil
}

func (s standingAt) waits(ctx context.Context, company, invoiceType string) (found bool, err error) {
	err = s.a.pass(ctx, func() error {
		found, err = s.a.Documents.AnyInvoiceAt(ctx, waitingOf(company, invoiceType), s.m)
		return err
	})
	return found, err
}
