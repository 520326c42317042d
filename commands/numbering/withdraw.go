package numbering

import (
	"slices"

	"folio/events"
	"folio/fault"
)

// Withdraw takes an invoice out of the series, so that it can be issued at the contingency
// point Point: from here on no submission may name it. It is refused once any submission
// named the invoice, since its number may have been sent: that one must be settled first.
//
// After is the last settled submission when the invoice was looked at and was Pending,
// empty for none: the copies of that submission and all before it are in the invoices.
type Withdraw struct {
	Invoice string
	Point   int
	After   string
}

// Refusals of a move to the contingency point and back.
var (
	ErrNamed = fault.New(fault.Conflict, "INVOICE_WAS_SENT",
		"A submission of this series named the invoice: its number may have been sent, and what became of it must be "+
			"known first.")
	ErrWithdrawn = fault.New(fault.Conflict, "INVOICE_WITHDRAWN",
		"The invoice was withdrawn from this series: it goes on at the contingency point of sale.")
	ErrNotWithdrawn = fault.New(fault.Conflict, "INVOICE_NOT_WITHDRAWN",
		"The invoice is not withdrawn from this series.")
	ErrNoContingency = fault.New(fault.Conflict, "SERIES_WITHOUT_CONTINGENCY",
		"The numbers of this series come from uploaded ranges: it has no contingency point of sale.")
)

func (c Withdraw) decide(s State) ([]events.Event, error) {
	switch {
	case len(s.Ranges) > 0:
		return nil, ErrNoContingency
	case s.WithdrawnTo(c.Invoice) == c.Point:
		return nil, nil
	case s.WithdrawnTo(c.Invoice) != 0:
		return nil, ErrWithdrawn
	case s.names(c.Invoice):
		return nil, ErrNamed
	case s.settled() != c.After:
		return nil, ErrMoved
	}
	return []events.Event{events.InvoiceWithdrawn{Invoice: c.Invoice, Point: c.Point}}, nil
}

// Return puts a withdrawn invoice back, as long as it was not issued: whoever asks has read
// the contingency point's series, and is the only one that issues there.
type Return struct{ Invoice, Reason string }

func (c Return) decide(s State) ([]events.Event, error) {
	if s.WithdrawnTo(c.Invoice) == 0 {
		return nil, nil
	}
	return []events.Event{events.InvoiceReturned{Invoice: c.Invoice, Reason: c.Reason}}, nil
}

// WithdrawnTo is the contingency point that an invoice was withdrawn to, 0 when it is in the series.
func (s State) WithdrawnTo(invoice string) int {
	for _, w := range s.Withdrawn {
		if w.Invoice == invoice {
			return w.Point
		}
	}
	return 0
}

// names says whether a submission named the invoice that no later settlement gave a verdict.
// What was settled before the last one has its copies in the invoices, which are final.
func (s State) names(invoice string) bool {
	return s.sends(invoice) || slices.Contains(s.Unprocessed, invoice) ||
		s.Opened != nil && slices.Contains(s.Opened.Invoices, invoice)
}

// withdrawn is the list with one more, and returned without one. Few are: the law calls a
// contingency exceptional below a twentieth of a branch's documents.
func (s State) withdrawn(e events.InvoiceWithdrawn) []events.InvoiceWithdrawn {
	return append(slices.Clip(s.Withdrawn), e)
}

func (s State) returned(invoice string) []events.InvoiceWithdrawn {
	return slices.DeleteFunc(slices.Clone(s.Withdrawn),
		func(w events.InvoiceWithdrawn) bool { return w.Invoice == invoice })
}

// unprocessed are the invoices that were sent, not processed, and never sent to an end.
func (s State) unprocessed(outcomes []events.Outcome) []string {
	left := slices.Clone(s.Unprocessed)
	for _, o := range outcomes {
		left = slices.DeleteFunc(left, func(id string) bool { return id == o.Invoice })
		if o.Result == events.NotProcessed {
			left = append(left, o.Invoice)
		}
	}
	return left
}
