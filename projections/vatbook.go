package projections

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"folio/country"
	"folio/events"
	"folio/money"
	"folio/projections/engine"
	"folio/summary"
	"folio/tables"
)

// VATLine is one document of the book of sales. The amounts of its summary are those of the
// document; Local and Rates are what sums take of them: with their sign, in local currency.
type VATLine struct {
	engine.Place
	summary.Summary

	Local      summary.Amounts `json:"local_amounts"`
	Rates      []summary.Tax   `json:"local_taxes"`
	AcceptedAt time.Time       `json:"accepted_at"` // UTC
}

// BookMonth names one month of a company's book.
func BookMonth(environment, month string) string { return environment + "/" + month }

// line is the document's id in the book, whose order is that of the printed book: by date,
// type and number.
func line(s summary.Summary) string {
	return fmt.Sprintf("%s/%s/%s/%03d-%05d-%s%012d/%s", s.Company, s.Environment, s.Date, s.OfficialCode, s.BranchOffice,
		s.Series, s.Number, s.Invoice)
}

// VATBook keeps each sale that the authority accepted, for its company.
var VATBook = engine.Define("vat_book", 2,
	engine.OnInvoice(func(s summary.Summary, r events.Recorded, _ events.AuthorityAccepted) []engine.Change[VATLine] {
		if !s.Counts() {
			return nil
		}
		return engine.To(line(s), func(d *VATLine) {
			d.Summary, d.Local, d.Rates, d.AcceptedAt = s, s.LocalAmounts(), s.LocalTaxes(), r.Meta.At.UTC()
		})
	}),
	engine.Owned(func(d *VATLine) string { return d.Company }),
	engine.Gathered[VATLine](),
	engine.Attributes(func(d *VATLine) map[string]string {
		return map[string]string{"book": BookMonth(d.Environment, d.Month()), "date": d.Date, "invoice_type": d.Type,
			"recipient_document": d.Recipient.Document, "accepted_at": d.AcceptedAt.Format(time.RFC3339Nano),
			"net": d.Local.Net.String(), "tax": d.Local.Tax.String(), "total": d.Local.Total.String()}
	},
		tables.Attribute{Name: "book", Indexed: true},
		tables.Attribute{Name: "date", Kind: tables.Date, Indexed: true},
		tables.Attribute{Name: "invoice_type"},
		tables.Attribute{Name: "recipient_document", Indexed: true},
		tables.Attribute{Name: "accepted_at", Kind: tables.Time, Indexed: true},
		tables.Attribute{Name: "net", Kind: tables.Decimal},
		tables.Attribute{Name: "tax", Kind: tables.Decimal},
		tables.Attribute{Name: "total", Kind: tables.Decimal, Indexed: true},
	),
)

// VATTotal is what the documents of one type come to in one month, in local currency.
type VATTotal struct {
	engine.Place

	Company      string          `json:"company"`
	Environment  string          `json:"environment"`
	Month        string          `json:"month"` // YYYY-MM
	Type         string          `json:"type"`
	OfficialCode int             `json:"official_code"`
	Class        summary.Class   `json:"class"`
	Documents    int64           `json:"documents"`
	Sandbox      int64           `json:"sandbox,omitzero"` // of Documents, those without fiscal value
	Amounts      summary.Amounts `json:"amounts"`
	Taxes        []summary.Tax   `json:"taxes"` // by rate
}

// VATTotals keeps the sums of the book of sales, so that a month costs the same whether it
// has ten documents or a million.
var VATTotals = engine.Define("vat_totals", 3,
	engine.OnInvoice(func(s summary.Summary, _ events.Recorded, _ events.AuthorityAccepted) []engine.Change[VATTotal] {
		if !s.Counts() {
			return nil
		}
		id := fmt.Sprintf("%s/%s/%s/%03d", s.Company, s.Environment, s.Month(), s.OfficialCode)
		return engine.To(id, func(d *VATTotal) { d.add(s) })
	}),
	engine.Owned(func(d *VATTotal) string { return d.Company }),
	engine.Gathered[VATTotal](),
	engine.Attributes(func(d *VATTotal) map[string]string {
		return map[string]string{"book": BookMonth(d.Environment, d.Month), "month": d.Month}
	}, tables.Attribute{Name: "book", Indexed: true},
		tables.Attribute{Name: "month", Kind: tables.Month, Indexed: true}),
)

