//go:build long

package delivery_test

import (
	"context"
	"fmt"
	"runtime"
	"testing"
	"time"

	"folio/commands/delivery"
	delivering "folio/processors/delivery"
)

// heap is the live memory, in bytes.
func heap() int64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// busiest is the largest number of calls to a receiver within any d.
func busiest(calls []call, url string, d time.Duration) (most int) {
	var times []time.Time
	for _, c := range calls {
		if c.url == url {
			times = append(times, c.at)
		}
	}
	from := 0
	for i, at := range times {
		for at.Sub(times[from]) >= d {
			from++
		}
		most = max(most, i-from+1)
	}
	return most
}

// The service was away for a week and one company is owed 50,000 deliveries: they go
// out at the pace of docs/webhooks.md, once each but for what was under way when the
// process was killed half-way; others do not wait, and memory does not grow with the
// backlog.
func TestAWeekOfFiftyThousandIsDrainedAtAnEvenPace(t *testing.T) {
	const n = 50_000
	inWorld(t, func(w *world) {
		w.awayForAWeek(n, 5*time.Millisecond)
		from := time.Now()
		w.live()
		time.Sleep(4 * time.Minute)
		used := heap() // the log of this test is in memory too, and stays
		w.p.stop()
		if used -= heap(); used > 16<<20 {
			t.Errorf("the processor held %d bytes while half of the backlog was out", used)
		}
		w.live()
		if made := len(w.got()); made < 20_000 || made > 30_000 {
			t.Errorf("%d calls in four minutes, 100 a second are the pace", made)
		}
		if waited := w.waits(from, "C2")[0]; waited > time.Second {
			t.Errorf("the other company waited %s behind the backlog", waited)
		}
		time.Sleep(6 * time.Minute)
		calls := w.got()
		if twice := len(calls) - (n + 1); twice < 0 || twice > 4 {
			t.Errorf("%d calls more than deliveries; four were under way when the process was killed", twice)
		}
		heard := map[string]int{}
		for _, c := range calls {
			heard[c.id]++
		}
		same(t, "deliveries that were heard of", len(heard), n+1)
		if most := w.most["https://C1"]; most > 4 {
			t.Errorf("%d calls to one receiver at a time", most)
		}
		if most := busiest(calls, "https://C1", time.Second); most > 120 {
			t.Errorf("%d calls to one receiver within a second", most)
		}
		for i := range n {
			id := fmt.Sprintf("C1-%d", i)
			if s := w.state(id); s.Status != delivery.Delivered || s.Attempts != 1 {
				t.Fatalf("%s: %s after %d attempts", id, s.Status, s.Attempts)
			}
		}
		left, err := w.store.Worklist(delivering.List("C1")).Count(context.Background())
		if err != nil || left != 0 {
			t.Errorf("%d left on the list: %v", left, err)
		}
		t.Logf("the processor held %d bytes while half of the backlog was out", used)
	})
}
