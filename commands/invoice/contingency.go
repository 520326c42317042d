package invoice

import (
	"folio/events"
	"folio/fault"
)

// RecordContingency copies ContingencyIssued: the document is issued under its number at the
// contingency point, by a code that the authority gave ahead, and is to be reported. It was
// never sent. Hearing it twice is nothing new.
type RecordContingency struct {
	Point  int
	Issued events.ContingencyIssued
}

func (c RecordContingency) decide(s State) ([]events.Event, error) {
	switch {
	case s.Status == None:
		return nil, ErrUnknown
	case s.Status == Accepted && s.PointOfSale == c.Point && s.Number == c.Issued.Number:
		return nil, nil
	case s.Status == Accepted || s.Status == Rejected:
		return nil, ErrFinal
	case s.Status != Pending:
		return nil, ErrSubmitted
	}
	return []events.Event{
		events.NumberAssigned{BranchOffice: c.Point, Number: c.Issued.Number},
		events.AuthorityAccepted{Authorization: c.Issued.Authorization, Sandbox: c.Issued.Sandbox},
		events.AuthorityReportChanged{State: events.ReportDue, DueBy: c.Issued.DueBy},
	}, nil
}

// RecordReport copies what the authority says of the report of a document that was issued by
// contingency. A reported document stays so: what comes later is old news.
type RecordReport struct{ Changed events.AuthorityReportChanged }

func (c RecordReport) decide(s State) ([]events.Event, error) {
	switch {
	case s.Status == None:
		return nil, ErrUnknown
	case s.Report == "":
		return nil, ErrNotContingent
	case s.Report == events.ReportDone || s.Report == events.ReportObserved || s.Report == c.Changed.State:
		return nil, nil
	}
	return []events.Event{c.Changed}, nil
}

// Refusals of a contingency.
var (
	ErrSubmitted = fault.New(fault.Conflict, "INVOICE_SUBMITTED",
		"This invoice was sent to the authority: what became of it must be known first.")
	ErrNotContingent = fault.New(fault.Conflict, "INVOICE_NOT_CONTINGENT",
		"This invoice was not issued by contingency: nothing of it is reported.")
)
