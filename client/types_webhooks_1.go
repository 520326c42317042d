// Code generated from the OpenAPI document by apidoc/derive. DO NOT EDIT.

package client

import (
	"encoding/json"
)

// StatusChanged: StatusChanged is the payload of ISE: field for field the specification's, and
// three beside it.
type StatusChanged struct {
	Attempt                     int64  `json:"attempt"`                       // Each attempt adds its own.
	AuthorizationCode           string `json:"authorization_code"`            // CAE, track id or security code.
	AuthorizationExpirationDate string `json:"authorization_expiration_date"` // DD/MM/YYYY HH:MM:SS, local.
	AuthorizationQR             string `json:"authorization_qr"`              // What the printed code says.
	AuthorizationType           string `json:"authorization_type"`            // Which kind of authorization it is.
	CreatedAt                   string `json:"created_at"`                    // When it was made, RFC 3339 in UTC.
	DocumentID                  string `json:"document_id"`                   // The id of what the event is about.
	Environment                 string `json:"environment"`                   // Production or Testing; empty before it is submitted.
	ErrorMessage                string `json:"error_message"`                 // What the authority said against it.
	Event                       string `json:"event"`                         // ISE, REC, CER or ENU.
	ExternalReference           string `json:"external_reference"`            // Your own name of the document; it can be searched for.
	IDCompany                   string `json:"id_company"`                    // The company's id.
	Number                      string `json:"number"`                        // As the record has it, once it is final; empty before.
	Status                      string `json:"status"`                        // Where it stands.
}

// PurchaseNoticed: PurchaseNoticed is the payload of REC.
type PurchaseNoticed struct {
	Attempt                int64       `json:"attempt"`                  // Which attempt this is, from 1.
	CreatedAt              string      `json:"created_at"`               // When it was made, RFC 3339 in UTC.
	Currency               *string     `json:"currency"`                 // ISO 4217
	Date                   string      `json:"date"`                     // YYYY-MM-DD, local.
	DocumentID             string      `json:"document_id"`              // The id of what the event is about.
	Event                  string      `json:"event"`                    // ISE, REC, CER or ENU.
	InvoiceType            string      `json:"invoice_type"`             // One of GET /api/document-types, or the authority's code.
	Number                 string      `json:"number"`                   // The document's number; null before it has one.
	Series                 *string     `json:"series"`                   // The letter that belongs to the number; null where there is none.
	SupplierDocumentNumber string      `json:"supplier_document_number"` // The supplier's tax identifier.
	Total                  json.Number `json:"total"`                    // What is paid.
	Verification           string      `json:"verification"`             // How far it was verified.
}

// CertificateNoticed: CertificateNoticed is the payload of CER.
type CertificateNoticed struct {
	Attempt        int64  `json:"attempt"`         // Which attempt this is, from 1.
	CreatedAt      string `json:"created_at"`      // When it was made, RFC 3339 in UTC.
	DaysBefore     int64  `json:"days_before"`     // Which of the seven notices.
	DocumentID     string `json:"document_id"`     // The certificate's id.
	Environment    string `json:"environment"`     // Production or Testing.
	Event          string `json:"event"`           // ISE, REC, CER or ENU.
	ExpirationDate string `json:"expiration_date"` // DD/MM/YYYY HH:MM:SS, local.
	SerialNumber   string `json:"serial_number"`   // Hexadecimal.
	Subject        string `json:"subject"`         // Of the certificate.
}

// NumberingNoticed: NumberingNoticed is the payload of ENU.
type NumberingNoticed struct {
	Attempt        int64   `json:"attempt"`          // Which attempt this is, from 1.
	CreatedAt      string  `json:"created_at"`       // When it was made, RFC 3339 in UTC.
	DaysBefore     *int64  `json:"days_before"`      // Of expiry: 7, 1, 0, -1.
	DocumentID     string  `json:"document_id"`      // The range's id_enumeration.
	Event          string  `json:"event"`            // ISE, REC, CER or ENU.
	ExpirationDate *string `json:"expiration_date"`  // DD/MM/YYYY HH:MM:SS, its last day.
	From           int64   `json:"from"`             // The first of it.
	IDDocumentType int64   `json:"id_document_type"` // An id of GET /api/document-types.
	Kind           string  `json:"kind"`             // Quantity or expiry.
	Notice         *int64  `json:"notice"`           // Of quantity: 1 low, 2 at one, 3 at none.
	Remaining      int64   `json:"remaining"`        // How many numbers are left.
	To             int64   `json:"to"`               // The last of it.
}

