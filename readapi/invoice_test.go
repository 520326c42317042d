package readapi_test

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"folio/events"
	"folio/waiting"
)

func TestAnInvoiceOfAnotherCompanyIsNotThere(t *testing.T) {
	w := newWorld(t, append([]given{created("C1", "I1", nil)}, accepted("I1", 1)...)...)
	w.get("/api/invoices/I1", key1).want(200)
	for _, path := range []string{"/api/invoices/I1", "/api/invoices/I1/download-pdf/A4", "/api/invoices/I1/download/A4"} {
		w.get(path, key2).fails(404, "INVOICE_NOT_FOUND")
	}
	for _, id := range []string{"I2", "%24all", "a%2Fb", strings.Repeat("x", 65), "%FF"} {
		w.get("/api/invoices/"+id, key1).fails(404, "INVOICE_NOT_FOUND")
	}
	if head := w.call("HEAD", "/api/invoices/I1",
		key1).want(200); head.Header().Get("Content-Type") != "application/json" {
		t.Errorf("HEAD: %v", head.Header())
	}
}

// record is what these tests look at of an invoice.
type record struct {
	Status, Environment string
	Number              *string
	CancellationDate    *string `json:"cancellation_date"`
	ReasonCode          *string `json:"reason_code"`
	Rejection           []struct{ Code, Message string }
	Authorization       *struct {
		Type, Code, ExpirationDate, QR, QRURL string
		AdditionalInfo                        *struct {
			Observations []struct{ Code, Message string }
			ProcessDate  string `json:"process_date"`
		} `json:"additional_info"`
	} `json:"electronic_authorization"`
	PendingReason *struct {
		Code, Message string
		NextTry       *time.Time `json:"next_try"`
		Outage        *struct {
			ID    string
			Since time.Time
		}
	} `json:"pending_reason"`
}

func (w *world) record(id string) record {
	w.t.Helper()
	var r record
	w.get("/api/invoices/"+id, key1).want(200).into(&r)
	return r
}

func TestRecordsOfEachState(t *testing.T) {
	all := []given{created("C1", "P", nil), created("C1", "A", nil), created("C1", "R", nil), created("C1", "T", nil),
		created("C1", "X", nil)}
	all = append(append(append(all, accepted("A", 42)...), rejected("R")...), accepted("X", 43)...)
	all = append(all, given{Stream: "invoice-T",
		Event: events.SubmissionStarted{Submission: "S", Environment: "Testing", Number: 44}},
		given{Stream: "invoice-X", Event: events.InvoiceCancelled{CreditNote: "N", Date: "2026-11-27", ReasonCode: "1"}})
	w := newWorld(t, all...)
	if r := w.record("P"); r.Status != "Pending" || r.Number != nil || r.Authorization != nil || r.Rejection == nil ||
		r.PendingReason != nil {
		t.Errorf("pending: %+v", r)
	}
	if r := w.record("T"); r.Status != "In process" || r.Number != nil || r.Authorization != nil {
		t.Errorf("in process: %+v", r)
	}
	r := w.record("A")
	if r.Status != "Accepted" || *r.Number != "0005-00000042" || len(r.Rejection) != 0 || r.CancellationDate != nil {
		t.Errorf("accepted: %+v", r)
	}
	if a := r.Authorization; a.Type != "CAE" || a.Code != "76123456789012" ||
		a.AdditionalInfo.ProcessDate != "20261127120000" ||
		a.AdditionalInfo.Observations[0].Code != "10217" {
		t.Errorf("authorization: %+v", a)
	}
	var links struct {
		A struct {
			QR      string `json:"qr"`
			QRURL   string `json:"qr_url"`
			Expires string `json:"expiration_date"`
		} `json:"electronic_authorization"`
	}
	w.get("/api/invoices/A", key1).into(&links)
	if links.A.QR != "https://www.arca.gob.ar/fe/qr/?p=e30=" || links.A.QRURL != links.A.QR ||
		links.A.Expires != "2026-12-07" {
		t.Errorf("%+v", links)
	}
	if r := w.record("R"); r.Status != "Rejected" || r.Number != nil || r.Authorization != nil || len(r.Rejection) != 1 ||
		r.Rejection[0].Message != "DocNro <no> se encuentra" {
		t.Errorf("rejected: %+v", r)
	}
	if r := w.record("X"); *r.CancellationDate != "2026-11-27" || *r.ReasonCode != "1" || r.Status != "Accepted" {
		t.Errorf("cancelled: %+v", r)
	}
}

func TestWhyAnInvoiceWaits(t *testing.T) {
	unassigned := created("C1", "U", nil)
	e := unassigned.Event.(events.InvoiceCreated)
	e.Environment = ""
	unassigned.Event = e
	all := append([]given{created("C1", "P", nil), unassigned,
		created("C1", "B", func(d *events.Document) { d.Type, d.OfficialCode = "FCB", 6 })}, accepted("A", 1)...)
	all = append(all, given{Stream: "outage-C1-Testing-arca", Event: events.AuthorityOutageOpened{Outage: "O1",
		Company: "C1", Environment: "Testing", Authority: "arca", Cause: "calls", Since: now}})
	w := newWorld(t, append(all, created("C1", "A2", nil))...)
	ctx := context.Background()
	next := now.Add(5 * time.Minute)
	check(t, w.notes.Put(ctx, "C1-Testing-1-5",
		&waiting.Reason{Code: waiting.AuthorityDown, Text: "ARCA does not answer.", NextTry: &next, Since: now}, nil))
	check(t, w.notes.Put(ctx, waiting.Unassigned("C1"),
		&waiting.Reason{Code: waiting.NoCertificate, Text: "Upload a certificate.", Since: now}, nil))
	if r := w.record("P").PendingReason; r == nil || r.Code != "AUTHORITY_UNAVAILABLE" ||
		r.Message != "ARCA does not answer." || !r.NextTry.Equal(next) || r.Outage == nil || r.Outage.ID != "O1" ||
		!r.Outage.Since.Equal(now) {
		t.Errorf("its series waits: %+v", r)
	}
	if r := w.record("U").PendingReason; r == nil || r.Code != "NO_CERTIFICATE" || r.NextTry != nil ||
		r.Outage != nil {
		t.Errorf("without an environment: %+v", r)
	}
	if r := w.record("B").PendingReason; r != nil {
		t.Errorf("another series: %+v", r)
	}
	check(t, w.notes.Put(ctx, waiting.Unassigned("C1"), nil, nil))
	if r := w.record("U").PendingReason; r != nil {
		t.Errorf("it goes on: %+v", r)
	}
}

