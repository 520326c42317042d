package invoice

import (
	"folio/events"
	"folio/fault"
)

// RecordReceipt says that the authority has the document of a submission and has not
// decided. Hearing it twice, or after the verdict, is nothing new.
type RecordReceipt struct{ Submission, Receipt string }

func (c RecordReceipt) decide(s State) ([]events.Event, error) {
	switch {
	case s.Status == None:
		return nil, ErrUnknown
	case s.Status != InProcess || s.Submission != c.Submission || s.Received:
		return nil, nil
	}
	return []events.Event{events.AuthorityReceived{Submission: c.Submission, Receipt: c.Receipt}}, nil
}

// HandOver says that the printed document is given out before the verdict. It must be
// signed, which it is once it has its number. Doing it again is nothing new.
type HandOver struct{ Company, Basis string }

// ErrNotSigned is the refusal of a document that has no number.
var ErrNotSigned = fault.New(fault.Conflict, "INVOICE_NOT_SIGNED",
	"An invoice is signed when it gets its number, and this one has none: ask again when its number is there.")

func (c HandOver) decide(s State) ([]events.Event, error) {
	switch {
	case s.Status == None || s.Company != c.Company:
		return nil, ErrUnknown
	case s.Status == Accepted || s.Status == Rejected:
		return nil, ErrFinal
	case s.Number == 0:
		return nil, ErrNotSigned
	case s.HandedOver:
		return nil, nil
	}
	return []events.Event{events.InvoiceHandedOver{Basis: c.Basis}}, nil
}
