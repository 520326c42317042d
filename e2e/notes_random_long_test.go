//go:build long

package e2e

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// credits are clients that credit a few invoices at once, as a caller does who asks again
// until there is an answer.
type credits struct {
	*troubled
	base      atomic.Pointer[string]
	originals []invoice
	taken     atomic.Int64
}

// wholeTimes is how many times 242.00 each of the invoices is of.
const wholeTimes = 10

// TestRandomNotesThroughKills sends 64 notes at once over some of four invoices, which they
// name by id or by coordinates, with amounts and without, while the service is killed before
// reservations and before notes. No invoice is ever credited beyond its total.
func TestRandomNotesThroughKills(t *testing.T) {
	t.Parallel()
	seed := time.Now().UnixNano()
	t.Logf("seed %d", seed)
	x := &credits{troubled: inTrouble(t)}
	for range 4 {
		x.originals = append(x.originals, x.c.issue(t, worth("FCA", wholeTimes, "original")))
	}
	x.base.Store(&x.p.base)
	var notes sync.WaitGroup
	x.calls.At("Append", "NoteReserved", 7, x.p.kill)
	for i := range 64 {
		r := rand.New(rand.NewPCG(uint64(seed), uint64(i)))
		note := x.note(r)
		notes.Go(func() { x.insistOn(fmt.Sprint("note-", i), note) })
	}
	for _, next := range []string{"InvoiceCreated", ""} {
		x.p.dies(t, "a note is on its way")
		x.restart()
		if next != "" {
			x.calls.At("Append", next, 3, x.p.kill)
		}
		x.base.Store(&x.p.base)
	}
	notes.Wait()
	x.c.settle(t, verdictLimit)
	x.balanced()
	if x.taken.Load() < 4 {
		t.Errorf("only %d notes were taken", x.taken.Load())
	}
	x.p.stop(t)
}

// note is over one to three of the invoices.
func (x *credits) note(r *rand.Rand) map[string]any {
	total, given := 0, r.IntN(2) == 0
	var references []map[string]any
	for _, n := range r.Perm(len(x.originals))[:1+r.IntN(3)] {
		times, original := 1+r.IntN(4), x.originals[n]
		reference := map[string]any{"invoice_id": original.ID}
		if r.IntN(2) == 0 {
			reference = map[string]any{"type": original.InvoiceType, "number": *original.Number, "date": today}
		}
		if given {
			reference["amount"] = json.Number(fmt.Sprintf("%d.00", 242*times))
		}
		total += times
		references = append(references, reference)
	}
	out := worth("NCA", total, "random note")
	out["billing_reference"] = references
	return out
}

// insistOn sends a note until it is taken or refused.
func (x *credits) insistOn(key string, note map[string]any) {
	for {
		c := x.c.client
		c.base = *x.base.Load()
		a, err := c.with("Idempotency-Key", key).send(http.MethodPost, "/api/invoices", note)
		switch text := string(a.body); {
		case err != nil || a.status == http.StatusServiceUnavailable:
			time.Sleep(50 * time.Millisecond) // a caller's pause between tries
			continue
		case a.status == http.StatusCreated:
			x.taken.Add(1)
		case a.status != http.StatusConflict || !strings.Contains(text, "NOTE_EXCEEDS_ORIGINAL") &&
			!strings.Contains(text, "ALREADY_CANCELLED"):
			x.t.Errorf("%s: %d %s", key, a.status, text)
		}
		return
	}
}

// balanced adds up what the notes themselves say, and compares it with what the invoices say.
func (x *credits) balanced() {
	x.t.Helper()
	sums := map[string]float64{}
	for _, i := range x.c.all(x.t) {
		if i.InvoiceType != "NCA" || i.Status != "Accepted" {
			continue
		}
		note := get[struct {
			References []struct {
				ID     string `json:"invoice_id"`
				Amount *json.Number
			} `json:"billing_reference"`
		}](x.t, x.c.client, "/api/invoices/"+i.ID)
		for _, r := range note.References {
			amount := i.Totals.Total
			if r.Amount != nil {
				amount = *r.Amount
			}
			n, err := amount.Float64()
			if err != nil || r.ID == "" {
				x.t.Errorf("note %s names %+v: %v", i, r, err)
			}
			sums[r.ID] += n
		}
	}
	for _, o := range x.originals {
		if sums[o.ID] > 242*wholeTimes {
			x.t.Errorf("the accepted notes of %s come to %v of %d", o, sums[o.ID], 242*wholeTimes)
		}
		eventually(x.t, verdictLimit, "the invoice shows what its notes took", func() (string, bool) {
			got := get[corrected](x.t, x.c.client, "/api/invoices/"+o.ID)
			return fmt.Sprintf("%s credited, the notes say %v", got.CreditedTotal, sums[o.ID]),
				sameAmount(got.CreditedTotal, json.Number(fmt.Sprint(sums[o.ID])))
		})
	}
}
