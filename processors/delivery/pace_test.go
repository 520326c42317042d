package delivery_test

import (
	"testing"
	"time"

	"folio/outbound"
)

func TestAReceiverIsCalledAtAnEvenPaceHoweverMuchIsOwed(t *testing.T) {
	inWorld(t, func(w *world) {
		w.answers(func(call) (outbound.Ending, time.Duration) { return outbound.Delivered, time.Millisecond })
		for _, c := range []string{"C1", "C2"} {
			w.subscribe(c, "ISE")
			w.owe(c, 200)
		}
		from := time.Now()
		w.live(func(c *settings) { c.PerSecond = 10 })
		time.Sleep(time.Minute)
		for _, c := range []string{"C1", "C2"} {
			waits := w.waits(from, c)
			same(t, "calls to "+c, len(waits), 200)
			if last := waits[199]; last < 17*time.Second || last > 19*time.Second {
				t.Errorf("the last of 200 calls to %s came after %s; 20 are ahead of 10 a second", c, last)
			}
			if waits[30] < time.Second || waits[30] > 1200*time.Millisecond {
				t.Errorf("31 calls to %s within %s", c, waits[30])
			}
		}
	})
}
