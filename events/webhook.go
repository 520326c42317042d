package events

import (
	"encoding/json"
	"time"
)

// WebhookSubscribed: the company's one callback URL, with the codes it wants to hear.
type WebhookSubscribed struct {
	Fact        `json:"-"`
	Company     string   `json:"company"`
	Webhook     int64    `json:"webhook"` // the integer id of the specification
	URL         string   `json:"url"`
	Events      []string `json:"events"` // ISE, REC, CER, ENU
	Description string   `json:"description,omitempty"`
	Secret      string   `json:"secret"` // reference into the vault: the signing secret
}

var _ = define[WebhookSubscribed]("WebhookSubscribed")

// WebhookChanged replaces URL, codes, description and status.
type WebhookChanged struct {
	Fact        `json:"-"`
	URL         string   `json:"url"`
	Events      []string `json:"events"`
	Description string   `json:"description,omitempty"`
	Status      string   `json:"status"` // active or paused
}

var _ = define[WebhookChanged]("WebhookChanged")

// WebhookSecretRotated: deliveries are signed with the new secret, and until Overlap
// with the old one too.
type WebhookSecretRotated struct {
	Fact    `json:"-"`
	Secret  string    `json:"secret"` // reference into the vault
	Overlap time.Time `json:"overlap"`
}

var _ = define[WebhookSecretRotated]("WebhookSecretRotated")

// WebhookRemoved: the company has no callback URL any more.
type WebhookRemoved struct {
	Fact `json:"-"`
}

var _ = define[WebhookRemoved]("WebhookRemoved")

// DeliveryScheduled: this payload is owed to the company's callback URL. Its stream is
// named for what caused it, so that nothing is owed twice.
type DeliveryScheduled struct {
	Fact     `json:"-"`
	Delivery string          `json:"delivery"` // id, also the webhook-id header
	Company  string          `json:"company"`
	Webhook  int64           `json:"webhook"`
	Code     string          `json:"code"`               // ISE, REC, CER, ENU or ping
	Document string          `json:"document,omitempty"` // what it is about: deliveries of one document keep their order
	Payload  json.RawMessage `json:"payload"`            // without attempt, which each attempt adds
	Due      time.Time       `json:"due"`
}

var _ = define[DeliveryScheduled]("DeliveryScheduled")

// DeliveryAttempted: the payload was sent once more; this is what came back.
type DeliveryAttempted struct {
	Fact         `json:"-"`
	Attempt      int        `json:"attempt"` // from 1
	URL          string     `json:"url"`
	Started      time.Time  `json:"started"`
	Milliseconds int64      `json:"milliseconds"`
	Status       int        `json:"status,omitempty"` // HTTP status, 0 when none came
	Delivered    bool       `json:"delivered"`        // 200 within 1000 ms
	Outcome      string     `json:"outcome"`          // a stable word: delivered, status, timeout, refused, ...
	Fault        string     `json:"fault,omitempty"`
	Body         string     `json:"body,omitempty"` // of the answer, at most 4 KiB
	Next         *time.Time `json:"next,omitempty"` // when it is tried again
}

var _ = define[DeliveryAttempted]("DeliveryAttempted")

// DeliveryExhausted: the last attempt failed; nothing more is sent unless somebody
// asks for it.
type DeliveryExhausted struct {
	Fact `json:"-"`
}

var _ = define[DeliveryExhausted]("DeliveryExhausted")

// DeliveryResent: somebody asked for the delivery to be sent again, to the callback
// URL as it is now. It begins a new series of attempts.
type DeliveryResent struct {
	Fact `json:"-"`
	Due  time.Time `json:"due"`
}

var _ = define[DeliveryResent]("DeliveryResent")

// DeliverySuperseded: a later delivery of the same document reached the receiver, so
// this one would only take it back.
type DeliverySuperseded struct {
	Fact `json:"-"`
	By   string `json:"by"` // delivery id
}

var _ = define[DeliverySuperseded]("DeliverySuperseded")
