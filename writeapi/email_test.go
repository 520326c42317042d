package writeapi_test

import (
	"context"
	"strings"
	"testing"
)

// mailbox is how much waits, as a test says.
type mailbox struct{ own, all int64 }

func (m *mailbox) Waiting(context.Context, string) (own, all int64, err error) {
	return m.own, m.all, nil
}

func (*mailbox) Address(text string) bool {
	return strings.Count(text, "@") == 1 && !strings.ContainsAny(text, " \r\n<>")
}

func TestAnInvoiceIsAskedToBeSent(t *testing.T) {
	w := newWorld(t)
	s := w.company()
	id := w.issued(s, 1, sample(t))
	path := "/api/invoices/" + id + "/email"
	a := w.call("POST", path, `{"to":"a@b.cl"}`, s.key).want(202)
	if a.text("invoice_id") != id || a.text("status") != "Queued" || a.text("to") != "a@b.cl" ||
		a.Header().Get("Folio-Position") == "" {
		t.Errorf("%s %v", a.Body, a.Header())
	}
	for body, want := range map[string]string{
		`{}`:                             "to REQUIRED",
		`{"to":""}`:                      "to REQUIRED",
		`{"to":7}`:                       "to WRONG_TYPE",
		`{"to":"a"}`:                     "to NOT_AN_EMAIL",
		`{"to":"a@b.cl\r\nBcc: c@d.cl"}`: "to CONTROL_CHARACTER",
		`{"to":"a@b.cl","cc":"c@d.cl"}`:  "cc UNKNOWN_FIELD",
	} {
		w.call("POST", path, body, s.key).fails(422, "VALIDATION_FAILED", want)
	}
	pending := w.call("POST", "/api/invoices", sample(t), s.key).want(201).text("id")
	w.call("POST", "/api/invoices/"+pending+"/email", `{"to":"a@b.cl"}`, s.key).fails(409, "INVOICE_NOT_ACCEPTED")
	w.call("POST", path, `{"to":"a@b.cl"}`, w.company().key).fails(404, "INVOICE_NOT_FOUND")
	for range 2 {
		w.call("POST", path, `{"to":"a@b.cl"}`, s.key).want(202)
	}
	again := w.call("POST", path, `{"to":"a@b.cl"}`, s.key)
	if again.fails(429, "EMAILS_WAITING"); again.Header().Get("Retry-After") != "60" {
		t.Errorf("%v", again.Header())
	}
}

func TestMailIsBoundedByCompanyAndInAll(t *testing.T) {
	w := newWorld(t)
	s := w.company()
	path := "/api/invoices/" + w.issued(s, 1, sample(t)) + "/email"
	for _, full := range []mailbox{{own: 100, all: 100}, {all: 5000}} {
		w.mail = full
		a := w.call("POST", path, `{"to":"a@b.cl"}`, s.key, key)
		if a.fails(429, "EMAIL_QUEUE_FULL"); a.Header().Get("Retry-After") != "60" {
			t.Errorf("%v", a.Header())
		}
	}
	w.mail = mailbox{own: 99, all: 4999}
	w.call("POST", path, `{"to":"a@b.cl"}`, s.key, key).want(202)
	w.mail = mailbox{own: 100, all: 5000}
	w.call("POST", path, `{"to":"a@b.cl"}`, s.key, key).want(202) // a repeat adds nothing
}
