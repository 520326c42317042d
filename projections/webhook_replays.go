package projections

import (
	"context"
	"time"

	"folio/events"
	"folio/projections/engine"
)

// WebhookReplay is how far a replay of deliveries came.
type WebhookReplay struct {
	engine.Place

	ID        string          `json:"id"`
	Company   string          `json:"company"`
	From      *time.Time      `json:"from,omitzero"`
	To        *time.Time      `json:"to,omitzero"`
	Since     events.Position `json:"since"`
	Codes     []string        `json:"codes,omitzero"`
	Planned   int64           `json:"planned"`
	Done      int64           `json:"done"`
	Status    string          `json:"status"`     // running, finished or cancelled
	CreatedAt time.Time       `json:"created_at"` // UTC
	EndedAt   time.Time       `json:"ended_at,omitzero"`
}

// WebhookReplays keeps each replay, in the list of its company. Each delivery that is sent
// again counts at once; those that are left alone do with the next progress.
var WebhookReplays = engine.Define("webhook_replays", 2,
	engine.On(engine.ByStream, func(d *WebhookReplay, r events.Recorded, e events.ReplayStarted) {
		d.ID, d.Company, d.From, d.To, d.Since, d.Codes = e.Replay, e.Company, e.From, e.To, e.Since, e.Codes
		d.Planned, d.Status, d.CreatedAt = e.Planned, "running", r.Meta.At.UTC()
	}),
	engine.On(func(_ events.Recorded, e events.DeliveryResent) string { return e.Replay },
		func(d *WebhookReplay, _ events.Recorded, _ events.DeliveryResent) { d.Done++ }),
	engine.On(engine.ByStream, func(d *WebhookReplay, _ events.Recorded, e events.ReplayProgressed) { d.Done = e.Done }),
	engine.On(engine.ByStream, func(d *WebhookReplay, r events.Recorded, e events.ReplayFinished) {
		d.Done, d.Status, d.EndedAt = e.Done, "finished", r.Meta.At.UTC()
	}),
	engine.On(engine.ByStream, func(d *WebhookReplay, r events.Recorded, _ events.ReplayCancelled) {
		d.Status, d.EndedAt = "cancelled", r.Meta.At.UTC()
	}),
	engine.Listed[WebhookReplay](func(_ events.Recorded, e events.ReplayStarted) string { return e.Company }),
)

// GetReplay reads a replay; whose it is, is for the caller to check.
func (r *Reader) GetReplay(ctx context.Context, id string) (WebhookReplay, error) {
	return engine.Get[WebhookReplay](ctx, r, WebhookReplays, id)
}

// ListReplays reads a page of a company's replays, the newest first.
func (r *Reader) ListReplays(ctx context.Context, company string,
	page engine.Page) (engine.List[WebhookReplay], error) {
	return engine.Find[WebhookReplay](ctx, r, WebhookReplays, company, page)
}
