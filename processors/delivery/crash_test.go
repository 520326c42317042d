package delivery_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"folio/commands/delivery"
	"folio/events"
	"folio/outbound"
)

// scene is a day of two companies: receivers that hiccup, a subscription that changes.
func (w *world) scene() {
	w.answers(func(c call) (outbound.Ending, time.Duration) {
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
	for name, change := range map[string]func(*world, *settings){
		"with quick tables": func(*world, *settings) {},
		"with slow tables": func(_ *world, c *settings) {
			c.Tables = &lossyTables{Store: c.Tables, takes: 50 * time.Millisecond}
		},
		"with tables whose answers are lost": func(_ *world, c *settings) {
			c.Tables = &lossyTables{Store: c.Tables, takes: 50 * time.Millisecond, every: 2}
		},
		"with lists that do not stay in memory": func(w *world, c *settings) {
			c.Tables = &lossyTables{Store: c.Tables, takes: 50 * time.Millisecond, meanwhile: func() { w.p.p.Evict() }}
		},
	} {
		t.Run(name, func(t *testing.T) { everyStepMayBeTheLast(t, change) })
	}
}

func everyStepMayBeTheLast(t *testing.T, change func(*world, *settings)) {
	live := func(w *world) { w.live(func(c *settings) { change(w, c) }) }
	var steps int64
	inWorld(t, func(w *world) {
		w.scene()
		live(w)
		time.Sleep(2 * time.Hour)
		w.settled(t)
		steps = w.steps.Load()
		same(t, "calls without a crash", len(w.got()), 8)
	})
	if steps < 20 {
		t.Fatalf("only %d steps: the scene does not cover the processor", steps)
	}
	for n := int64(1); n <= steps; n += stride {
		for _, after := range []bool{false, true} {
			inWorld(t, func(w *world) {
				w.plan.Store(&plan{step: n, after: after})
				w.scene()
				live(w)
				time.Sleep(2 * time.Hour)
				w.p.stop()
				w.plan.Store(nil)
				live(w)
				time.Sleep(2 * time.Hour)
				w.settled(t)
				calls, attempts := w.got(), map[string]bool{}
				for _, c := range calls {
					attempts[fmt.Sprint(c.id, " ", c.attempt)] = true
				}
				if again := len(calls) - len(attempts); again > 2 {
					t.Errorf("%d calls were made again", again)
				}
				// "In process" of I2 may become due once more while nobody records its "Rejected".
				if extra := len(attempts) - 8; extra > 1 {
					t.Errorf("%d attempts more than needed", extra)
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

func TestALongListMayLoseItsProcessAtAnyStep(t *testing.T) {
	const owed, companies = 150, 2
	scene := func(w *world) {
		w.failing(func(c call) bool { return c.attempt == 1 && strings.HasSuffix(c.id, "7") })
		for i := range companies {
			company := fmt.Sprintf("C%d", i)
			w.subscribe(company, "ISE")
			w.owe(company, owed)
		}
	}
	live := func(w *world) {
		w.live(func(c *settings) {
			c.Tables = &lossyTables{Store: c.Tables, takes: 50 * time.Millisecond, every: 3}
		})
	}
	const needed = companies * (owed + 15)
	for n := int64(1); n < 2*needed; n += 29 * stride {
		inWorld(t, func(w *world) {
			w.plan.Store(&plan{step: n, after: n%2 == 0})
			live(w)
			scene(w)
			time.Sleep(time.Hour)
			w.p.stop()
			w.plan.Store(nil)
			live(w)
			time.Sleep(time.Hour)
			for _, id := range w.deliveries() {
				if s := w.state(id); s.Status != delivery.Delivered {
					t.Errorf("died at step %d, %s: %s is %s after %d attempts", n, w.died, id, s.Status, s.Attempts)
				}
			}
			if extra := len(w.got()) - needed; extra < 0 || extra > companies*4 {
				t.Errorf("died at step %d, %s: %d calls more than needed", n, w.died, extra)
			}
		})
	}
}
