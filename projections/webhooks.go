package projections

import (
	"context"
	"fmt"
	"time"

	"folio/events"
	"folio/projections/engine"
)

// Webhook is a company's subscription, or what is left of one that was removed.
type Webhook struct {
	engine.Place

	Company     string    `json:"company"`
	ID          int64     `json:"id"` // 0 after the removal
	URL         string    `json:"url"`
	Events      []string  `json:"events"`
	Description string    `json:"description,omitzero"`
	Status      string    `json:"status"`
	CreatedAt   time.Time `json:"created_at"`          // UTC
	Overlap     time.Time `json:"overlap,omitzero"`    // UTC: until then the secret before signs too
	RotatedAt   time.Time `json:"rotated_at,omitzero"` // UTC
}

// Webhooks keeps the subscription of each company, by the company's id.
var Webhooks = engine.Define("webhooks", 1,
	engine.OfStream[Webhook]("webhook"),
	engine.On(engine.ByStream, func(d *Webhook, r events.Recorded, e events.WebhookSubscribed) {
		*d = Webhook{Company: e.Company, ID: e.Webhook, URL: e.URL, Events: e.Events, Description: e.Description,
			Status: "active", CreatedAt: r.Meta.At.UTC().Truncate(time.Millisecond)}
	}),
	engine.On(engine.ByStream, func(d *Webhook, _ events.Recorded, e events.WebhookChanged) {
		d.URL, d.Events, d.Description, d.Status = e.URL, e.Events, e.Description, e.Status
	}),
	engine.On(engine.ByStream, func(d *Webhook, r events.Recorded, e events.WebhookSecretRotated) {
		d.Overlap, d.RotatedAt = e.Overlap.UTC(), r.Meta.At.UTC()
	}),
	engine.On(engine.ByStream, func(d *Webhook, _ events.Recorded, _ events.WebhookRemoved) {
		*d = Webhook{Company: d.Company}
	}),
)

// GetWebhook reads a company's subscription; ErrNotFound when it has none.
func (r *Reader) GetWebhook(ctx context.Context, company string) (Webhook, error) {
	w, err := engine.Get[Webhook](ctx, r, Webhooks, company)
	if err == nil && w.ID == 0 {
		err = fmt.Errorf("the webhook of company %s was removed: %w", company, engine.ErrNotFound)
	}
	return w, err
}
