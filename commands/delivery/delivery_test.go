package delivery_test

import (
	"testing"
	"time"

	"folio/commands/commandtest"
	"folio/commands/delivery"
	"folio/events"
)

var (
	noon     = time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)
	schedule = delivery.Schedule{Delivery: "D", Company: "C1", Webhook: 7, Code: "ISE", Document: "I1",
		Payload: []byte(`{}`), Due: noon}
	scheduled = events.DeliveryScheduled{Delivery: "D", Company: "C1", Webhook: 7, Code: "ISE", Document: "I1",
		Payload: []byte(`{}`), Due: noon}
	exhausted = events.DeliveryExhausted{Company: "C1", Document: "I1"}
	cancelled = events.DeliveryCancelled{Company: "C1", Document: "I1", Reason: "gone"}
)

// sent is an attempt as the processor reports it, recorded the same as the log has it.
func sent(series, n int, delivered bool) events.DeliveryAttempted {
	return events.DeliveryAttempted{Series: series, Attempt: n, URL: "https://a.test", Started: noon, Delivered: delivered,
		Outcome: "status"}
}

func recorded(series, n int, delivered bool, next time.Duration) events.DeliveryAttempted {
	e := sent(series, n, delivered)
	e.Company, e.Document = "C1", "I1"
	if next > 0 {
		at := noon.Add(next)
		e.Next = &at
	}
	return e
}

func failed(n int) []events.Event {
	out := []events.Event{scheduled}
	for i := range n {
		out = append(out, recorded(1, i+1, false, time.Minute))
	}
	return out
}

func resent(series int, replay string) events.DeliveryResent {
	return events.DeliveryResent{Company: "C1", Document: "I1", Webhook: 8, Code: "ISE", Series: series, Replay: replay,
		Due: noon}
}

type row = commandtest.Case[delivery.Command]

func TestADelivery(t *testing.T) {
	rows := []row{
		{Name: "it is owed", When: schedule, Then: []events.Event{scheduled}},
		{Name: "it is owed once", Given: []events.Event{scheduled}, When: schedule},
		{Name: "it is owed once, however it ended", Given: append(failed(1), recorded(1, 2, true, 0)), When: schedule},
		{Name: "it arrives", Given: []events.Event{scheduled}, When: delivery.RecordAttempt{Attempt: sent(1, 1, true)},
			Then: []events.Event{recorded(1, 1, true, 0)}},
		{Name: "an attempt is recorded once", Given: failed(1), When: delivery.RecordAttempt{Attempt: sent(1, 1, false)}},
		{Name: "no attempt is passed over", Given: failed(1), When: delivery.RecordAttempt{Attempt: sent(1, 3, false)}},
		{Name: "an attempt of a series that is over is nothing new", Given: append(failed(1), resent(2, "")),
			When: delivery.RecordAttempt{Attempt: sent(1, 2, true)}},
		{Name: "the eleventh is the last", Given: failed(10), When: delivery.RecordAttempt{Attempt: sent(1, 11, false)},
			Then: []events.Event{recorded(1, 11, false, 0), exhausted}},
		{Name: "after the end nothing is recorded", Given: append(failed(11), exhausted),
			When: delivery.RecordAttempt{Attempt: sent(1, 12, false)}},
		{Name: "what is exhausted can be sent again", Given: append(failed(11), exhausted),
			When: delivery.Resend{Company: "C1", Webhook: 8, Due: noon},
			Then: []events.Event{resent(2, "")}},
		{Name: "a resend counts from one", Given: append(failed(11), exhausted, resent(2, "")),
			When: delivery.RecordAttempt{Attempt: sent(2, 1, false)},
			Then: []events.Event{recorded(2, 1, false, 5*time.Second)}},
		{Name: "a replay asks once", Given: append(failed(1), recorded(1, 2, true, 0), resent(2, "R"),
			recorded(2, 1, true, 0)),
			When: delivery.Resend{Company: "C1", Webhook: 8, Replay: "R", Due: noon}},
		{Name: "another replay may ask again", Given: append(failed(0), recorded(1, 1, true, 0), resent(2, "R"),
			recorded(2, 1, true, 0)),
			When: delivery.Resend{Company: "C1", Webhook: 8, Replay: "R2", Due: noon}, Then: []events.Event{resent(3, "R2")}},
		{Name: "a replay leaves alone what is owed", Given: failed(3),
			When: delivery.Resend{Company: "C1", Webhook: 8, Replay: "R", Due: noon}},
		{Name: "another company's is unknown", Given: failed(3), When: delivery.Resend{Company: "C2"},
			Err: delivery.ErrUnknown},
		{Name: "what never was is unknown", When: delivery.Resend{Company: "C1"}, Err: delivery.ErrUnknown},
		{Name: "a later one ends it", Given: failed(3), When: delivery.Supersede{By: "E", Series: 1},
			Then: []events.Event{events.DeliverySuperseded{Company: "C1", Document: "I1", By: "E"}}},
		{Name: "what arrived is not ended", Given: append(failed(0), recorded(1, 1, true, 0)),
			When: delivery.Supersede{By: "E", Series: 1}},
		{Name: "it is cancelled", Given: failed(3), When: delivery.Cancel{Reason: "gone", Series: 1},
			Then: []events.Event{cancelled}},
		{Name: "what was asked for again is not ended with the series before", Given: append(failed(3), resent(2, "")),
			When: delivery.Supersede{By: "E", Series: 1}},
		{Name: "nor cancelled with it", Given: append(failed(3), resent(2, "")),
			When: delivery.Cancel{Reason: "gone", Series: 1}},
		{Name: "it is cancelled once", Given: append(failed(3), cancelled), When: delivery.Cancel{Reason: "gone", Series: 1}},
	}
	intervals := []time.Duration{5 * time.Second, 60 * time.Second, 300 * time.Second, 1200 * time.Second,
		3600 * time.Second,
		24 * time.Hour, 24 * time.Hour, 24 * time.Hour, 24 * time.Hour, 24 * time.Hour}
	for n, interval := range intervals {
		rows = append(rows, row{Name: "the next attempt is due after " + interval.String(), Given: failed(n),
			When: delivery.RecordAttempt{Attempt: sent(1, n+1, false)}, Then: []events.Event{recorded(1, n+1, false, interval)}})
	}
	commandtest.Run(t, delivery.Decider, rows...)
}
