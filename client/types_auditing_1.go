// Code generated from the OpenAPI document by apidoc/derive. DO NOT EDIT.

package client

import (
	"encoding/json"
)

// CompanyEventsQuery narrows CompanyEvents; what is empty is left out.
type CompanyEventsQuery struct {
	// How many records a page has.
	PerPage string `query:"per_page"`
	// `next_after` of the page before; of the feed, its header `Folio-Next-After`.
	After string `query:"after"`
	// As of then: a position of the log, or a time in RFC 3339.
	At string `query:"at"`
	// true: with the stored bytes in base64.
	Stored string `query:"stored"`
}

// CompanyEventsAnswer: see the operation that has it.
type CompanyEventsAnswer struct {
	// The records of this page.
	Data []Recorded `json:"data"`
	// `after` of the next page; null at the end.
	NextAfter *string `json:"next_after"`
	// How many records a page has at most.
	PerPage int64 `json:"per_page"`
}

// Recorded is one fact as an auditor sees it.
type Recorded struct {
	// Key:…, account:…, or a processor.
	Actor *string `json:"actor"`
	// The event that led to it.
	CausationID *string `json:"causation_id"`
	// Of a call: its X-Request-Id.
	CorrelationID *string `json:"correlation_id"`
	// The records.
	Data json.RawMessage `json:"data"`
	// The record's id.
	ID string `json:"id"`
	// In the transparency log; null where there is none.
	LeafHash *string `json:"leaf_hash"`
	// By the log's clock.
	LoggedAt string `json:"logged_at"`
	// The position in the event log.
	Position string `json:"position"`
	// Members that the caller may not see.
	Redacted []string `json:"redacted"`
	// X-Request-Id of the call.
	RequestID *string `json:"request_id"`
	// Its place in the stream, from 0.
	Revision int64 `json:"revision"`
	// Hashed with the event into the leaf.
	Salt *string `json:"salt"`
	// The version of the event's shape.
	Schema int64 `json:"schema"`
	// When it was asked for.
	Stored *StoredBytes `json:"stored"`
	// The stream of the event log.
	Stream string `json:"stream"`
	// Of the request that led to it, RFC 3339, UTC.
	Time string `json:"time"`
	// the event's type
	Type string `json:"type"`
}

// StoredBytes are what the leaf was made from, byte for byte, in base64.
type StoredBytes struct {
	// The records.
	Data string `json:"data"`
	// Of the event, as it is stored.
	Metadata string `json:"metadata"`
}

// SeriesEventsQuery narrows SeriesEvents; what is empty is left out.
type SeriesEventsQuery struct {
	// How many records a page has.
	PerPage string `query:"per_page"`
	// `next_after` of the page before; of the feed, its header `Folio-Next-After`.
	After string `query:"after"`
	// As of then: a position of the log, or a time in RFC 3339.
	At string `query:"at"`
	// true: with the stored bytes in base64.
	Stored string `query:"stored"`
}

// SeriesEventsAnswer: see the operation that has it.
type SeriesEventsAnswer struct {
	// The records of this page.
	Data []Recorded `json:"data"`
	// `after` of the next page; null at the end.
	NextAfter *string `json:"next_after"`
	// How many records a page has at most.
	PerPage int64 `json:"per_page"`
}

// ReadGapsQuery narrows ReadGaps; what is empty is left out.
type ReadGapsQuery struct {
	// As of then: a position of the log, or a time in RFC 3339.
	At string `query:"at"`
	// json (unless given) or csv.
	Format string `query:"format"`
}

// GapReport says which numbers of a series are no accepted documents, and why.
type GapReport struct {
	// How many documents were accepted.
	Accepted int64 `json:"accepted"`
	// How many numbers by what became of them.
	Counts map[string]json.RawMessage `json:"counts"`
	// Stretches of numbers that no accepted document has.
	Gaps []Gap `json:"gaps"`
	// Sent, or about to be.
	Open int64 `json:"open"`
	// the series' id
	Series string `json:"series"`
}

// Gap: see the operation that has it.
type Gap struct {
	// In words.
	Cause string `json:"cause"`
	// How many numbers it is of.
	Count int64 `json:"count"`
	// Whether the log says why.
	Explained bool `json:"explained"`
	// The first of it.
	From int64 `json:"from"`
	// Which kind it is.
	Kind string `json:"kind"`
	// Of the fact that explains it.
	Position *string `json:"position"`
	// Letter, Uruguay.
	Series *string `json:"series"`
	// The last of it.
	To int64 `json:"to"`
}

// ReadLedgerQuery narrows ReadLedger; what is empty is left out.
type ReadLedgerQuery struct {
	// How many records a page has.
	PerPage string `query:"per_page"`
	// `next_after` of the page before; of the feed, its header `Folio-Next-After`.
	After string `query:"after"`
	// As of then: a position of the log, or a time in RFC 3339.
	At string `query:"at"`
	// Only the one of this number.
	Number string `query:"number"`
	// json (unless given) or csv.
	Format string `query:"format"`
}

