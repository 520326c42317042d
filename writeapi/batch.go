package writeapi

import (
	"context"
	"errors"
	"io"
	"net/http"
	"time"

	"folio/admission"
	"folio/fault"
	"folio/httpapi"
	"folio/resource"
	"folio/strict"
)

// The bounds of a batch: rows, and bytes of one row and of all.
const (
	maxBatchRows  = 1000
	maxBatchBytes = 32 << 20
)

// batchPatience is how long a batch may wait for its sender, all rows together, while others find
// no place: shorter than they wait.
const batchPatience = 5 * time.Second

// newBatchGate lets a company have two batches under way.
func newBatchGate() *admission.Gate {
	return admission.New("batches", admission.Limits{All: 32, Each: 2, Line: 2, Lines: 64, Patience: 10 * time.Second})
}

// rowKey is the member of a row that a create has as a header.
const rowKey = "idempotency_key"

// createBatch issues an invoice for each line, one after the other, and answers each line as
// soon as it is done. A row is a create with a key of its own: after a crash the same batch is
// sent again, and each row has one effect. The rest is left when the caller goes.
func (a api) createBatch(w http.ResponseWriter, r *http.Request) error {
	if len(r.Header.Values("Idempotency-Key")) > 0 {
		return fault.Field("Idempotency-Key", strict.CodeUnknown,
			"is not taken for a batch: each row carries its own idempotency_key")
	}
	leave, err := a.batches.Enter(r.Context(), httpapi.Caller(r.Context()).Company, 1)
	if err != nil {
		return err
	}
	defer leave()
	in, err := httpapi.ReadLines(w, r, httpapi.LineLimits{Line: httpapi.MaxJSON, All: maxBatchBytes, Lines: maxBatchRows,
		Wanted: a.batches.Wanted, Patience: batchPatience})
	if err != nil {
		return err
	}
	defer in.End()
	for {
		line, err := in.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		row, last := a.batchRow(r, line, err)
		if in.Answer(row) != nil || last {
			return nil // the caller has gone, or nothing after this can be read
		}
	}
}

// batchRow deals with one line; last says that no other can be.
func (a api) batchRow(r *http.Request, line httpapi.Line, ended error) (row resource.BatchRow, last bool) {
	row.Row = line.Number
	err := errors.Join(ended, line.Fault)
	if err == nil {
		var call context.Context
		if call, err = httpapi.Pace(r.Context()); err == nil {
			err = a.issueRow(r.WithContext(call), line.Text, &row)
		}
	}
	if err != nil {
		var problem []byte
		row.Status, problem = httpapi.Problem(r, err)
		row.Problem = problem
	}
	f := fault.As(err)
	return row, ended != nil || r.Context().Err() != nil || f != nil && f.Code == fault.Unavailable
}

// issueRow is the create of one row.
func (a api) issueRow(r *http.Request, text []byte, row *resource.BatchRow) error {
	body, err := strict.Parse(text)
	if err != nil {
		return err
	}
	c, err := a.creation(r, body)
	if err != nil {
		return err
	}
	if o := body.Object(); !o.Present() {
		return o.Done()
	}
	c.key = readRowKey(body.Object())
	row.Key = c.key
	e, at, replayed, err := c.issue(r.Context())
	if err != nil {
		return err
	}
	record := resource.Pending(e, c.at, c.rules)
	row.Status, row.Replayed, row.Invoice, row.Position = http.StatusCreated, replayed, &record, at.String()
	return nil
}

// readRowKey reads the key of a row, "" for one that is none: the draft is then refused.
func readRowKey(o strict.Object) string {
	key := o.String(rowKey, strict.Required, strict.MaxLen(255))
	if key != "" && !httpapi.IsKey(key) {
		o.Fail(rowKey, strict.CodeFormat, "must be 1 to 255 printable ASCII characters")
		return ""
	}
	return key
}
