package projections_test

import (
	"encoding/json"
	"testing"
	"time"

	"folio/events"
	"folio/projections"
	"folio/projections/projectiontest"
)

func TestWebhooksAreShownUntilTheyAreRemoved(t *testing.T) {
	overlap := projectiontest.Start.Add(24 * time.Hour)
	projectiontest.Check(t, projections.Webhooks, []given{
		{Stream: "webhook-C1", Event: events.WebhookSubscribed{Company: "C1", Webhook: 7, URL: "https://a.test",
			Events: []string{"ISE"}, Secret: "s"}},
		{Stream: "webhook-C2", Event: events.WebhookSubscribed{Company: "C2", Webhook: 8, URL: "https://b.test",
			Events: []string{"ISE"}, Secret: "s"}},
		{Stream: "webhook-C1", Event: events.WebhookChanged{URL: "https://c.test", Events: []string{"ISE", "CER"},
			Description: "d", Status: "paused"}},
		{Stream: "webhook-C1", Event: events.WebhookSecretRotated{Secret: "t", Overlap: overlap}},
		{Stream: "webhook-C2", Event: events.WebhookRemoved{}},
	},
		projectiontest.Want{ID: "C1", JSON: `{"company":"C1","id":7,"url":"https://c.test","events":["ISE","CER"],"description":"d","status":"paused",
			"created_at":"2026-03-02T15:00:00Z","overlap":"2026-03-03T15:00:00Z","rotated_at":"2026-03-02T15:03:00Z"}`},
		projectiontest.Want{ID: "C2", JSON: `{"company":"C2","id":0,"url":"","events":[],"status":"","created_at":"0001-01-01T00:00:00Z"}`},
	)
}

func TestDeliveriesShowEveryAttemptAndHowTheyEnded(t *testing.T) {
	at := projectiontest.Start
	next := at.Add(5 * time.Second)
	scheduled := func(id string) events.DeliveryScheduled {
		return events.DeliveryScheduled{Delivery: id, Company: "C1", Webhook: 7, Code: "ISE", Document: "I1",
			Payload: json.RawMessage(`{"a":1}`), Due: at}
	}
	projectiontest.Check(t, projections.Deliveries, []given{
		{Stream: "delivery-D1", Event: scheduled("D1")},
		{Stream: "delivery-D2", Event: scheduled("D2")},
		{Stream: "delivery-D1", Event: events.DeliveryAttempted{Company: "C1", Series: 1, Attempt: 1, URL: "https://a.test",
			Started:      at,
			Milliseconds: 41, Status: 500, Outcome: "status", Fault: "no", Body: "later", Next: &next}},
		{Stream: "delivery-D2", Event: events.DeliveryAttempted{Company: "C1", Series: 1, Attempt: 1, URL: "https://a.test",
			Started:      at,
			Milliseconds: 7, Status: 200, Outcome: "delivered", Delivered: true}},
		{Stream: "delivery-D1", Event: events.DeliverySuperseded{Company: "C1", By: "D2"}},
		{Stream: "delivery-D2", Event: events.DeliveryResent{Company: "C1", Webhook: 8, Code: "ISE", Series: 2, Due: next}},
	},
		projectiontest.Want{ID: "D1", List: "C1", Ordinal: 1,
			Attributes: map[string]string{"status": "superseded", "code": "ISE", "document": "I1",
				"created":   "2026-03-02T15:00:00.000000Z",
				"scheduled": "00000000000000000100/00000000000000000100"},
			JSON: `{"id":"D1","company":"C1","webhook":7,"code":"ISE","document":"I1","payload":{"a":1},"status":"superseded","created_at":"2026-03-02T15:00:00Z",
			"by":"D2","scheduled":{"commit":100,"prepare":100},"attempts":[{"series":1,"attempt":1,"url":"https://a.test","started":"2026-03-02T15:00:00Z",
			"milliseconds":41,"status":500,"outcome":"status","fault":"no","body":"later"}]}`},
		projectiontest.Want{ID: "D2", List: "C1", Ordinal: 2,
			JSON: `{"id":"D2","company":"C1","webhook":8,"code":"ISE","document":"I1","payload":{"a":1},"status":"pending","created_at":"2026-03-02T15:01:00Z",
			"due":"2026-03-02T15:00:05Z","scheduled":{"commit":110,"prepare":110},"attempts":[{"series":1,"attempt":1,"url":"https://a.test",
			"started":"2026-03-02T15:00:00Z","milliseconds":7,"status":200,"outcome":"delivered"}]}`},
	)
}

