package e2e

import (
	"encoding/json"
	"net/http"
	"strings"
	"sync"
	"testing"
)

// corrected is what a record says of the notes that correct it.
type corrected struct {
	CancellationDate *string     `json:"cancellation_date"`
	CreditedTotal    json.Number `json:"credited_total"`
	Balance          json.Number
	Notes            []struct {
		ID     string `json:"invoice_id"`
		Status string
	}
}

// TestANoteInEveryCountry issues the whole note of an invoice many times at once.
func TestANoteInEveryCountry(t *testing.T) {
	t.Parallel()
	t.Run("Argentina", func(t *testing.T) {
		t.Parallel()
		dir := t.TempDir()
		p := serve(t, dir, unlimited...)
		creditedOnce(t, issuing(t, p, dir, 1), func(kind int, reference string) map[string]any {
			return body([]string{"FCA", "NCA"}[kind], 1, reference)
		})
	})
	for _, n := range nations {
		t.Run(n.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			p := serve(t, dir, unlimited...)
			c := n.company(t, p, dir)
			for _, kind := range n.kinds {
				c.enumerate(t, http.StatusCreated, kind, n.file(t, dir, kind, 1, 100))
			}
			creditedOnce(t, c, func(kind int, _ string) map[string]any { return n.body(n.kinds[2*kind], 0) })
		})
	}
}

func creditedOnce(t *testing.T, c company, body func(kind int, reference string) map[string]any) {
	original := c.accepted(t, c.post(t, body(0, "original")).ID)
	note := body(1, "note")
	note["billing_reference"] = []map[string]any{{"invoice_id": original.ID, "reason_code": "1"}}
	var mu sync.Mutex
	var wait sync.WaitGroup
	var notes []string
	for range 64 {
		wait.Go(func() {
			a, err := c.send(http.MethodPost, "/api/invoices", note)
			mu.Lock()
			defer mu.Unlock()
			switch {
			case err != nil:
				t.Error(err)
			case a.status == http.StatusCreated:
				notes = append(notes, decode[invoice](t, a).ID)
			case a.status != http.StatusConflict || !strings.Contains(string(a.body), "NOTE_EXCEEDS_ORIGINAL") &&
				!strings.Contains(string(a.body), "ALREADY_CANCELLED"):
				t.Errorf("status %d: %s", a.status, a.body)
			}
		})
	}
	wait.Wait()
	if len(notes) != 1 {
		t.Fatalf("%d notes of the whole were taken", len(notes))
	}
	c.accepted(t, notes[0])
	var got corrected
	eventually(t, verdictLimit, "the note cancels its invoice", func() (string, bool) {
		got = get[corrected](t, c.client, "/api/invoices/"+original.ID)
		return string(got.CreditedTotal), got.CancellationDate != nil
	})
	if !sameAmount(got.CreditedTotal, original.Totals.Total) || !sameAmount(got.Balance, "0") || len(got.Notes) != 1 ||
		got.Notes[0].Status != "Accepted" {
		t.Errorf("%+v", got)
	}
	if p := c.refused(t, http.StatusConflict, "ALREADY_CANCELLED", http.MethodPost, "/api/invoices",
		note); !strings.Contains(p.Detail, notes[0]) {
		t.Errorf("%s does not name note %s", p.Detail, notes[0])
	}
	if l := get[list](t, c.client, "/api/invoices?references="+original.ID); l.TotalResults != 1 ||
		l.Data[0].ID != notes[0] {
		t.Errorf("the notes that name it: %+v", l)
	}
}
