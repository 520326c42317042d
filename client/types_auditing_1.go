// Code generated from the OpenAPI document by apidoc/derive. DO NOT EDIT.

package client

import (
	"encoding/json"
)

// CompanyEventsQuery narrows CompanyEvents; what is empty is left out.
type CompanyEventsQuery struct {
	PerPage string `query:"per_page"` // How many records a page has.
	After   string `query:"after"`    // `next_after` of the page before; of the feed, its header `Folio-Next-After`.
	At      string `query:"at"`       // As of then: a position of the log, or a time in RFC 3339.
	Stored  string `query:"stored"`   // true: with the stored bytes in base64.
}

// CompanyEventsAnswer: see the operation that has it.
type CompanyEventsAnswer struct {
	Data      []Recorded `json:"data"`       // The records of this page.
	NextAfter *string    `json:"next_after"` // `after` of the next page; null at the end.
	PerPage   int64      `json:"per_page"`   // How many records a page has at most.
}

// Recorded: Recorded is one fact as an auditor sees it.
type Recorded struct {
	Actor         *string         `json:"actor"`          // Key:…, account:…, or a processor.
	CausationID   *string         `json:"causation_id"`   // The event that led to it.
	CorrelationID *string         `json:"correlation_id"` // Of a call: its X-Request-Id.
	Data          json.RawMessage `json:"data"`           // The records.
	ID            string          `json:"id"`             // The record's id.
	LeafHash      *string         `json:"leaf_hash"`      // In the transparency log; null where there is none.
	LoggedAt      string          `json:"logged_at"`      // By the log's clock.
	Position      string          `json:"position"`       // The position in the event log.
	RequestID     *string         `json:"request_id"`     // X-Request-Id of the call.
	Revision      int64           `json:"revision"`       // Its place in the stream, from 0.
	Salt          *string         `json:"salt"`           // Hashed with the event into the leaf.
	Schema        int64           `json:"schema"`         // The version of the event's shape.
	Stored        *StoredBytes    `json:"stored"`         // When it was asked for.
	Stream        string          `json:"stream"`         // The stream of the event log.
	Time          string          `json:"time"`           // Of the request that led to it, RFC 3339, UTC.
	Type          string          `json:"type"`           // the event's type
}

// StoredBytes: StoredBytes are what the leaf was made from, byte for byte, in base64.
type StoredBytes struct {
	Data     string `json:"data"`     // The records.
	Metadata string `json:"metadata"` // Of the event, as it is stored.
}

// SeriesEventsQuery narrows SeriesEvents; what is empty is left out.
type SeriesEventsQuery struct {
	PerPage string `query:"per_page"` // How many records a page has.
	After   string `query:"after"`    // `next_after` of the page before; of the feed, its header `Folio-Next-After`.
	At      string `query:"at"`       // As of then: a position of the log, or a time in RFC 3339.
	Stored  string `query:"stored"`   // true: with the stored bytes in base64.
}

// SeriesEventsAnswer: see the operation that has it.
type SeriesEventsAnswer struct {
	Data      []Recorded `json:"data"`       // The records of this page.
	NextAfter *string    `json:"next_after"` // `after` of the next page; null at the end.
	PerPage   int64      `json:"per_page"`   // How many records a page has at most.
}

// ReadGapsQuery narrows ReadGaps; what is empty is left out.
type ReadGapsQuery struct {
	At     string `query:"at"`     // As of then: a position of the log, or a time in RFC 3339.
	Format string `query:"format"` // json (unless given) or csv.
}

// GapReport: GapReport says which numbers of a series are no accepted documents, and why.
type GapReport struct {
	Accepted int64                      `json:"accepted"` // How many documents were accepted.
	Counts   map[string]json.RawMessage `json:"counts"`   // How many numbers by what became of them.
	Gaps     []Gap                      `json:"gaps"`     // Stretches of numbers that no accepted document has.
	Open     int64                      `json:"open"`     // Sent, or about to be.
	Series   string                     `json:"series"`   // the series' id
}

