//go:build long

package e2e

import (
	"net/http"
	"strconv"
	"strings"
	"testing"
)

// Memory may grow while caches fill. Then it stays: the second ten thousand calls add
// less than a tenth and 32 MiB to what the first half left, and the 40 MiB of garbage that a collection may wait for.
func TestTwentyThousandRandomCallsOfNeighbours(t *testing.T) {
	s := newStorm(t)
	s.calls(10_000, 2)
	half := s.heap()
	s.calls(10_000, 3)
	end := s.heap()
	t.Logf("heap after 10,000 calls %.0f MB, after 20,000 %.0f MB", half/1e6, end/1e6)
	if end > 1.1*half+72<<20 {
		t.Errorf("memory grows: %.0f MB after 10,000 calls, %.0f MB after 20,000", half/1e6, end/1e6)
	}
	s.settled()
}

// heap is the memory that the service holds of its own, in bytes: the least of some
// looks, since what is garbage goes with the next collection.
func (s *storm) heap() float64 {
	least := 0.0
	for n := range 5 {
		a := client{base: s.p.base}.want(s.t, http.StatusOK, http.MethodGet, "/metrics", nil)
		for line := range strings.Lines(string(a.body)) {
			if value, ok := strings.CutPrefix(line, "go_memstats_heap_alloc_bytes "); ok {
				now, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
				if err != nil {
					s.t.Fatal(err)
				}
				if n == 0 || now < least {
					least = now
				}
			}
		}
		each(s.t, 8, 20, func(int) error { // makes garbage, so that it is collected
			_, err := s.honest[0].send(http.MethodGet, "/api/invoices", nil)
			return err
		})
	}
	return least
}
