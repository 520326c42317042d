package events

import (
	"cmp"
	"encoding/json"
	"strings"
	"time"

	"folio/money"
)

// InvoiceCreated: the company asked us to issue this document, and nothing that we
// can know speaks against it. Everything that will be printed is frozen here.
type InvoiceCreated struct {
	Fact    `json:"-"`
	Invoice string `json:"invoice"` // ULID
	Company string `json:"company"`
	Country string `json:"country"` // ISO 3166-1 alpha-2
	// Production or Testing; empty: that of the first certificate
	Environment string         `json:"environment,omitempty"`
	Document    Document       `json:"document"`
	Profile     IssuerProfile  `json:"profile"`
	Taxes       TaxInformation `json:"taxes"`
	// Corrects is what a note has reserved in earlier documents of the company. Notes of
	// before there were reservations have none.
	Corrects []Correction `json:"corrects,omitempty"`
}

var _ = define[InvoiceCreated]("invoice", "InvoiceCreated")

// IssuerCompleted: what the document lacked about its issuer was filled from the company's
// fiscal profile, before the document took a number. Nothing that InvoiceCreated froze has
// changed; Profile and HeaderInfo replace those of InvoiceCreated as a whole.
type IssuerCompleted struct {
	Fact       `json:"-"`
	Profile    IssuerProfile   `json:"profile"`
	HeaderInfo json.RawMessage `json:"header_info,omitempty"`
	Filled     []string        `json:"filled"` // members that were empty: address, city
}

var _ = define[IssuerCompleted]("invoice", "IssuerCompleted")

// Completed is the invoice with what its issuer lacked.
func (e InvoiceCreated) Completed(by IssuerCompleted) InvoiceCreated {
	e.Profile = by.Profile
	e.Document.Complete(by)
	return e
}

// Complete puts into the document what its issuer lacked, so that the record says the same
// as what is signed and printed. Members of the address that the document has stay.
func (d *Document) Complete(by IssuerCompleted) {
	d.HeaderInfo = by.HeaderInfo
	at, now := &d.Issuer.Address, by.Profile.Address
	at.Country, at.Region = cmp.Or(at.Country, now.Country), cmp.Or(at.Region, now.Region)
	at.Address, at.Phone = cmp.Or(at.Address, now.Address), cmp.Or(at.Phone, now.Phone)
}

// RateTaken: the document left its exchange rate to the authority, and this is the
// authority's own. It is taken before the document has a number, and again when a later
// attempt finds another one; the last one counts.
type RateTaken struct {
	Fact `json:"-"`
	Rate money.Decimal `json:"rate"` // local currency for one unit
	Date string        `json:"date"` // YYYY-MM-DD, the day of the rate
}

var _ = define[RateTaken]("invoice", "RateTaken")

// Priced is the invoice with the rate that it left to the authority.
func (e InvoiceCreated) Priced(by RateTaken) InvoiceCreated {
	e.Document.Currency.Rate = by.Rate
	return e
}

// InvoiceRefused: the document cannot be written as its authority's schema wants it, so it
// was rejected before it took a number. No authority has seen it.
type InvoiceRefused struct {
	Fact    `json:"-"`
	Reasons []AuthorityMessage `json:"reasons"` // in Folio's words, under codes of Folio's
}

var _ = define[InvoiceRefused]("invoice", "InvoiceRefused")

// SubmissionStarted: the document is about to be sent to the authority under this
// number. A copy of SubmissionOpened; it alone makes an invoice "In process".
type SubmissionStarted struct {
	Fact        `json:"-"`
	Submission  string `json:"submission"`
	Environment string `json:"environment"`
	Number      int64  `json:"number"`
}

var _ = define[SubmissionStarted]("invoice", "SubmissionStarted")

// NumberAssigned: the number is final. In Argentina that is so only with acceptance.
type NumberAssigned struct {
	Fact         `json:"-"`
	BranchOffice int    `json:"branch_office"`
	Number       int64  `json:"number"`
	Series       string `json:"series,omitempty"` // Uruguay: letter of the CAE
}

var _ = define[NumberAssigned]("invoice", "NumberAssigned")

// AuthorityAccepted: the authority issued the document.
type AuthorityAccepted struct {
	Fact          `json:"-"`
	Submission    string             `json:"submission"`
	Authorization Authorization      `json:"authorization"`
	Observations  []AuthorityMessage `json:"observations,omitempty"`
	Sandbox       bool               `json:"sandbox,omitempty"` // no fiscal value
}

var _ = define[AuthorityAccepted]("invoice", "AuthorityAccepted")

// AuthorityRejected: the authority refused the document, for these reasons.
type AuthorityRejected struct {
	Fact       `json:"-"`
	Submission string             `json:"submission"`
	Reasons    []AuthorityMessage `json:"reasons"`
}

var _ = define[AuthorityRejected]("invoice", "AuthorityRejected")

// InvoiceCancelled: with this credit note the accepted ones add up to the whole document.
// A debit note that is counted later may undo it.
type InvoiceCancelled struct {
	Fact       `json:"-"`
	CreditNote string `json:"credit_note"` // invoice id of the note
	Date       string `json:"date"`        // YYYY-MM-DD of the note
	ReasonCode string `json:"reason_code,omitempty"`
}

var _ = define[InvoiceCancelled]("invoice", "InvoiceCancelled")

// ProcessingRequested: somebody asked for this pending invoice to be taken up now.
type ProcessingRequested struct {
	Fact `json:"-"`
	At   time.Time `json:"at,omitzero"` // UTC; earlier ones have none
}

var _ = define[ProcessingRequested]("invoice", "ProcessingRequested")

// Authorization is the authority's permission for one document.
type Authorization struct {
	Type      string `json:"type"` // CAE
	Code      string `json:"code"`
	ExpiresOn string `json:"expires_on,omitempty"` // YYYY-MM-DD
	QR        string `json:"qr,omitempty"`         // URL
	Date      string `json:"date,omitempty"`       // YYYY-MM-DD, the date that the authority holds
	Processed string `json:"processed,omitempty"`  // the authority's own time of processing, as it wrote it
	// Extra is what only one country's printed form needs: Chile's stamp, Uruguay's
	// security code and range.
	Extra map[string]string `json:"extra,omitempty"`
}

// AuthorityMessage is a code and text of the authority, word for word.
type AuthorityMessage struct {
	Code string `json:"code"`
	Text string `json:"text"`
}

// Words joins messages: "10016: text; 10048: text".
func Words(ms []AuthorityMessage) string {
	texts := make([]string, len(ms))
	for i, m := range ms {
		texts[i] = m.Text
		if m.Code != "" {
			texts[i] = m.Code + ": " + m.Text
		}
	}
	return strings.Join(texts, "; ")
}
