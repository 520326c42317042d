// Package invoice decides what may happen to one invoice: the state machine that
// readers see, Pending → In process → Accepted | Rejected.
package invoice

import (
	"time"

	"folio/commands"
	"folio/events"
	"folio/fault"
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

// State is what later decisions depend on; everything else belongs to projections.
type State struct {
	Status     Status
	Company    string
	Submission string    // the last one started
	asked      time.Time // when somebody asked for it last, with nothing in between

	Environment string                 // of that submission
	Created     *events.InvoiceCreated // with what its issuer lacked, once that was completed
	first       *events.InvoiceCreated // as it was created, where Created was completed
	Number      int64                  // of the document, once it is final
	Letter      string                 // of the number's series, Uruguay
	Cancelled   string                 // the credit note with which nothing was left
	Notes       events.Ledger          // that correct it
	Abandoned   int                    // attempts to create it that were given up
	Authorized  *events.Authorization
}

// First is the invoice as it was created; nil before.
func (s State) First() *events.InvoiceCreated {
	if s.first != nil {
		return s.first
	}
	return s.Created
}

// Command is anything an invoice can be asked; the set is closed by decide.
type Command interface {
	decide(State) ([]events.Event, error)
}

// Decider is the whole behaviour of an invoice.
var Decider = commands.Decider[State, Command]{
	Category: "invoice",
	Initial:  func() State { return State{} },
	Decide:   func(s State, c Command) ([]events.Event, error) { return c.decide(s) },
	Evolve:   evolve,
}

func evolve(s State, e events.Event) State {
	s.asked = time.Time{}
	switch e := e.(type) {
	case events.InvoiceCreated:
		s.Status, s.Company, s.Created = Pending, e.Company, &e
	case events.IssuerCompleted:
		if s.Created != nil {
			whole := s.Created.Completed(e)
			s.first, s.Created = s.First(), &whole
		}
	case events.RateTaken:
		if s.Created != nil {
			whole := s.Created.Priced(e)
			s.first, s.Created = s.First(), &whole
		}
	case events.InvoiceRefused:
		s.Status = Rejected
	case events.ProcessingRequested:
		s.asked = e.At
	case events.SubmissionStarted:
		s.Status, s.Submission, s.Environment = InProcess, e.Submission, e.Environment
	case events.NumberAssigned:
		s.Number, s.Letter = e.Number, e.Series
	case events.AuthorityAccepted:
		s.Status, s.Authorized = Accepted, &e.Authorization
	case events.AuthorityRejected:
		s.Status = Rejected
	default:
		return evolveNotes(s, e)
	}
	return s
}

// Refusals of an invoice.
var (
	ErrUnknown    = fault.New(fault.NotFound, "INVOICE_NOT_FOUND", "There is no such invoice among this company's.")
	ErrExists     = fault.New(fault.Conflict, "INVOICE_ALREADY_EXISTS", "This invoice exists already.")
	ErrFinal      = fault.New(fault.Conflict, "INVOICE_FINAL", "The authority has answered about this invoice: its status is final.")
	ErrNumbered   = fault.New(fault.Conflict, "INVOICE_NUMBERED", "This invoice has a number: what will be sent under it is fixed.")
	ErrIncomplete = fault.New(fault.Conflict, "FISCAL_PROFILE_INCOMPLETE",
		"The company's fiscal profile lacks what this invoice needs: set it with PUT /api/companies/{id_company}/fiscal-profile.")
	ErrAbandoned = &fault.Error{Code: fault.Unavailable, Constant: "CREATION_ABANDONED", RetryAfter: 1,
		Text: "What this note reserved was given back before it was recorded. Nothing was recorded; send the request again."}
	ErrNotOpen = fault.New(fault.Conflict, "INVOICE_NOT_SUBMITTED", "This invoice has not been sent to the authority.")
)
