package projections

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"time"

	"folio/events"
	"folio/projections/engine"
	"folio/tables"
)

// Status of a delivery as readers see it.
const (
	DeliveryPending    = "pending"
	DeliveryDelivered  = "delivered"
	DeliveryExhausted  = "exhausted"
	DeliverySuperseded = "superseded"
	DeliveryCancelled  = "cancelled"
)

// Delivery is one payload that is or was owed to a company's callback URL, with every
// attempt that is remembered.
type Delivery struct {
	engine.Place

	ID           string            `json:"id"`
	Company      string            `json:"company"`
	Webhook      int64             `json:"webhook"`
	Code         string            `json:"code"`
	Document     string            `json:"document,omitzero"`
	Payload      json.RawMessage   `json:"payload"`
	Status       string            `json:"status"`
	CreatedAt    time.Time         `json:"created_at"`   // UTC
	Due          time.Time         `json:"due,omitzero"` // UTC: of the next attempt, while pending
	SupersededBy string            `json:"by,omitzero"`  // delivery id
	Attempts     []DeliveryAttempt `json:"attempts"`     // the newest keptAttempts, oldest first
	Scheduled    events.Position   `json:"scheduled"`    // what a replay since a position compares
}

// DeliveryAttempt is one sending and what came back.
type DeliveryAttempt struct {
	Series       int       `json:"series"`
	Attempt      int       `json:"attempt"`
	URL          string    `json:"url"`
	Started      time.Time `json:"started"` // UTC
	Milliseconds int64     `json:"milliseconds"`
	Status       int       `json:"status,omitzero"`
	Outcome      string    `json:"outcome"`
	Fault        string    `json:"fault,omitzero"`
	Body         string    `json:"body,omitzero"`
}

// keptAttempts is how many attempts a document keeps: three whole series. The log has
// the others.
const keptAttempts = 33

// Deliveries keeps each delivery, in the list of its company.
var Deliveries = engine.Define("deliveries", 2,
	engine.OfStream[Delivery]("delivery"),
	engine.On(engine.ByStream, func(d *Delivery, r events.Recorded, e events.DeliveryScheduled) {
		d.ID, d.Company, d.Webhook, d.Code, d.Document = e.Delivery, e.Company, e.Webhook, e.Code,
			cmp.Or(e.Document, documentOf(e.Payload))
		d.Payload, d.Status, d.CreatedAt, d.Due = e.Payload, DeliveryPending, r.Meta.At.UTC(), e.Due.UTC()
		d.Scheduled = r.Position
	}),
	engine.On(engine.ByStream, func(d *Delivery, _ events.Recorded, e events.DeliveryAttempted) {
		d.Attempts = append(d.Attempts, DeliveryAttempt{Series: e.Series, Attempt: e.Attempt, URL: e.URL,
			Started:      e.Started.UTC(),
			Milliseconds: e.Milliseconds, Status: e.Status, Outcome: e.Outcome, Fault: e.Fault, Body: e.Body})
		if n := len(d.Attempts); n > keptAttempts {
			d.Attempts = append([]DeliveryAttempt{}, d.Attempts[n-keptAttempts:]...)
		}
		d.Due = time.Time{}
		if e.Delivered {
			d.Status = DeliveryDelivered
		} else if e.Next != nil {
			d.Due = e.Next.UTC()
		}
	}),
	engine.On(engine.ByStream, func(d *Delivery, _ events.Recorded, _ events.DeliveryExhausted) {
		d.end(DeliveryExhausted)
	}),
	engine.On(engine.ByStream, func(d *Delivery, _ events.Recorded, e events.DeliverySuperseded) {
		d.end(DeliverySuperseded)
		d.SupersededBy = e.By
	}),
	engine.On(engine.ByStream, func(d *Delivery, _ events.Recorded, _ events.DeliveryCancelled) {
		d.end(DeliveryCancelled)
	}),
	engine.On(engine.ByStream, func(d *Delivery, _ events.Recorded, e events.DeliveryResent) {
		d.Status, d.Due, d.Webhook, d.SupersededBy = DeliveryPending, e.Due.UTC(), e.Webhook, ""
	}),
	engine.Listed[Delivery](func(_ events.Recorded, e events.DeliveryScheduled) string { return e.Company }),
	engine.Attributes(func(d *Delivery) map[string]string {
		return map[string]string{"status": d.Status, "code": d.Code, "document": d.Document,
			"created": instant(d.CreatedAt), "scheduled": ordered(d.Scheduled)}
	},
		tables.Attribute{Name: "status", Indexed: true, Fold: true},
		tables.Attribute{Name: "code", Fold: true},
		tables.Attribute{Name: "document", Indexed: true},
		tables.Attribute{Name: "created", Indexed: true},
		tables.Attribute{Name: "scheduled", Indexed: true},
	),
)

// documentOf is the document that a payload names. The event names only that of an
// invoice, since the deliveries of others keep no order among each other.
func documentOf(payload json.RawMessage) string {
	var named struct {
		Document string `json:"document_id"`
	}
	if json.Unmarshal(payload, &named) != nil {
		return "" // a payload that is no object names none
	}
	return named.Document
}

func (d *Delivery) end(status string) { d.Status, d.Due = status, time.Time{} }

// instant is a time as an attribute: its order as text is that of time.
func instant(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000000Z") }

// ordered is a position as an attribute: its order as text is that of the log.
func ordered(p events.Position) string { return fmt.Sprintf("%020d/%020d", p.Commit, p.Prepare) }

// DeliveryQuery asks for deliveries of one company, newest first. Empty members do not
// filter; the others must all hold.
type DeliveryQuery struct {
	Company string
	Page    engine.Page

	Status   string // in any case
	Code     string // in any case
	Document string
	From     time.Time       // of scheduling, included
	To       time.Time       // of scheduling, not included
	Since    events.Position // of scheduling, not included
	Until    events.Position // of scheduling, included
}

// GetDelivery reads a delivery; whose it is, is for the caller to check.
func (r *Reader) GetDelivery(ctx context.Context, id string) (Delivery, error) {
	return engine.Get[Delivery](ctx, r, Deliveries, id)
}

// ListDeliveries reads a page.
func (r *Reader) ListDeliveries(ctx context.Context, q DeliveryQuery) (engine.List[Delivery], error) {
	var filters []tables.Filter
	add := func(attribute string, op tables.Op, value string) {
		if value != "" {
			filters = append(filters, tables.Filter{Attribute: attribute, Op: op, Value: value})
		}
	}
	add("status", tables.EqualFold, q.Status)
	add("code", tables.EqualFold, q.Code)
	add("document", tables.Equal, q.Document)
	if !q.From.IsZero() {
		add("created", tables.AtLeast, instant(q.From))
	}
	if !q.To.IsZero() {
		add("created", tables.AtMost, instant(q.To.Add(-time.Microsecond)))
	}
	if !q.Since.IsZero() {
		add("scheduled", tables.AtLeast, ordered(events.Position{Commit: q.Since.Commit, Prepare: q.Since.Prepare + 1}))
	}
	if !q.Until.IsZero() {
		add("scheduled", tables.AtMost, ordered(q.Until))
	}
	q.Page.Filters = filters
	return engine.Find[Delivery](ctx, r, Deliveries, q.Company, q.Page)
}
