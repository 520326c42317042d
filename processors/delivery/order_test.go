package delivery_test

import (
	"testing"
	"time"

	"folio/commands/delivery"
	"folio/events"
	"folio/outbound"
)

// failing answers 500 to what f says and 200 to all else.
func (w *world) failing(f func(call) bool) {
	w.answers(func(c call) (outbound.Ending, time.Duration) {
		if f(c) {
			return outbound.Status, 10 * time.Millisecond
		}
		return outbound.Delivered, 10 * time.Millisecond
	})
}

func TestAHiccupKeepsTheOrderOfOneInvoice(t *testing.T) {
	inWorld(t, func(w *world) {
		w.subscribe("C1", "ISE")
		w.failing(func(c call) bool { return c.status == "In process" && c.attempt < 3 })
		w.live()
		w.create("C1", "I1")
		w.start("I1")
		w.accept("I1")
		w.create("C1", "I2")
		w.accept("I2") // another invoice does not wait
		time.Sleep(30 * time.Second)
		list(t, "after 30 s", w.toldOf("I1"), "I1 In process 1", "I1 In process 2")
		list(t, "the other", w.toldOf("I2"), "I2 Accepted 1")
		time.Sleep(time.Hour)
		list(t, "in the end", w.toldOf("I1"), "I1 In process 1", "I1 In process 2", "I1 In process 3", "I1 Accepted 1")
	})
}

func TestALaterStatusIsNotKeptBackForLongAndEndsTheEarlierOne(t *testing.T) {
	inWorld(t, func(w *world) {
		w.subscribe("C1", "ISE")
		w.failing(func(c call) bool { return c.status == "In process" })
		w.live()
		w.create("C1", "I1")
		first := w.start("I1")
		last := w.accept("I1")
		time.Sleep(48 * time.Hour)
		list(t, "told", w.told(), "I1 In process 1", "I1 In process 2", "I1 In process 3", "I1 Accepted 1")
		same(t, "the earlier", w.state(first).Status, delivery.Superseded)
		same(t, "the later", w.state(last).Status, delivery.Delivered)
	})
}

func TestAReceiverThatNeverAnswersGetsElevenAttemptsOfEach(t *testing.T) {
	inWorld(t, func(w *world) {
		w.subscribe("C1", "ISE")
		w.failing(func(call) bool { return true })
		w.live()
		w.create("C1", "I1")
		first := w.start("I1")
		last := w.accept("I1")
		time.Sleep(20 * 24 * time.Hour)
		same(t, "the first", len(w.attempts(first)), 11)
		same(t, "the last", len(w.attempts(last)), 11)
		same(t, "the last", w.state(last).Status, delivery.Exhausted)
	})
}

func TestWhatIsSentAgainWhileItIsOwedKeepsItsPlace(t *testing.T) {
	inWorld(t, func(w *world) {
		w.subscribe("C1", "ISE")
		w.failing(func(c call) bool { return c.status == "In process" && len(w.got()) < 2 })
		w.live()
		w.create("C1", "I1")
		first := w.start("I1")
		last := w.accept("I1")
		time.Sleep(time.Second)
		list(t, "before", w.told(), "I1 In process 1")
		w.record("delivery-"+first, events.DeliveryResent{Company: "C1", Document: "I1", Webhook: 1, Code: "ISE", Series: 2,
			Due: time.Now()})
		w.record("delivery-"+last, events.DeliveryResent{Company: "C1", Document: "I1", Webhook: 1, Code: "ISE", Series: 2,
			Due: time.Now()})
		time.Sleep(time.Second)
		list(t, "told", w.told(), "I1 In process 1", "I1 In process 1", "I1 Accepted 1")
		same(t, "the first", w.state(first).Status, delivery.Delivered)
		same(t, "the last", w.state(last).Status, delivery.Delivered)
	})
}

func TestAnEarlierStatusIsNotSentAgainBehindALaterOneThatIsOwed(t *testing.T) {
	inWorld(t, func(w *world) {
		w.subscribe("C1", "ISE")
		w.failing(func(c call) bool { return c.status == "Accepted" && c.attempt < 3 })
		w.live()
		w.create("C1", "I1")
		first := w.start("I1")
		w.accept("I1")
		time.Sleep(time.Second)
		list(t, "before", w.told(), "I1 In process 1", "I1 Accepted 1")
		w.record("delivery-"+first, events.DeliveryResent{Company: "C1", Document: "I1", Webhook: 1, Code: "ISE", Series: 2,
			Replay: "R", Due: time.Now()})
		time.Sleep(time.Hour)
		list(t, "told", w.told()[2:], "I1 In process 1", "I1 Accepted 2", "I1 Accepted 3")
	})
}