// Gap: see the operation that has it.
type Gap struct {
	Cause     string  `json:"cause"`     // In words.
	Count     int64   `json:"count"`     // How many numbers it is of.
	Explained bool    `json:"explained"` // Whether the log says why.
	From      int64   `json:"from"`      // The first of it.
	Kind      string  `json:"kind"`      // Which kind it is.
	Position  *string `json:"position"`  // Of the fact that explains it.
	Series    *string `json:"series"`    // Letter, Uruguay.
	To        int64   `json:"to"`        // The last of it.
}

// ReadLedgerQuery narrows ReadLedger; what is empty is left out.
type ReadLedgerQuery struct {
	PerPage string `query:"per_page"` // How many records a page has.
	After   string `query:"after"`    // `next_after` of the page before; of the feed, its header `Folio-Next-After`.
	At      string `query:"at"`       // As of then: a position of the log, or a time in RFC 3339.
	Number  string `query:"number"`   // Only the one of this number.
	Format  string `query:"format"`   // json (unless given) or csv.
}

// ReadLedgerAnswer: see the operation that has it.
type ReadLedgerAnswer struct {
	Data      []LedgerEntry `json:"data"`       // The records.
	NextAfter *string       `json:"next_after"` // `after` of the next page; null at the end.
	PerPage   int64         `json:"per_page"`   // How many records a page has at most.
}

// LedgerEntry: LedgerEntry is one thing that happened to the numbers from to to.
type LedgerEntry struct {
	Cause         *string `json:"cause"`          // In words.
	From          int64   `json:"from"`           // The first of it.
	IDEnumeration *string `json:"id_enumeration"` // The range's id.
	InvoiceID     *string `json:"invoice_id"`     // The id of a document of this company.
	Position      string  `json:"position"`       // The position in the event log.
	Series        *string `json:"series"`         // Letter, Uruguay.
	Submission    *string `json:"submission"`     // The id of the submission.
	Time          string  `json:"time"`           // RFC 3339, UTC.
	To            int64   `json:"to"`             // The last of it.
	What          string  `json:"what"`           // What became of the numbers.
}

// ReadPurchaseCallsAnswer: see the operation that has it.
type ReadPurchaseCallsAnswer struct {
	Data []Call `json:"data"` // The records.
}

// Call: Call is one exchange with the authority. Both bodies are to be had by their hash.
type Call struct {
	AnswerSHA256  *string `json:"answer_sha256"`  // Null when none came.
	At            string  `json:"at"`             // When, RFC 3339 in UTC.
	Fault         *string `json:"fault"`          // What went wrong, empty for nothing.
	Operation     string  `json:"operation"`      // The authority's name of the call.
	Position      *string `json:"position"`       // Position is of the fact that tells of it; null of a call that no fact tells of yet.
	RequestSHA256 *string `json:"request_sha256"` // Of what was sent, hexadecimal.
}

// ReadPurchaseCallsSha256Answer: see the operation that has it.
type ReadPurchaseCallsSha256Answer struct {
	Data []Call `json:"data"` // The records.
}

// PurchaseEventsQuery narrows PurchaseEvents; what is empty is left out.
type PurchaseEventsQuery struct {
	PerPage string `query:"per_page"` // How many records a page has.
	After   string `query:"after"`    // `next_after` of the page before; of the feed, its header `Folio-Next-After`.
	At      string `query:"at"`       // As of then: a position of the log, or a time in RFC 3339.
	Stored  string `query:"stored"`   // true: with the stored bytes in base64.
}

// PurchaseEventsAnswer: see the operation that has it.
type PurchaseEventsAnswer struct {
	Data      []Recorded `json:"data"`       // The records of this page.
	NextAfter *string    `json:"next_after"` // `after` of the next page; null at the end.
	PerPage   int64      `json:"per_page"`   // How many records a page has at most.
}

