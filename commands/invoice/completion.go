package invoice

import (
	"folio/country"
	"folio/events"
)

// CompleteIssuer fills what the document lacks about its issuer from the company's present
// profile, as a whole and before the document has a number: then what is printed and what
// is signed are the same for good. A document that lacks nothing stays as it is.
type CompleteIssuer struct {
	Rules   country.Rules
	Company country.Issuer
}

func (c CompleteIssuer) decideFull(s Full) ([]events.Event, error) {
	switch {
	case s.Status == None:
		return nil, ErrUnknown
	case s.Status == Accepted || s.Status == Rejected:
		return nil, ErrFinal
	case len(country.Lacking(c.Rules, *s.Created)) == 0:
		return nil, nil
	case s.Number != 0:
		return nil, ErrNumbered
	}
	completed := country.Complete(*s.Created, c.Company, c.Rules)
	if len(country.Lacking(c.Rules, s.Created.Completed(completed))) > 0 {
		return nil, ErrIncomplete
	}
	return []events.Event{completed}, nil
}

// TakeRate gives a document that left its exchange rate to the authority the authority's own.
// A document with a rate of its caller's, and the same rate again, change nothing.
type TakeRate struct{ Rate events.RateTaken }

func (c TakeRate) decideFull(s Full) ([]events.Event, error) {
	switch {
	case s.Status == None:
		return nil, ErrUnknown
	case s.Status == Accepted || s.Status == Rejected:
		return nil, ErrFinal
	case !s.First().Document.Currency.Rate.IsZero(), s.Created.Document.Currency.Rate.Equal(c.Rate.Rate):
		return nil, nil
	case s.Number != 0:
		return nil, ErrNumbered
	}
	return []events.Event{c.Rate}, nil
}

// Refuse rejects a document that cannot be written as its authority wants it, before it
// has a number. Hearing it twice is nothing new.
type Refuse struct{ Reasons []events.AuthorityMessage }

func (c Refuse) decide(s State) ([]events.Event, error) {
	switch {
	case s.Status == None:
		return nil, ErrUnknown
	case s.Status == Accepted:
		return nil, ErrFinal
	case s.Status == Rejected:
		return nil, nil
	case s.Number != 0:
		return nil, ErrNumbered
	}
	return []events.Event{events.InvoiceRefused{Reasons: c.Reasons}}, nil
}
