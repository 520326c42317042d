package verify

import (
	"fmt"

	"folio/commands/caea"
	"folio/commands/contingency"
	"folio/commands/invoice"
	"folio/commands/numbering"
	"folio/events"
)

// contingent says what is wrong with an event of a series that has to do with contingencies.
func (l *seriesLife) contingent(e events.Event) string {
	s := l.State
	settled := ""
	if s.Settled != nil {
		settled = s.Settled.Submission
	}
	var c numbering.Command
	switch e := e.(type) {
	case events.InvoiceWithdrawn:
		c = numbering.Withdraw{Invoice: e.Invoice, Point: e.Point, After: settled}
	case events.InvoiceReturned:
		c = numbering.Return{Invoice: e.Invoice, Move: e.Move, Reason: e.Reason}
		if s.WithdrawnTo(e.Invoice) == 0 { // it is a contingency point's series
			c = numbering.Decline{Invoice: e.Invoice, Move: e.Move, Next: s.NextContingency(), Reason: e.Reason}
		}
	case events.ContingencyIssued:
		c = numbering.IssueContingency{Issued: e}
	case events.ContingencyReportOpened:
		after := ""
		if s.Contingent.Settled != nil {
			after = s.Contingent.Settled.Report
		}
		c = numbering.OpenReport{Report: e.Report, Invoices: e.Invoices, After: after}
	case events.ContingencyReportSettled:
		c = numbering.SettleReport{Report: e.Report, Outcomes: e.Outcomes, Calls: e.Calls}
	default:
		return ""
	}
	return decided(numbering.Decider, s, c, e)
}

// accepted says what is wrong with an acceptance: a document was sent before, unless it was
// issued by a code that the authority gave ahead, and then it never was.
func (l *invoiceLife) accepted(e events.AuthorityAccepted) string {
	from := invoice.InProcess
	if e.Authorization.Type == events.CAEA {
		from = invoice.Pending
	}
	if l.Status != from || l.Number == 0 {
		return fmt.Sprintf("an invoice is accepted that is %s", l.Status)
	}
	return ""
}

// caeaLife is the code of a fortnight.
type caeaLife struct{ caea.State }

func (l *caeaLife) next(r events.Recorded) (wrong string) {
	var c caea.Command
	switch e := r.Event.(type) {
	case events.CAEARequested:
		c = caea.Request{Requested: e}
	case events.CAEAGranted:
		c = caea.Grant{Granted: e}
	case events.CAEARefused:
		c = caea.Refuse{Refused: e}
	case events.NoMovementReported:
		c = caea.ReportNoMovement{Reported: e}
	case events.NoMovementRefused:
		c = caea.DoubtNoMovement{Refused: e}
	case events.CAEAWarned:
		c = caea.Warn{Warned: e}
	case events.CAEAClosed:
		if l.Granted == nil || l.Closed {
			wrong = "a code is closed that is not held, or is closed already"
		}
	}
	if c != nil {
		wrong = decided(caea.Decider, l.State, c, r.Event)
	}
	l.State = caea.Decider.Next(l.State, r.Event, r.Meta.At)
	return wrong
}

// windowLife is the contingency of a point of sale.
type windowLife struct{ contingency.State }

func (l *windowLife) next(r events.Recorded) (wrong string) {
	switch e := r.Event.(type) {
	case events.ContingencyOpened:
		wrong = decided(contingency.Decider, l.State,
			contingency.Command(contingency.Open{Opened: e, Mode: events.ContingencyManual}), e)
	case events.ContingencyClosed:
		wrong = decided(contingency.Decider, l.State, contingency.Command(contingency.Close{Closed: e}), e)
	}
	l.State = contingency.Decider.Next(l.State, r.Event, r.Meta.At)
	return wrong
}
