// Code generated from the OpenAPI document by apidoc/derive. DO NOT EDIT.

package client

// ListDailyReportsQuery narrows ListDailyReports; what is empty is left out.
type ListDailyReportsQuery struct {
	// Which page, from 1.
	Page string `query:"page"`
	// How many records a page has.
	PerPage string `query:"per_page"`
}

// ListDailyReportsAnswer: see the operation that has it.
type ListDailyReportsAnswer struct {
	// The records of this page.
	Data []DailyReport `json:"data"`
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

// DailyReport is one sending of a day's report to the authority, as the API shows it.
type DailyReport struct {
	// Numbers that are no document.
	Annulled int64 `json:"annulled"`
	// YYYY-MM-DD, local.
	Date string `json:"date"`
	// When the authority answered.
	DecidedAt *string `json:"decided_at"`
	// Production or Testing.
	Environment string `json:"environment"`
	// Documents of the day.
	Issued int64 `json:"issued"`
	// What the authority said.
	Reasons []Message `json:"reasons"`
	// The authority's id of it.
	Receipt *string `json:"receipt"`
	// No fiscal value.
	Sandbox bool `json:"sandbox"`
	// RFC 3339, UTC.
	SentAt string `json:"sent_at"`
	// One accepted later, under the next one, replaces it.
	Sequence int64 `json:"sequence"`
	// In process, Accepted or Rejected.
	Status string `json:"status"`
	// Both.
	Used int64 `json:"used"`
}

// ListEnumerationsQuery narrows ListEnumerations; what is empty is left out.
type ListEnumerationsQuery struct {
	// Which page, from 1.
	Page string `query:"page"`
	// How many records a page has.
	PerPage string `query:"per_page"`
}

// ListEnumerationsAnswer: see the operation that has it.
type ListEnumerationsAnswer struct {
	// The records of this page.
	Data []Enumeration `json:"data"`
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

// Enumeration is a numbering range as the API shows it.
type Enumeration struct {
	// the name of the document type
	DocumentType string `json:"document_type"`
	// Production or Testing.
	Environment string `json:"environment"`
	// Whether its last day is over.
	Expired bool `json:"expired"`
	// Its last day.
	ExpiresOn *string `json:"expires_on"`
	// The first of it.
	From int64 `json:"from"`
	// The record's id.
	ID string `json:"id"`
	// An id of GET /api/document-types.
	IDDocumentType int64 `json:"id_document_type"`
	// Equal to ID.
	IDEnumeration string `json:"id_enumeration"`
	// Null when none is left.
	Next *int64 `json:"next"`
	// How many numbers are left.
	Remaining int64 `json:"remaining"`
	// The letter of the number (Uruguay).
	Series *string `json:"series"`
	// The last of it.
	To int64 `json:"to"`
}

// ConfigureEnumerationBody: see the operation that has it.
type ConfigureEnumerationBody struct {
	// The first number to use, inside the range.
	EnumerationStartsFrom int64 `json:"enumeration_starts_from"`
}

// ListSeriesQuery narrows ListSeries; what is empty is left out.
type ListSeriesQuery struct {
	// Which page, from 1.
	Page string `query:"page"`
	// How many records a page has.
	PerPage string `query:"per_page"`
}

// ListSeriesAnswer: see the operation that has it.
type ListSeriesAnswer struct {
	// The records of this page.
	Data []SeriesRecord `json:"data"`
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

// SeriesRecord is a numbering series as it stands.
type SeriesRecord struct {
	// Point of sale (Argentina) or branch; left out: 1.
	BranchOffice int64 `json:"branch_office"`
	// Production or Testing.
	Environment string `json:"environment"`
	// Why nothing goes on; null when it does.
	Held *HeldSeries `json:"held"`
	// One of GET /api/document-types, or the authority's code.
	InvoiceType *string `json:"invoice_type"`
	// Known to be used, by whomever.
	Last int64 `json:"last"`
	// The last number that was accepted.
	LastAccepted int64 `json:"last_accepted"`
	// The authority's code of the document type.
	OfficialCode int64 `json:"official_code"`
	// What was sent and not answered.
	Open []OpenSubmission `json:"open"`
	// Uploaded numbering ranges.
	Ranges []SeriesRange `json:"ranges"`
	// the series' id
	Series string `json:"series"`
}

// HeldSeries: see the operation that has it.
type HeldSeries struct {
	// In words.
	Reason string `json:"reason"`
	// Since when.
	Since string `json:"since"`
}

// OpenSubmission: see the operation that has it.
type OpenSubmission struct {
	// How many documents there are.
	Documents int64 `json:"documents"`
	// The first number of the submission.
	First int64 `json:"first"`
	// When it was sent.
	OpenedAt string `json:"opened_at"`
	// The id of the submission.
	Submission string `json:"submission"`
}

// SeriesRange: see the operation that has it.
type SeriesRange struct {
	// The first of it.
	From int64 `json:"from"`
	// The range's id.
	IDEnumeration string `json:"id_enumeration"`
	// Null when none is left.
	Next *int64 `json:"next"`
	// The last of it.
	To int64 `json:"to"`
}
