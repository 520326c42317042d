// Code generated from the OpenAPI document by apidoc/derive. DO NOT EDIT.

package client

// GrantAccessBody: see the operation that has it.
type GrantAccessBody struct {
	// The account's address.
	Email string `json:"email"`
	// Owner, issuer or auditor.
	Role string `json:"role"`
}

// GrantAccessAnswer: see the operation that has it.
type GrantAccessAnswer struct {
	// The account's address.
	Email string `json:"email"`
	// The account's id.
	IDAccount string `json:"id_account"`
	// Owner, issuer or auditor.
	Role string `json:"role"`
	// What it may: read, issue, manage.
	Scopes []string `json:"scopes"`
	// Since when.
	Since string `json:"since"`
}

// ListOutagesQuery narrows ListOutages; what is empty is left out.
type ListOutagesQuery struct {
	// Only those of this state: open or closed.
	State string `query:"state"`
	// Which page, from 1.
	Page string `query:"page"`
	// How many records a page has.
	PerPage string `query:"per_page"`
}

// ListOutagesAnswer: see the operation that has it.
type ListOutagesAnswer struct {
	// The records of this page.
	Data []Outage `json:"data"`
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

// Outage is a time during which an authority counts as away for a company.
type Outage struct {
	// Arca, sii or dgi.
	Authority string `json:"authority"`
	// Calls: those that failed; operator: somebody said so.
	Cause string `json:"cause"`
	// Null while it is open.
	ClosedBy *OutageClosed `json:"closed_by"`
	// Null while it is open.
	DurationSeconds *int64 `json:"duration_seconds"`
	// Production or Testing.
	Environment string `json:"environment"`
	// Evidence are the first and the last of these calls.
	Evidence []FailingCall `json:"evidence"`
	// With none between that got through.
	FailingCalls int64 `json:"failing_calls"`
	// The record's id.
	ID string `json:"id"`
	// In words.
	Reason *string `json:"reason"`
	// RFC 3339, UTC.
	Since string `json:"since"`
	// Open or closed.
	State string `json:"state"`
	// Null while it is open.
	Until *string `json:"until"`
}

// OutageClosed is what ended an outage.
type OutageClosed struct {
	// Call: one got through; operator: somebody said so.
	Cause string `json:"cause"`
	// The authority's name of the call.
	Operation *string `json:"operation"`
	// In words.
	Reason *string `json:"reason"`
}

// FailingCall is a call to an authority that failed, or was not made because others had.
type FailingCall struct {
	// RFC 3339, UTC.
	At string `json:"at"`
	// What went wrong, empty for nothing.
	Fault string `json:"fault"`
	// Because calls of several companies had just failed.
	NotMade bool `json:"not_made"`
	// The authority's name of the call.
	Operation *string `json:"operation"`
}

// OpenOutageBody: see the operation that has it.
type OpenOutageBody struct {
	// Production or Testing.
	Environment string `json:"environment,omitempty"`
	// In words.
	Reason string `json:"reason"`
	// Since when.
	Since string `json:"since,omitempty"`
}

// CloseOutageBody: see the operation that has it.
type CloseOutageBody struct {
	// In words.
	Reason string `json:"reason"`
}

// OutageEnd is what is answered to who closes an outage.
type OutageEnd struct {
	// What ended it.
	ClosedBy OutageClosed `json:"closed_by"`
	// From since to until.
	DurationSeconds int64 `json:"duration_seconds"`
	// The record's id.
	ID string `json:"id"`
	// RFC 3339, UTC.
	Since string `json:"since"`
	// Closed.
	State string `json:"state"`
	// RFC 3339, UTC.
	Until string `json:"until"`
}