func TestDeliveriesOfNoticesAreFoundByTheDocumentThatTheyTellOf(t *testing.T) {
	projectiontest.Check(t, projections.Deliveries, []given{
		{Stream: "delivery-D1", Event: events.DeliveryScheduled{Delivery: "D1", Company: "C1", Webhook: 7, Code: "REC",
			Payload: json.RawMessage(`{"document_id":"P1"}`), Due: projectiontest.Start}},
		{Stream: "delivery-D2", Event: events.DeliveryScheduled{Delivery: "D2", Company: "C1", Webhook: 7, Code: "PING",
			Payload: json.RawMessage(`{"event":"PING"}`), Due: projectiontest.Start}},
	},
		projectiontest.Want{ID: "D1", List: "C1", Ordinal: 1,
			Attributes: map[string]string{"status": "pending", "code": "REC", "document": "P1",
				"created": "2026-03-02T15:00:00.000000Z", "scheduled": "00000000000000000100/00000000000000000100"},
			JSON: `{"id":"D1","company":"C1","webhook":7,"code":"REC","document":"P1","payload":{"document_id":"P1"},"status":"pending","created_at":"2026-03-02T15:00:00Z",
			"due":"2026-03-02T15:00:00Z","attempts":[],"scheduled":{"commit":100,"prepare":100}}`},
		projectiontest.Want{ID: "D2", List: "C1", Ordinal: 2,
			JSON: `{"id":"D2","company":"C1","webhook":7,"code":"PING","payload":{"event":"PING"},"status":"pending","created_at":"2026-03-02T15:01:00Z",
			"due":"2026-03-02T15:00:00Z","attempts":[],"scheduled":{"commit":110,"prepare":110}}`},
	)
}

func TestReplaysShowHowFarTheyCame(t *testing.T) {
	from := projectiontest.Start
	projectiontest.Check(t, projections.WebhookReplays, []given{
		{Stream: "replay-R1", Event: events.ReplayStarted{Replay: "R1", Company: "C1", Webhook: 7, From: &from,
			Codes: []string{"ISE"}, Planned: 9}},
		{Stream: "replay-R1", Event: events.ReplayProgressed{Done: 4, Reached: events.Position{Commit: 50, Prepare: 50}}},
		{Stream: "replay-R2", Event: events.ReplayStarted{Replay: "R2", Company: "C1", Webhook: 7,
			Since: events.Position{Commit: 9, Prepare: 9}, Planned: 2}},
		{Stream: "delivery-D1", Event: events.DeliveryResent{Company: "C1", Series: 2, Replay: "R2"}},
		{Stream: "delivery-D2", Event: events.DeliveryResent{Company: "C1", Series: 2}},
		{Stream: "replay-R1", Event: events.ReplayFinished{Done: 9}},
		{Stream: "replay-R2", Event: events.ReplayCancelled{}},
	},
		projectiontest.Want{ID: "R1", List: "C1", Ordinal: 1,
			JSON: `{"id":"R1","company":"C1","from":"2026-03-02T15:00:00Z","since":{"commit":0,"prepare":0},
			"codes":["ISE"],"planned":9,"done":9,"status":"finished","created_at":"2026-03-02T15:00:00Z","ended_at":"2026-03-02T15:05:00Z"}`},
		projectiontest.Want{ID: "R2", List: "C1", Ordinal: 2,
			JSON: `{"id":"R2","company":"C1","since":{"commit":9,"prepare":9},
			"planned":2,"done":1,"status":"cancelled","created_at":"2026-03-02T15:02:00Z","ended_at":"2026-03-02T15:06:00Z"}`},
	)
}
