//go:build long

package e2e

import (
	"fmt"
	"net/http"
	"testing"
	"time"
)

// againAfter is how long a reservation waits for its note, with time for a busy machine.
const againAfter = time.Minute + verdictLimit

// TestAReservationWhoseCallerNeverComesBack kills the service between the reservation and the
// note, and nobody asks again: after a minute what was reserved can be taken by another note.
func TestAReservationWhoseCallerNeverComesBack(t *testing.T) {
	t.Parallel()
	x := inTrouble(t)
	note, originals := x.noteOn(2)
	x.calls.At("Append", "InvoiceCreated", 1, x.p.kill)
	_, _ = x.c.send(http.MethodPost, "/api/invoices", note)
	x.p.dies(t, "reserved and not created")
	x.restart()
	other := body("NCA", 1, "another note")
	other["billing_reference"] = []map[string]any{{"invoice_id": originals[0]}}
	x.c.refused(t, http.StatusConflict, "NOTE_EXCEEDS_ORIGINAL", http.MethodPost, "/api/invoices", other)
	for _, id := range originals {
		eventually(t, againAfter, "what was reserved is given back", func() (string, bool) {
			got := get[corrected](t, x.c.client, "/api/invoices/"+id)
			return fmt.Sprint(got.Notes), len(got.Notes) == 0
		})
	}
	made := x.c.issue(t, other)
	x.credited(originals[0], "given back", "242", made.ID)
	x.credited(originals[1], "given back", "0")
	x.p.stop(t)
}
