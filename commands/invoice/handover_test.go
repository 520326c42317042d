package invoice_test

import (
	"testing"

	"folio/commands/commandtest"
	"folio/commands/invoice"
	"folio/events"
)

func TestWhatIsKnownBeforeTheVerdict(t *testing.T) {
	type C = commandtest.Case[invoice.Command]
	created := events.InvoiceCreated{Invoice: "I", Company: "C"}
	started := events.SubmissionStarted{Submission: "S", Environment: "Production", Number: 7}
	assigned := events.NumberAssigned{Number: 7}
	received := events.AuthorityReceived{Submission: "S", Receipt: "123"}
	handed := events.InvoiceHandedOver{Basis: "sent"}
	signed := []events.Event{created, started, assigned}
	with := func(more ...events.Event) []events.Event { return append(signed[:3:3], more...) }
	receipt, handOver := invoice.RecordReceipt{Submission: "S", Receipt: "123"},
		invoice.HandOver{Company: "C", Basis: "sent"}
	commandtest.Run(t, invoice.Decider,
		C{Name: "the authority has it", Given: signed, When: receipt, Then: []events.Event{received}},
		C{Name: "that is told once", Given: with(received), When: receipt},
		C{Name: "of another submission", Given: signed, When: invoice.RecordReceipt{Submission: "T"}},
		C{Name: "of a later one it is told again", Given: with(received, events.SubmissionStarted{Submission: "T"}),
			When: invoice.RecordReceipt{Submission: "T"}, Then: []events.Event{events.AuthorityReceived{Submission: "T"}}},
		C{Name: "after the verdict it is nothing new", Given: with(events.AuthorityRejected{}), When: receipt},
		C{Name: "nobody's", When: receipt, Err: invoice.ErrUnknown},

		C{Name: "handed over", Given: with(received), When: handOver, Then: []events.Event{handed}},
		C{Name: "that is told once, too", Given: with(received, handed), When: handOver},
		C{Name: "not before it is signed", Given: []events.Event{created}, When: handOver, Err: invoice.ErrNotSigned},
		C{Name: "not after the verdict", Given: with(events.AuthorityAccepted{}), When: handOver, Err: invoice.ErrFinal},
		C{Name: "not another company's", Given: signed, When: invoice.HandOver{Company: "D"}, Err: invoice.ErrUnknown},
	)
	if s := invoice.Decider.Fold(with(received, handed, events.AuthorityRejected{})...); !s.HandedOver ||
		s.Status != invoice.Rejected {
		t.Errorf("what was handed over and refused is %+v", s)
	}
}