func TestASubscriptionThatIsPausedIsOwedItsEvents(t *testing.T) {
	inWorld(t, func(w *world) {
		w.subscribe("C1", "ISE")
		w.live()
		w.record("webhook-C1", events.WebhookChanged{URL: "https://C1", Events: []string{"ISE"}, Status: "paused"})
		w.create("C1", "I1")
		id := w.start("I1")
		time.Sleep(time.Hour)
		same(t, "calls while paused", len(w.got()), 0)
		w.p.stop()
		w.live()
		time.Sleep(time.Hour)
		same(t, "calls after a restart", len(w.got()), 0)
		w.record("webhook-C1", events.WebhookChanged{URL: "https://elsewhere", Events: []string{"ISE"}, Status: "active"})
		time.Sleep(time.Second)
		same(t, "calls afterwards", len(w.got()), 1)
		same(t, "address", w.got()[0].url, "https://elsewhere")
		same(t, "status", w.state(id).Status, delivery.Delivered)
	})
}

func TestACallThatFailsAfterItsSubscriptionIsDeletedIsTheLast(t *testing.T) {
	inWorld(t, func(w *world) {
		w.subscribe("C1", "ISE")
		w.answers(func(call) (outbound.Ending, time.Duration) { return outbound.Timeout, time.Second })
		w.live()
		w.create("C1", "I1")
		w.create("C1", "I2")
		before, after := w.start("I1"), w.start("I2")
		time.Sleep(500 * time.Millisecond)
		w.record("webhook-C1", events.WebhookRemoved{})
		time.Sleep(100 * time.Millisecond)
		w.record("webhook-C1", events.WebhookSubscribed{Company: "C1", Webhook: 2, URL: "https://new",
			Events: []string{"ISE"}, Secret: secret})
		time.Sleep(2 * time.Second)
		same(t, "calls", len(w.got()), 2)
		same(t, "status", w.state(before).Status, delivery.Cancelled)
		same(t, "of another", w.state(after).Status, delivery.Cancelled)
	})
}

func TestASubscriptionThatIsDeletedIsOwedNothing(t *testing.T) {
	inWorld(t, func(w *world) {
		w.subscribe("C1", "ISE")
		w.failing(func(call) bool { return true })
		w.live()
		w.create("C1", "I1")
		id := w.start("I1")
		last := w.accept("I1") // waits behind the first
		time.Sleep(30 * time.Second)
		w.record("webhook-C1", events.WebhookRemoved{})
		w.record("webhook-C1", events.WebhookSubscribed{Company: "C1", Webhook: 2, URL: "https://new",
			Events: []string{"ISE"}, Secret: secret})
		time.Sleep(time.Second)
		same(t, "status at once", w.state(id).Status, delivery.Cancelled)
		same(t, "of the one behind it", w.state(last).Status, delivery.Cancelled)
		time.Sleep(time.Hour)
		same(t, "calls", len(w.got()), 2)
		same(t, "status", w.state(id).Status, delivery.Cancelled)
		w.failing(func(call) bool { return false })
		w.record("delivery-"+id, events.DeliveryResent{Company: "C1", Document: "I1", Webhook: 2, Code: "ISE", Series: 2,
			Due: time.Now()})
		time.Sleep(time.Second)
		same(t, "calls", len(w.got()), 3)
		same(t, "address", w.got()[2].url, "https://new")
		same(t, "attempt", w.got()[2].attempt, 1)
		same(t, "status", w.state(id).Status, delivery.Delivered)
	})
}

func TestAPingIsSentOnce(t *testing.T) {
	inWorld(t, func(w *world) {
		w.subscribe("C1", "ISE")
		w.failing(func(call) bool { return true })
		w.live()
		w.record("delivery-P1", events.DeliveryScheduled{Delivery: "P1", Company: "C1", Webhook: 1, Code: "PING",
			Payload: []byte(`{}`), Due: time.Now()})
		time.Sleep(48 * time.Hour)
		same(t, "calls", len(w.got()), 1)
		same(t, "body", string(w.got()[0].body), `{"attempt":1}`)
		same(t, "status", w.state("P1").Status, delivery.Exhausted)
	})
}
