package readapi

import (
	"net/http"
	"time"

	"folio/events"
	"folio/httpapi"
)

// email is what became of a message with an invoice.
type email struct {
	ID          string     `json:"id"`
	To          string     `json:"to"`
	Status      string     `json:"status"`       // Queued, Delayed, Sent or Failed
	RequestedAt time.Time  `json:"requested_at"` // UTC
	Tries       int        `json:"tries"`        // so far
	Reason      *string    `json:"reason"`       // of the last try that failed
	NextTry     *time.Time `json:"next_try"`     // while it is Delayed
	FinishedAt  *time.Time `json:"finished_at"`  // when it was Sent or has Failed
	MessageID   *string    `json:"message_id"`   // once it was sent
	Files       []string   `json:"files"`        // names of what was attached
}

// listEmails tells what became of the messages with an invoice, from its facts. Sent says that the operator's mail
// server took it; whether it arrived is not known.
func (a api) listEmails(w http.ResponseWriter, r *http.Request) error {
	i, err := a.invoice(r)
	if err != nil {
		return err
	}
	all := []email{}
	if err := a.pass(r.Context(), func() error {
		for e, err := range a.Log.Read(r.Context(), "invoice-"+i.ID, 0) {
			if err != nil {
				return err
			}
			all = emailed(all, e)
		}
		return nil
	}); err != nil {
		return err
	}
	for n := range all {
		if why := all[n].Reason; why != nil {
			all[n].Reason = pointer(httpapi.Said(r, httpapi.Story, *why))
		}
	}
	httpapi.Localized(w.Header(), httpapi.InSpanish(r))
	return httpapi.JSON(w, http.StatusOK, struct {
		Data []email `json:"data"`
	}{all})
}

// emailed folds a fact into the messages of an invoice.
func emailed(all []email, r events.Recorded) []email {
	change := func(id string, f func(*email)) []email {
		for i := range all {
			if all[i].ID == id {
				f(&all[i])
			}
		}
		return all
	}
	at := r.Meta.At.UTC()
	switch e := r.Event.(type) {
	case events.EmailRequested:
		return append(all, email{ID: e.Email, To: e.To, Status: "Queued", RequestedAt: at, Files: []string{}})
	case events.EmailDelayed:
		return change(e.Email, func(m *email) {
			m.Status, m.Tries, m.Reason, m.NextTry = "Delayed", e.Try, pointer(e.Reason), &e.Next
		})
	case events.EmailSent:
		return change(e.Email, func(m *email) {
			m.Status, m.Tries, m.NextTry, m.FinishedAt = "Sent", e.Try, nil, &at
			m.MessageID, m.Files = pointer(e.MessageID), e.Files
		})
	case events.EmailFailed:
		return change(e.Email, func(m *email) {
			m.Status, m.Tries, m.NextTry, m.FinishedAt, m.Reason = "Failed", e.Try, nil, &at, pointer(e.Reason)
		})
	}
	return all
}
