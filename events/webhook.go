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
	Events      []string `json:"events"` // ISE, REC, CER, ENU, OUT
	Description string   `json:"description,omitempty"`
	Secret      string   `json:"secret"` // reference into the vault: the signing secret
}

var _ = define[WebhookSubscribed]("webhook", "WebhookSubscribed")

// WebhookChanged replaces URL, codes, description and status.
type WebhookChanged struct {
	Fact        `json:"-"`
	URL         string   `json:"url"`
	Events      []string `json:"events"`
	Description string   `json:"description,omitempty"`
	Status      string   `json:"status"` // active or paused
}

var _ = define[WebhookChanged]("webhook", "WebhookChanged")

// WebhookSecretRotated: deliveries are signed with the new secret, and until Overlap
// with the old one too.
type WebhookSecretRotated struct {
	Fact    `json:"-"`
	Secret  string    `json:"secret"` // reference into the vault
	Overlap time.Time `json:"overlap"`
}

var _ = define[WebhookSecretRotated]("webhook", "WebhookSecretRotated")

// WebhookRemoved: the company has no callback URL any more.
type WebhookRemoved struct {
	Fact `json:"-"`
}

var _ = define[WebhookRemoved]("webhook", "WebhookRemoved")

// DeliveryScheduled: this payload is owed to the company's callback URL. Its stream is
// named for what caused it, so that nothing is owed twice.
type DeliveryScheduled struct {
	Fact     `json:"-"`
	Delivery string          `json:"delivery"` // id of the event that caused it, also the webhook-id header
	Company  string          `json:"company"`
	Webhook  int64           `json:"webhook"`
	Code     string          `json:"code"`               // ISE, REC, CER, ENU, OUT or PING
	Document string          `json:"document,omitempty"` // what it is about: deliveries of one document keep their order
	Payload  json.RawMessage `json:"payload"`            // without attempt, which each attempt adds
	Due      time.Time       `json:"due"`
}

var _ = define[DeliveryScheduled]("delivery", "DeliveryScheduled")

// DeliveryAttempted: the payload was sent once more; this is what came back.
type DeliveryAttempted struct {
	Fact         `json:"-"`
	Company      string     `json:"company"`
	Document     string     `json:"document,omitempty"`
	Series       int        `json:"series"`  // from 1: each resend begins another
	Attempt      int        `json:"attempt"` // within the series, from 1
	URL          string     `json:"url"`
	Started      time.Time  `json:"started"`
	Milliseconds int64      `json:"milliseconds"`     // from the start of the connection to the headers, or to the failure
	Status       int        `json:"status,omitempty"` // HTTP status, 0 when none came
	Delivered    bool       `json:"delivered"`        // 200 within 1000 ms
	Outcome      string     `json:"outcome"`          // a stable word: delivered, status, timeout, refused, ...
	Fault        string     `json:"fault,omitempty"`
	Body         string     `json:"body,omitempty"` // of the answer, at most 4 KiB
	Next         *time.Time `json:"next,omitempty"` // when it is tried again
}

var _ = define[DeliveryAttempted]("delivery", "DeliveryAttempted")

// DeliveryExhausted: the last attempt failed; nothing more is sent unless somebody
// asks for it.
type DeliveryExhausted struct {
	Fact     `json:"-"`
	Company  string `json:"company"`
	Document string `json:"document,omitempty"`
}

var _ = define[DeliveryExhausted]("delivery", "DeliveryExhausted")

// DeliveryResent: somebody asked for the delivery to be sent again, to the callback
// URL as it is now. It begins a new series of attempts.
type DeliveryResent struct {
	Fact     `json:"-"`
	Company  string    `json:"company"`
	Document string    `json:"document,omitempty"`
	Webhook  int64     `json:"webhook"`
	Code     string    `json:"code"`
	Series   int       `json:"series"`           // that begins, from 2
	Replay   string    `json:"replay,omitempty"` // the replay that asked, if one did
	Due      time.Time `json:"due"`
}

var _ = define[DeliveryResent]("delivery", "DeliveryResent")

// DeliverySuperseded: a later delivery of the same document reached the receiver, so
// this one would only take it back.
type DeliverySuperseded struct {
	Fact     `json:"-"`
	Company  string `json:"company"`
	Document string `json:"document,omitempty"`
	By       string `json:"by"` // delivery id
}

var _ = define[DeliverySuperseded]("delivery", "DeliverySuperseded")

// DeliveryCancelled: nothing more is sent, because the subscription that it was owed
// to is gone.
type DeliveryCancelled struct {
	Fact     `json:"-"`
	Company  string `json:"company"`
	Document string `json:"document,omitempty"`
	Reason   string `json:"reason"`
}

var _ = define[DeliveryCancelled]("delivery", "DeliveryCancelled")

// ReplayStarted: the company asked for its deliveries of a period, or since a position
// of the log, to be sent again to its callback URL as it is now.
type ReplayStarted struct {
	Fact    `json:"-"`
	Replay  string     `json:"replay"` // ULID
	Company string     `json:"company"`
	Webhook int64      `json:"webhook"`
	From    *time.Time `json:"from,omitempty"`  // of scheduling, included
	To      *time.Time `json:"to,omitempty"`    // of scheduling, not included
	Since   Position   `json:"since"`           // only deliveries scheduled after it; zero: from the beginning
	Codes   []string   `json:"codes,omitempty"` // empty: all
	Planned int64      `json:"planned"`         // how many there were when it was asked for
}

var _ = define[ReplayStarted]("replay", "ReplayStarted")

// ReplayProgressed: so many deliveries were asked for again, up to a position.
type ReplayProgressed struct {
	Fact    `json:"-"`
	Done    int64    `json:"done"`
	Reached Position `json:"reached"`
}

var _ = define[ReplayProgressed]("replay", "ReplayProgressed")

// ReplayFinished: every delivery that the replay covers was asked for again.
type ReplayFinished struct {
	Fact `json:"-"`
	Done int64 `json:"done"`
}

var _ = define[ReplayFinished]("replay", "ReplayFinished")

// ReplayCancelled: no further delivery is asked for again; those that were stay.
type ReplayCancelled struct {
	Fact `json:"-"`
}

var _ = define[ReplayCancelled]("replay", "ReplayCancelled")
