package projections

import (
	"context"
	"strings"
	"time"

	"folio/projections/engine"
	"folio/tables"
)

// Reader reads the documents of all read models. It never writes.
type Reader struct{ *engine.Reader }

// NewReader is engine.NewReader.
func NewReader(store tables.Store, streams engine.Streams) *Reader {
	return &Reader{engine.NewReader(store, streams)}
}

// InvoiceQuery asks for invoices of one company, newest first. Empty members do not
// filter; the others must all hold.
type InvoiceQuery struct {
	Company string
	Page    engine.Page

	Status            string // in any case
	InvoiceType       string // in any case: FCA
	DateFrom, DateTo  string // YYYY-MM-DD, both included
	ExternalReference string // in any case
	Number            string // as shown: 0001-00000001
	RecipientDocument string // in any case
	References        string // id of an invoice: the notes that name it
}

func (q InvoiceQuery) filters() []tables.Filter {
	var out []tables.Filter
	add := func(attribute string, op tables.Op, value string) {
		if value != "" {
			out = append(out, tables.Filter{Attribute: attribute, Op: op, Value: value})
		}
	}
	add("status", tables.EqualFold, q.Status)
	add("invoice_type", tables.EqualFold, q.InvoiceType)
	add("date", tables.AtLeast, q.DateFrom)
	add("date", tables.AtMost, q.DateTo)
	add("external_reference", tables.EqualFold, q.ExternalReference)
	add("number", tables.Equal, q.Number)
	add("recipient_document", tables.EqualFold, q.RecipientDocument)
	return out
}

// GetInvoice reads an invoice; whose it is, is for the caller to check.
func (r *Reader) GetInvoice(ctx context.Context, id string) (Invoice, error) {
	return engine.Get[Invoice](ctx, r, Invoices, id)
}

// ListInvoices reads a page. Without filters any page costs what the first one costs.
func (r *Reader) ListInvoices(ctx context.Context, q InvoiceQuery) (engine.List[Invoice], error) {
	if q.References != "" {
		return r.referring(ctx, q)
	}
	q.Page.Filters = q.filters()
	return engine.Find[Invoice](ctx, r, Invoices, q.Company, q.Page)
}

// ListInvoiceRows is ListInvoices of documents as they are stored. References is not for it.
func (r *Reader) ListInvoiceRows(ctx context.Context, q InvoiceQuery) (engine.List[tables.Document], error) {
	q.Page.Filters = q.filters()
	return engine.FindRows(ctx, r, Invoices, q.Company, q.Page)
}

// Plain says that the query asks for the whole list.
func (q InvoiceQuery) Plain() bool { return len(q.filters()) == 0 && q.References == "" }

func equal(attribute, value string) []tables.Filter {
	return []tables.Filter{{Attribute: attribute, Op: tables.Equal, Value: value}}
}

// GetCompany reads a company.
func (r *Reader) GetCompany(ctx context.Context, id string) (Company, error) {
	return engine.Get[Company](ctx, r, Companies, id)
}

// ListCompanies reads the companies of an account.
func (r *Reader) ListCompanies(ctx context.Context, account string, page engine.Page) (engine.List[Company], error) {
	page.Filters = equal("account", account)
	return engine.Find[Company](ctx, r, Companies, everyCompany, page)
}

// ListAPIKeys reads the keys of a company that work.
func (r *Reader) ListAPIKeys(ctx context.Context, company string, page engine.Page) (engine.List[APIKey], error) {
	page.Filters = equal("state", "live")
	return engine.Find[APIKey](ctx, r, APIKeys, company, page)
}

// GetCertificate reads a certificate.
func (r *Reader) GetCertificate(ctx context.Context, id string) (Certificate, error) {
	return engine.Get[Certificate](ctx, r, Certificates, id)
}

// ListCertificates reads the certificates that a company has, the newest first.
func (r *Reader) ListCertificates(ctx context.Context, company string,
	page engine.Page) (engine.List[Certificate], error) {
	page.Filters = equal("state", "live")
	return engine.Find[Certificate](ctx, r, Certificates, company, page)
}

// ListHeldSeries reads some of the series that are held, and how many there are.
func (r *Reader) ListHeldSeries(ctx context.Context, limit int) (engine.List[Series], error) {
	return engine.Find[Series](ctx, r, Numbering, "", engine.Page{Limit: limit, Filters: equal("state", "held")})
}

// ListSeries reads the numbering series of a company, by their ids.
func (r *Reader) ListSeries(ctx context.Context, company string, page engine.Page) (engine.List[Series], error) {
	page.OldestFirst, page.Filters = true, equal("company", company)
	return engine.Find[Series](ctx, r, Numbering, "", page)
}

// FindOpen are the times at which the submissions of a company that are open were opened, by environment.
func (r *Reader) FindOpen(ctx context.Context, company string) (map[string][]time.Time, error) {
	open := map[string][]time.Time{}
	for page := (engine.Page{Limit: tables.MaxLimit}); ; page.Offset += page.Limit {
		found, err := r.ListSeries(ctx, company, page)
		if err != nil {
			return nil, err
		}
		for _, s := range found.Documents {
			parts := strings.SplitN(s.ID, "-", 3)
			for _, o := range s.Open {
				open[parts[1]] = append(open[parts[1]], o.OpenedAt)
			}
		}
		if len(found.Documents) < page.Limit {
			return open, nil
		}
	}
}

// GetSeries reads the state of a numbering series: see SeriesID.
func (r *Reader) GetSeries(ctx context.Context, id string) (Series, error) {
	return engine.Get[Series](ctx, r, Numbering, id)
}

// ListEnumerations reads the numbering ranges of a company, the newest first.
func (r *Reader) ListEnumerations(ctx context.Context, company string,
	page engine.Page) (engine.List[Enumeration], error) {
	return engine.Find[Enumeration](ctx, r, Enumerations, company, page)
}

// GetEnumeration reads a numbering range.
func (r *Reader) GetEnumeration(ctx context.Context, id string) (Enumeration, error) {
	return engine.Get[Enumeration](ctx, r, Enumerations, id)
}
