package main

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"time"

	"folio/events"
	"folio/eventstore"
)

// invoiceEvent is what POST /api/invoices records of an invoice of n items: the very
// bytes, since the handler made them.
func invoiceEvent(ctx context.Context, n int) (eventstore.Pending, error) {
	h, err := newHandlers(ctx, cuit(0), 1)
	if err != nil {
		return eventstore.Pending{}, err
	}
	r := httptest.NewRequestWithContext(ctx, http.MethodPost, "/api/invoices", bytes.NewReader(invoiceBody(cuit(0), n)))
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("x-api-key", h.keys[0])
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	if w.Code != http.StatusCreated {
		return eventstore.Pending{}, fmt.Errorf("an invoice of %d items was answered %d: %s", n, w.Code, w.Body)
	}
	return h.log.last, nil
}

// template makes invoices like one that the service would have recorded.
type template struct{ events.InvoiceCreated }

func newTemplate(ctx context.Context, company string, n int) (template, error) {
	p, err := invoiceEvent(ctx, n)
	if err != nil {
		return template{}, err
	}
	e, err := events.Decode(p.Type, p.Meta.Schema, p.Data)
	if err != nil {
		return template{}, err
	}
	t := template{e.(events.InvoiceCreated)}
	t.Company = company
	return t, nil
}

// history is the invoice with that id: created, or accepted under a number.
func (t template) history(id string, number int64, accepted bool) []events.Event {
	created := t.InvoiceCreated
	created.Invoice = id
	if !accepted {
		return []events.Event{created}
	}
	const submission = "01K00000000000000000000000"
	day := created.Document.Date[:len(time.DateOnly)]
	return []events.Event{created,
		events.SubmissionStarted{Submission: submission, Environment: created.Environment, Number: number},
		events.NumberAssigned{BranchOffice: created.Document.BranchOffice, Number: number},
		events.AuthorityAccepted{Submission: submission, Sandbox: true, Authorization: events.Authorization{
			Type: "CAE", Code: fmt.Sprintf("%014d", 76_000_000_000_000+number), ExpiresOn: day, Date: day,
			QR: "https://www.arca.gob.ar/fe/qr/?p=eyJ2ZXIiOjEsImZlY2hhIjoiMjAyNi0xMS0xMCIsImN1aXQiOjMwNzE2NTI0OTU5LCJwdG9WdGEiOjEsInRpcG9DbXAiOjEsIm5yb0NtcCI6MTI4LCJpbXBvcnRlIjoxNDg2MDAuMDAsIm1vbmVkYSI6IlBFUyIsImN0eiI6MSwidGlwb0RvY1JlYyI6ODAsIm5yb0RvY1JlYyI6MzA3MTI5MzYxODYsInRpcG9Db2RBdXQiOiJFIiwiY29kQXV0Ijo3NjQ1MTIzNDU2NzgxMn0=",
		}}}
}
