package invoice

import (
	"time"

	"folio/events"
)

// Create makes a new document. The country's rules have accepted it, and what it corrects
// is reserved. Attempt is State.Abandoned when that was done.
type Create struct {
	Invoice events.InvoiceCreated
	Attempt int
}

func (c Create) decide(s State) ([]events.Event, error) {
	switch {
	case s.Status != None:
		return nil, ErrExists
	case s.Abandoned != c.Attempt:
		return nil, ErrAbandoned
	}
	return []events.Event{c.Invoice}, nil
}

// StartSubmission copies SubmissionOpened. Hearing it twice is nothing new. Final says
// that the number never leaves the invoice (Chile, Uruguay): it is assigned already.
type StartSubmission struct {
	Submission, Environment string
	Number                  int64
	Final                   bool
	BranchOffice            int
	Letter                  string // of the series, Uruguay
}

func (c StartSubmission) decide(s State) ([]events.Event, error) {
	switch {
	case s.Status == None:
		return nil, ErrUnknown
	case s.Status == Accepted || s.Status == Rejected:
		return nil, ErrFinal
	case s.Submission == c.Submission:
		return nil, nil
	}
	started := events.SubmissionStarted{Submission: c.Submission, Environment: c.Environment, Number: c.Number}
	if c.Final && s.Number == 0 {
		return []events.Event{started, events.NumberAssigned{BranchOffice: c.BranchOffice, Number: c.Number,
			Series: c.Letter}}, nil
	}
	return []events.Event{started}, nil
}

// RecordAcceptance copies an accepted outcome: the number is final and the document
// is issued. Hearing it twice is nothing new.
type RecordAcceptance struct {
	Submission   string
	BranchOffice int
	Outcome      events.Outcome
}

func (c RecordAcceptance) decide(s State) ([]events.Event, error) {
	switch s.Status {
	case None:
		return nil, ErrUnknown
	case Accepted:
		return nil, nil
	case Rejected:
		return nil, ErrFinal
	case Pending:
		return nil, ErrNotOpen
	}
	accepted := events.AuthorityAccepted{Submission: c.Submission, Authorization: *c.Outcome.Authorization,
		Observations: c.Outcome.Messages, Sandbox: c.Outcome.Sandbox}
	if s.Number != 0 {
		return []events.Event{accepted}, nil
	}
	return []events.Event{events.NumberAssigned{BranchOffice: c.BranchOffice, Number: c.Outcome.Number}, accepted}, nil
}

// RecordRejection copies a rejected outcome. Hearing it twice is nothing new.
type RecordRejection struct {
	Submission string
	Reasons    []events.AuthorityMessage
}

func (c RecordRejection) decide(s State) ([]events.Event, error) {
	switch s.Status {
	case None:
		return nil, ErrUnknown
	case Rejected:
		return nil, nil
	case Accepted:
		return nil, ErrFinal
	case Pending:
		return nil, ErrNotOpen
	}
	return []events.Event{events.AuthorityRejected{Submission: c.Submission, Reasons: c.Reasons}}, nil
}

// RequestProcessing asks for a pending invoice to be taken up now, by a person of
// the company.
type RequestProcessing struct {
	Company string
	At      time.Time
}

// askedAgain is how long a request lasts: another one of the same invoice, with nothing in
// between, changes nothing. A turn that it began takes about as long.
const askedAgain = 5 * time.Second

func (c RequestProcessing) decide(s State) ([]events.Event, error) {
	switch {
	case s.Status == None || s.Company != c.Company:
		return nil, ErrUnknown
	case s.Status == Accepted || s.Status == Rejected:
		return nil, ErrFinal
	case !s.asked.IsZero() && c.At.Before(s.asked.Add(askedAgain)):
		return nil, nil
	}
	return []events.Event{events.ProcessingRequested{At: c.At.UTC()}}, nil
}
