// Code generated from the OpenAPI document by apidoc/derive. DO NOT EDIT.

package client

import (
	"context"
)

// ListWebhookEvents: The events that can be subscribed to
func (c Client) ListWebhookEvents(ctx context.Context) (out []WebhookEvent, err error) {
	err = c.Do(ctx, "GET",
		"/api/companies/webhooks/events", nil, &out)
	return out, err
}

// ListWebhooks: List the subscription. A list of one, or empty.
func (c Client) ListWebhooks(
	ctx context.Context, company string,
) (out []Webhook, err error) {
	err = c.Do(ctx, "GET",
		address("/api/companies/{}/webhooks", company), nil, &out)
	return out, err
}

// Subscribe a callback URL. A company has one. The secret that signs deliveries is shown this
// once.
func (c Client) Subscribe(
	ctx context.Context, company string, body SubscribeBody,
) (out Webhook, err error) {
	err = c.Do(ctx, "POST",
		address("/api/companies/{}/webhooks", company), body, &out)
	return out, err
}

// RemoveWebhook: Remove the subscription
func (c Client) RemoveWebhook(
	ctx context.Context, company, webhook string,
) error {
	return c.Do(ctx, "DELETE",
		address("/api/companies/{}/webhooks/{}", company, webhook), nil, nil)
}

// ReadWebhook: Read the subscription
func (c Client) ReadWebhook(
	ctx context.Context, company, webhook string,
) (out Webhook, err error) {
	err = c.Do(ctx, "GET",
		address("/api/companies/{}/webhooks/{}", company, webhook), nil, &out)
	return out, err
}

// ChangeWebhook: Change or pause the subscription. It takes what a read answers.
func (c Client) ChangeWebhook(
	ctx context.Context, company, webhook string, body ChangeWebhookBody,
) (out Webhook, err error) {
	err = c.Do(ctx, "PUT",
		address("/api/companies/{}/webhooks/{}", company, webhook), body, &out)
	return out, err
}

// ListDeliveries: List deliveries. The newest first.
func (c Client) ListDeliveries(
	ctx context.Context, company, webhook string, query ListDeliveriesQuery,
) (out ListDeliveriesAnswer, err error) {
	err = c.Do(ctx, "GET",
		address("/api/companies/{}/webhooks/{}/deliveries", company, webhook)+encoded(query), nil, &out)
	return out, err
}

// ReadDelivery: Read a delivery with its attempts
func (c Client) ReadDelivery(
	ctx context.Context, company, webhook, delivery string,
) (out Delivery, err error) {
	err = c.Do(ctx, "GET",
		address("/api/companies/{}/webhooks/{}/deliveries/{}", company, webhook, delivery), nil, &out)
	return out, err
}

// Resend: Send a delivery again
func (c Client) Resend(
	ctx context.Context, company, webhook, delivery string,
) (out ResendAnswer, err error) {
	err = c.Do(ctx, "POST",
		address("/api/companies/{}/webhooks/{}/deliveries/{}/resend", company, webhook, delivery), nil, &out)
	return out, err
}

// Ping: Send a trial delivery. It is sent once.
func (c Client) Ping(
	ctx context.Context, company, webhook string,
) (out PingAnswer, err error) {
	err = c.Do(ctx, "POST",
		address("/api/companies/{}/webhooks/{}/ping", company, webhook), nil, &out)
	return out, err
}

// ListReplays: List replays
func (c Client) ListReplays(
	ctx context.Context, company, webhook string, query ListReplaysQuery,
) (out ListReplaysAnswer, err error) {
	err = c.Do(ctx, "GET",
		address("/api/companies/{}/webhooks/{}/replays", company, webhook)+encoded(query), nil, &out)
	return out, err
}

// StartReplay: Send the deliveries of a period again. With `dry_run` it only counts them: 200.
func (c Client) StartReplay(
	ctx context.Context, company, webhook string, body StartReplayBody,
) (out Replay, err error) {
	err = c.Do(ctx, "POST",
		address("/api/companies/{}/webhooks/{}/replays", company, webhook), body, &out)
	return out, err
}

// CancelReplay: Cancel a replay
func (c Client) CancelReplay(
	ctx context.Context, company, webhook, replay string,
) error {
	return c.Do(ctx, "DELETE",
		address("/api/companies/{}/webhooks/{}/replays/{}", company, webhook, replay), nil, nil)
}

// ReadReplay: Read a replay
func (c Client) ReadReplay(
	ctx context.Context, company, webhook, replay string,
) (out Replay, err error) {
	err = c.Do(ctx, "GET",
		address("/api/companies/{}/webhooks/{}/replays/{}", company, webhook, replay), nil, &out)
	return out, err
}

// RotateSecret: Change the signing secret. Both sign for `overlap_hours`, 24 unless given.
func (c Client) RotateSecret(
	ctx context.Context, company, webhook string, body RotateSecretBody,
) (out Webhook, err error) {
	err = c.Do(ctx, "POST",
		address("/api/companies/{}/webhooks/{}/rotate-secret", company, webhook), body, &out)
	return out, err
}
