// Code generated from the OpenAPI document by apidoc/derive. DO NOT EDIT.

package client

// Progress: see the operation that has it.
type Progress struct {
	// How many were sent again.
	Done int64 `json:"done"`
	// Checkpoint, events, documents or files.
	Step *string `json:"step"`
	// Null where it is not known.
	Total *int64 `json:"total"`
}

// StartExportQuery narrows StartExport; what is empty is left out.
type StartExportQuery struct {
	// From this day on, YYYY-MM-DD.
	DateFrom string `query:"date_from"`
	// Up to this day, YYYY-MM-DD.
	DateTo string `query:"date_to"`
}

// ReadFeedQuery narrows ReadFeed; what is empty is left out.
type ReadFeedQuery struct {
	// `next_after` of the page before; of the feed, its header `Folio-Next-After`.
	After string `query:"after"`
	// How many facts at most.
	Limit string `query:"limit"`
	// How many seconds to wait for the next fact.
	Wait string `query:"wait"`
	// From then on: RFC 3339, or a day in UTC.
	From string `query:"from"`
	// Up to then: RFC 3339, or a day in UTC.
	To string `query:"to"`
	// Only facts of these types, with commas between them.
	Type string `query:"type"`
	// Which facts: all unless given.
	Facts string `query:"facts"`
}

// ReadInvoiceCallsAnswer: see the operation that has it.
type ReadInvoiceCallsAnswer struct {
	// The records.
	Data []Call `json:"data"`
}

// ReadInvoiceCallsSha256Answer: see the operation that has it.
type ReadInvoiceCallsSha256Answer struct {
	// The records.
	Data []Call `json:"data"`
}

// InvoiceEventsQuery narrows InvoiceEvents; what is empty is left out.
type InvoiceEventsQuery struct {
	// How many records a page has.
	PerPage string `query:"per_page"`
	// `next_after` of the page before; of the feed, its header `Folio-Next-After`.
	After string `query:"after"`
	// As of then: a position of the log, or a time in RFC 3339.
	At string `query:"at"`
	// true: with the stored bytes in base64.
	Stored string `query:"stored"`
}

// InvoiceEventsAnswer: see the operation that has it.
type InvoiceEventsAnswer struct {
	// The records of this page.
	Data []Recorded `json:"data"`
	// `after` of the next page; null at the end.
	NextAfter *string `json:"next_after"`
	// How many records a page has at most.
	PerPage int64 `json:"per_page"`
}

// ExplainInvoiceQuery narrows ExplainInvoice; what is empty is left out.
type ExplainInvoiceQuery struct {
	// As of then: a position of the log, or a time in RFC 3339.
	At string `query:"at"`
}

// Explanation is why an invoice is as it is. Whatever is said has the position of the fact that
// it follows from.
type Explanation struct {
	// What was tried.
	Attempts []Attempt `json:"attempts"`
	// Of the last attempt.
	Certificate *UsedCertificate `json:"certificate"`
	// The id of a document of this company.
	InvoiceID string `json:"invoice_id"`
	// Once it is final.
	Number *string `json:"number"`
	// Why it waits; null when it does not.
	PendingReason *PendingReason `json:"pending_reason"`
	// Of the last attempt; null where the authority counts.
	Range *UsedRange `json:"range"`
	// Null while no environment is known.
	Series *string `json:"series"`
	// When it was created.
	Settings Settings `json:"settings"`
	// Where it stands.
	Status string `json:"status"`
	// The facts, in words.
	Story []StepRecord `json:"story"`
	// Whether there were more facts than are told.
	StoryTruncated bool `json:"story_truncated"`
}

// Attempt is one submission of the invoice.
type Attempt struct {
	// The last number that the authority knew.
	AuthorityLast int64 `json:"authority_last"`
	// The exchanges with the authority.
	Calls []Call `json:"calls"`
	// What the document was signed with.
	Certificate *UsedCertificate `json:"certificate"`
	// How many documents there are.
	Documents int64 `json:"documents"`
	// Of the submission.
	First int64 `json:"first"`
	// The range's id.
	IDEnumeration *string `json:"id_enumeration"`
	// The authority was asked what had become of it.
	LearntByAsking bool `json:"learnt_by_asking"`
	// Of the authority, word for word.
	Messages []Message `json:"messages"`
	// the number that was tried
	Number int64 `json:"number"`
	// When it was sent.
	OpenedAt string `json:"opened_at"`
	// The position in the event log.
	Position string `json:"position"`
	// Accepted, rejected, not_processed; null while it is open.
	Result *string `json:"result"`
	// The position of the fact in the log.
	ResultPosition *string `json:"result_position"`
	// The id of the submission.
	Submission string `json:"submission"`
}

