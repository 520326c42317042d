package writeapi

import (
	"context"
	"net/http"

	"folio/commands/invoice"
	"folio/fault"
	"folio/httpapi"
	"folio/strict"
)

// Mail says how much waits to be sent by e-mail, as far as is known.
type Mail interface {
	Waiting(ctx context.Context, company string) (own, all int64, err error)
	// Address says whether messages go to it.
	Address(text string) bool
}

// Messages that may wait, of a company and in all.
const (
	maxWaitingMail    = 100
	maxWaitingMailAll = 5000
)

var (
	errNoMail = fault.New(fault.Conflict, "EMAIL_NOT_SET_UP",
		"This service has no mail server. Ask its operator to start it with --smtp-host and --smtp-from, or send the PDF "+
			"yourself.")
	errMailFull = &fault.Error{Code: fault.TooMany, Constant: "EMAIL_QUEUE_FULL", RetryAfter: 60,
		Text: "Too many messages wait to be sent. Nothing was recorded; ask again in a minute."}
)

// readRecipient is to whom an invoice is sent.
func (a api) readRecipient(o strict.Object) (to string) {
	if to = o.String("to", strict.Required, strict.MaxLen(254)); to != "" && a.Mail != nil && !a.Mail.Address(to) {
		o.Fail("to", "NOT_AN_EMAIL", "Write one address such as compras@example.com: ASCII, without a name.")
	}
	return to
}

// emailInvoice asks for an accepted invoice to be sent. It answers once that is recorded; what comes of it is in
// GET /api/invoices/{invoice_id}/emails.
func (a api) emailInvoice(w http.ResponseWriter, r *http.Request) error {
	id, err := httpapi.PathID(r, "invoice_id")
	if err != nil {
		return err
	}
	body, err := httpapi.ReadJSON(w, r)
	if err != nil {
		return err
	}
	if a.Mail == nil {
		return errNoMail
	}
	o := body.Object()
	to := a.readRecipient(o)
	if err := o.Done(); err != nil {
		return err
	}
	company, email := httpapi.Caller(r.Context()).Company, newID(r)
	leave, err := a.additions.Enter(r.Context(), company, 1)
	if err != nil {
		return err
	}
	defer leave()
	own, all, err := a.Mail.Waiting(r.Context(), company)
	if err != nil {
		return err
	}
	if !repeats(r) && (own >= maxWaitingMail || all >= maxWaitingMailAll) {
		return errMailFull
	}
	out, err := a.log.Invoices.Execute(r.Context(), id, invoice.RequestEmail{Company: company, Email: email, To: to},
		request(r))
	if err != nil {
		return err
	}
	if !out.Position.IsZero() {
		w.Header().Set("Folio-Position", out.Position.String())
	}
	return httpapi.JSON(w, http.StatusAccepted, struct {
		ID      string `json:"id"`
		Invoice string `json:"invoice_id"`
		To      string `json:"to"`
		Status  string `json:"status"` // Queued
	}{email, id, to, "Queued"})
}
