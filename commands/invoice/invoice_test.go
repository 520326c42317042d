package invoice_test

import (
	"testing"
	"time"

	"folio/commands/commandtest"
	"folio/commands/invoice"
	"folio/events"
)

type row = commandtest.Case[invoice.Command]

var (
	created  = events.InvoiceCreated{Invoice: "I1", Company: "C1", Country: "AR", Document: events.Document{Type: "FCA"}}
	started  = events.SubmissionStarted{Submission: "S1", Environment: "Testing", Number: 7}
	restart  = events.SubmissionStarted{Submission: "S2", Environment: "Testing", Number: 8}
	numbered = events.NumberAssigned{BranchOffice: 1, Number: 7}
	remarks  = []events.AuthorityMessage{{Code: "10217", Text: "remark"}}
	accepted = events.AuthorityAccepted{Submission: "S1",
		Authorization: events.Authorization{Type: "CAE", Code: "86000000000001"}, Observations: remarks, Sandbox: true}
	rejected = events.AuthorityRejected{Submission: "S1", Reasons: []events.AuthorityMessage{{Code: "10015", Text: "no"}}}

	start  = invoice.StartSubmission{Submission: "S1", Environment: "Testing", Number: 7}
	accept = invoice.RecordAcceptance{Submission: "S1", BranchOffice: 1,
		Outcome: events.Outcome{Number: 7, Result: events.Accepted,
			Authorization: &accepted.Authorization, Messages: remarks, Sandbox: true}}
	reject = invoice.RecordRejection{Submission: "S1", Reasons: rejected.Reasons}
	noon   = time.Date(2026, 12, 15, 15, 0, 0, 0, time.UTC)
	ask    = invoice.RequestProcessing{Company: "C1", At: noon}
	asked  = events.ProcessingRequested{At: noon}
)

func history(es ...events.Event) []events.Event { return append([]events.Event{created}, es...) }

func issued(es ...events.Event) []events.Event {
	return append(history(started, numbered, accepted), es...)
}

func TestAnInvoiceIsCreatedAndSent(t *testing.T) {
	commandtest.Run(t, invoice.Decider,
		row{Name: "an invoice is created", When: invoice.Create{Invoice: created}, Then: []events.Event{created}},
		row{Name: "an id is taken once", Given: history(), When: invoice.Create{Invoice: created}, Err: invoice.ErrExists},
		row{Name: "a pending invoice is sent", Given: history(), When: start, Then: []events.Event{started}},
		row{Name: "the same submission again is nothing new", Given: history(started), When: start},
		row{Name: "a document that was not processed is sent under another number", Given: history(started),
			When: invoice.StartSubmission{Submission: "S2", Environment: "Testing", Number: 8}, Then: []events.Event{restart}},
		row{Name: "nothing cannot be sent", When: start, Err: invoice.ErrUnknown},
		row{Name: "an accepted invoice is not sent again", Given: issued(), When: start, Err: invoice.ErrFinal},
		row{Name: "a rejected invoice is not sent again", Given: history(started, rejected), When: start,
			Err: invoice.ErrFinal},
		row{Name: "somebody asks for a pending invoice", Given: history(), When: ask, Then: []events.Event{asked}},
		row{Name: "somebody asks for an invoice in process", Given: history(started), When: ask, Then: []events.Event{asked}},
		row{Name: "asking twice at once changes nothing", Given: history(asked), When: ask},
		row{Name: "asking a moment later changes nothing", Given: history(asked),
			When: invoice.RequestProcessing{Company: "C1", At: noon.Add(4 * time.Second)}},
		row{Name: "asking later asks again", Given: history(asked),
			When: invoice.RequestProcessing{Company: "C1", At: noon.Add(5 * time.Second)},
			Then: []events.Event{events.ProcessingRequested{At: noon.Add(5 * time.Second)}}},
		row{Name: "asking asks again when something happened in between", Given: history(asked, started), When: ask,
			Then: []events.Event{asked}},
		row{Name: "a request of before requests had times is no bar", Given: history(events.ProcessingRequested{}), When: ask,
			Then: []events.Event{asked}},
		row{Name: "an accepted invoice needs no asking", Given: issued(), When: ask, Err: invoice.ErrFinal},
		row{Name: "a rejected invoice cannot be asked for", Given: history(started, rejected), When: ask,
			Err: invoice.ErrFinal},
		row{Name: "another company's invoice is as if it were not there", Given: history(),
			When: invoice.RequestProcessing{Company: "C2"}, Err: invoice.ErrUnknown},
		row{Name: "nothing cannot be asked for", When: ask, Err: invoice.ErrUnknown},
	)
}

func TestTheAuthoritysAnswerIsFinal(t *testing.T) {
	commandtest.Run(t, invoice.Decider,
		row{Name: "acceptance gives number and authorization in one append", Given: history(started), When: accept,
			Then: []events.Event{numbered, accepted}},
		row{Name: "acceptance heard twice is nothing new", Given: issued(), When: accept},
		row{Name: "a rejected invoice is never accepted", Given: history(started, rejected), When: accept,
			Err: invoice.ErrFinal},
		row{Name: "what was not sent cannot be accepted", Given: history(), When: accept, Err: invoice.ErrNotOpen},
		row{Name: "nothing cannot be accepted", When: accept, Err: invoice.ErrUnknown},
		row{Name: "a rejection keeps every reason", Given: history(started), When: reject, Then: []events.Event{rejected}},
		row{Name: "a rejection heard twice is nothing new", Given: history(started, rejected), When: reject},
		row{Name: "an accepted invoice is never rejected", Given: issued(), When: reject, Err: invoice.ErrFinal},
		row{Name: "what was not sent cannot be rejected", Given: history(), When: reject, Err: invoice.ErrNotOpen},
		row{Name: "nothing cannot be rejected", When: reject, Err: invoice.ErrUnknown},
	)
}

func TestTheStatesOfTheSpecification(t *testing.T) {
	for _, c := range []struct {
		history []events.Event
		want    invoice.Status
		number  int64
	}{
		{nil, invoice.None, 0},
		{history(), invoice.Pending, 0},
		{history(events.ProcessingRequested{}), invoice.Pending, 0},
		{history(started), invoice.InProcess, 0},
		{history(started, restart), invoice.InProcess, 0},
		{history(started, rejected), invoice.Rejected, 0},
		{issued(), invoice.Accepted, 7},
		{issued(events.InvoiceCancelled{CreditNote: "N1"}), invoice.Accepted, 7},
	} {
		s := invoice.Decider.Fold(c.history...)
		if s.Status != c.want || s.Number != c.number {
			t.Errorf("%T: %q number %d, want %q number %d", c.history, s.Status, s.Number, c.want, c.number)
		}
	}
}