// WebhookEventsQuery narrows WebhookEvents; what is empty is left out.
type WebhookEventsQuery struct {
	PerPage string `query:"per_page"` // How many records a page has.
	After   string `query:"after"`    // `next_after` of the page before; of the feed, its header `Folio-Next-After`.
	At      string `query:"at"`       // As of then: a position of the log, or a time in RFC 3339.
	Stored  string `query:"stored"`   // true: with the stored bytes in base64.
}

// WebhookEventsAnswer: see the operation that has it.
type WebhookEventsAnswer struct {
	Data      []Recorded `json:"data"`       // The records of this page.
	NextAfter *string    `json:"next_after"` // `after` of the next page; null at the end.
	PerPage   int64      `json:"per_page"`   // How many records a page has at most.
}

// ListExportsAnswer: see the operation that has it.
type ListExportsAnswer struct {
	Data []Export `json:"data"` // The records.
}

// Export: Export is the record of one.
type Export struct {
	Beyond     int64    `json:"beyond"`      // Facts that were there and are not in it: no checkpoint covered them in time.
	CreatedAt  string   `json:"created_at"`  // When it was made, RFC 3339 in UTC.
	DateFrom   *string  `json:"date_from"`   // Of the documents; both null: the whole history.
	DateTo     *string  `json:"date_to"`     // Of the documents.
	Download   *string  `json:"download"`    // Path of the file.
	Error      *string  `json:"error"`       // Why it failed or was interrupted.
	Events     int64    `json:"events"`      // Codes of the events that are sent.
	ExpiresAt  *string  `json:"expires_at"`  // When it is removed.
	FinishedAt *string  `json:"finished_at"` // Done, failed or interrupted.
	ID         string   `json:"id"`          // The record's id.
	IDCompany  string   `json:"id_company"`  // The company's id.
	Invoices   int64    `json:"invoices"`    // How many it has.
	Progress   Progress `json:"progress"`    // How far it has come.
	SHA256     *string  `json:"sha256"`      // Hexadecimal.
	Size       int64    `json:"size"`        // Of the file, in bytes.
	Status     string   `json:"status"`      // Where it stands.
	Until      *string  `json:"until"`       // Position of the last event that the checkpoint covers.
}

// Progress: see the operation that has it.
type Progress struct {
	Done  int64   `json:"done"`  // How many were sent again.
	Step  *string `json:"step"`  // Checkpoint, events, documents or files.
	Total *int64  `json:"total"` // Null where it is not known.
}

// StartExportQuery narrows StartExport; what is empty is left out.
type StartExportQuery struct {
	DateFrom string `query:"date_from"` // From this day on, YYYY-MM-DD.
	DateTo   string `query:"date_to"`   // Up to this day, YYYY-MM-DD.
}

// ReadFeedQuery narrows ReadFeed; what is empty is left out.
type ReadFeedQuery struct {
	After string `query:"after"` // `next_after` of the page before; of the feed, its header `Folio-Next-After`.
	Limit string `query:"limit"` // How many facts at most.
	Wait  string `query:"wait"`  // How many seconds to wait for the next fact.
	From  string `query:"from"`  // From then on: RFC 3339, or a day in UTC.
	To    string `query:"to"`    // Up to then: RFC 3339, or a day in UTC.
	Type  string `query:"type"`  // Only facts of these types, with commas between them.
	Facts string `query:"facts"` // Which facts: all unless given.
}

// ReadInvoiceCallsAnswer: see the operation that has it.
type ReadInvoiceCallsAnswer struct {
	Data []Call `json:"data"` // The records.
}

// ReadInvoiceCallsSha256Answer: see the operation that has it.
type ReadInvoiceCallsSha256Answer struct {
	Data []Call `json:"data"` // The records.
}

