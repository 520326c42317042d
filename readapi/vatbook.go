package readapi

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"folio/country"
	"folio/fault"
	"folio/httpapi"
	"folio/money"
	"folio/papers"
	"folio/past"
	"folio/projections"
	"folio/projections/engine"
	"folio/strict"
	"folio/summary"
	"folio/tables"
)

// vatSums are amounts in local currency; credit notes take.
type vatSums struct {
	Documents int64  `json:"documents"`
	Net       amount `json:"net"`
	Exempt    amount `json:"exempt"`
	Untaxed   amount `json:"untaxed"`
	Tax       amount `json:"tax"`
	Other     amount `json:"other"`
	Total     amount `json:"total"`
}

type vatRate struct {
	Type   string `json:"type"`
	Code   string `json:"organization_code"`
	Rate   amount `json:"rate"`
	Base   amount `json:"base_amount"`
	Amount amount `json:"amount"`
}

type vatType struct {
	InvoiceType  string        `json:"invoice_type"`
	OfficialCode int           `json:"official_code"`
	Name         string        `json:"name"`
	Class        summary.Class `json:"class"`
	vatSums
	Rates []vatRate `json:"by_rate"`
}

// vatLine is one document, with its amounts as the sums take them.
type vatLine struct {
	Invoice       string        `json:"invoice_id"`
	Date          string        `json:"date"`
	InvoiceType   string        `json:"invoice_type"`
	OfficialCode  int           `json:"official_code"`
	Class         summary.Class `json:"class"`
	Series        *string       `json:"series"`
	Number        string        `json:"number"`
	Recipient     summary.Party `json:"recipient"`
	Currency      string        `json:"currency"`
	Rate          amount        `json:"exchange_rate"`
	Net           amount        `json:"net"`
	Exempt        amount        `json:"exempt"`
	Untaxed       amount        `json:"untaxed"`
	Tax           amount        `json:"tax"`
	Other         amount        `json:"other"`
	Total         amount        `json:"total"`
	Rates         []vatRate     `json:"by_rate"`
	Authorization string        `json:"authorization"`
	NoFiscalValue bool          `json:"no_fiscal_value"`
}

// vatMonth is the answer of a month.
type vatMonth struct {
	// AsOf is a position of the log: everything up to it is in the totals and in the documents.
	AsOf string `json:"as_of"`
	// Consistent says that the totals are those of the documents that are listed, none more and
	// none less. While documents are accepted one of the two may have the newest of them first.
	Consistent bool `json:"consistent"`

	Month         string    `json:"month"`
	Country       string    `json:"country"`
	Environment   string    `json:"environment"`
	Currency      string    `json:"currency"`
	NoFiscalValue int64     `json:"no_fiscal_value"` // of the documents
	Totals        vatSums   `json:"totals"`
	Rates         []vatRate `json:"by_rate"`
	Types         []vatType `json:"by_type"`
	paged[vatLine]
}

func sumsOf(a summary.Amounts, documents int64, places int) vatSums {
	of := func(e money.Exact) amount { return amount{e, places} }
	return vatSums{documents, of(a.Net), of(a.Exempt), of(a.Untaxed), of(a.Tax), of(a.Other), of(a.Total)}
}

func ratesOf(taxes []summary.Tax, places int) []vatRate {
	return country.Collect(taxes, func(t summary.Tax) vatRate {
		return vatRate{t.Type, t.Code, amount{t.Rate, 0}, amount{t.Base, places}, amount{t.Amount, places}}
	})
}

func lineOf(d projections.VATLine) vatLine {
	s := sumsOf(d.Local, 1, d.Places)
	return vatLine{Invoice: d.Invoice, Date: d.Date, InvoiceType: d.Type, OfficialCode: d.OfficialCode, Class: d.Class,
		Series: pointer(d.Series), Number: fmt.Sprintf("%04d-%08d", d.BranchOffice, d.Number), Recipient: d.Recipient,
		Currency: d.Currency,
		Rate:     amount{d.Rate, 0}, Net: s.Net, Exempt: s.Exempt, Untaxed: s.Untaxed, Tax: s.Tax, Other: s.Other,
		Total: s.Total,
		Rates: ratesOf(d.Rates, d.Places), Authorization: d.Authorization, NoFiscalValue: d.Sandbox}
}

// filter is the month's documents.
func (b book) filter() []tables.Filter {
	return []tables.Filter{{Attribute: "book", Value: projections.BookMonth(b.environment, b.month)}}
}