func (d *VATTotal) add(s summary.Summary) {
	d.Company, d.Environment, d.Month = s.Company, s.Environment, s.Month()
	d.Type, d.OfficialCode, d.Class = s.Type, s.OfficialCode, s.Class
	d.Documents++
	if s.Sandbox {
		d.Sandbox++
	}
	d.Amounts = d.Amounts.Add(s.LocalAmounts())
	d.Taxes = AddTaxes(d.Taxes, s.LocalTaxes()...)
}

// AddTaxes adds rates to sums of them; those of the same type and rate are one.
func AddTaxes(sums []summary.Tax, more ...summary.Tax) []summary.Tax {
	for _, t := range more {
		i, found := slices.BinarySearchFunc(sums, t, byRate)
		if !found {
			sums = slices.Insert(sums, i, summary.Tax{Type: t.Type, Code: t.Code, Rate: t.Rate})
		}
		sums[i].Base, sums[i].Amount = sums[i].Base.Add(t.Base), sums[i].Amount.Add(t.Amount)
	}
	return sums
}

func byRate(a, b summary.Tax) int {
	return cmp.Or(strings.Compare(a.Type, b.Type), a.Rate.Cmp(b.Rate))
}

// Receivable is what one customer was billed in one currency: the documents, the notes that
// changed them, and what is left. Payments are not known to the log.
type Receivable struct {
	engine.Place

	Company     string        `json:"company"`
	Environment string        `json:"environment"`
	Customer    summary.Party `json:"customer"` // as the last document has it; nameless when not identified
	Currency    string        `json:"currency"` // ISO 4217
	Documents   int64         `json:"documents"`
	Billed      money.Exact   `json:"billed"` // by what is no note
	DebitNotes  int64         `json:"debit_notes"`
	Debited     money.Exact   `json:"debited"`
	CreditNotes int64         `json:"credit_notes"`
	Credited    money.Exact   `json:"credited"`
	Balance     money.Exact   `json:"balance"` // billed + debited − credited
	First       string        `json:"first"`   // YYYY-MM-DD, of the first document
	Last        string        `json:"last"`    // YYYY-MM-DD, of the last document
	// Sandbox counts what has no fiscal value: documents and notes that an authority of trial accepted.
	Sandbox int64 `json:"sandbox,omitzero"`
}

// Receivables keeps what each customer was billed, for each company.
var Receivables = engine.Define("receivables", 4,
	engine.OnInvoice(func(s summary.Summary, _ events.Recorded, _ events.AuthorityAccepted) []engine.Change[Receivable] {
		if !s.Counts() {
			return nil
		}
		if country.Nobody(s.Recipient.Document) { // one customer, however that is written
			s.Recipient.DocumentType, s.Recipient.Document = "", ""
		}
		id := fmt.Sprintf("%s/%s/%s-%s/%s", s.Company, s.Environment, s.Recipient.DocumentType, s.Recipient.Document,
			s.Currency)
		return engine.To(id, func(d *Receivable) { d.add(s) })
	}),
	engine.Owned(func(d *Receivable) string { return d.Company }),
	engine.Gathered[Receivable](),
	engine.Attributes(func(d *Receivable) map[string]string {
		return map[string]string{"environment": d.Environment, "customer_document": d.Customer.Document,
			"currency": d.Currency,
			"balance":  d.Balance.String(), "last": d.Last}
	},
		tables.Attribute{Name: "environment"},
		tables.Attribute{Name: "customer_document", Indexed: true},
		tables.Attribute{Name: "currency", Indexed: true},
		tables.Attribute{Name: "balance", Kind: tables.Decimal, Indexed: true},
		tables.Attribute{Name: "last", Kind: tables.Date, Indexed: true},
	),
)

func (d *Receivable) add(s summary.Summary) {
	total := s.Amounts.Total
	d.Company, d.Environment, d.Customer, d.Currency = s.Company, s.Environment, s.Recipient, s.Currency
	if s.Recipient.Document == "" {
		d.Customer.Name = "" // many share this document: the name of one is not the others'
	}
	switch s.Class {
	case summary.CreditNote:
		d.CreditNotes, d.Credited = d.CreditNotes+1, d.Credited.Add(total)
	case summary.DebitNote:
		d.DebitNotes, d.Debited = d.DebitNotes+1, d.Debited.Add(total)
	default:
		d.Documents, d.Billed = d.Documents+1, d.Billed.Add(total)
	}
	if s.Sandbox {
		d.Sandbox++
	}
	d.Balance = d.Balance.Add(s.Signed(total))
	if d.First == "" || s.Date < d.First {
		d.First = s.Date
	}
	d.Last = max(d.Last, s.Date)
}
