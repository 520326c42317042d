// Package dailyreport decides what becomes of the report of one day: which bytes go to
// the authority under which sequence, once each, and when they are to be replaced.
package dailyreport

import (
	"fmt"

	"folio/commands"
	"folio/events"
	"folio/fault"
)

// State is one day of one company and environment.
type State struct {
	Sendings int                     // how many reports were sent
	Sequence int                     // of the last one that was accepted; 0 for none
	Open     *events.DailyReportSent // sent, and its verdict is not known; nil otherwise
	// Last is the last report that has a verdict.
	Last      *events.DailyReportSent
	Refused   bool // that verdict
	Requested bool // an operator asked for another try since
	Asked     int  // the sequence that the operator asked for; 0 for the next one
}

// Next is the sequence of the next report: behind the last accepted one, since a refused
// report is none that could be replaced. That DGI counts so is not said in what it
// publishes (R05 is "the sequence is not correct"), so an operator can ask for another.
func (s State) Next() int {
	if s.Asked > 0 {
		return s.Asked
	}
	return s.Sequence + 1
}

// Owed says whether a day with these facts (DailyReportSent.Facts) is still to be
// reported: it never was, it changed, or its refused report was asked for again. While a
// report is open nothing else is owed.
func (s State) Owed(facts string) bool {
	return s.Open == nil && (s.Last == nil || s.Last.Facts != facts || s.Refused && s.Requested)
}

// Command is anything a day can be asked.
type Command interface {
	decide(State) ([]events.Event, error)
}

// Decider is the whole behaviour of a day's report.
var Decider = commands.Decider[State, Command]{
	Category: "dailyreport",
	Decide:   Command.decide,
	Evolve:   evolve,
}

func evolve(s State, e events.Event) State {
	switch e := e.(type) {
	case events.DailyReportSent:
		s.Sendings, s.Open, s.Requested, s.Asked = e.Sending, &e, false, 0
	case events.DailyReportAccepted:
		if s.Open != nil {
			s.Last, s.Refused, s.Open, s.Sequence = s.Open, false, nil, s.Open.Sequence
		}
	case events.DailyReportRejected:
		if s.Open != nil {
			s.Last, s.Refused, s.Open = s.Open, true, nil
		}
	case events.DailyReportRequested:
		s.Requested, s.Asked = true, e.Sequence
	}
	return s
}

// ID is the aggregate id: "<company>-<environment>-<date>".
func ID(company, environment, date string) string {
	return fmt.Sprintf("%s-%s-%s", company, environment, date)
}

// Refusals of a day's report.
var (
	ErrOpen = fault.New(fault.Conflict, "DAILY_REPORT_OPEN",
		"A report of this day is on its way: its verdict must be known first.")
	ErrMoved = fault.New(fault.Conflict, "DAILY_REPORT_MOVED",
		"Another report of this day was sent meanwhile: look at the day again.")
	ErrNotOpen = fault.New(fault.Conflict, "DAILY_REPORT_NOT_OPEN",
		"This report is not the one whose verdict is awaited.")
	ErrNotRefused = fault.New(fault.Conflict, "DAILY_REPORT_NOT_REFUSED",
		"The last report of this day was not refused: there is nothing to try again.")
)

// Send fixes what is sent as the next report of the day. Its bytes are stored already.
type Send struct{ Report events.DailyReportSent }

func (c Send) decide(s State) ([]events.Event, error) {
	switch {
	case s.Open != nil && s.Open.SHA256 == c.Report.SHA256:
		return nil, nil
	case s.Open != nil:
		return nil, ErrOpen
	case !s.Owed(c.Report.Facts):
		return nil, nil
	case c.Report.Sending != s.Sendings+1 || c.Report.Sequence != s.Next():
		return nil, ErrMoved
	}
	return []events.Event{c.Report}, nil
}

// Accept records that the authority has the open report. The first verdict counts.
type Accept struct{ Verdict events.DailyReportAccepted }

func (c Accept) decide(s State) ([]events.Event, error) {
	return s.verdict(c.Verdict.Sending, c.Verdict)
}

// Reject records that the authority refused the open report. The first verdict counts.
type Reject struct{ Verdict events.DailyReportRejected }

func (c Reject) decide(s State) ([]events.Event, error) {
	return s.verdict(c.Verdict.Sending, c.Verdict)
}

func (s State) verdict(sending int, e events.Event) ([]events.Event, error) {
	switch {
	case s.Last != nil && s.Last.Sending == sending:
		return nil, nil
	case s.Open == nil || s.Open.Sending != sending:
		return nil, ErrNotOpen
	}
	return []events.Event{e}, nil
}

// Request asks for a refused report to be made and sent again.
type Request struct{ Request events.DailyReportRequested }

func (c Request) decide(s State) ([]events.Event, error) {
	switch {
	case s.Open != nil:
		return nil, ErrOpen
	case s.Last == nil || !s.Refused:
		return nil, ErrNotRefused
	case s.Requested && s.Asked == c.Request.Sequence:
		return nil, nil
	}
	return []events.Event{c.Request}, nil
}
