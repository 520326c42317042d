package writeapi

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"net/http"
	"slices"
	"time"

	"github.com/oklog/ulid/v2"

	"folio/commands"
	"folio/commands/company"
	"folio/commands/idempotency"
	"folio/commands/invoice"
	"folio/country"
	"folio/events"
	"folio/fault"
	"folio/httpapi"
	"folio/resource"
	"folio/strict"
)

// creation is one POST /api/invoices on its way.
type creation struct {
	api
	request commands.Request
	company company.State
	rules   country.Rules
	body    *strict.Body
	route   string // of a request that is no create, whose key stands for nothing else
	key     string // Idempotency-Key, empty for none
	hash    string // of the body's RFC 8785 form, when there is a key
	invoice string // its id
	at      time.Time
	away    error // why a reference could not be looked up
	attempt int   // of recording it: see invoice.Create

	// draft is the document that the body asks for, what its shape has against it, and the
	// branch that it names.
	draft func(ctx context.Context) (d events.Document, branch int, shapes, failed error)

	originals map[string]invoice.Full // the documents of our own that it names, by id
	others    []string                // the account's other companies with the same tax identifier, once asked for
}

// createInvoice records InvoiceCreated. With an Idempotency-Key the first valid use of
// the key fixes invoice id and time in RequestAccepted, so that every repeat, also
// after a crash between the two facts, comes to the same invoice.
func (a api) createInvoice(w http.ResponseWriter, r *http.Request) error {
	key, err := httpapi.IdempotencyKey(r)
	if err != nil {
		return err
	}
	c, err := a.begin(w, r)
	if err != nil {
		return err
	}
	c.key = key
	return c.answer(w, r)
}

// begin reads the body of a request about a document of the caller's company.
func (a api) begin(w http.ResponseWriter, r *http.Request) (*creation, error) {
	body, err := httpapi.ReadJSON(w, r)
	if err != nil {
		return nil, err
	}
	return a.creation(r, body)
}

// creation is a document on its way whose body was read.
func (a api) creation(r *http.Request, body *strict.Body) (*creation, error) {
	s, rules, err := a.company(r.Context())
	if err != nil {
		return nil, err
	}
	c := &creation{api: a, request: request(r), company: s, rules: rules, body: body,
		invoice: ulid.Make().String(), at: httpapi.Started(r.Context())}
	c.draft = c.written
	return c, nil
}

// answer issues the document and answers with its record.
func (c *creation) answer(w http.ResponseWriter, r *http.Request) error {
	e, at, replayed, err := c.issue(r.Context())
	if err != nil {
		return err
	}
	c.shown(w, r, "invoices", at)
	if replayed {
		w.Header().Set("Idempotency-Replayed", "true")
	}
	w.Header().Set("Location", "/api/invoices/"+e.Invoice)
	return httpapi.JSON(w, http.StatusCreated, resource.Pending(e, c.at, c.rules))
}

// issue records the document once a key, and says whether an earlier use of the key did. What refuses it may be what
// another use of the key recorded, and what became of that, since this one looked: then that is the answer.
func (c *creation) issue(ctx context.Context) (e events.InvoiceCreated, at events.Position, replayed bool, err error) {
	e, at, replayed, err = c.tried(ctx)
	if c.key == "" || !isRefusal(err) {
		return e, at, replayed, err
	}
	if used, unknown := c.known(ctx); unknown == nil && used {
		if first, position, unseen := c.recorded(ctx, true); unseen == nil && !position.IsZero() {
			return first, position, true, nil
		}
	}
	return e, at, replayed, err
}

// isRefusal says that a rule or the state of a document refuses, and not that something is away.
func isRefusal(err error) bool {
	var f *fault.Error
	return errors.Is(err, invoice.ErrAbandoned) || errors.As(err, &f) && f.Code != fault.Unavailable
}

func (c *creation) tried(ctx context.Context) (e events.InvoiceCreated, at events.Position, replayed bool, err error) {
	if replayed, err = c.known(ctx); err != nil {
		return e, at, replayed, err
	}
	if e, at, err = c.recorded(ctx, replayed); err != nil || !at.IsZero() {
		return e, at, replayed, err
	}
	if e, err = c.event(ctx); err != nil {
		if used, known := c.known(ctx); !replayed && used && known == nil {
			return c.tried(ctx) // the first use of the key may have taken meanwhile what this one lacks
		}
		return e, at, replayed, err
	}
	if !replayed {
		if replayed, err = c.accept(ctx); err != nil {
			return e, at, replayed, err
		}
		e.Invoice = c.invoice
	}
	if err = c.reserve(ctx, e); err != nil {
		return e, at, replayed, err
	}
	e, at, err = c.record(ctx, e, replayed)
	return e, at, replayed, err
}

