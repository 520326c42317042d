//go:build long

package e2e

import (
	"math"
	"net/http"
	"strconv"
	"testing"
)

// Memory may grow while caches fill. Then it stays: the second ten thousand calls add
// less than a tenth and 32 MiB to what the first half left.
func TestTwentyThousandRandomCallsOfNeighbours(t *testing.T) {
	s := newStorm(t)
	s.calls(10_000, 2)
	half := s.heap()
	s.calls(10_000, 3)
	end := s.heap()
	t.Logf("heap after 10,000 calls %.0f MB, after 20,000 %.0f MB", half/1e6, end/1e6)
	if end > 1.1*half+32<<20 {
		t.Errorf("memory grows: %.0f MB after 10,000 calls, %.0f MB after 20,000", half/1e6, end/1e6)
	}
	s.settled()
}

// heap is the memory that the service holds of its own, in bytes: the least that is seen in the course of three
// collections, since a look just before one counts 80 MiB of garbage or more.
func (s *storm) heap() float64 {
	const collections = "go_gc_duration_seconds_count"
	least := math.Inf(1)
	for until := s.metric(collections) + 3; s.metric(collections) < until; {
		least = min(least, s.metric("go_memstats_heap_alloc_bytes"))
		each(s.t, 8, 5, func(int) error { // makes garbage, so that it is collected
			_, err := s.honest[0].send(http.MethodGet, "/api/invoices", nil)
			return err
		})
	}
	return least
}

// metric is a figure of the service.
func (s *storm) metric(name string) float64 {
	s.t.Helper()
	now, err := strconv.ParseFloat(metric(s.t, s.p, name), 64)
	if err != nil {
		s.t.Fatal(err)
	}
	return now
}
