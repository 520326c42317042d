// Code generated from the OpenAPI document by apidoc/derive. DO NOT EDIT.

package client

import (
	"encoding/json"
)

// StatusChanged is the payload of ISE: field for field the specification's, and some beside it.
type StatusChanged struct {
	// Each attempt adds its own.
	Attempt int64 `json:"attempt"`
	// CAE, track id or security code.
	AuthorizationCode string `json:"authorization_code"`
	// DD/MM/YYYY HH:MM:SS, local.
	AuthorizationExpirationDate string `json:"authorization_expiration_date"`
	// What the printed code says.
	AuthorizationQR string `json:"authorization_qr"`
	// Which kind of authorization it is.
	AuthorizationType string `json:"authorization_type"`
	// When it was made, RFC 3339 in UTC.
	CreatedAt string `json:"created_at"`
	// The id of what the event is about.
	DocumentID string `json:"document_id"`
	// Production or Testing; empty before it is submitted.
	Environment string `json:"environment"`
	// What the authority said against it.
	ErrorMessage string `json:"error_message"`
	// ISE, REC, CER, ENU or OUT.
	Event string `json:"event"`
	// Your own name of the document; it can be searched for.
	ExternalReference string `json:"external_reference"`
	// True of a rejected document that was handed over before; else absent.
	HandedOver bool `json:"handed_over"`
	// The company's id.
	IDCompany string `json:"id_company"`
	// What to do about that; else absent.
	NextStep string `json:"next_step"`
	// NoFiscalValue is true of a document that an authority of trial accepted, the sandbox
	// included; else absent.
	NoFiscalValue bool `json:"no_fiscal_value"`
	// As the record has it, once it is final; empty before.
	Number string `json:"number"`
	// Where it stands.
	Status string `json:"status"`
}

// PurchaseNoticed is the payload of REC.
type PurchaseNoticed struct {
	// Which attempt this is, from 1.
	Attempt int64 `json:"attempt"`
	// When it was made, RFC 3339 in UTC.
	CreatedAt string `json:"created_at"`
	// ISO 4217
	Currency *string `json:"currency"`
	// YYYY-MM-DD, local.
	Date string `json:"date"`
	// The id of what the event is about.
	DocumentID string `json:"document_id"`
	// ISE, REC, CER, ENU or OUT.
	Event string `json:"event"`
	// One of GET /api/document-types, or the authority's code.
	InvoiceType string `json:"invoice_type"`
	// The document's number; null before it has one.
	Number string `json:"number"`
	// The letter that belongs to the number; null where there is none.
	Series *string `json:"series"`
	// The supplier's tax identifier.
	SupplierDocumentNumber string `json:"supplier_document_number"`
	// What is paid.
	Total json.Number `json:"total"`
	// How far it was verified.
	Verification string `json:"verification"`
}

// CertificateNoticed is the payload of CER.
type CertificateNoticed struct {
	// Which attempt this is, from 1.
	Attempt int64 `json:"attempt"`
	// When it was made, RFC 3339 in UTC.
	CreatedAt string `json:"created_at"`
	// Which of the seven notices.
	DaysBefore int64 `json:"days_before"`
	// The certificate's id.
	DocumentID string `json:"document_id"`
	// Production or Testing.
	Environment string `json:"environment"`
	// ISE, REC, CER, ENU or OUT.
	Event string `json:"event"`
	// DD/MM/YYYY HH:MM:SS, local.
	ExpirationDate string `json:"expiration_date"`
	// Hexadecimal.
	SerialNumber string `json:"serial_number"`
	// Of the certificate.
	Subject string `json:"subject"`
}

// NumberingNoticed is the payload of ENU.
type NumberingNoticed struct {
	// Which attempt this is, from 1.
	Attempt int64 `json:"attempt"`
	// When it was made, RFC 3339 in UTC.
	CreatedAt string `json:"created_at"`
	// Of expiry: 7, 1, 0, -1.
	DaysBefore *int64 `json:"days_before"`
	// The range's id_enumeration.
	DocumentID string `json:"document_id"`
	// ISE, REC, CER, ENU or OUT.
	Event string `json:"event"`
	// DD/MM/YYYY HH:MM:SS, its last day.
	ExpirationDate *string `json:"expiration_date"`
	// The first of it.
	From int64 `json:"from"`
	// An id of GET /api/document-types.
	IDDocumentType int64 `json:"id_document_type"`
	// Quantity or expiry.
	Kind string `json:"kind"`
	// Of quantity: 1 low, 2 at one, 3 at none.
	Notice *int64 `json:"notice"`
	// How many numbers are left.
	Remaining int64 `json:"remaining"`
	// The last of it.
	To int64 `json:"to"`
}

// WebhookEvent is one line of the list of events that can be subscribed to.
type WebhookEvent struct {
	// Stable, for machines.
	Code string `json:"code"`
	// Free text.
	Description string `json:"description"`
	// A payload of this event.
	Example json.RawMessage `json:"example"`
}

