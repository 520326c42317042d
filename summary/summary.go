// Package summary is what every count and every sum over invoices begins with: what one
// invoice is worth, for whom, when, and whether it adds or takes. It is folded from the
// invoice's own events and is pure, so that every replay comes to the same.
//
// Credit notes, documents that bill nothing and other currencies are decided here, once.
package summary

import (
	"slices"

	"folio/country"
	"folio/events"
	"folio/money"
)

// Class is what kind of document it is.
type Class string

// The classes.
const (
	Invoice       Class = "invoice"
	DebitNote     Class = "debit_note"
	CreditNote    Class = "credit_note"
	Receipt       Class = "receipt"
	Export        Class = "export"
	DispatchGuide Class = "dispatch_guide"
)

var classes = map[country.Class]Class{
	country.Invoice: Invoice, country.DebitNote: DebitNote, country.CreditNote: CreditNote,
	country.Receipt: Receipt, country.Export: Export, country.DispatchGuide: DispatchGuide,
}

// Side is the book that a document belongs to.
type Side string

// The sides.
const (
	Sale     Side = "sale"
	Purchase Side = "purchase" // the issuer buys: it documents the purchase for its supplier
	Neither  Side = "none"     // it bills nothing
)

// Status is where a document stands, as readers of invoices see it.
type Status string

// The states. Accepted and Rejected are final.
const (
	Pending   Status = "Pending"
	InProcess Status = "In process"
	Accepted  Status = "Accepted"
	Rejected  Status = "Rejected"
)

// Summary is one document. Amounts are those of Amounts' currency, as they stand on the
// document: without a sign. Take them through Signed or Local to add them up.
type Summary struct {
	Invoice     string `json:"invoice"` // its id
	Company     string `json:"company"`
	Country     string `json:"country"`     // ISO 3166-1 alpha-2
	Environment string `json:"environment"` // Production or Testing; "" until the first certificate
	Status      Status `json:"status"`
	Sandbox     bool   `json:"sandbox,omitzero"` // no fiscal value

	Type         string `json:"type"`          // invoice_type
	OfficialCode int    `json:"official_code"` // the authority's code of that type
	Class        Class  `json:"class"`
	Side         Side   `json:"side"`
	// Sign is 1 for what adds, -1 for a credit note and 0 for what bills nothing.
	Sign int `json:"sign"`

	BranchOffice  int    `json:"branch_office,omitzero"`
	Series        string `json:"series,omitzero"` // letter of the number
	Number        int64  `json:"number,omitzero"` // 0 until it is final
	Date          string `json:"date"`            // YYYY-MM-DD, of the document
	Due           string `json:"due,omitzero"`    // YYYY-MM-DD
	Recipient     Party  `json:"recipient"`
	Authorization string `json:"authorization,omitzero"` // the authority's code

	Currency string      `json:"currency"` // ISO 4217
	Rate     money.Exact `json:"rate"`     // local currency for one unit; 0 until it is known
	LocalIn  string      `json:"local"`    // ISO 4217, of the country
	Places   int         `json:"places"`   // decimals of amounts in local currency
	Amounts  Amounts     `json:"amounts"`  // in Currency
	Taxes    []Tax       `json:"taxes"`    // VAT by rate, and what else the authority is told by rate
	Others   []Other     `json:"others"`   // taxes and perceptions on the whole document
}

// Party is the recipient; one that is not identified has no document.
type Party struct {
	Name         string `json:"name"`
	DocumentType string `json:"document_type,omitzero"`
	Document     string `json:"document,omitzero"`
	Condition    string `json:"condition,omitzero"` // towards VAT
}

// Amounts are those that the authority is told.
type Amounts struct {
	Net     money.Exact `json:"net"`     // what is taxed
	Exempt  money.Exact `json:"exempt"`  // exempt of VAT
	Untaxed money.Exact `json:"untaxed"` // outside of it
	Tax     money.Exact `json:"tax"`     // VAT
	Other   money.Exact `json:"other"`   // other taxes
	Total   money.Exact `json:"total"`
}

// Tax is one rate.
type Tax struct {
	Type   string      `json:"type"` // Folio's: iva21
	Code   string      `json:"code"` // the authority's
	Rate   money.Exact `json:"rate"` // percent
	Base   money.Exact `json:"base"`
	Amount money.Exact `json:"amount"`
}

// Other is one tax on the whole document.
type Other struct {
	Type   string      `json:"type"`
	Amount money.Exact `json:"amount"`
}

// Types are the stored names of the events that Evolve knows.
var Types = []string{
	events.Name[events.InvoiceCreated](), events.Name[events.RateTaken](), events.Name[events.InvoiceRefused](),
	events.Name[events.SubmissionStarted](), events.Name[events.NumberAssigned](),
	events.Name[events.AuthorityAccepted](), events.Name[events.AuthorityRejected](),
}

