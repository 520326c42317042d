package invoice_test

import (
	"testing"

	"folio/commands/commandtest"
	"folio/commands/invoice"
	"folio/events"
)

func TestAContingencyDocumentIsAcceptedAndReported(t *testing.T) {
	created := events.InvoiceCreated{Invoice: "I1", Company: "C1"}
	code := events.Authorization{Type: "CAEA", Code: "36440000000017", ExpiresOn: "2026-12-15"}
	copied := invoice.RecordContingency{Point: 9003, Issued: events.ContingencyIssued{Number: 7, Authorization: code,
		DueBy: "2026-12-23"}}
	due := events.AuthorityReportChanged{State: events.ReportDue, DueBy: "2026-12-23"}
	issued := []events.Event{created, events.NumberAssigned{BranchOffice: 9003, Number: 7},
		events.AuthorityAccepted{Authorization: code}, due}
	done := events.AuthorityReportChanged{State: events.ReportDone, DueBy: "2026-12-23"}
	refused := events.AuthorityReportChanged{State: events.ReportRefused, DueBy: "2026-12-23",
		Messages: []events.AuthorityMessage{{Code: "704", Text: "no"}}}
	type row = commandtest.Case[invoice.Command]
	commandtest.Run(t, invoice.Decider,
		row{Name: "issued", Given: issued[:1], When: copied, Then: issued[1:]},
		row{Name: "heard twice", Given: issued, When: copied},
		row{Name: "one in limbo is not", Given: []events.Event{created,
			events.SubmissionStarted{Submission: "S1", Number: 3}},
			When: copied, Err: invoice.ErrSubmitted},
		row{Name: "one with a verdict is not", Given: []events.Event{created, events.InvoiceRefused{}}, When: copied,
			Err: invoice.ErrFinal},
		row{Name: "not under another number", Given: issued,
			When: invoice.RecordContingency{Point: 9003, Issued: events.ContingencyIssued{Number: 8}}, Err: invoice.ErrFinal},
		row{Name: "unknown", When: copied, Err: invoice.ErrUnknown},
		row{Name: "reported", Given: issued, When: invoice.RecordReport{Changed: done}, Then: []events.Event{done}},
		row{Name: "reported stays reported", Given: append(issued, done), When: invoice.RecordReport{Changed: refused}},
		row{Name: "refused", Given: issued, When: invoice.RecordReport{Changed: refused}, Then: []events.Event{refused}},
		row{Name: "refused, once", Given: append(issued, refused), When: invoice.RecordReport{Changed: refused}},
		row{Name: "reported after all", Given: append(issued, refused), When: invoice.RecordReport{Changed: done},
			Then: []events.Event{done}},
		row{Name: "an ordinary one is not reported", Given: issued[:1], When: invoice.RecordReport{Changed: done},
			Err: invoice.ErrNotContingent},
	)
}