// vatBook is the month's book of sales: its sums, and its documents by date, type and number.
func (a api) vatBook(w http.ResponseWriter, r *http.Request) error {
	b, err := a.bookOf(r, true)
	if err != nil {
		return err
	}
	for _, p := range []engine.Projection{projections.VATBook, projections.VATTotals} {
		if err := a.fresh(r, p.Name()); err != nil {
			return err
		}
	}
	if b.csv {
		return a.vatBookCSV(w, r, b)
	}
	out, err := a.agreedMonth(r.Context(), b)
	if err != nil {
		return err
	}
	return httpapi.JSON(w, http.StatusOK, out)
}

// agreeing is how often the month is read until its totals are those of its documents.
const agreeing = 4

// agreedMonth reads totals and documents, which are folded apart, until they are of the same
// documents. A book only gains documents, so as many are the same ones.
func (a api) agreedMonth(ctx context.Context, b book) (out vatMonth, err error) {
	for range agreeing {
		totals, err := a.Documents.Position(ctx, projections.VATTotals)
		if err != nil {
			return out, err
		}
		lines, err := a.Documents.Position(ctx, projections.VATBook)
		if err != nil {
			return out, err
		}
		err = a.pass(ctx, func() (err error) {
			out, err = a.vatMonth(ctx, b)
			return err
		})
		if err != nil {
			return out, err
		}
		earlier, later := totals, lines
		if later.Before(earlier) {
			earlier, later = later, earlier
		}
		if out.Totals.Documents == out.Results {
			out.AsOf, out.Consistent = later.String(), true
			return out, nil
		}
		out.AsOf = earlier.String()
		for _, p := range []engine.Projection{projections.VATBook, projections.VATTotals} {
			if a.reaches(ctx, p.Name(), later) != nil {
				return out, nil // the answer says that they differ
			}
		}
	}
	return out, nil
}

func (a api) vatMonth(ctx context.Context, b book) (vatMonth, error) {
	places := country.Places(b.rules)
	out := vatMonth{Month: b.month, Country: b.rules.Code(), Environment: b.environment, Currency: b.rules.Currency(),
		Types: []vatType{}}
	totals, _, err := engine.FindOwned[projections.VATTotal](ctx, a.Documents, projections.VATTotals,
		engine.Rows{Owner: b.company, Filters: b.filter(), Limit: tables.MaxLimit})
	if err != nil {
		return out, err
	}
	var sum summary.Amounts
	var taxes []summary.Tax
	var documents int64
	for _, t := range totals {
		kind, _ := country.TypeOf(b.rules, t.OfficialCode)
		out.Types = append(out.Types, vatType{t.Type, t.OfficialCode, kind.Name, t.Class,
			sumsOf(t.Amounts, t.Documents, places), ratesOf(t.Taxes, places)})
		sum, documents, out.NoFiscalValue = sum.Add(t.Amounts), documents+t.Documents, out.NoFiscalValue+t.Sandbox
		taxes = projections.AddTaxes(taxes, t.Taxes...)
	}
	out.Totals, out.Rates = sumsOf(sum, documents, places), ratesOf(taxes, places)
	lines, total, err := engine.FindOwned[projections.VATLine](ctx, a.Documents, projections.VATBook,
		engine.Rows{Owner: b.company, Filters: b.filter(), Offset: int((b.page - 1) * b.perPage), Limit: int(b.perPage)})
	out.paged = envelope(b.page, b.perPage, total, country.Collect(lines, lineOf))
	return out, err
}

const vatColumns = "date,invoice_type,official_code,class,series,number,recipient,document_type,document,currency,exchange_rate," +
	"net,exempt,untaxed,tax,other,total,by_rate,authorization,no_fiscal_value,invoice_id"

func (a api) vatBookCSV(w http.ResponseWriter, r *http.Request, b book) error {
	return a.table(w, r, "vat-book-"+b.month, vatColumns, func(emit func(func(*past.CSV)) error) error {
		return engine.WalkOwned(r.Context(), a.Documents, projections.VATBook,
			engine.Rows{Owner: b.company, Filters: b.filter()},
			func(part []projections.VATLine) error {
				return emit(func(out *past.CSV) {
					for _, d := range part {
						lineOf(d).row(out)
					}
				})
			})
	})
}