// Category is that of the streams that hold an invoice each.
const Category = "invoice"

// Evolve is the document after one more event of its stream; events of other types change
// nothing. Earlier values keep their own.
func Evolve(s Summary, e events.Event) Summary {
	switch e := e.(type) {
	case events.InvoiceCreated:
		return created(e)
	case events.RateTaken:
		s.Rate = e.Rate.Exact()
	case events.InvoiceRefused, events.AuthorityRejected:
		s.Status = Rejected
	case events.SubmissionStarted:
		s.Status, s.Environment = InProcess, e.Environment
	case events.NumberAssigned:
		s.BranchOffice, s.Series, s.Number = e.BranchOffice, e.Series, e.Number
	case events.AuthorityAccepted:
		s.Status, s.Sandbox, s.Authorization = Accepted, e.Sandbox, e.Authorization.Code
	}
	return s
}

func created(e events.InvoiceCreated) Summary {
	d, a := e.Document, e.Taxes.Amounts
	s := Summary{Invoice: e.Invoice, Company: e.Company, Country: e.Country, Environment: e.Environment, Status: Pending,
		Type: d.Type, OfficialCode: d.OfficialCode, BranchOffice: d.BranchOffice, Date: day(d.Date), Due: d.PaymentDueDate,
		Recipient: Party{Name: d.Recipient.LegalName, DocumentType: d.Recipient.DocumentType,
			Document: d.Recipient.DocumentNumber, Condition: e.Taxes.RecipientCondition},
		Currency: d.Currency.Code, Rate: d.Currency.Rate.Exact(),
		Amounts: Amounts{Net: a.Net.Exact(), Exempt: a.Exempt.Exact(), Untaxed: a.Untaxed.Exact(), Tax: a.Tax.Exact(),
			Other: a.Other.Exact(), Total: a.Total.Exact()},
	}
	s.classify()
	for _, r := range e.Taxes.Rates {
		s.Taxes = append(s.Taxes, Tax{r.Type, r.Code, r.Rate.Exact(), r.Base.Exact(), r.Amount.Exact()})
	}
	for _, g := range d.GlobalTaxes {
		s.Others = append(s.Others, Other{g.Type, g.Amount.Exact()})
	}
	return s
}

// classify says what the country's rules know of the type.
func (s *Summary) classify() {
	s.Class, s.Side, s.Sign, s.LocalIn, s.Places = Invoice, Sale, 1, s.Currency, 2
	rules, ok := Countries.ByCode(s.Country)
	if !ok {
		return
	}
	s.LocalIn = rules.Currency()
	s.Places = country.Places(rules)
	class := country.ClassOf(rules, s.OfficialCode)
	s.Class = classes[class]
	switch class {
	case country.CreditNote:
		s.Sign = -1
	case country.DispatchGuide:
		s.Sign, s.Side = 0, Neither
	}
	if country.Bought(rules, s.OfficialCode) {
		s.Side = Purchase
	}
}

// Month is YYYY-MM of the document's date.
func (s Summary) Month() string { return s.Date[:min(len(s.Date), len("2006-01"))] }

// Counts says that the document is a sale that the authority accepted: it belongs into a
// book of sales.
func (s Summary) Counts() bool { return s.Status == Accepted && s.Side == Sale }

// Signed is an amount of the document as sums take it, in the document's currency.
func (s Summary) Signed(amount money.Exact) money.Exact { return amount.Times(s.Sign) }

// Local is an amount of the document as sums take it, in local currency and rounded to its
// decimals (half away from zero).
func (s Summary) Local(amount money.Exact) money.Exact {
	if s.Currency != s.LocalIn {
		amount = amount.Mul(s.Rate)
	}
	return s.Signed(amount).Round(s.Places)
}

// LocalAmounts are all amounts as sums take them, in local currency.
func (s Summary) LocalAmounts() Amounts {
	a := s.Amounts
	return Amounts{s.Local(a.Net), s.Local(a.Exempt), s.Local(a.Untaxed), s.Local(a.Tax), s.Local(a.Other),
		s.Local(a.Total)}
}

// LocalTaxes are the rates as sums take them, in local currency.
func (s Summary) LocalTaxes() []Tax {
	out := slices.Clone(s.Taxes)
	for i, t := range out {
		out[i].Base, out[i].Amount = s.Local(t.Base), s.Local(t.Amount)
	}
	return out
}

// Add is the sum of two.
func (a Amounts) Add(b Amounts) Amounts {
	return Amounts{a.Net.Add(b.Net), a.Exempt.Add(b.Exempt), a.Untaxed.Add(b.Untaxed), a.Tax.Add(b.Tax),
		a.Other.Add(b.Other), a.Total.Add(b.Total)}
}

// day is the date of "YYYY-MM-DD HH:MM:SS".
func day(text string) string { return text[:min(len(text), len("2006-01-02"))] }
