package invoice

import (
	"slices"
	"time"

	"folio/events"
	"folio/fault"
)

// Email is a message with the document, as far as deciding goes.
type Email struct {
	ID    string
	Tries int  // that failed
	Over  bool // it was sent, or failed for good
}

const (
	// openEmails of one document may wait at a time, and maxEmails may ever be asked for: nobody needs more, and each
	// is kept in the document's stream.
	openEmails = 3
	maxEmails  = 20
)

// Refusals of messages.
var (
	ErrNotAccepted = fault.New(fault.Conflict, "INVOICE_NOT_ACCEPTED",
		"Only an accepted invoice can be sent. Ask again when its status is Accepted.")
	ErrEmailsWait = &fault.Error{Code: fault.TooMany, Constant: "EMAILS_WAITING", RetryAfter: 60,
		Text: "Three messages with this invoice wait to be sent. Ask again when one of them was sent or has failed."}
	ErrEmailsAll = fault.New(fault.Conflict, "EMAILS_EXHAUSTED",
		"This invoice was sent twenty times, which is as often as it can be. Send its PDF yourself.")
)

// RequestEmail asks for the accepted document to be sent to an address. The id of the message makes it idempotent.
type RequestEmail struct{ Company, Email, To string }

func (c RequestEmail) decide(s State) ([]events.Event, error) {
	open := 0
	for _, e := range s.Emails {
		if !e.Over {
			open++
		}
	}
	switch {
	case s.Status == None || s.Company != c.Company:
		return nil, ErrUnknown
	case s.email(c.Email) >= 0:
		return nil, nil
	case s.Status != Accepted:
		return nil, ErrNotAccepted
	case len(s.Emails) >= maxEmails:
		return nil, ErrEmailsAll
	case open >= openEmails:
		return nil, ErrEmailsWait
	}
	return []events.Event{events.EmailRequested{Email: c.Email, Company: c.Company, To: c.To}}, nil
}

// DelayEmail records a try that failed and is to be repeated.
type DelayEmail struct {
	Email  string
	Try    int
	Reason string
	Next   time.Time
}

func (c DelayEmail) decide(s State) ([]events.Event, error) {
	return s.tried(c.Email, c.Try, events.EmailDelayed{Email: c.Email, Try: c.Try, Reason: c.Reason, Next: c.Next.UTC()})
}

// FinishEmail records that the mail server took a message.
type FinishEmail struct {
	Email     string
	Try       int
	MessageID string
	Files     []string
}

func (c FinishEmail) decide(s State) ([]events.Event, error) {
	return s.tried(c.Email, c.Try,
		events.EmailSent{Email: c.Email, Try: c.Try, MessageID: c.MessageID, Files: c.Files})
}

// FailEmail records that a message will not be sent.
type FailEmail struct {
	Email  string
	Try    int
	Reason string
}

func (c FailEmail) decide(s State) ([]events.Event, error) {
	return s.tried(c.Email, c.Try, events.EmailFailed{Email: c.Email, Try: c.Try, Reason: c.Reason})
}

// tried records what came of a try, once: what came of a message that is over, or of an earlier try, is known.
func (s State) tried(email string, try int, e events.Event) ([]events.Event, error) {
	i := s.email(email)
	if i < 0 {
		return nil, ErrUnknown
	}
	if s.Emails[i].Over || try <= s.Emails[i].Tries {
		return nil, nil
	}
	return []events.Event{e}, nil
}

// email is the index of a message among those of the document, -1 where there is none.
func (s State) email(id string) int {
	return slices.IndexFunc(s.Emails, func(e Email) bool { return e.ID == id })
}

// evolveEmails folds what became of messages. It changes a copy: others may hold the state before.
func evolveEmails(s State, e events.Event) State {
	change := func(id string, to Email) State {
		s.Emails = slices.Clone(s.Emails)
		if i := s.email(id); i >= 0 {
			s.Emails[i] = to
		} else {
			s.Emails = append(s.Emails, to)
		}
		return s
	}
	switch e := e.(type) {
	case events.EmailRequested:
		return change(e.Email, Email{ID: e.Email})
	case events.EmailDelayed:
		return change(e.Email, Email{ID: e.Email, Tries: e.Try})
	case events.EmailSent:
		return change(e.Email, Email{ID: e.Email, Tries: e.Try - 1, Over: true})
	case events.EmailFailed:
		return change(e.Email, Email{ID: e.Email, Tries: e.Try, Over: true})
	}
	return s
}

// OpenEmail says how often sending a message failed; false when it is over or was never asked for.
func (s State) OpenEmail(id string) (tries int, open bool) {
	i := s.email(id)
	if i < 0 || s.Emails[i].Over {
		return 0, false
	}
	return s.Emails[i].Tries, true
}