// WebhookEvent: WebhookEvent is one line of the list of events that can be subscribed to.
type WebhookEvent struct {
	Code        string          `json:"code"`        // Stable, for machines.
	Description string          `json:"description"` // Free text.
	Example     json.RawMessage `json:"example"`     // A payload of this event.
}

// Webhook: Webhook is a company's subscription.
type Webhook struct {
	CreatedAt           string   `json:"created_at"`            // When it was made, RFC 3339 in UTC.
	Description         string   `json:"description"`           // Free text.
	Events              []string `json:"events"`                // Codes of the events that are sent.
	ID                  int64    `json:"id"`                    // The record's id.
	PreviousSecretUntil *string  `json:"previous_secret_until"` // PreviousSecretUntil is when the secret before it stops signing too.
	Secret              string   `json:"secret"`                // Secret signs deliveries; it is shown once, where it was made.
	Status              string   `json:"status"`                // Active or paused.
	URL                 string   `json:"url"`                   // Where deliveries go: https, and no private address.
}

// SubscribeBody: see the operation that has it.
type SubscribeBody struct {
	Description string   `json:"description,omitempty"` // Free text.
	Events      []string `json:"events"`                // Codes of the events that are sent.
	Status      string   `json:"status,omitempty"`      // active, or paused where it may be
	URL         string   `json:"url"`                   // Where deliveries go: https, and no private address.
}

// ChangeWebhookBody: see the operation that has it.
type ChangeWebhookBody struct {
	CreatedAt           string   `json:"created_at,omitempty"`            // When it was made, RFC 3339 in UTC.
	Description         string   `json:"description,omitempty"`           // Free text.
	Events              []string `json:"events"`                          // Codes of the events that are sent.
	ID                  *int64   `json:"id,omitempty"`                    // The record's id.
	PreviousSecretUntil string   `json:"previous_secret_until,omitempty"` // Until when the old secret signs too.
	Status              string   `json:"status,omitempty"`                // active, or paused where it may be
	URL                 string   `json:"url"`                             // Where deliveries go: https, and no private address.
}

// ListDeliveriesQuery narrows ListDeliveries; what is empty is left out.
type ListDeliveriesQuery struct {
	Status     string `query:"status"`      // Only those of this status.
	Event      string `query:"event"`       // Only those of this event's code.
	DocumentID string `query:"document_id"` // Only those about this document.
	From       string `query:"from"`        // From then on: RFC 3339, or a day in UTC.
	To         string `query:"to"`          // Up to then: RFC 3339, or a day in UTC.
	Page       string `query:"page"`        // Which page, from 1.
	PerPage    string `query:"per_page"`    // How many records a page has.
}

// ListDeliveriesAnswer: see the operation that has it.
type ListDeliveriesAnswer struct {
	Data         []Delivery `json:"data"`          // The records of this page.
	NextCursor   *string    `json:"next_cursor"`   // The `cursor` of the next page; null at the end, and where a list has none.
	Page         int64      `json:"page"`          // The number of the page, from 1.
	PerPage      int64      `json:"per_page"`      // How many records a page has at most.
	TotalPages   int64      `json:"total_pages"`   // How many pages there are.
	TotalResults int64      `json:"total_results"` // How many records there are.
}

