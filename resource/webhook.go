package resource

import (
	"time"

	"folio/money"
)

// Webhook is a company's subscription.
type Webhook struct {
	ID          int64     `json:"id"`
	URL         string    `json:"url"`
	Description string    `json:"description"`
	Events      []string  `json:"events"`
	Status      string    `json:"status"` // active or paused
	CreatedAt   time.Time `json:"created_at"`
	// Secret signs deliveries; it is shown once, where it was made.
	Secret string `json:"secret,omitzero"`
	// PreviousSecretUntil is when the secret before it stops signing too.
	PreviousSecretUntil *time.Time `json:"previous_secret_until"`
}

// StatusChanged is the payload of ISE: field for field the specification's, and some beside it.
type StatusChanged struct {
	DocumentID                  string `json:"document_id"`
	Event                       string `json:"event"`
	ExternalReference           string `json:"external_reference"`
	Status                      string `json:"status"`
	AuthorizationType           string `json:"authorization_type"`
	AuthorizationCode           string `json:"authorization_code"`
	AuthorizationExpirationDate string `json:"authorization_expiration_date"` // DD/MM/YYYY HH:MM:SS, local
	AuthorizationQR             string `json:"authorization_qr"`
	ErrorMessage                string `json:"error_message"`
	Attempt                     int    `json:"attempt,omitzero"` // each attempt adds its own
	CreatedAt                   string `json:"created_at"`

	Number      string `json:"number"` // as the record has it, once it is final; empty before
	Company     string `json:"id_company"`
	Environment string `json:"environment"` // Production or Testing; empty before it is submitted

	// NoFiscalValue is true of a document that an authority of trial accepted, the sandbox included; else absent.
	NoFiscalValue bool `json:"no_fiscal_value,omitzero"`

	HandedOver bool   `json:"handed_over,omitzero"` // true of a rejected document that was handed over before; else absent
	NextStep   string `json:"next_step,omitzero"`   // what to do about that; else absent
}

// Instant is a time of Folio's own in a payload: RFC 3339 in UTC, to the millisecond.
// It is that of the fact, so it is the same in every attempt.
func Instant(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z07:00") }

// ExpirationDate is a date YYYY-MM-DD as the specification's payloads write it, empty
// for none. The authority gives a day: its first second stands for it.
func ExpirationDate(date string) string {
	d, err := time.Parse(time.DateOnly, date)
	if err != nil {
		return ""
	}
	return d.Format("02/01/2006 15:04:05")
}

// WebhookEvent is one line of the list of events that can be subscribed to.
type WebhookEvent struct {
	Code        string `json:"code"`
	Description string `json:"description"`
	Example     any    `json:"example"`
}

// WebhookEvents are all of them: those of the specification in its order, then Folio's own.
var WebhookEvents = []WebhookEvent{
	{"ISE", "An electronic invoice changed its status.", StatusChanged{
		DocumentID: "01KJQ8M7Z0V5T3C2R1P0N9M8L7", Event: "ISE", ExternalReference: "pedido-1042", Status: "Accepted",
		AuthorizationType: "CAE", AuthorizationCode: "75123456789012",
		AuthorizationExpirationDate: ExpirationDate("2026-03-12"),
		AuthorizationQR:             "https://www.arca.gob.ar/fe/qr/?p=eyJ2ZXIiOjF9", Attempt: 1,
		CreatedAt: "2026-03-02T15:04:05.000Z", Number: "0001-00000042", Company: "01KJQ8M7Z0V5T3C2R1P0N9M8L6",
		Environment: "Production"}},
	{"REC", "A purchase invoice was received.", PurchaseNoticed{
		DocumentID: "01KJQ8M7Z0V5T3C2R1P0N9M8L7", Event: "REC", Supplier: "30500010912", InvoiceType: "1",
		Number: "0003-00001234",
		Date:   "2026-03-02", Currency: text("ARS"), Total: number(money.MustParse("121000.00")), Verification: "consistent",
		Attempt: 1, CreatedAt: "2026-03-02T15:04:05.000Z"}},
	{"CER", "A digital certificate is about to expire: 60, 45, 30, 15, 5, 2 and 1 days before.", CertificateNoticed{
		DocumentID: "01KJQ8M7Z0V5T3C2R1P0N9M8L7", Event: "CER", Subject: "SERIALNUMBER=CUIT 30712345671,CN=folio",
		SerialNumber: "1f3a",
		Environment:  "Production", ExpirationDate: "31/03/2027 23:59:59", Days: 30, Attempt: 1,
		CreatedAt: "2027-03-01T03:00:00.000Z"}},
	{"ENU", "Numbers run low (1: few, 2: one, 3: none left) or their range is about to expire (7 and 1 days before, " +
		"that day, 1 day after).", NumberingNoticed{
		DocumentID: "01KJQ8M7Z0V5T3C2R1P0N9M8L7", Event: "ENU", Kind: "quantity", DocumentType: 55, Notice: some(1),
		Remaining: 20, From: 1, To: 100,
		Attempt: 1, CreatedAt: "2026-03-02T15:04:05.000Z"}},
	{"OUT", "The authority counts as away for the company, or is back.", OutageNoticed{
		DocumentID: "01KJQ8M7Z0V5T3C2R1P0N9M8L7", Event: "OUT", State: "open", Authority: "sii", Environment: "Production",
		Cause: "calls", Since: "2026-03-02T14:58:00.000Z", Calls: 7, Attempt: 1,
		CreatedAt: "2026-03-02T15:04:05.000Z"}},
}

// Delivery is one payload that is or was owed to the callback URL.
type Delivery struct {
	ID           string            `json:"id"` // the webhook-id header
	Event        string            `json:"event"`
	DocumentID   *string           `json:"document_id"`
	Status       string            `json:"status"` // pending, delivered, exhausted, superseded or cancelled
	CreatedAt    time.Time         `json:"created_at"`
	NextAttempt  *time.Time        `json:"next_attempt_at"`
	SupersededBy *string           `json:"superseded_by"`
	Payload      any               `json:"payload"`
	Attempts     []DeliveryAttempt `json:"attempts"`
	Position     string            `json:"position"` // in the log, for replays
}

// DeliveryAttempt is one sending and what came back.
type DeliveryAttempt struct {
	Series         int       `json:"series"` // counts the resends, from 1
	Attempt        int       `json:"attempt"`
	URL            string    `json:"url"`
	StartedAt      time.Time `json:"started_at"`
	LatencyMillis  int64     `json:"latency_ms"`
	Outcome        string    `json:"outcome"`
	ResponseStatus *int      `json:"response_status"`
	ResponseBody   string    `json:"response_body"` // at most 4 KiB
	Fault          string    `json:"fault"`
}

// Replay is a company's wish to have deliveries of a period sent again.
type Replay struct {
	ID            string     `json:"id"`
	Status        string     `json:"status"` // running, finished or cancelled
	From          *time.Time `json:"from"`
	To            *time.Time `json:"to"`
	SincePosition *string    `json:"since_position"`
	Events        []string   `json:"events"`
	Planned       int64      `json:"planned"`
	Done          int64      `json:"done"`
	CreatedAt     time.Time  `json:"created_at"`
	EndedAt       *time.Time `json:"ended_at"`
}
