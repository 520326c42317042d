package projections

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"folio/country"
	"folio/events"
	"folio/projections/engine"
	"folio/tables"
)

// FindIssued is the id of a company's own document with the coordinates of ref, "" for
// none. A rejected one is found where no other has its number.
func (r *Reader) FindIssued(ctx context.Context, company, environment string, ref events.Reference) (string, error) {
	number := Invoice{BranchOffice: ref.BranchOffice, Number: ref.Number}.ShownNumber()
	rejected := ""
	page := engine.Page{Limit: tables.MaxLimit} // as many as have this number: one a kind, series and environment
	for {
		found, err := r.ListInvoices(ctx, InvoiceQuery{Company: company, Number: number, Page: page})
		if err != nil {
			return "", err
		}
		for _, i := range found.Documents {
			if i.Document.OfficialCode != ref.OfficialCode || i.Letter != ref.Series ||
				environment != "" && i.Environment != environment {
				continue
			}
			if i.Status != StatusRejected {
				return i.ID, nil
			}
			rejected = i.ID
		}
		if len(found.Documents) < page.Limit {
			return rejected, nil
		}
		page.Before = found.Last
	}
}

// FindIssuedBy is FindIssued of what the authority had accepted by a time; the zero time: of anything.
func (r *Reader) FindIssuedBy(ctx context.Context, company, environment string, ref events.Reference,
	by time.Time) (string, error) {
	id, err := r.FindIssued(ctx, company, environment, ref)
	if err != nil || id == "" || by.IsZero() {
		return id, err
	}
	i, err := r.GetInvoice(ctx, id)
	if err != nil || i.AcceptedAt.IsZero() || i.AcceptedAt.After(by) {
		return "", err
	}
	return id, nil
}

// The most that FindInPeriod tells of, and the pages it reads for it.
const (
	maxInPeriod = 40
	maxPages    = 10
)

// FindInPeriod are the numbers of a company's accepted documents of like's type to its
// recipient in a period: at most 40, and whether there may be more. A recipient that is not
// identified is like any other that is not.
func (r *Reader) FindInPeriod(ctx context.Context, company, environment string, like events.Document,
	period events.Reference) (numbers []string, more bool, err error) {
	q := InvoiceQuery{Company: company, Status: StatusAccepted, InvoiceType: like.Type, DateFrom: period.PeriodFrom,
		DateTo: period.PeriodTo, Page: engine.Page{Limit: tables.MaxLimit}}
	anybody := country.Nobody(like.Recipient.DocumentNumber)
	if !anybody {
		q.RecipientDocument = like.Recipient.DocumentNumber
	}
	for range maxPages {
		found, err := r.ListInvoices(ctx, q)
		if err != nil {
			return nil, false, err
		}
		for _, i := range found.Documents {
			if anybody && !country.Nobody(i.Document.Recipient.DocumentNumber) ||
				environment != "" && i.Environment != environment {
				continue
			}
			if len(numbers) == maxInPeriod {
				return numbers, true, nil
			}
			numbers = append(numbers, strings.TrimPrefix(i.Letter+"-"+strconv.FormatInt(i.Number, 10), "-"))
		}
		if len(found.Documents) < q.Page.Limit {
			return numbers, false, nil
		}
		q.Page.Before = found.Last
	}
	return numbers, true, nil
}

// FindCompanies are the ids of an account's companies with a country's tax identifier, in order of
// creation, the newest first.
func (r *Reader) FindCompanies(ctx context.Context, account, country, identifier string) (ids []string, err error) {
	err = r.eachCompany(ctx, account, func(c Company) error {
		if c.Country == country && c.TaxIdentifier == identifier {
			ids = append(ids, c.ID)
		}
		return nil
	})
	return ids, err
}

// eachCompany tells all companies of an account, the newest first.
func (r *Reader) eachCompany(ctx context.Context, account string, tell func(Company) error) error {
	page := engine.Page{Limit: tables.MaxLimit}
	for {
		found, err := r.ListCompanies(ctx, account, page)
		if err != nil {
			return err
		}
		for _, c := range found.Documents {
			if err := tell(c); err != nil {
				return err
			}
		}
		if len(found.Documents) < page.Limit {
			return nil
		}
		page.Before = found.Last
	}
}

// FindRange is the series of a company's uploaded range, "" for none.
func (r *Reader) FindRange(ctx context.Context, company, id string) (series string, err error) {
	e, err := r.GetEnumeration(ctx, id)
	if errors.Is(err, engine.ErrNotFound) || err == nil && e.Company != company {
		return "", nil
	}
	return e.SeriesID, err
}

// referring is a page of the notes that name an invoice, with the other filters of q. The
// invoice itself knows them, and they are few.
func (r *Reader) referring(ctx context.Context, q InvoiceQuery) (engine.List[Invoice], error) {
	original, err := r.GetInvoice(ctx, q.References)
	if errors.Is(err, engine.ErrNotFound) || err == nil && original.Company != q.Company {
		return engine.List[Invoice]{}, nil
	}
	if err != nil {
		return engine.List[Invoice]{}, err
	}
	return r.among(ctx, q, original.Named, r.GetInvoice)
}

// among is a page of those of the named invoices that pass the filters of q, each as get
// reads it.
func (r *Reader) among(ctx context.Context, q InvoiceQuery, named []string,
	get func(context.Context, string) (Invoice, error)) (engine.List[Invoice], error) {
	var all []Invoice
	for _, id := range named {
		i, err := get(ctx, id)
		if errors.Is(err, engine.ErrNotFound) {
			continue // it was never created
		}
		if err != nil {
			return engine.List[Invoice]{}, err
		}
		if q.admits(i) {
			all = append(all, i)
		}
	}
	slices.SortStableFunc(all, func(a, b Invoice) int { return int(b.Ordinal - a.Ordinal) })
	out := engine.List[Invoice]{Total: int64(len(all))}
	if q.Page.Before > 0 {
		all = slices.DeleteFunc(all, func(i Invoice) bool { return i.Ordinal >= q.Page.Before })
	}
	from := min(q.Page.Offset, len(all))
	out.Documents = all[from:min(from+q.Page.Limit, len(all))]
	if n := len(out.Documents); n > 0 {
		out.Last = out.Documents[n-1].Ordinal
	}
	return out, nil
}

// admits says that an invoice passes the filters, as a store would.
func (q InvoiceQuery) admits(i Invoice) bool {
	values := Invoices.Values(&i)
	for _, f := range q.filters() {
		value := values[f.Attribute]
		switch f.Op {
		case tables.EqualFold:
			if !strings.EqualFold(value, f.Value) {
				return false
			}
		case tables.AtLeast:
			if value < f.Value {
				return false
			}
		case tables.AtMost:
			if value > f.Value {
				return false
			}
		default:
			if value != f.Value {
				return false
			}
		}
	}
	return true
}
