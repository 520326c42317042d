package numbering

import (
	"slices"

	"folio/commands"
	"folio/events"
	"folio/fault"
)

// State is one series.
type State struct {
	// Last is the last number that the authority accepted for us.
	Last int64
	// Known is the last number that anybody used, as far as we were told.
	Known int64
	// Open are the submissions that have not been settled, in order of their numbers. Only a
	// series with ranges has more than one.
	Open []Submission
	// Opened and Settled are the last submission that was settled: its copies in the
	// invoices may still be missing.
	Opened  *events.SubmissionOpened
	Settled *events.SubmissionSettled
	// Held is why the series must not go on; empty when it may.
	Held string
	// Ranges are the uploaded ranges in order of upload; empty where the authority's
	// last number is the truth (Argentina).
	Ranges []Range
	// Started says that the starting number was configured.
	Started bool
	// Noticed are the notices that were given.
	Noticed []events.NumberingNoticed
	// Unprocessed are invoices that were sent, not processed, and have no verdict since.
	Unprocessed []string
	// Withdrawn are invoices that go on, or went on, at a contingency point: no submission may
	// ever name them.
	Withdrawn []events.InvoiceWithdrawn
	// Moves is how many invoices were ever withdrawn: it numbers them.
	Moves int
	// Contingent is what a series of a contingency point has beside.
	Contingent Contingent
}

// settled is the id of the last settled submission, empty for none.
func (s State) settled() string {
	if s.Settled == nil {
		return ""
	}
	return s.Settled.Submission
}

// Command is anything a series can be asked.
type Command interface {
	decide(State) ([]events.Event, error)
}

// Decider is the whole behaviour of a series.
var Decider = commands.Decider[State, Command]{
	Category: "numbering",
	Decide:   Command.decide,
	Evolve:   evolve,
}

func evolve(s State, e events.Event) State {
	switch e := e.(type) {
	case events.SubmissionOpened:
		s.Open, s.Ranges = append(slices.Clip(s.Open), Submission{SubmissionOpened: e}),
			s.taken(e.Range, e.First, int64(len(e.Invoices)))
	case events.SubmissionSplit:
		s.Open = s.change(e.Submission, func(o *Submission) { o.Split = true })
	case events.EnvelopeRenewed:
		s.Open = s.change(e.Submission, func(o *Submission) { o.renew(e) })
	case events.SubmissionSettled:
		s = s.settle(e)
	case events.ForeignNumbersNoticed:
		s.Known = max(s.Known, e.To)
	case events.NumberingRangeUploaded:
		s.Ranges = append(slices.Clip(s.Ranges), Range{e, e.From})
	case events.NumberingStartConfigured:
		s.Started, s.Ranges = true, slices.Clone(s.Ranges)
		for i := range s.Ranges {
			if s.Ranges[i].Range == e.Range {
				s.Ranges[i].Next = max(s.Ranges[i].Next, e.From)
			}
		}
	case events.NumberingNoticed:
		s.Noticed = append(slices.Clip(s.Noticed), e)
	case events.InvoiceWithdrawn:
		s.Withdrawn, s.Moves = s.withdrawn(e), e.Move
	case events.InvoiceReturned:
		s.Withdrawn, s.Contingent.Declined = s.returned(e), s.declined(e)
	case events.ContingencyIssued:
		s = s.issue(e)
	case events.ContingencyReportOpened:
		s.Contingent.Report = &e
	case events.ContingencyReportSettled:
		s = s.settleReport(e)
	case events.SeriesHeld:
		s.Held = e.Reason
	case events.SeriesReleased:
		s.Held, s.Ranges, s.Open, s.Known = "", s.released(e), s.release(e), s.passed(e)
	}
	return s
}

// Refusals of a series.
var (
	ErrOpen = fault.New(fault.Conflict, "SUBMISSION_OPEN", "A submission of this series is open: what became of it "+
		"must be known first.")
	ErrMoved = fault.New(fault.Conflict, "SERIES_MOVED", "Another submission of this series was settled meanwhile: "+
		"look at the queue and ask the authority again.")
	ErrHeld = fault.New(fault.Conflict, "SERIES_HELD", "The series is held until an operator has looked: see the "+
		"reason.")
	ErrNotOpen = fault.New(fault.Conflict, "SUBMISSION_NOT_OPEN",
		"This submission of the series is not open: it was settled, or never was.")
	ErrRenewed = fault.New(fault.Conflict, "ENVELOPE_RENEWED",
		"Another envelope of this submission went out meanwhile, or no new one may: ask the authority again.")
	errEmpty = fault.New(fault.Invalid, "SUBMISSION_EMPTY", "A submission needs at least one invoice.")
	ErrWhole = fault.New(fault.Conflict, "SUBMISSION_INDIVISIBLE",
		"Only a submission of several documents whose numbers come from uploaded ranges is split: any other is settled as "+
			"a whole.")
	ErrPartial = fault.New(fault.Conflict, "OUTCOMES_INCOMPLETE",
		"A settlement needs one outcome for every document of the open submission, in order and under its number.")
)
