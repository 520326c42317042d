package numbering

import (
	"slices"

	"folio/events"
	"folio/fault"
)

// Contingent is what a series of a contingency point holds beside: documents that were
// issued by a code given ahead, and what is reported of them.
type Contingent struct {
	Last   int64                           // the last number that was issued, 0 for none
	Due    []events.ContingencyIssued      // issued and not reported, in order of their numbers
	Report *events.ContingencyReportOpened // open; nil for none
	// Opened and Settled are the last report that was settled: its copies in the invoices may
	// still be missing.
	Opened  *events.ContingencyReportOpened
	Settled *events.ContingencyReportSettled
	// Issued and Reported count the documents of each code, by its period, until nothing of it is due.
	Issued, Reported map[string]int64
	// Declined are the moves, by invoice, that never end in a document here.
	Declined map[string]int
}

// LastContingency is the last number of a contingency point's series that anybody used, as far
// as we were told; 0 for none.
func (s State) LastContingency() int64 { return max(s.Contingent.Last, s.Known) }

// NextContingency is the number that the next document of a contingency point gets.
func (s State) NextContingency() int64 { return s.LastContingency() + 1 }

// IssueContingency gives the invoice the next number of a contingency point's series and
// issues it by a code, in one append. The frozen detail holds the number, so whoever froze
// another one begins anew (SERIES_MOVED).
type IssueContingency struct{ Issued events.ContingencyIssued }

// Refusals of a contingency point's series.
var (
	ErrReportOpen = fault.New(fault.Conflict, "CONTINGENCY_REPORT_OPEN",
		"A report of this series is open: what became of it must be known first.")
	ErrReportNotOpen = fault.New(fault.Conflict, "CONTINGENCY_REPORT_NOT_OPEN", "This report of the series is not open.")
	ErrNotDue        = fault.New(fault.Conflict, "CONTINGENCY_NOT_DUE",
		"A report holds the first documents that are due, in order of their numbers.")
)

func (c IssueContingency) decide(s State) ([]events.Event, error) {
	switch {
	case slices.ContainsFunc(s.Contingent.Due,
		func(d events.ContingencyIssued) bool { return d.Invoice == c.Issued.Invoice }):
		return nil, nil
	case s.Contingent.Declined[c.Issued.Invoice] >= c.Issued.Move:
		return nil, ErrDeclined
	case s.Held != "":
		return nil, ErrHeld
	case len(s.Ranges) > 0:
		return nil, ErrNoContingency
	case s.Settled != nil || len(s.Open) > 0:
		return nil, ErrOrdinary
	case c.Issued.Number != s.NextContingency():
		return nil, ErrMoved
	}
	return []events.Event{c.Issued}, nil
}

// ErrOrdinary refuses a contingency document at a point that had its documents authorized one by one.
var ErrOrdinary = fault.New(fault.Conflict, "POINT_OF_SALE_ORDINARY",
	"Documents of this point of sale were authorized by the authority one by one: it is no contingency point.")

// ErrContingencyPoint refuses a submission at a point whose documents carry a code given ahead.
var ErrContingencyPoint = fault.New(fault.Conflict, "POINT_OF_SALE_CONTINGENCY",
	"Documents of this point of sale are issued by a code that was given ahead: no other may be.")

// NoticeForeign records the authority's last number of a contingency point. One that is
// higher than ours is another system's: the series is held, since two of them would issue
// under one number. Nothing is new while all of ours may not be reported yet.
type NoticeForeign struct{ AuthorityLast int64 }

func (c NoticeForeign) decide(s State) ([]events.Event, error) {
	ours := s.LastContingency()
	if c.AuthorityLast <= ours {
		return nil, nil
	}
	out := []events.Event{events.ForeignNumbersNoticed{From: s.Known + 1, To: c.AuthorityLast}}
	if s.Held == "" {
		out = append(out, events.SeriesHeld{Reason: events.Because(
			"the authority's last number of the contingency point is %d, "+
				"and ours is %d: another system uses the point of sale", c.AuthorityLast, ours)})
	}
	return out, nil
}

// issue takes in one more document that is due.
func (s State) issue(e events.ContingencyIssued) State {
	s.Contingent.Last = max(s.Contingent.Last, e.Number)
	s.Known = max(s.Known, e.Number)
	s.Contingent.Due = append(slices.Clip(s.Contingent.Due), e)
	s.Contingent.Issued = counted(s.Contingent.Issued, e.Period)
	return s
}

// counted is a count by code with one more. Others may hold the state that it comes from.
func counted(was map[string]int64, period string) map[string]int64 {
	now := map[string]int64{period: was[period] + 1}
	for p, n := range was {
		if p != period {
			now[p] = n
		}
	}
	return now
}
