// Code generated from the OpenAPI document by apidoc/derive. DO NOT EDIT.

package client

// ListDailyReportsQuery narrows ListDailyReports; what is empty is left out.
type ListDailyReportsQuery struct {
	Page    string `query:"page"`     // Which page, from 1.
	PerPage string `query:"per_page"` // How many records a page has.
}

// ListDailyReportsAnswer: see the operation that has it.
type ListDailyReportsAnswer struct {
	Data         []DailyReport `json:"data"`          // The records of this page.
	NextCursor   *string       `json:"next_cursor"`   // The `cursor` of the next page; null at the end, and where a list has none.
	Page         int64         `json:"page"`          // The number of the page, from 1.
	PerPage      int64         `json:"per_page"`      // How many records a page has at most.
	TotalPages   int64         `json:"total_pages"`   // How many pages there are.
	TotalResults int64         `json:"total_results"` // How many records there are.
}

// DailyReport: DailyReport is one sending of a day's report to the authority, as the API shows
// it.
type DailyReport struct {
	Annulled    int64     `json:"annulled"`    // Numbers that are no document.
	Date        string    `json:"date"`        // YYYY-MM-DD, local.
	DecidedAt   *string   `json:"decided_at"`  // When the authority answered.
	Environment string    `json:"environment"` // Production or Testing.
	Issued      int64     `json:"issued"`      // Documents of the day.
	Reasons     []Message `json:"reasons"`     // What the authority said.
	Receipt     *string   `json:"receipt"`     // The authority's id of it.
	Sandbox     bool      `json:"sandbox"`     // No fiscal value.
	SentAt      string    `json:"sent_at"`     // RFC 3339, UTC.
	Sequence    int64     `json:"sequence"`    // One accepted later, under the next one, replaces it.
	Status      string    `json:"status"`      // In process, Accepted or Rejected.
	Used        int64     `json:"used"`        // Both.
}

// ListEnumerationsQuery narrows ListEnumerations; what is empty is left out.
type ListEnumerationsQuery struct {
	Page    string `query:"page"`     // Which page, from 1.
	PerPage string `query:"per_page"` // How many records a page has.
}

// ListEnumerationsAnswer: see the operation that has it.
type ListEnumerationsAnswer struct {
	Data         []Enumeration `json:"data"`          // The records of this page.
	NextCursor   *string       `json:"next_cursor"`   // The `cursor` of the next page; null at the end, and where a list has none.
	Page         int64         `json:"page"`          // The number of the page, from 1.
	PerPage      int64         `json:"per_page"`      // How many records a page has at most.
	TotalPages   int64         `json:"total_pages"`   // How many pages there are.
	TotalResults int64         `json:"total_results"` // How many records there are.
}

// Enumeration: Enumeration is a numbering range as the API shows it.
type Enumeration struct {
	DocumentType   string  `json:"document_type"`    // the name of the document type
	Environment    string  `json:"environment"`      // Production or Testing.
	Expired        bool    `json:"expired"`          // Whether its last day is over.
	ExpiresOn      *string `json:"expires_on"`       // Its last day.
	From           int64   `json:"from"`             // The first of it.
	ID             string  `json:"id"`               // The record's id.
	IDDocumentType int64   `json:"id_document_type"` // An id of GET /api/document-types.
	IDEnumeration  string  `json:"id_enumeration"`   // Equal to ID.
	Next           *int64  `json:"next"`             // Null when none is left.
	Remaining      int64   `json:"remaining"`        // How many numbers are left.
	Series         *string `json:"series"`           // The letter of the number (Uruguay).
	To             int64   `json:"to"`               // The last of it.
}

// ConfigureEnumerationBody: see the operation that has it.
type ConfigureEnumerationBody struct {
	EnumerationStartsFrom int64 `json:"enumeration_starts_from"` // The first number to use, inside the range.
}

// ListSeriesQuery narrows ListSeries; what is empty is left out.
type ListSeriesQuery struct {
	Page    string `query:"page"`     // Which page, from 1.
	PerPage string `query:"per_page"` // How many records a page has.
}

// ListSeriesAnswer: see the operation that has it.
type ListSeriesAnswer struct {
	Data         []SeriesRecord `json:"data"`          // The records of this page.
	NextCursor   *string        `json:"next_cursor"`   // The `cursor` of the next page; null at the end, and where a list has none.
	Page         int64          `json:"page"`          // The number of the page, from 1.
	PerPage      int64          `json:"per_page"`      // How many records a page has at most.
	TotalPages   int64          `json:"total_pages"`   // How many pages there are.
	TotalResults int64          `json:"total_results"` // How many records there are.
}

// SeriesRecord: SeriesRecord is a numbering series as it stands.
type SeriesRecord struct {
	BranchOffice int64            `json:"branch_office"` // Point of sale (Argentina) or branch; left out: 1.
	Environment  string           `json:"environment"`   // Production or Testing.
	Held         *HeldSeries      `json:"held"`          // Why nothing goes on; null when it does.
	InvoiceType  *string          `json:"invoice_type"`  // One of GET /api/document-types, or the authority's code.
	Last         int64            `json:"last"`          // Known to be used, by whomever.
	LastAccepted int64            `json:"last_accepted"` // The last number that was accepted.
	OfficialCode int64            `json:"official_code"` // The authority's code of the document type.
	Open         []OpenSubmission `json:"open"`          // What was sent and not answered.
	Ranges       []SeriesRange    `json:"ranges"`        // Uploaded numbering ranges.
	Series       string           `json:"series"`        // the series' id
}

// HeldSeries: see the operation that has it.
type HeldSeries struct {
	Reason string `json:"reason"` // In words.
	Since  string `json:"since"`  // Since when.
}

// OpenSubmission: see the operation that has it.
type OpenSubmission struct {
	Documents  int64  `json:"documents"`  // How many documents there are.
	First      int64  `json:"first"`      // The first number of the submission.
	OpenedAt   string `json:"opened_at"`  // When it was sent.
	Submission string `json:"submission"` // The id of the submission.
}

// SeriesRange: see the operation that has it.
type SeriesRange struct {
	From          int64  `json:"from"`           // The first of it.
	IDEnumeration string `json:"id_enumeration"` // The range's id.
	Next          *int64 `json:"next"`           // Null when none is left.
	To            int64  `json:"to"`             // The last of it.
}