// Webhook is a company's subscription.
type Webhook struct {
	// When it was made, RFC 3339 in UTC.
	CreatedAt string `json:"created_at"`
	// Free text.
	Description string `json:"description"`
	// Codes of the events that are sent.
	Events []string `json:"events"`
	// The record's id.
	ID int64 `json:"id"`
	// PreviousSecretUntil is when the secret before it stops signing too.
	PreviousSecretUntil *string `json:"previous_secret_until"`
	// Secret signs deliveries; it is shown once, where it was made.
	Secret string `json:"secret"`
	// Active or paused.
	Status string `json:"status"`
	// Where deliveries go: https, and no private address.
	URL string `json:"url"`
}

// SubscribeBody: see the operation that has it.
type SubscribeBody struct {
	// Free text.
	Description string `json:"description,omitempty"`
	// Codes of the events that are sent.
	Events []string `json:"events"`
	// active, or paused where it may be
	Status string `json:"status,omitempty"`
	// Where deliveries go: https, and no private address.
	URL string `json:"url"`
}

// ChangeWebhookBody: see the operation that has it.
type ChangeWebhookBody struct {
	// When it was made, RFC 3339 in UTC.
	CreatedAt string `json:"created_at,omitempty"`
	// Free text.
	Description string `json:"description,omitempty"`
	// Codes of the events that are sent.
	Events []string `json:"events"`
	// The record's id.
	ID *int64 `json:"id,omitempty"`
	// Until when the old secret signs too.
	PreviousSecretUntil string `json:"previous_secret_until,omitempty"`
	// active, or paused where it may be
	Status string `json:"status,omitempty"`
	// Where deliveries go: https, and no private address.
	URL string `json:"url"`
}

// ListDeliveriesQuery narrows ListDeliveries; what is empty is left out.
type ListDeliveriesQuery struct {
	// Only those of this status.
	Status string `query:"status"`
	// Only those of this event's code.
	Event string `query:"event"`
	// Only those about this document.
	DocumentID string `query:"document_id"`
	// From then on: RFC 3339, or a day in UTC.
	From string `query:"from"`
	// Up to then: RFC 3339, or a day in UTC.
	To string `query:"to"`
	// Which page, from 1.
	Page string `query:"page"`
	// How many records a page has.
	PerPage string `query:"per_page"`
}

// ListDeliveriesAnswer: see the operation that has it.
type ListDeliveriesAnswer struct {
	// The records of this page.
	Data []Delivery `json:"data"`
	// The `cursor` of the next page; null at the end, and where a list has none.
	NextCursor *string `json:"next_cursor"`
	// The number of the page, from 1.
	Page int64 `json:"page"`
	// How many records a page has at most.
	PerPage int64 `json:"per_page"`
	// How many pages there are.
	TotalPages int64 `json:"total_pages"`
	// How many records there are.
	TotalResults int64 `json:"total_results"`
}

// Delivery is one payload that is or was owed to the callback URL.
type Delivery struct {
	// What was tried.
	Attempts []DeliveryAttempt `json:"attempts"`
	// When it was made, RFC 3339 in UTC.
	CreatedAt string `json:"created_at"`
	// The id of what the event is about.
	DocumentID *string `json:"document_id"`
	// ISE, REC, CER, ENU or OUT.
	Event string `json:"event"`
	// The webhook-id header.
	ID string `json:"id"`
	// Null when none is due.
	NextAttemptAt *string `json:"next_attempt_at"`
	// What is sent.
	Payload json.RawMessage `json:"payload"`
	// In the log, for replays.
	Position string `json:"position"`
	// Pending, delivered, exhausted, superseded or cancelled.
	Status string `json:"status"`
	// The delivery that says more.
	SupersededBy *string `json:"superseded_by"`
}

// DeliveryAttempt is one sending and what came back.
type DeliveryAttempt struct {
	// Which attempt this is, from 1.
	Attempt int64 `json:"attempt"`
	// What went wrong, empty for nothing.
	Fault string `json:"fault"`
	// How long the receiver took, in milliseconds.
	LatencyMs int64 `json:"latency_ms"`
	// Delivered, or what went wrong.
	Outcome string `json:"outcome"`
	// At most 4 KiB.
	ResponseBody string `json:"response_body"`
	// Null when no answer came.
	ResponseStatus *int64 `json:"response_status"`
	// counts the resends, from 1
	Series int64 `json:"series"`
	// When it was sent.
	StartedAt string `json:"started_at"`
	// Where deliveries go: https, and no private address.
	URL string `json:"url"`
}

// ResendAnswer: see the operation that has it.
type ResendAnswer struct {
	// The id of the delivery.
	DeliveryID string `json:"delivery_id"`
}

// PingAnswer: see the operation that has it.
type PingAnswer struct {
	// The id of the delivery.
	DeliveryID string `json:"delivery_id"`
}

// ListReplaysQuery narrows ListReplays; what is empty is left out.
type ListReplaysQuery struct {
	// Which page, from 1.
	Page string `query:"page"`
	// How many records a page has.
	PerPage string `query:"per_page"`
}

// ListReplaysAnswer: see the operation that has it.
type ListReplaysAnswer struct {
	// The records of this page.
	Data []Replay `json:"data"`
	// The `cursor` of the next page; null at the end, and where a list has none.
	NextCursor *string `json:"next_cursor"`
	// The number of the page, from 1.
	Page int64 `json:"page"`
	// How many records a page has at most.
	PerPage int64 `json:"per_page"`
	// How many pages there are.
	TotalPages int64 `json:"total_pages"`
	// How many records there are.
	TotalResults int64 `json:"total_results"`
}