// Delivery: Delivery is one payload that is or was owed to the callback URL.
type Delivery struct {
	Attempts      []DeliveryAttempt `json:"attempts"`        // What was tried.
	CreatedAt     string            `json:"created_at"`      // When it was made, RFC 3339 in UTC.
	DocumentID    *string           `json:"document_id"`     // The id of what the event is about.
	Event         string            `json:"event"`           // ISE, REC, CER or ENU.
	ID            string            `json:"id"`              // The webhook-id header.
	NextAttemptAt *string           `json:"next_attempt_at"` // Null when none is due.
	Payload       json.RawMessage   `json:"payload"`         // What is sent.
	Position      string            `json:"position"`        // In the log, for replays.
	Status        string            `json:"status"`          // Pending, delivered, exhausted, superseded or cancelled.
	SupersededBy  *string           `json:"superseded_by"`   // The delivery that says more.
}

// DeliveryAttempt: DeliveryAttempt is one sending and what came back.
type DeliveryAttempt struct {
	Attempt        int64  `json:"attempt"`         // Which attempt this is, from 1.
	Fault          string `json:"fault"`           // What went wrong, empty for nothing.
	LatencyMs      int64  `json:"latency_ms"`      // How long the receiver took, in milliseconds.
	Outcome        string `json:"outcome"`         // Delivered, or what went wrong.
	ResponseBody   string `json:"response_body"`   // At most 4 KiB.
	ResponseStatus *int64 `json:"response_status"` // Null when no answer came.
	Series         int64  `json:"series"`          // counts the resends, from 1
	StartedAt      string `json:"started_at"`      // When it was sent.
	URL            string `json:"url"`             // Where deliveries go: https, and no private address.
}

// ResendAnswer: see the operation that has it.
type ResendAnswer struct {
	DeliveryID string `json:"delivery_id"` // The id of the delivery.
}

// PingAnswer: see the operation that has it.
type PingAnswer struct {
	DeliveryID string `json:"delivery_id"` // The id of the delivery.
}

// ListReplaysQuery narrows ListReplays; what is empty is left out.
type ListReplaysQuery struct {
	Page    string `query:"page"`     // Which page, from 1.
	PerPage string `query:"per_page"` // How many records a page has.
}

// ListReplaysAnswer: see the operation that has it.
type ListReplaysAnswer struct {
	Data         []Replay `json:"data"`          // The records of this page.
	NextCursor   *string  `json:"next_cursor"`   // The `cursor` of the next page; null at the end, and where a list has none.
	Page         int64    `json:"page"`          // The number of the page, from 1.
	PerPage      int64    `json:"per_page"`      // How many records a page has at most.
	TotalPages   int64    `json:"total_pages"`   // How many pages there are.
	TotalResults int64    `json:"total_results"` // How many records there are.
}

// Replay: Replay is a company's wish to have deliveries of a period sent again.
type Replay struct {
	CreatedAt     string   `json:"created_at"`     // When it was made, RFC 3339 in UTC.
	Done          int64    `json:"done"`           // How many were sent again.
	EndedAt       *string  `json:"ended_at"`       // When it ended; null while it runs.
	Events        []string `json:"events"`         // Codes of the events that are sent.
	From          *string  `json:"from"`           // RFC 3339
	ID            string   `json:"id"`             // The record's id.
	Planned       int64    `json:"planned"`        // How many deliveries it is of.
	SincePosition *string  `json:"since_position"` // Deliveries after this Folio-Position.
	Status        string   `json:"status"`         // Running, finished or cancelled.
	To            *string  `json:"to"`             // RFC 3339
}

// StartReplayBody: see the operation that has it.
type StartReplayBody struct {
	DryRun        *bool    `json:"dry_run,omitempty"`        // True only counts the deliveries.
	Events        []string `json:"events,omitempty"`         // Codes of the events that are sent.
	From          string   `json:"from,omitempty"`           // RFC 3339; deliveries from then on
	SincePosition string   `json:"since_position,omitempty"` // Deliveries after this Folio-Position.
	To            string   `json:"to,omitempty"`             // RFC 3339; deliveries before then
}

// RotateSecretBody: see the operation that has it.
type RotateSecretBody struct {
	OverlapHours *int64 `json:"overlap_hours,omitempty"` // How long the old one works too: 0 to 720, else 24.
}