// row writes the rates as "iva21=base/tax iva105=base/tax".
func (l vatLine) row(out *past.CSV) {
	rates := country.Collect(l.Rates, func(t vatRate) string {
		return t.Type + "=" + t.Base.String() + "/" + t.Amount.String()
	})
	series := ""
	if l.Series != nil {
		series = *l.Series
	}
	out.Row(l.Date, l.InvoiceType, strconv.Itoa(l.OfficialCode), string(l.Class), series, l.Number, l.Recipient.Name,
		l.Recipient.DocumentType,
		l.Recipient.Document, l.Currency, l.Rate.String(), l.Net.String(), l.Exempt.String(), l.Untaxed.String(),
		l.Tax.String(),
		l.Other.String(), l.Total.String(), strings.Join(rates, " "), l.Authorization, strconv.FormatBool(l.NoFiscalValue),
		l.Invoice)
}

// inLocalCurrency reads the parameter amounts: whether a file has them in local currency. Which of the two the
// authority wants of documents in another one is unverified (docs/argentina.md), so that whoever uploads decides.
func inLocalCurrency(q *strict.Query) bool {
	amounts := q.String("amounts", strict.MaxLen(8))
	if amounts != "" && amounts != "document" && amounts != "local" {
		q.Fail("amounts", strict.CodeNotAllowed, "Use document or local.")
	}
	return amounts == "local"
}

// vatBookFile is the month's book as a file that the authority takes.
func (a api) vatBookFile(w http.ResponseWriter, r *http.Request) error {
	file, err := httpapi.PathID(r, "file")
	if err != nil {
		return err
	}
	q := strict.ReadQuery(r)
	b, local := monthOf(r, q, true), inLocalCurrency(q)
	if err := q.Done(); err != nil {
		return err
	}
	if b.rules, err = a.ownRules(r.Context()); err != nil {
		return err
	}
	filer, ok := b.rules.(country.BookFiler)
	if !ok || !slices.Contains(filer.BookFiles(), file) {
		files := "none"
		if ok {
			files = strings.Join(filer.BookFiles(), ", ")
		}
		return fault.New(fault.NotFound, "BOOK_FILE_NOT_FOUND", "The authority of your country takes no such file of the "+
			"book of sales. Files: "+files+".")
	}
	if err := a.fresh(r, projections.VATBook.Name()); err != nil {
		return err
	}
	var raw bytes.Buffer
	err = engine.WalkOwned(r.Context(), a.Documents, projections.VATBook,
		engine.Rows{Owner: b.company, Filters: b.filter()},
		func(part []projections.VATLine) error {
			return a.pass(r.Context(), func() error { return fileLines(&raw, filer, file, local, part) })
		})
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "text/plain; charset=iso-8859-1")
	w.Header().Set("Content-Disposition", `attachment; filename="`+papers.PlainName(file+"-"+b.month)+`.txt"`)
	_, _ = w.Write(raw.Bytes()) // the only failure is a client that has gone
	return nil
}

// fileLines writes documents; a document that does not fit refuses the file.
func fileLines(raw *bytes.Buffer, filer country.BookFiler, file string, local bool, part []projections.VATLine) error {
	for _, d := range part {
		lines, err := filer.BookLines(file, bookLine(d, local))
		if err != nil {
			return fault.New(fault.Conflict, "BOOK_LINE_DOES_NOT_FIT",
				"Document "+d.Invoice+": "+err.Error()+". Take the book as JSON or CSV.")
		}
		raw.Write(lines)
	}
	return nil
}

// bookLine is a document for a file. In local currency each amount is the one that the book has, without its sign.
func bookLine(d projections.VATLine, local bool) country.BookLine {
	in := func(a money.Exact) money.Exact {
		if local {
			a = a.Mul(d.Rate).Round(d.Places)
		}
		return a
	}
	a := d.Amounts
	l := country.BookLine{OfficialCode: d.OfficialCode, BranchOffice: d.BranchOffice, Number: d.Number, Date: d.Date,
		Due:           d.Due,
		RecipientName: d.Recipient.Name, RecipientType: d.Recipient.DocumentType, RecipientNumber: d.Recipient.Document,
		Currency: d.Currency, Rate: d.Rate, Net: in(a.Net), Exempt: in(a.Exempt), Untaxed: in(a.Untaxed), Tax: in(a.Tax),
		Other: a.Other, Total: in(a.Total), Others: map[string]money.Exact{}}
	for _, t := range d.Taxes {
		l.Rates = append(l.Rates, country.BookRate{Code: t.Code, Base: in(t.Base), Amount: in(t.Amount)})
	}
	rounded := money.Exact{} // by parts, so that what is left of them is never below 0
	for _, o := range d.Others {
		l.Others[o.Type] = l.Others[o.Type].Add(in(o.Amount))
		rounded = rounded.Add(in(o.Amount))
	}
	if local {
		l.Other = rounded
	}
	return l
}
