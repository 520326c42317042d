package readapi_test

import (
	"fmt"
	"testing"
	"time"

	"folio/events"
)

func TestWhatBecameOfAnInvoicesEmails(t *testing.T) {
	on := func(e events.Event) given { return given{Stream: "invoice-I1", Event: e} }
	ask := func(id string) given { return on(events.EmailRequested{Email: id, Company: "C1", To: id + "@b.cl"}) }
	next := time.Date(2026, 11, 27, 16, 0, 0, 0, time.UTC)
	all := append([]given{created("C1", "I1", nil), created("C2", "X", nil)}, accepted("I1", 1)...)
	all = append(all, ask("E1"), ask("E2"), ask("E3"), ask("E4"),
		on(events.EmailDelayed{Email: "E2", Try: 1, Reason: "451 later", Next: next}),
		on(events.EmailDelayed{Email: "E3", Try: 1, Reason: "451 later", Next: next}),
		on(events.EmailSent{Email: "E3", Try: 2, MessageID: "E3@x", Files: []string{"a.pdf"}}),
		on(events.EmailFailed{Email: "E4", Try: 1, Reason: "the document lacks address"}))
	w := newWorld(t, all...)
	var got struct {
		Data []struct {
			ID, To, Status string
			Tries          int
			Reason         *string
			NextTry        *time.Time `json:"next_try"`
			FinishedAt     *time.Time `json:"finished_at"`
			MessageID      *string    `json:"message_id"`
			Files          []string
		}
	}
	w.get("/api/invoices/I1/emails", key1).want(200).into(&got)
	told := ""
	for _, m := range got.Data {
		told += fmt.Sprintf("%s %s %s %d %t %t %t %d\n", m.ID, m.To, m.Status, m.Tries, m.Reason != nil, m.NextTry != nil,
			m.FinishedAt != nil, len(m.Files))
	}
	const want = "E1 E1@b.cl Queued 0 false false false 0\nE2 E2@b.cl Delayed 1 true true false 0\n" +
		"E3 E3@b.cl Sent 2 true false true 1\nE4 E4@b.cl Failed 1 true false true 0\n"
	if told != want {
		t.Errorf("got\n%swant\n%s", told, want)
	}
	w.get("/api/invoices/I1/emails", key1, "Accept-Language: es").want(200).into(&got)
	if *got.Data[3].Reason != "al comprobante le falta address" || *got.Data[1].Reason != "451 later" {
		t.Errorf("in Spanish: %+v", got.Data)
	}
	w.get("/api/invoices/X/emails", key1).want(404)
	w.get("/api/invoices/I1/emails?page=1", key1).want(422)
}