// InvoiceEventsQuery narrows InvoiceEvents; what is empty is left out.
type InvoiceEventsQuery struct {
	PerPage string `query:"per_page"` // How many records a page has.
	After   string `query:"after"`    // `next_after` of the page before; of the feed, its header `Folio-Next-After`.
	At      string `query:"at"`       // As of then: a position of the log, or a time in RFC 3339.
	Stored  string `query:"stored"`   // true: with the stored bytes in base64.
}

// InvoiceEventsAnswer: see the operation that has it.
type InvoiceEventsAnswer struct {
	Data      []Recorded `json:"data"`       // The records of this page.
	NextAfter *string    `json:"next_after"` // `after` of the next page; null at the end.
	PerPage   int64      `json:"per_page"`   // How many records a page has at most.
}

// ExplainInvoiceQuery narrows ExplainInvoice; what is empty is left out.
type ExplainInvoiceQuery struct {
	At string `query:"at"` // As of then: a position of the log, or a time in RFC 3339.
}

// Explanation: Explanation is why an invoice is as it is. Whatever is said has the position of
// the fact that it follows from.
type Explanation struct {
	Attempts       []Attempt        `json:"attempts"`        // What was tried.
	Certificate    *UsedCertificate `json:"certificate"`     // Of the last attempt.
	InvoiceID      string           `json:"invoice_id"`      // The id of a document of this company.
	Number         *string          `json:"number"`          // Once it is final.
	PendingReason  *PendingReason   `json:"pending_reason"`  // Why it waits; null when it does not.
	Range          *UsedRange       `json:"range"`           // Of the last attempt; null where the authority counts.
	Series         *string          `json:"series"`          // Null while no environment is known.
	Settings       Settings         `json:"settings"`        // When it was created.
	Status         string           `json:"status"`          // Where it stands.
	Story          []StepRecord     `json:"story"`           // The facts, in words.
	StoryTruncated bool             `json:"story_truncated"` // Whether there were more facts than are told.
}

// Attempt: Attempt is one submission of the invoice.
type Attempt struct {
	AuthorityLast  int64            `json:"authority_last"`   // The last number that the authority knew.
	Calls          []Call           `json:"calls"`            // The exchanges with the authority.
	Certificate    *UsedCertificate `json:"certificate"`      // What the document was signed with.
	Documents      int64            `json:"documents"`        // How many documents there are.
	First          int64            `json:"first"`            // Of the submission.
	IDEnumeration  *string          `json:"id_enumeration"`   // The range's id.
	LearntByAsking bool             `json:"learnt_by_asking"` // The authority was asked what had become of it.
	Messages       []Message        `json:"messages"`         // Of the authority, word for word.
	Number         int64            `json:"number"`           // the number that was tried
	OpenedAt       string           `json:"opened_at"`        // When it was sent.
	Position       string           `json:"position"`         // The position in the event log.
	Result         *string          `json:"result"`           // Accepted, rejected, not_processed; null while it is open.
	ResultPosition *string          `json:"result_position"`  // The position of the fact in the log.
	Submission     string           `json:"submission"`       // The id of the submission.
}

// UsedCertificate: UsedCertificate is the certificate that signed, by the rule that signing
// goes by: the newest of the environment that was valid when the submission was opened.
type UsedCertificate struct {
	Fingerprint  string `json:"fingerprint"`   // SHA-256 of the certificate, hexadecimal.
	ID           string `json:"id"`            // The record's id.
	Position     string `json:"position"`      // Of its upload.
	SerialNumber string `json:"serial_number"` // Hexadecimal.
	Subject      string `json:"subject"`       // Of the certificate.
	ValidFrom    string `json:"valid_from"`    // RFC 3339 in UTC.
	ValidTo      string `json:"valid_to"`      // RFC 3339 in UTC.
}

// Message: Message is a code and text of the authority.
type Message struct {
	Code    string `json:"code"`    // the authority's code
	Message string `json:"message"` // the authority's words
}
