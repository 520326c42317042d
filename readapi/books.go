package readapi

import (
	"bytes"
	"context"
	"net/http"
	"strings"
	"time"

	"folio/country"
	"folio/fault"
	"folio/httpapi"
	"folio/money"
	"folio/past"
	"folio/projections"
	"folio/projections/engine"
	"folio/strict"
	"folio/summary"
	"folio/tables"

	"github.com/go-chi/chi/v5"
)

func (a api) reportRoutes(r chi.Router) {
	get(r, "/api/reports/vat-book", a.vatBook)
	get(r, "/api/reports/vat-book/{file}", a.vatBookFile)
	get(r, "/api/reports/purchase-book", a.purchaseBook)
	get(r, "/api/reports/receivables", a.receivables)
	get(r, "/api/projections/{name}", a.readProjection)
	get(r, "/api/feed", a.readFeed)
}

// amount is an exact amount as a JSON number.
type amount struct {
	of     money.Exact
	places int
}

// MarshalJSON writes the number with its decimals.
func (a amount) MarshalJSON() ([]byte, error) { return []byte(a.String()), nil }

// String is the number with its decimals.
func (a amount) String() string { return a.of.Fixed(a.places) }

// book is the month of a company's book that a request asks for.
type book struct {
	company     string
	rules       country.Rules
	month       string
	environment string
	csv         bool
	page        int64
	perPage     int64
}

// bookOf reads the parameters that all books have.
func (a api) bookOf(r *http.Request, environments bool) (b book, err error) {
	q := strict.ReadQuery(r)
	b = monthOf(r, q, environments)
	b.csv = formatOf(q)
	b.page, b.perPage = pageOf(q)
	if b.csv {
		refuse(q, wholeTable, "page", "per_page")
	}
	if err := q.Done(); err != nil {
		return b, err
	}
	b.rules, err = a.ownRules(r.Context())
	return b, err
}

// monthOf reads whose book of which month it is.
func monthOf(r *http.Request, q *strict.Query, environments bool) (b book) {
	b.company = httpapi.Caller(r.Context()).Company
	b.month = q.String("month", strict.Required, strict.MaxLen(7))
	if _, err := time.Parse("2006-01", b.month); b.month != "" && err != nil {
		q.Fail("month", strict.CodeFormat, "must be a month such as 2026-11")
	}
	if environments {
		b.environment = environmentOf(q)
	}
	return b
}

// environmentOf reads the parameter environment; production when it is missing.
func environmentOf(q *strict.Query) string {
	switch text := q.String("environment", strict.MaxLen(20)); {
	case text == "", equalFold(text, "production"):
		return "Production"
	case equalFold(text, "testing"):
		return "Testing"
	}
	q.Fail("environment", strict.CodeNotAllowed, "Use production or testing.")
	return ""
}

// ownRules are those of the caller's country.
func (a api) ownRules(ctx context.Context) (country.Rules, error) {
	c, err := a.Documents.GetCompany(ctx, httpapi.Caller(ctx).Company)
	if err != nil {
		return nil, err
	}
	if rules, ok := a.Countries.ByCode(c.Country); ok {
		return rules, nil
	}
	return nil, fault.New(fault.Unavailable, "COUNTRY_NOT_SERVED",
		"This service was started without the rules of "+c.Country+".")
}

// table answers with CSV that is made in parts; fill gives the rows of each. An error after
// the first part cuts the connection off, so that nobody takes a part for the whole.
func (a api) table(w http.ResponseWriter, r *http.Request, name, columns string,
	fill func(emit func(part func(*past.CSV)) error) error) error {
	begun := false
	err := fill(func(part func(*past.CSV)) error {
		var raw bytes.Buffer
		err := a.pass(r.Context(), func() error {
			out := past.NewCSV(&raw)
			if !begun {
				out.Header(columns)
			}
			part(out)
			return out.Flush()
		})
		if err != nil {
			return err
		}
		if !begun {
			asCSV(w, name)
			begun = true
		}
		_, err = w.Write(raw.Bytes())
		return err
	})
	if err == nil || !begun {
		return err
	}
	httpapi.Log(r.Context()).Error("the table was cut off", "table", name, "error", err)
	panic(http.ErrAbortHandler)
}