// known looks whether the key was used before; if so it takes over id and time.
func (c *creation) known(ctx context.Context) (bool, error) {
	if c.key == "" {
		return false, nil
	}
	canonical, err := c.body.CanonicalWithout(rowKey)
	if err != nil {
		return false, err
	}
	if c.route != "" {
		canonical = append([]byte(c.route+"\n"), canonical...)
	}
	c.hash = sha256Hex(canonical)
	c.request.ID = commands.Derived("POST /api/invoices", c.company.Company, c.key)
	s, found, err := c.log.Idempotency.Load(ctx, idempotency.ID(c.company.Company, c.key))
	if err != nil || !found {
		return false, err
	}
	if s.BodyHash != c.hash {
		return false, idempotency.ErrOtherBody
	}
	c.invoice, c.at = s.Invoice, s.Time
	return true, nil
}

// recorded is the fact that an earlier use of the key recorded; a zero position when
// a crash left it out.
func (c *creation) recorded(ctx context.Context, known bool) (events.InvoiceCreated, events.Position, error) {
	if !known {
		return events.InvoiceCreated{}, events.Position{}, nil
	}
	s, at, err := c.log.Documents.LoadAt(ctx, c.invoice)
	c.attempt = s.Abandoned
	if err != nil || s.Created == nil {
		return events.InvoiceCreated{}, events.Position{}, err
	}
	return *s.First(), at, nil
}

// accept uses the key for this body. True says that another request was first: its
// invoice is ours.
func (c *creation) accept(ctx context.Context) (bool, error) {
	if c.key == "" {
		return false, nil
	}
	q := c.request
	q.ID, q.At = commands.Derived("accept", c.invoice), c.at
	// Known has just looked: the key is most likely new, and a conflict looks again.
	out, err := c.log.Idempotency.ExecuteNew(ctx, idempotency.ID(c.company.Company, c.key),
		idempotency.Accept{BodyHash: c.hash, Invoice: c.invoice, Time: c.at.UTC()}, q)
	if err != nil {
		return false, err
	}
	first := out.State.Invoice == c.invoice
	c.invoice, c.at = out.State.Invoice, out.State.Time
	return !first, nil
}

// record appends the fact. If somebody with the same key was faster, that fact is it:
// the company may have changed in between, so ours may differ.
func (c *creation) record(ctx context.Context, e events.InvoiceCreated, replayed bool) (events.InvoiceCreated,
	events.Position, error) {
	q := c.request
	q.At = c.at
	execute := c.log.Invoices.ExecuteNew
	if replayed {
		execute = c.log.Invoices.Execute
	}
	out, err := execute(ctx, e.Invoice, invoice.Create{Invoice: e, Attempt: c.attempt}, q)
	if errors.Is(err, invoice.ErrExists) {
		return c.recorded(ctx, true)
	}
	return e, out.Position, err
}

// event is the fact to record: the draft completed and found right.
func (c *creation) event(ctx context.Context) (events.InvoiceCreated, error) {
	d, branch, shapes, err := c.draft(ctx)
	if err != nil {
		return events.InvoiceCreated{}, err
	}
	known, path := c.rules.Branches(), branchPath(d)
	issuer, unknown := establish(&d, branch, c.company.On(d.Date, c.rules.Location()), known)
	spent, err := c.spentPoint(ctx, path, d.BranchOffice)
	if err != nil {
		return events.InvoiceCreated{}, err
	}
	checked, violations := c.rules.Check(d, issuer, c.at, c.Rules)
	more, err := c.checkNote(ctx, &checked.Document)
	if err != nil {
		return events.InvoiceCreated{}, err
	}
	if err := together(shapes, slices.Concat(unknown, spent, violations, more)); err != nil {
		return events.InvoiceCreated{}, err
	}
	corrections, err := c.corrections(ctx, &checked.Document)
	return events.InvoiceCreated{
		Invoice: c.invoice, Company: c.company.Company, Country: c.company.Country, Environment: c.company.Environment(),
		Document: checked.Document, Profile: issuer.Frozen(checked.Document, known), Taxes: checked.Taxes,
		Corrects: corrections,
	}, err
}

// written is the draft that a body of POST /api/invoices writes out.
func (c *creation) written(ctx context.Context) (d events.Document, branch int, shapes, failed error) {
	o := c.body.Object()
	d, branch = readDocument(o, c.company, c.rules.Branches(),
		func(ref strict.Object, r *events.Reference) { c.resolve(ctx, ref, r) })
	return d, branch, o.Done(), c.away
}

// processInvoice asks for a pending invoice to be taken up now. Asking again at once
// changes nothing, and appends nothing.
func (a api) processInvoice(w http.ResponseWriter, r *http.Request) error {
	id, err := httpapi.PathID(r, "invoice_id")
	if err != nil {
		return err
	}
	out, err := a.log.Invoices.Execute(r.Context(), id,
		invoice.RequestProcessing{Company: httpapi.Caller(r.Context()).Company, At: httpapi.Started(r.Context())},
		step(r, "process"))
	if err != nil {
		return err
	}
	if !out.Position.IsZero() {
		w.Header().Set("Folio-Position", out.Position.String())
	}
	return httpapi.JSON(w, http.StatusAccepted, struct {
		ID     string `json:"id"`
		Status string `json:"status"`
	}{id, string(out.State.Status)})
}

func sha256Hex(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}
