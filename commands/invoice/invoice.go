// Package invoice decides what may happen to one invoice: the state machine that
// readers see, Pending → In process → Accepted | Rejected.
package invoice

import (
	"slices"
	"strings"
	"time"

	"folio/commands"
	"folio/events"
	"folio/fault"
	"folio/money"
)

// Status is a state of the specification, word for word.
type Status string

// The states of an invoice. Accepted and Rejected are final.
const (
	None      Status = ""
	Pending   Status = "Pending"
	InProcess Status = "In process"
	Accepted  Status = "Accepted"
	Rejected  Status = "Rejected"
)

// State is what most decisions depend on, without the document itself: see Full.
type State struct {
	Invoice           string // its id, empty before it is created
	Status            Status
	Company           string
	Country           string // ISO 3166-1 alpha-2
	ExternalReference string
	Type              string // as in the specification, FCA
	Currency          string // code
	Total             money.Decimal
	Corrects          bool // it names documents of its own company: it may be a note that corrects them

	Submission  string        // the last one started
	Environment string        // as created, then of that submission
	asked       time.Time     // when somebody asked for it last, with nothing in between
	Number      int64         // of the document, once it is final
	PointOfSale int           // of the number, Argentina
	Letter      string        // of the number's series, Uruguay
	Received    bool          // the authority has the document of that submission
	HandedOver  bool          // it was given out before the verdict
	Cancelled   string        // the credit note with which nothing was left
	Notes       events.Ledger // that correct it
	Abandoned   int           // attempts to create it that were given up
	// Report is how far the document is reported, where it was issued by contingency; empty otherwise.
	Report events.ReportState
	DueBy  string  // YYYY-MM-DD, of that report
	Emails []Email // messages with it
}

// Command is anything an invoice can be asked; the set is closed by decide.
type Command interface {
	decide(State) ([]events.Event, error)
}

// Decider is the whole behaviour of an invoice.
var Decider = commands.Decider[State, Command]{
	Category: "invoice",
	Decide:   Command.decide,
	Evolve:   evolve,
}

func evolve(s State, e events.Event) State {
	s.asked = time.Time{}
	switch e := e.(type) {
	case events.InvoiceCreated:
		s.Status, s.Invoice, s.Company, s.Country = Pending, e.Invoice, e.Company, e.Country
		s.Environment = e.Environment
		d := e.Document
		// Copies: these may be parts of the whole body of a request, which a state that is kept would keep, too.
		s.ExternalReference, s.Type = strings.Clone(d.ExternalReference), strings.Clone(d.Type)
		s.Currency, s.Total = strings.Clone(d.Currency.Code), d.Totals.Total
		s.Corrects = len(e.Corrects) > 0 ||
			slices.ContainsFunc(d.BillingReference, func(r events.Reference) bool { return r.Invoice != "" })
	case events.InvoiceRefused:
		s.Status = Rejected
	case events.ProcessingRequested:
		s.asked = e.At
	case events.SubmissionStarted:
		s.Received = s.Received && s.Submission == e.Submission
		s.Status, s.Submission, s.Environment = InProcess, e.Submission, e.Environment
	case events.AuthorityReceived:
		s.Received = true
	case events.InvoiceHandedOver:
		s.HandedOver = true
	case events.NumberAssigned:
		s.Number, s.PointOfSale, s.Letter = e.Number, e.BranchOffice, e.Series
	case events.AuthorityAccepted:
		s.Status = Accepted
	case events.AuthorityRejected:
		s.Status = Rejected
	case events.AuthorityReportChanged:
		s.Report, s.DueBy = e.State, e.DueBy
	default:
		return evolveNotes(evolveEmails(s, e), e)
	}
	return s
}

// Refusals of an invoice.
var (
	ErrUnknown = fault.New(fault.NotFound, "INVOICE_NOT_FOUND", "There is no such invoice among this company's.")
	ErrExists  = fault.New(fault.Conflict, "INVOICE_ALREADY_EXISTS", "This invoice exists already.")
	ErrFinal   = fault.New(fault.Conflict, "INVOICE_FINAL",
		"The authority has answered about this invoice: its status is final.")
	ErrNumbered = fault.New(fault.Conflict, "INVOICE_NUMBERED",
		"This invoice has a number: what will be sent under it is fixed.")
	ErrIncomplete = fault.New(fault.Conflict, "FISCAL_PROFILE_INCOMPLETE",
		"The company's fiscal profile lacks what this invoice needs: set it with PUT "+
			"/api/companies/{id_company}/fiscal-profile.")
	ErrAbandoned = &fault.Error{Code: fault.Unavailable, Constant: "CREATION_ABANDONED", RetryAfter: 1,
		Text: "What this note reserved was given back before it was recorded. Nothing was recorded; send the request again."}
	ErrNotOpen = fault.New(fault.Conflict, "INVOICE_NOT_SUBMITTED", "This invoice has not been sent to the authority.")
)
