// Code generated from the OpenAPI document by apidoc/derive. DO NOT EDIT.

package client

// ListContingenciesQuery narrows ListContingencies; what is empty is left out.
type ListContingenciesQuery struct {
	// Which page, from 1.
	Page string `query:"page"`
	// How many records a page has.
	PerPage string `query:"per_page"`
}

// ListContingenciesAnswer: see the operation that has it.
type ListContingenciesAnswer struct {
	// The records of this page.
	Data []Contingency `json:"data"`
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

// Contingency is how a point of sale goes on while the authority is away. It is off where
// nothing was set.
type Contingency struct {
	// Without an answer until it is offered or opened.
	AfterMinutes int64 `json:"after_minutes"`
	// Absent where none was ever set.
	ContingencyPointOfSale int64 `json:"contingency_point_of_sale"`
	// After which what was opened closes.
	MaxHours int64 `json:"max_hours"`
	// Off, manual or automatic.
	Mode string `json:"mode"`
	// Null while it is closed.
	Open *Window `json:"open"`
	// In ordinary times.
	PointOfSale int64 `json:"point_of_sale"`
}

// Window is a time in which documents of a point of sale are issued by contingency.
type Window struct {
	// In words.
	Cause string `json:"cause"`
	// RFC 3339, UTC; null while it is open
	ClosedAt *string `json:"closed_at"`
	// who closed it; null while it is open
	ClosedBy *string `json:"closed_by"`
	// The point of sale in a contingency, of the authority's type CAEA.
	ContingencyPointOfSale int64 `json:"contingency_point_of_sale"`
	// Production or Testing.
	Environment string `json:"environment"`
	// calls that failed, or what a person saw
	Evidence []string `json:"evidence"`
	// RFC 3339, UTC.
	OpenedAt string `json:"opened_at"`
	// who opened it
	OpenedBy string `json:"opened_by"`
	// in ordinary times
	PointOfSale int64 `json:"point_of_sale"`
	// Of its end.
	Reason *string `json:"reason"`
}

// ListCodesQuery narrows ListCodes; what is empty is left out.
type ListCodesQuery struct {
	// Which page, from 1.
	Page string `query:"page"`
	// How many records a page has.
	PerPage string `query:"per_page"`
}

// ListCodesAnswer: see the operation that has it.
type ListCodesAnswer struct {
	// The records of this page.
	Data []ContingencyCode `json:"data"`
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

// ContingencyCode is a code that the authority gave ahead for a fortnight, and what was issued
// and reported by it.
type ContingencyCode struct {
	// Stable, for machines.
	Code *string `json:"code"`
	// Points that somebody else uses, by the authority's word.
	Doubted []int64 `json:"doubted"`
	// Issued and not reported.
	Due int64 `json:"due"`
	// Production or Testing.
	Environment string `json:"environment"`
	// YYYY-MM-DD.
	From *string `json:"from"`
	// Points that were reported without documents.
	Idle []int64 `json:"idle"`
	// how many documents were issued by it
	Issued int64 `json:"issued"`
	// 1: days 1 to 15; 2: the rest.
	Order int64 `json:"order"`
	// YYYYMM.
	Period string `json:"period"`
	// why the authority gives none
	Refusal []Message `json:"refusal"`
	// That came with the code: a debt of earlier reports, for instance.
	Remarks []Message `json:"remarks"`
	// YYYY-MM-DD, as the authority named it.
	ReportUntil *string `json:"report_until"`
	// how many of them are reported
	Reported int64 `json:"reported"`
	// No fiscal value.
	Sandbox bool `json:"sandbox"`
	// Requested, refused, held, owed or closed.
	State string `json:"state"`
	// YYYY-MM-DD, its last day.
	To *string `json:"to"`
	// What is odd, and was taken all the same.
	Warnings []string `json:"warnings"`
}

// ContingencyUseQuery narrows ContingencyUse; what is empty is left out.
type ContingencyUseQuery struct {
	// Which month, YYYY-MM.
	Month string `query:"month"`
}

// ContingencyUseAnswer: see the operation that has it.
type ContingencyUseAnswer struct {
	// those that have a contingency
	PointsOfSale []ContingencyUse `json:"points_of_sale"`
}

// ContingencyUse is the share of a month that a point of sale issued by contingency. The law
// calls a contingency exceptional while it stays below five per cent.
type ContingencyUse struct {
	// those of them that were issued by contingency
	Contingency int64 `json:"contingency"`
	// Accepted, at both points.
	Documents int64 `json:"documents"`
	// In which a contingency was open, two decimals.
	Hours string `json:"hours"`
	// Of the month until now, two decimals.
	HoursPercent string `json:"hours_percent"`
	// YYYY-MM, of the documents' dates.
	Month string `json:"month"`
	// in ordinary times
	PointOfSale int64 `json:"point_of_sale"`
	// Of the documents, two decimals.
	SharePercent string `json:"share_percent"`
	// One of the two shares is three per cent or more.
	Warning bool `json:"warning"`
}

// ListWindowsQuery narrows ListWindows; what is empty is left out.
type ListWindowsQuery struct {
	// Which page, from 1.
	Page string `query:"page"`
	// How many records a page has.
	PerPage string `query:"per_page"`
}

// ListWindowsAnswer: see the operation that has it.
type ListWindowsAnswer struct {
	// The records of this page.
	Data []Window `json:"data"`
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

// ConfigureContingencyBody: see the operation that has it.
type ConfigureContingencyBody struct {
	// minutes without an answer, before it is offered or opened: 30 unless given
	AfterMinutes *int64 `json:"after_minutes,omitempty"`
	// The point of sale in a contingency, of the authority's type CAEA.
	ContingencyPointOfSale *int64 `json:"contingency_point_of_sale,omitempty"`
	// hours after which what was opened closes: 12 unless given
	MaxHours *int64 `json:"max_hours,omitempty"`
	// off, manual or automatic
	Mode string `json:"mode"`
	// what a read shows there: it stays as it is
	Open map[string]any `json:"open,omitempty"`
	// that of the address, or left out
	PointOfSale *int64 `json:"point_of_sale,omitempty"`
}
