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
	ErrDeclined = fault.New(fault.Conflict, "CONTINGENCY_DECLINED",
		"It was decided that this invoice goes back to its series: it is not issued at the contingency point.")
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
	return []events.Event{events.InvoiceWithdrawn{Invoice: c.Invoice, Point: c.Point,
		Move: s.Moves + 1}}, nil
}

// Decline says, in the contingency point's series, that a move never ends in a document there.
// It is what a return is decided by: after it nobody issues that move, and before it nobody
// returns it. Next is the number that the next document would have had when the invoice was
// looked at and was Pending.
type Decline struct {
	Invoice string
	Move    int
	Next    int64
	Reason  string
}

func (c Decline) decide(s State) ([]events.Event, error) {
	switch {
	case s.Contingent.Declined[c.Invoice] >= c.Move:
		return nil, nil
	case s.NextContingency() != c.Next:
		return nil, ErrMoved
	}
	return []events.Event{events.InvoiceReturned{Invoice: c.Invoice, Move: c.Move, Reason: c.Reason}}, nil
}

// Return puts a withdrawn invoice back into its series, after its move was declined in that of
// the contingency point. A move that is over is nothing new.
type Return struct {
	Invoice string
	Move    int
	Reason  string
}

func (c Return) decide(s State) ([]events.Event, error) {
	for _, w := range s.Withdrawn {
		if w.Invoice == c.Invoice && w.Move == c.Move {
			return []events.Event{events.InvoiceReturned{Invoice: c.Invoice, Move: c.Move, Reason: c.Reason}}, nil
		}
	}
	return nil, nil
}

// WithdrawnTo is the contingency point that an invoice was withdrawn to, 0 when it is in the series.
func (s State) WithdrawnTo(invoice string) int {
	w, _ := s.Move(invoice)
	return w.Point
}

// Move is that of an invoice which is withdrawn; false while it is in the series.
func (s State) Move(invoice string) (events.InvoiceWithdrawn, bool) {
	i := slices.IndexFunc(s.Withdrawn, func(w events.InvoiceWithdrawn) bool { return w.Invoice == invoice })
	if i < 0 {
		return events.InvoiceWithdrawn{}, false
	}
	return s.Withdrawn[i], true
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

func (s State) returned(e events.InvoiceReturned) []events.InvoiceWithdrawn {
	return slices.DeleteFunc(slices.Clone(s.Withdrawn),
		func(w events.InvoiceWithdrawn) bool { return w.Invoice == e.Invoice })
}

// declined are the moves that never end in a document here. A series is an ordinary one or a
// contingency point's: what the other kind notes is not looked at.
func (s State) declined(e events.InvoiceReturned) map[string]int {
	out := map[string]int{e.Invoice: e.Move}
	for invoice, move := range s.Contingent.Declined {
		if invoice != e.Invoice {
			out[invoice] = move
		}
	}
	return out
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