func TestReadYourWrites(t *testing.T) {
	w := newWorld(t, created("C1", "I1", nil))
	for path, projection := range map[string]string{"/api/invoices/I1": "invoices", "/api/invoices": "invoices",
		"/invoice/list?page=1": "invoices"} {
		w.asked = nil
		w.get(path, key1).want(200)
		if len(w.asked) != 0 {
			t.Errorf("%s: waits unasked for %v", path, w.asked)
		}
		w.get(path, key1, "Folio-Min-Position: C:12/P:12").want(200)
		if !slices.Equal(w.asked, []string{projection + " C:12/P:12"}) {
			t.Errorf("%s: waited for %v", path, w.asked)
		}
		w.get(path, key1, "Folio-Min-Position: 12").fails(422, "VALIDATION_FAILED", "Folio-Min-Position NOT_A_POSITION")
	}
	w.late = true
	late := w.get("/api/invoices/I1", key1, "Folio-Min-Position: C:99/P:99")
	late.fails(503, "POSITION_NOT_REACHED")
	if late.Header().Get("Retry-After") != "1" {
		t.Errorf("Retry-After is %q", late.Header().Get("Retry-After"))
	}
	w.get("/api/invoices/I1", key1).want(200) // without asking for it
}

func TestPDF(t *testing.T) {
	all := append([]given{created("C1", "A", nil), created("C1", "P", nil), created("C1", "R", nil)}, accepted("A", 42)...)
	w := newWorld(t, append(all, rejected("R")...)...)
	var first []byte
	for _, method := range []string{"GET", "POST"} {
		for _, path := range []string{"/api/invoices/A/download-pdf/A4", "/api/invoices/A/download/A4"} {
			got := w.call(method, path, key1).want(200)
			h := got.Header()
			if h.Get("Content-Type") != "application/pdf" ||
				h.Get("Content-Disposition") != `attachment; filename="FCA-0005-00000042.pdf"` ||
				h.Get("Content-Length") != fmt.Sprint(got.Body.Len()) {
				t.Errorf("%s %s: %v", method, path, h)
			}
			if !bytes.HasPrefix(got.Body.Bytes(), []byte("%PDF-")) {
				t.Errorf("%s %s: no PDF", method, path)
			}
			if first == nil {
				first = got.Body.Bytes()
			} else if !bytes.Equal(first, got.Body.Bytes()) {
				t.Errorf("%s %s: other bytes", method, path)
			}
		}
	}
	if again := newWorld(t, append(all, rejected("R")...)...).get("/api/invoices/A/download/A4", key1); !bytes.Equal(first,
		again.Body.Bytes()) {
		t.Error("another process makes other bytes")
	}
	const path = "/api/invoices/A/download-pdf/ticket"
	ticket := w.get(path, key1).want(200)
	if h := ticket.Header(); h.Get("Content-Disposition") != `attachment; filename="FCA-0005-00000042-ticket.pdf"` ||
		bytes.Equal(first, ticket.Body.Bytes()) || !bytes.HasPrefix(ticket.Body.Bytes(), []byte("%PDF-")) {
		t.Errorf("the ticket: %v", h)
	}
	if again := newWorld(t, append(all, rejected("R")...)...).call("POST", path, key1).want(200); !bytes.Equal(
		ticket.Body.Bytes(), again.Body.Bytes()) {
		t.Error("another process makes another ticket")
	}
	if again := w.get("/api/invoices/A/download/A4", key1).want(200); !bytes.Equal(first, again.Body.Bytes()) {
		t.Error("behind a ticket the A4 document has other bytes")
	}
	w.get("/api/invoices/P/download-pdf/ticket", key1).fails(409, "INVOICE_NOT_ACCEPTED")
	for id, says := range map[string]string{"P": "is Pending. Ask again when its status is Accepted",
		"R": "is Rejected and will never have one"} {
		refused := w.call("POST", "/api/invoices/"+id+"/download-pdf/A4", key1)
		refused.fails(409, "INVOICE_NOT_ACCEPTED")
		if !strings.Contains(refused.Body.String(), says) {
			t.Errorf("%s: %s does not say that it %s", id, refused.Body, says)
		}
		if refused.Header().Get("Content-Disposition") != "" {
			t.Errorf("%s: %v", id, refused.Header())
		}
	}
	w.get("/api/invoices/A/download/A5", key1).fails(404, "NO_SUCH_PATH")
	w.get("/api/invoices/A/download/A4").fails(401, "API_KEY_REQUIRED")
	w.call("PUT", "/api/invoices/A/download/A4", key1).fails(405, "METHOD_NOT_ALLOWED")
}
