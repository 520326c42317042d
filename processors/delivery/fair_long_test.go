//go:build long

package delivery_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"folio/events"
	"folio/outbound"
)

// In the bubble's time computing is free, so what a delivery waits is what the processor
// makes it wait: for a place at the gate, for a lane, for the feed.
func TestAThousandSlowCompaniesDoNotDelayAThousandFastOnes(t *testing.T) {
	p99 := map[int]time.Duration{}
	for _, slow := range []int{0, 1000} {
		inWorld(t, func(w *world) {
			w.answers(func(c call) (outbound.Ending, time.Duration) {
				if c.document[0] == 'S' {
					return outbound.Delivered, 900 * time.Millisecond
				}
				return outbound.Delivered, 20 * time.Millisecond
			})
			for i := range slow { // each has more than it can take
				company := fmt.Sprintf("S%d", i)
				w.subscribe(company, "ISE")
				w.owe(company, 6)
			}
			for i := range 1000 {
				w.subscribe(fmt.Sprintf("F%d", i), "ISE")
			}
			w.live()
			time.Sleep(2 * time.Second) // the slow ones have taken what they can get
			from := map[string]time.Time{}
			for second := range 4 {
				for i := range 1000 {
					company := fmt.Sprintf("F%d", i)
					id := fmt.Sprintf("%s-%d", company, second)
					from[id] = time.Now()
					w.record("delivery-"+id, events.DeliveryScheduled{Delivery: id, Company: company, Webhook: 1, Code: "ISE",
						Payload: []byte(fmt.Sprintf(`{"document_id":%q}`, company)), Due: time.Now()})
					time.Sleep(time.Millisecond)
				}
			}
			time.Sleep(10 * time.Minute)
			var waits []time.Duration
			for _, c := range w.got() {
				if c.document[0] == 'F' {
					waits = append(waits, c.at.Sub(from[c.id])+20*time.Millisecond)
				}
			}
			same(t, "calls to the fast ones", len(waits), 4000)
			same(t, "all calls", len(w.got()), 4000+6*slow)
			if w.peak > 2048 || slow > 0 && w.peak < 1000 {
				t.Errorf("%d calls at a time", w.peak)
			}
			slices.Sort(waits)
			p99[slow] = waits[len(waits)*99/100]
		})
	}
	t.Logf("99th percentile from the fact to the answer: %s alone, %s beside a thousand slow ones", p99[0], p99[1000])
	if float64(p99[1000]) > 1.3*float64(p99[0]) {
		t.Errorf("the fast ones wait %s instead of %s", p99[1000], p99[0])
	}
}
