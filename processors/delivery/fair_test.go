package delivery_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"folio/commands/delivery"
	"folio/events"
	"folio/outbound"
	delivering "folio/processors/delivery"
)

// owe schedules n deliveries of a company, without documents.
func (w *world) owe(company string, n int) {
	for i := range n {
		id := fmt.Sprintf("%s-%d", company, i)
		w.record("delivery-"+id, events.DeliveryScheduled{Delivery: id, Company: company, Webhook: 1, Code: "ISE",
			Payload: []byte(fmt.Sprintf(`{"document_id":%q}`, company)), Due: time.Now()})
	}
}

// waits are how long each delivery of a company waited for its first call.
func (w *world) waits(from time.Time, companies ...string) (out []time.Duration) {
	for _, c := range w.got() {
		if slices.Contains(companies, c.document) {
			out = append(out, c.at.Sub(from))
		}
	}
	slices.Sort(out)
	return out
}

func TestASlowCompanyDelaysNobodyElse(t *testing.T) {
	inWorld(t, func(w *world) {
		w.answers(func(c call) (outbound.Ending, time.Duration) {
			if c.document[0] == 'S' {
				return outbound.Delivered, 900 * time.Millisecond
			}
			return outbound.Delivered, 5 * time.Millisecond
		})
		var fast []string
		for i := range 10 {
			slow, quick := fmt.Sprintf("S%d", i), fmt.Sprintf("F%d", i)
			w.subscribe(slow, "ISE")
			w.subscribe(quick, "ISE")
			fast = append(fast, quick)
			w.owe(slow, 30)
		}
		w.live(func(c *settings) { c.Connections = 12 })
		time.Sleep(5 * time.Second) // the slow ones have taken what they can get
		from := time.Now()
		for _, f := range fast {
			w.owe(f, 5)
		}
		time.Sleep(10 * time.Minute)
		waits := w.waits(from, fast...)
		same(t, "calls to the fast ones", len(waits), 50)
		if worst := waits[len(waits)-1]; worst > 300*time.Millisecond {
			t.Errorf("a fast company waited %s", worst)
		}
		if w.peak > 12 {
			t.Errorf("%d calls at a time, 12 are the most", w.peak)
		}
		same(t, "all calls", len(w.got()), 350)
	})
}

// awayForAWeek has C1 owed so many deliveries and C2 one, to receivers that take so long,
// while the service is away.
func (w *world) awayForAWeek(owed int, each time.Duration) {
	w.answers(func(call) (outbound.Ending, time.Duration) { return outbound.Delivered, each })
	w.subscribe("C1", "ISE")
	w.owe("C1", owed)
	w.subscribe("C2", "ISE")
	w.owe("C2", 1)
	time.Sleep(7 * 24 * time.Hour)
}

func TestABacklogIsDrainedWithoutABurstAndOnce(t *testing.T) {
	const n = 800
	inWorld(t, func(w *world) {
		w.awayForAWeek(n, 20*time.Millisecond)
		from := time.Now()
		w.live()
		time.Sleep(2 * time.Hour)
		same(t, "calls", len(w.got()), n+1)
		if w.most["https://C1"] > 4 {
			t.Errorf("%d calls to one receiver at a time", w.most["https://C1"])
		}
		if waited := w.waits(from, "C2")[0]; waited > time.Second {
			t.Errorf("the other company waited %s behind the backlog", waited)
		}
		for _, id := range w.deliveries() {
			same(t, id, w.state(id).Status, delivery.Delivered)
		}
		left, err := w.store.Worklist(delivering.List("C1")).Count(context.Background())
		if err != nil || left != 0 {
			t.Errorf("%d left on the list: %v", left, err)
		}
	})
}

func TestDeadDeliveriesDoNotStarveANewOne(t *testing.T) {
	inWorld(t, func(w *world) {
		w.answers(func(c call) (outbound.Ending, time.Duration) {
			return map[bool]outbound.Ending{true: outbound.Delivered, false: outbound.Status}[c.document == "I1"],
				10 * time.Millisecond
		})
		w.subscribe("C1", "ISE")
		w.owe("C1", 60)
		w.live()
		time.Sleep(3 * time.Hour)
		w.create("C1", "I1")
		from := time.Now()
		w.start("I1")
		time.Sleep(time.Second)
		if waits := w.waits(from, "I1"); len(waits) != 1 || waits[0] > 100*time.Millisecond {
			t.Fatalf("the new delivery waited %v", waits)
		}
	})
}
