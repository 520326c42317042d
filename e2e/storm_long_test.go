//go:build long

package e2e

import "testing"

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
