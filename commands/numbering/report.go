package numbering

import (
	"slices"

	"folio/events"
)

// OpenReport fixes which documents the next report of a contingency point's series holds:
// the first ones that are due, in order of their numbers. Their bytes were fixed when they
// were issued. A held series reports nothing.
type OpenReport struct {
	Report   string
	Invoices []string
	// After is the last settled report, whose outcomes were copied into the invoices; empty for none.
	After string
}

func (c OpenReport) decide(s State) ([]events.Event, error) {
	switch {
	case s.Contingent.Report != nil && s.Contingent.Report.Report == c.Report:
		return nil, nil
	case s.Held != "":
		return nil, ErrHeld
	case s.Contingent.Report != nil:
		return nil, ErrReportOpen
	case s.reported() != c.After:
		return nil, ErrMoved
	case len(c.Invoices) == 0 || len(c.Invoices) > len(s.Contingent.Due):
		return nil, ErrNotDue
	}
	for i, id := range c.Invoices {
		d := s.Contingent.Due[i]
		if d.Invoice != id || d.Number != s.Contingent.Due[0].Number+int64(i) {
			return nil, ErrNotDue
		}
	}
	return []events.Event{events.ContingencyReportOpened{Report: c.Report, First: s.Contingent.Due[0].Number,
		Invoices: c.Invoices}}, nil
}

// reported is the last report that was settled, empty for none.
func (s State) reported() string {
	if s.Contingent.Settled == nil {
		return ""
	}
	return s.Contingent.Settled.Report
}

// SettleReport closes an open report with what the authority says of each document. The
// first word counts. A refused document holds the series in the same append: the authority
// wants that very number next, and its paper is with the customer. What is behind it stays due.
type SettleReport struct {
	Report   string
	Outcomes []events.ReportOutcome
	Calls    []events.Call
}

func (c SettleReport) decide(s State) ([]events.Event, error) {
	open := s.Contingent.Report
	switch {
	case s.reported() == c.Report:
		return nil, nil
	case open == nil || open.Report != c.Report:
		return nil, ErrReportNotOpen
	case len(c.Outcomes) != len(open.Invoices):
		return nil, ErrPartial
	}
	var refused *events.ReportOutcome
	for i, o := range c.Outcomes {
		if o.Invoice != open.Invoices[i] || o.Number != open.First+int64(i) || o.Period != s.periodOf(o.Number) ||
			refused != nil && o.State != events.ReportDue {
			return nil, ErrPartial
		}
		if o.State == events.ReportRefused {
			refused = &c.Outcomes[i]
		}
	}
	out := []events.Event{events.ContingencyReportSettled{Report: c.Report, Outcomes: c.Outcomes, Calls: c.Calls}}
	if refused != nil && s.Held == "" {
		out = append(out, events.SeriesHeld{Reason: events.Because("the authority refused the report of number %d: %s",
			refused.Number, events.Words(refused.Messages))})
	}
	return out, nil
}

// periodOf is that of the code of a document that is due.
func (s State) periodOf(number int64) string {
	for _, d := range s.Contingent.Due {
		if d.Number == number {
			return d.Period
		}
	}
	return ""
}

// settleReport takes what was reported off what is due.
func (s State) settleReport(e events.ContingencyReportSettled) State {
	s.Contingent.Settled, s.Contingent.Opened, s.Contingent.Report = &e, s.Contingent.Report, nil
	for _, o := range e.Outcomes {
		if o.State != events.ReportDone && o.State != events.ReportObserved {
			continue
		}
		i := slices.IndexFunc(s.Contingent.Due, func(d events.ContingencyIssued) bool { return d.Number == o.Number })
		if i < 0 {
			continue
		}
		s.Contingent.Reported = counted(s.Contingent.Reported, s.Contingent.Due[i].Period)
		s.Contingent.Due = slices.Delete(slices.Clone(s.Contingent.Due), i, i+1)
	}
	return s
}
