package e2e

import (
	"encoding/json"
	"fmt"
	"net/http"
	"testing"
)

// TestANoteThatIsKilledOnItsWay kills the service as the fact that is named is about to be
// recorded for the nth time since then: everything before it is in the log and nothing after
// it. The caller asks again with the key of the request, and the note comes about once.
func TestANoteThatIsKilledOnItsWay(t *testing.T) {
	t.Parallel()
	x := inTrouble(t)
	for i, m := range []struct {
		name, fact string
		nth        int
		originals  int
	}{
		{"nothing is reserved", "NoteReserved", 1, 1},
		{"reserved in the first of two", "NoteReserved", 2, 2},
		{"reserved and not created", "InvoiceCreated", 1, 1},
		{"reserved in two and not created", "InvoiceCreated", 1, 2},
		{"accepted and counted in the first of two", "NoteCounted", 2, 2},
		{"counted and not recorded as accepted", "AuthorityAccepted", 1, 2},
	} {
		note, originals := x.noteOn(m.originals)
		key := x.c
		key.client = x.c.with("Idempotency-Key", fmt.Sprint("note-", i))
		x.calls.At("Append", m.fact, m.nth, x.p.kill)
		_, _ = key.send(http.MethodPost, "/api/invoices", note) // it may be answered before the kill
		x.p.dies(t, m.name)
		x.restart()
		key.base = x.c.base
		made := key.post(t, note)
		x.c.accepted(t, made.ID)
		for _, id := range originals {
			x.credited(id, m.name, "242", made.ID)
		}
	}
	x.p.clean(t)
	x.p.stop(t)
}

// noteOn is a note of the whole of that many new invoices, and their ids.
func (x *troubled) noteOn(count int) (note map[string]any, originals []string) {
	x.t.Helper()
	note = worth("NCA", count, "note")
	var references []map[string]any
	for range count {
		i := x.c.issue(x.t, body("FCA", 1, "original"))
		originals = append(originals, i.ID)
		references = append(references, map[string]any{"invoice_id": i.ID})
	}
	note["billing_reference"] = references
	return note, originals
}

// worth is a create request over so many times 242.00.
func worth(kind string, times int, reference string) map[string]any {
	out := body(kind, 1, reference)
	amount := func(n int) json.Number { return json.Number(fmt.Sprintf("%d.00", n*times)) }
	item := out["items"].([]map[string]any)[0]
	item["quantity"] = 2 * times
	item["taxes"] = []map[string]any{{"type": "iva21", "rate": 21, "amount": amount(42)}}
	out["totals"] = map[string]any{"sub_total": amount(200), "discount": 0, "total": amount(242),
		"taxes": []map[string]any{{"type": "iva21", "amount": amount(42), "base_amount": amount(200)}}}
	return out
}

// restart starts the service again as it was started.
func (x *troubled) restart() {
	x.t.Helper()
	x.p = begin(x.t, x.args...)
	x.p.base = x.p.await(x.t, "listening on ")
	x.c.base = x.p.base
}

// credited waits until an invoice shows so much as credited, and wants these notes in it.
func (x *troubled) credited(id, when, total string, notes ...string) {
	x.t.Helper()
	var got corrected
	eventually(x.t, verdictLimit, when+": "+total+" is credited", func() (string, bool) {
		got = get[corrected](x.t, x.c.client, "/api/invoices/"+id)
		return string(got.CreditedTotal), sameAmount(got.CreditedTotal, json.Number(total))
	})
	if len(got.Notes) != len(notes) {
		x.t.Errorf("%s: the notes are %+v, want %v", when, got.Notes, notes)
		return
	}
	for i, n := range got.Notes {
		if n.ID != notes[i] || n.Status != "Accepted" {
			x.t.Errorf("%s: the notes are %+v, want %v", when, got.Notes, notes)
		}
	}
}
