//go:build long

package submission_test

import (
	"fmt"
	"testing"
)

// TestTenThousandInvoicesThroughEveryFault is the storm over 10,000 invoices, a seed a
// world.
func TestTenThousandInvoicesThroughEveryFault(t *testing.T) {
	for seed := range uint64(40) {
		t.Run(fmt.Sprintf("seed %d", seed), func(t *testing.T) {
			t.Parallel()
			inWorld(t, func(w *world) { w.storm(1000+seed, 250) })
		})
	}
}
