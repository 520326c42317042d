package invoice_test

import (
	"fmt"
	"testing"

	"folio/commands/commandtest"
	"folio/commands/invoice"
	"folio/events"
)

func requested(id string) events.Event {
	return events.EmailRequested{Email: id, Company: "C1", To: "a@b.cl"}
}

func TestAnAcceptedInvoiceIsSentByEmail(t *testing.T) {
	send := invoice.RequestEmail{Company: "C1", Email: "E1", To: "a@b.cl"}
	var twenty []events.Event
	for i := range 20 {
		id := fmt.Sprint("F", i)
		twenty = append(twenty, requested(id), events.EmailSent{Email: id, Try: 1})
	}
	commandtest.Run(t, invoice.Decider,
		row{Name: "an accepted one", Given: issued(), When: send, Then: []events.Event{requested("E1")}},
		row{Name: "the same message again is nothing new", Given: issued(requested("E1")), When: send},
		row{Name: "also when it was sent", Given: issued(requested("E1"), events.EmailSent{Email: "E1", Try: 1}), When: send},
		row{Name: "nothing cannot be sent", When: send, Err: invoice.ErrUnknown},
		row{Name: "nor another company's", Given: issued(), When: invoice.RequestEmail{Company: "C2", Email: "E1"},
			Err: invoice.ErrUnknown},
		row{Name: "nor a pending one", Given: history(), When: send, Err: invoice.ErrNotAccepted},
		row{Name: "nor one in process", Given: history(started), When: send, Err: invoice.ErrNotAccepted},
		row{Name: "nor a rejected one", Given: history(started, rejected), When: send, Err: invoice.ErrNotAccepted},
		row{Name: "three wait at a time", Given: issued(requested("A"), requested("B"), requested("C")), When: send,
			Err: invoice.ErrEmailsWait},
		row{Name: "one that is over makes room", Given: issued(requested("A"), requested("B"), requested("C"),
			events.EmailFailed{Email: "B", Try: 1}), When: send, Then: []events.Event{requested("E1")}},
		row{Name: "twenty in all", Given: issued(twenty...), When: send, Err: invoice.ErrEmailsAll},
	)
}

func TestWhatCameOfAnEmailIsRecordedOnce(t *testing.T) {
	sent := events.EmailSent{Email: "E1", Try: 2, MessageID: "E1@x", Files: []string{"a.pdf"}}
	failed := events.EmailFailed{Email: "E1", Try: 2, Reason: "nobody"}
	first := events.EmailDelayed{Email: "E1", Try: 1, Reason: "busy", Next: noon}
	second := events.EmailDelayed{Email: "E1", Try: 2, Reason: "busy", Next: noon}
	finish := invoice.FinishEmail{Email: "E1", Try: 2, MessageID: "E1@x", Files: []string{"a.pdf"}}
	fail := invoice.FailEmail{Email: "E1", Try: 2, Reason: "nobody"}
	delay := func(try int) invoice.Command {
		return invoice.DelayEmail{Email: "E1", Try: try, Reason: "busy", Next: noon}
	}
	waiting := issued(requested("E1"))
	tried := issued(requested("E1"), first)
	commandtest.Run(t, invoice.Decider,
		row{Name: "a first try failed", Given: waiting, When: delay(1), Then: []events.Event{first}},
		row{Name: "heard twice", Given: tried, When: delay(1)},
		row{Name: "a second try failed", Given: tried, When: delay(2), Then: []events.Event{second}},
		row{Name: "a second try was taken", Given: tried, When: finish, Then: []events.Event{sent}},
		row{Name: "a second try was refused for good", Given: tried, When: fail, Then: []events.Event{failed}},
		row{Name: "what was sent has not failed", Given: issued(requested("E1"), sent), When: fail},
		row{Name: "nor is it tried again", Given: issued(requested("E1"), sent), When: delay(3)},
		row{Name: "what has failed was not sent", Given: issued(requested("E1"), failed), When: finish},
		row{Name: "what nobody asked for is not recorded", Given: issued(), When: finish, Err: invoice.ErrUnknown},
	)
	if tries, open := invoice.Decider.Fold(tried...).OpenEmail("E1"); tries != 1 || !open {
		t.Errorf("%d tries, open %v", tries, open)
	}
	if _, open := invoice.Decider.Fold(issued(requested("E1"), sent)...).OpenEmail("E1"); open {
		t.Error("what was sent is open")
	}
}