// ReadLedgerAnswer: see the operation that has it.
type ReadLedgerAnswer struct {
	// The records.
	Data []LedgerEntry `json:"data"`
	// `after` of the next page; null at the end.
	NextAfter *string `json:"next_after"`
	// How many records a page has at most.
	PerPage int64 `json:"per_page"`
}

// LedgerEntry is one thing that happened to the numbers from to to.
type LedgerEntry struct {
	// In words.
	Cause *string `json:"cause"`
	// The first of it.
	From int64 `json:"from"`
	// The range's id.
	IDEnumeration *string `json:"id_enumeration"`
	// The id of a document of this company.
	InvoiceID *string `json:"invoice_id"`
	// The position in the event log.
	Position string `json:"position"`
	// Letter, Uruguay.
	Series *string `json:"series"`
	// The id of the submission.
	Submission *string `json:"submission"`
	// RFC 3339, UTC.
	Time string `json:"time"`
	// The last of it.
	To int64 `json:"to"`
	// What became of the numbers.
	What string `json:"what"`
}

// ReadPurchaseCallsAnswer: see the operation that has it.
type ReadPurchaseCallsAnswer struct {
	// The records.
	Data []Call `json:"data"`
}

// Call is one exchange with the authority. Both bodies are to be had by their hash.
type Call struct {
	// Null when none came.
	AnswerSHA256 *string `json:"answer_sha256"`
	// When, RFC 3339 in UTC.
	At string `json:"at"`
	// What went wrong, empty for nothing.
	Fault *string `json:"fault"`
	// The authority's name of the call.
	Operation string `json:"operation"`
	// Position is of the fact that tells of it; null of a call that no fact tells of yet.
	Position *string `json:"position"`
	// Of what was sent, hexadecimal.
	RequestSHA256 *string `json:"request_sha256"`
}

// ReadPurchaseCallsSha256Answer: see the operation that has it.
type ReadPurchaseCallsSha256Answer struct {
	// The records.
	Data []Call `json:"data"`
}

// PurchaseEventsQuery narrows PurchaseEvents; what is empty is left out.
type PurchaseEventsQuery struct {
	// How many records a page has.
	PerPage string `query:"per_page"`
	// `next_after` of the page before; of the feed, its header `Folio-Next-After`.
	After string `query:"after"`
	// As of then: a position of the log, or a time in RFC 3339.
	At string `query:"at"`
	// true: with the stored bytes in base64.
	Stored string `query:"stored"`
}

// PurchaseEventsAnswer: see the operation that has it.
type PurchaseEventsAnswer struct {
	// The records of this page.
	Data []Recorded `json:"data"`
	// `after` of the next page; null at the end.
	NextAfter *string `json:"next_after"`
	// How many records a page has at most.
	PerPage int64 `json:"per_page"`
}

// WebhookEventsQuery narrows WebhookEvents; what is empty is left out.
type WebhookEventsQuery struct {
	// How many records a page has.
	PerPage string `query:"per_page"`
	// `next_after` of the page before; of the feed, its header `Folio-Next-After`.
	After string `query:"after"`
	// As of then: a position of the log, or a time in RFC 3339.
	At string `query:"at"`
	// true: with the stored bytes in base64.
	Stored string `query:"stored"`
}

// WebhookEventsAnswer: see the operation that has it.
type WebhookEventsAnswer struct {
	// The records of this page.
	Data []Recorded `json:"data"`
	// `after` of the next page; null at the end.
	NextAfter *string `json:"next_after"`
	// How many records a page has at most.
	PerPage int64 `json:"per_page"`
}

// ListExportsAnswer: see the operation that has it.
type ListExportsAnswer struct {
	// The records.
	Data []Export `json:"data"`
}

// Export is the record of one.
type Export struct {
	// Facts that were there and are not in it: no checkpoint covered them in time.
	Beyond int64 `json:"beyond"`
	// When it was made, RFC 3339 in UTC.
	CreatedAt string `json:"created_at"`
	// Of the documents; both null: the whole history.
	DateFrom *string `json:"date_from"`
	// Of the documents.
	DateTo *string `json:"date_to"`
	// Path of the file.
	Download *string `json:"download"`
	// Why it failed or was interrupted.
	Error *string `json:"error"`
	// Codes of the events that are sent.
	Events int64 `json:"events"`
	// When it is removed.
	ExpiresAt *string `json:"expires_at"`
	// Done, failed or interrupted.
	FinishedAt *string `json:"finished_at"`
	// The record's id.
	ID string `json:"id"`
	// The company's id.
	IDCompany string `json:"id_company"`
	// How many it has.
	Invoices int64 `json:"invoices"`
	// How far it has come.
	Progress Progress `json:"progress"`
	// Hexadecimal.
	SHA256 *string `json:"sha256"`
	// Of the file, in bytes.
	Size int64 `json:"size"`
	// Where it stands.
	Status string `json:"status"`
	// Position of the last event that the checkpoint covers.
	Until *string `json:"until"`
}
