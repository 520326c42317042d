package delivery_test

import (
	"testing"
	"time"

	"folio/commands/delivery"
	"folio/commands/replay"
	"folio/events"
	"folio/outbound"
)

func (w *world) replay(id string) replay.State {
	var s replay.State
	for _, r := range w.log.facts("replay-" + id) {
		s = replay.Decider.Evolve(s, r.Event)
	}
	return s
}

func TestAReplaySendsAPeriodAgainInOrder(t *testing.T) {
	inWorld(t, func(w *world) {
		w.subscribe("C1", "ISE")
		w.subscribe("C2", "ISE")
		w.owe("C2", 3)
		w.live()
		w.create("C1", "I0")
		w.start("I0")
		time.Sleep(time.Hour)
		from := time.Now()
		w.create("C1", "I1")
		w.start("I1")
		w.accept("I1")
		time.Sleep(time.Hour)
		to := time.Now()
		w.create("C1", "I2")
		w.start("I2")
		time.Sleep(time.Hour)
		before := len(w.told())
		w.record("replay-R1", events.ReplayStarted{Replay: "R1", Company: "C1", Webhook: 1, From: &from, To: &to, Planned: 2})
		time.Sleep(time.Hour)
		list(t, "told again", w.told()[before:], "I1 In process 1", "I1 Accepted 1")
		same(t, "status", w.replay("R1").Status, replay.Finished)
		same(t, "done", w.replay("R1").Done, 2)
		before = len(w.told())
		w.record("replay-R2", events.ReplayStarted{Replay: "R2", Company: "C1", Webhook: 1, Planned: 4})
		time.Sleep(time.Hour)
		same(t, "told again since the beginning", len(w.told())-before, 4)
		w.p.stop()
		if err := forget(w); err != nil {
			t.Fatal(err)
		}
		calls := len(w.got())
		w.live()
		time.Sleep(time.Hour)
		same(t, "calls after the tables were lost", len(w.got()), calls)
	})
}

func TestAReplayGoesOnAfterARestartAndCanBeCancelled(t *testing.T) {
	const n = 200
	inWorld(t, func(w *world) {
		w.subscribe("C1", "ISE")
		w.owe("C1", n)
		w.live()
		time.Sleep(time.Hour)
		same(t, "calls", len(w.got()), n)
		w.answers(slowly)
		w.record("replay-R1", events.ReplayStarted{Replay: "R1", Company: "C1", Webhook: 1, Planned: n})
		time.Sleep(25 * time.Second)
		if got := w.replay("R1"); got.Status != replay.Running || got.Done == 0 {
			t.Fatalf("after 25 s it is %s with %d", got.Status, got.Done)
		}
		w.p.stop()
		w.live()
		time.Sleep(time.Hour)
		same(t, "done", w.replay("R1").Done, n)
		resent := 0
		for _, id := range w.deliveries() {
			if s := w.state(id); s.Series == 2 && s.Status == delivery.Delivered {
				resent++
			}
		}
		same(t, "sent again once", resent, n)

		w.record("replay-R2", events.ReplayStarted{Replay: "R2", Company: "C1", Webhook: 1, Planned: n})
		time.Sleep(10 * time.Second)
		w.record("replay-R2", events.ReplayCancelled{})
		time.Sleep(time.Minute)
		calls := len(w.got())
		time.Sleep(time.Hour)
		same(t, "calls after it was cancelled", len(w.got()), calls)
		if calls > 2*n+100 {
			t.Errorf("%d calls in all, so it was hardly cancelled", calls)
		}
	})
}

func slowly(call) (outbound.Ending, time.Duration) {
	return outbound.Delivered, 900 * time.Millisecond
}