// UsedCertificate is the certificate that signed, by the rule that signing goes by: the newest
// of the environment that was valid when the submission was opened.
type UsedCertificate struct {
	// SHA-256 of the certificate, hexadecimal.
	Fingerprint string `json:"fingerprint"`
	// The record's id.
	ID string `json:"id"`
	// Of its upload.
	Position string `json:"position"`
	// Hexadecimal.
	SerialNumber string `json:"serial_number"`
	// Of the certificate.
	Subject string `json:"subject"`
	// RFC 3339 in UTC.
	ValidFrom string `json:"valid_from"`
	// RFC 3339 in UTC.
	ValidTo string `json:"valid_to"`
}

// Message is a code and text of the authority.
type Message struct {
	// the authority's code
	Code string `json:"code"`
	// the authority's words
	Message string `json:"message"`
}

// PendingReason is why an invoice waits, and when it goes on by itself.
type PendingReason struct {
	// Stable, for machines.
	Code string `json:"code"`
	// What happened, for people.
	Message string `json:"message"`
	// When it goes on by itself; null: with an event.
	NextTry *string `json:"next_try"`
	// Outage is open for the company, as GET .../outages tells it; absent while none is.
	Outage *OpenOutage `json:"outage"`
}

// OpenOutage names an outage that is open, beside what it explains.
type OpenOutage struct {
	// Calls or operator.
	Cause string `json:"cause"`
	// The record's id.
	ID string `json:"id"`
	// RFC 3339, UTC.
	Since string `json:"since"`
}

// UsedRange is the numbering range that a number is of.
type UsedRange struct {
	// Its last day.
	ExpiresOn *string `json:"expires_on"`
	// The first of it.
	From int64 `json:"from"`
	// The range's id.
	IDEnumeration string `json:"id_enumeration"`
	// Of its upload.
	Position string `json:"position"`
	// Its letter.
	Series *string `json:"series"`
	// The last of it.
	To int64 `json:"to"`
}

// Settings are the company's when the invoice was created.
type Settings struct {
	// The establishment's number.
	Branch *Branch `json:"branch"`
	// The position of the fact in the log.
	BranchPosition *string `json:"branch_position"`
	// What documents say of the issuer.
	FiscalProfile *FiscalProfile `json:"fiscal_profile"`
	// The position of the fact in the log.
	FiscalProfilePosition *string `json:"fiscal_profile_position"`
	// The position of the fact in the log.
	LogoPosition *string `json:"logo_position"`
	// Hexadecimal.
	LogoSHA256 *string `json:"logo_sha256"`
}

// Branch is one establishment of a company, as it is sent and read.
type Branch struct {
	// where the branch is
	Address Address `json:"address"`
	// The document's number; null before it has one.
	Number int64 `json:"number"`
	// Null: the company's.
	StartActivitiesDate *string `json:"start_activities_date"`
}

// Address is a postal address.
type Address struct {
	// Street, number and town.
	Address string `json:"address"`
	// ISO 3166-1, two letters.
	Country string `json:"country"`
	// As it is printed.
	Phone string `json:"phone"`
	// ISO 3166-2, such as AR-C.
	Region string `json:"region"`
}

// FiscalProfile are the members that every country shares, and those that only the company's
// country knows.
type FiscalProfile struct {
	// where the company is
	Address Address `json:"address"`
	// Ingresos brutos (Argentina).
	GrossIncomeNumber *string `json:"gross_income_number"`
	// One of the catalogue's conditions.
	TaxCondition *string `json:"tax_condition"`
}

// StepRecord: Step is one fact in words.
type StepRecord struct {
	// The position in the event log.
	Position string `json:"position"`
	// Its place in the stream, from 0.
	Revision int64 `json:"revision"`
	// The stream of the event log.
	Stream string `json:"stream"`
	// In words.
	Text string `json:"text"`
	// RFC 3339, UTC.
	Time string `json:"time"`
	// the event's type
	Type string `json:"type"`
}
