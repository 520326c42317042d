package delivery_test

import (
	"slices"
	"testing"
	"time"

	"folio/commands/delivery"
	"folio/events"
	"folio/outbound"
)

// scene is a day of two companies: receivers that hiccup, a subscription that changes.
func (w *world) scene() {
	w.answers(func(c call) (outbound.Outcome, time.Duration) {
		if c.document == "I1" && c.attempt == 1 || c.document == "I2" && c.status == "In process" {
			return outbound.Status, 30 * time.Millisecond
		}
		return outbound.Delivered, 30 * time.Millisecond
	})
	w.subscribe("C1", "ISE")
	w.create("C1", "I1")
	w.create("C1", "I2")
	w.start("I1")
	w.start("I2")
	w.accept("I1")
	w.reject("I2")
}

// settled wants that nothing was lost and nothing recorded twice.
func (w *world) settled(t *testing.T) {
	t.Helper()
	ids := w.deliveries()
	same(t, "deliveries", len(ids), 4)
	calls := w.got()
	for _, id := range ids {
		s := w.state(id)
		if s.Status != delivery.Delivered && s.Status != delivery.Superseded {
			t.Errorf("%s of %s is %s after %d attempts", id, s.Document, s.Status, s.Attempts)
		}
		for i, a := range w.attempts(id) {
			same(t, "number of the attempt", a.Attempt, i+1)
			made := slices.ContainsFunc(calls, func(c call) bool { return c.id == id && c.attempt == a.Attempt })
			same(t, "made before it was recorded", made, true)
		}
	}
	list := ""
	for _, r := range w.log.facts("") {
		if e, ok := r.Event.(events.DeliveryScheduled); ok && e.Document == "I1" {
			list += string(w.state(e.Delivery).Status) + " "
		}
	}
	same(t, "of I1", list, "delivered delivered ")
}

func TestEveryStepMayBeTheLast(t *testing.T) {
	var steps int64
	inWorld(t, func(w *world) {
		w.scene()
		w.live()
		time.Sleep(2 * time.Hour)
		w.settled(t)
		steps = w.steps.Load()
		same(t, "calls without a crash", len(w.got()), 8)
	})
	if steps < 30 {
		t.Fatalf("only %d steps: the scene does not cover the processor", steps)
	}
	for n := int64(1); n <= steps; n += stride {
		for _, after := range []bool{false, true} {
			inWorld(t, func(w *world) {
				w.plan.Store(&plan{step: n, after: after})
				w.scene()
				w.live()
				time.Sleep(2 * time.Hour)
				w.p.stop()
				w.plan.Store(nil)
				w.live()
				time.Sleep(2 * time.Hour)
				w.settled(t)
				if extra := len(w.got()) - 8; extra > 2 {
					t.Errorf("%d calls more than needed", extra)
				}
				if t.Failed() {
					t.Fatalf("died at step %d, %s (after it: %v)\n%v", n, w.died, after, w.got())
				}
			})
			if t.Failed() {
				return
			}
		}
	}
}
