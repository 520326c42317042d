package past_test

import (
	"slices"
	"testing"

	"folio/events"
	"folio/past"
	"folio/projections/projectiontest"
)

// The report of an invoice that was issued by contingency is part of its past, with its calls; those of others are not.
func TestTheReportOfAContingencyIsPartOfAnInvoicesPast(t *testing.T) {
	const ordinary, spare = "numbering-C1-Testing-6-1", "numbering-C1-Testing-6-9001"
	settled := func(report string, state events.ReportState, invoices ...string) events.ContingencyReportSettled {
		e := events.ContingencyReportSettled{Report: report, Calls: []events.Call{{Operation: report}}}
		for _, id := range invoices {
			e.Outcomes = append(e.Outcomes, events.ReportOutcome{Invoice: id, State: state})
		}
		return e
	}
	all := []given{
		{Stream: "invoice-I1", Event: events.InvoiceCreated{Invoice: "I1", Company: "C1", Environment: "Testing",
			Document: events.Document{OfficialCode: 6, BranchOffice: 1}}},
		{Stream: ordinary, Event: events.InvoiceWithdrawn{Invoice: "I1", Point: 9001, Move: 1}},
		{Stream: spare, Event: events.ContingencyIssued{Number: 1, Invoice: "I1"}},
		{Stream: "invoice-I1", Event: events.NumberAssigned{BranchOffice: 9001, Number: 1}},
		{Stream: "invoice-I1", Event: events.AuthorityAccepted{Authorization: events.Authorization{Type: events.CAEA}}},
		{Stream: "invoice-I1", Event: events.AuthorityReportChanged{State: events.ReportDue}},
		{Stream: ordinary, Event: events.SeriesHeld{Reason: "after it left"}},
		{Stream: spare, Event: events.ContingencyIssued{Number: 2, Invoice: "I2"}},
		{Stream: spare, Event: events.ContingencyReportOpened{Report: "R1", First: 1, Invoices: []string{"I1", "I2"}}},
		{Stream: spare, Event: settled("R1", events.ReportRefused, "I1", "I2")},
		{Stream: "invoice-I1", Event: events.AuthorityReportChanged{State: events.ReportRefused}},
		{Stream: spare, Event: events.SeriesReleased{}},
		{Stream: spare, Event: settled("R2", events.ReportDone, "I1")},
		{Stream: "invoice-I1", Event: events.AuthorityReportChanged{State: events.ReportDone}},
		{Stream: spare, Event: settled("R3", events.ReportDone, "I2")},
		{Stream: spare, Event: events.SeriesHeld{Reason: "after its report"}},
	}
	facts, err := past.Collect(past.Invoice(t.Context(), &log{all: projectiontest.Log(all...)}, "I1", events.Position{},
		events.Moment{}))
	if err != nil {
		t.Fatal(err)
	}
	var told, calls []string
	for _, r := range facts {
		told = append(told, r.Type)
		for _, c := range past.CallsIn(r) {
			calls = append(calls, c.Operation)
		}
	}
	if want := []string{"InvoiceCreated", "InvoiceWithdrawn", "ContingencyIssued", "NumberAssigned", "AuthorityAccepted",
		"AuthorityReportChanged", "ContingencyReportOpened", "ContingencyReportSettled", "AuthorityReportChanged",
		"SeriesReleased", "ContingencyReportSettled", "AuthorityReportChanged"}; !slices.Equal(told, want) {
		t.Errorf("it tells of %v", told)
	}
	if !slices.Equal(calls, []string{"R1", "R2"}) {
		t.Errorf("its calls are %v", calls)
	}
}