// receivable is what a customer was billed in one currency.
type receivable struct {
	Customer    summary.Party `json:"customer"`
	Currency    string        `json:"currency"`
	Documents   int64         `json:"documents"`
	Billed      amount        `json:"billed"`
	DebitNotes  int64         `json:"debit_notes"`
	Debited     amount        `json:"debited"`
	CreditNotes int64         `json:"credit_notes"`
	Credited    amount        `json:"credited"`
	Balance     amount        `json:"balance"`
	First       string        `json:"first_date"`
	Last        string        `json:"last_date"`
	// NoFiscalValue counts those of the documents and notes that an authority of trial accepted.
	NoFiscalValue int64 `json:"no_fiscal_value"`
}

// receivableOf writes amounts with the decimals of their currency.
func receivableOf(rules country.Rules, d projections.Receivable) receivable {
	of := func(e money.Exact) amount { return amount{e, placesIn(rules, d.Currency)} }
	return receivable{d.Customer, d.Currency, d.Documents, of(d.Billed), d.DebitNotes, of(d.Debited), d.CreditNotes,
		of(d.Credited),
		of(d.Balance), d.First, d.Last, d.Sandbox}
}

// placesIn is how many decimals an amount in the currency has, for a company under rules.
func placesIn(rules country.Rules, currency string) int {
	if currency == rules.Currency() {
		return country.Places(rules)
	}
	return 2
}

// receivables lists customers by what they owe, the most first.
func (a api) receivables(w http.ResponseWriter, r *http.Request) error {
	q := strict.ReadQuery(r)
	csv := formatOf(q)
	filters := []tables.Filter{{Attribute: "environment", Value: environmentOf(q)}}
	rules, err := a.ownRules(r.Context())
	if err != nil {
		return err
	}
	if v := q.String("customer_document", strict.MaxLen(40)); v != "" {
		f := tables.Filter{Attribute: "customer_document", Value: plainDocument(rules, v)}
		if country.Nobody(v) {
			f.Value = "" // all who are not identified are one customer
		}
		filters = append(filters, f)
	}
	if v := q.String("currency", strict.MaxLen(40)); v != "" {
		filters = append(filters, tables.Filter{Attribute: "currency", Value: strings.ToUpper(v)})
	}
	page, perPage := pageOf(q)
	if csv {
		refuse(q, wholeTable, "page", "per_page")
	}
	if err := q.Done(); err != nil {
		return err
	}
	if err := a.fresh(r, projections.Receivables.Name()); err != nil {
		return err
	}
	company := httpapi.Caller(r.Context()).Company
	if csv {
		return a.table(w, r, "receivables", "customer,document_type,document,currency,documents,billed,debit_notes,debited,credit_notes,credited,balance,first_date,last_date,no_fiscal_value",
			func(emit func(func(*past.CSV)) error) error {
				return engine.WalkOwned(r.Context(), a.Documents, projections.Receivables,
					engine.Rows{Owner: company, Filters: filters},
					func(part []projections.Receivable) error {
						return emit(func(out *past.CSV) { receivableRows(out, rules, part) })
					})
			})
	}
	var docs []projections.Receivable
	var total int64
	err = a.pass(r.Context(), func() (err error) {
		docs, total, err = engine.FindOwned[projections.Receivable](r.Context(), a.Documents, projections.Receivables,
			engine.Rows{
				Owner: company, Filters: filters, Sort: "balance", Descending: true, Offset: int((page - 1) * perPage),
				Limit: int(perPage)})
		return err
	})
	if err != nil {
		return err
	}
	return httpapi.JSON(w, http.StatusOK, envelope(page, perPage, total, country.Collect(docs,
		func(d projections.Receivable) receivable { return receivableOf(rules, d) })))
}

// paged is the envelope of all lists.
type paged[T any] struct {
	Page    int64 `json:"page"`
	Pages   int64 `json:"total_pages"`
	Results int64 `json:"total_results"`
	PerPage int64 `json:"per_page"`
	Data    []T   `json:"data"`
}

func envelope[T any](page, perPage, total int64, data []T) paged[T] {
	if data == nil {
		data = []T{}
	}
	return paged[T]{page, pages(total, perPage), total, perPage, data}
}
