package resource

import (
	"time"

	"folio/events"
)

// AuthorityReport is how far a document that was issued by contingency is reported to the
// authority: due, reported, observed or refused.
type AuthorityReport struct {
	State string    `json:"state"`
	DueBy string    `json:"due_by"` // YYYY-MM-DD, as the authority named it with the code
	Codes []Message `json:"codes"`  // what the authority said, word for word
}

// Contingency is how a point of sale goes on while the authority is away. It is off where
// nothing was set.
type Contingency struct {
	PointOfSale      int    `json:"point_of_sale"`                      // in ordinary times
	ContingencyPoint int    `json:"contingency_point_of_sale,omitzero"` // absent where none was ever set
	Mode             string `json:"mode"`                               // off, manual or automatic
	// without an answer until it is offered or opened
	AfterMinutes int     `json:"after_minutes,omitzero"`
	MaxHours     int     `json:"max_hours,omitzero"` // after which what was opened closes
	Open         *Window `json:"open"`               // null while it is closed
}

// Window is a time in which documents of a point of sale are issued by contingency.
type Window struct {
	PointOfSale      int        `json:"point_of_sale"`
	ContingencyPoint int        `json:"contingency_point_of_sale"`
	Environment      string     `json:"environment"`
	Cause            string     `json:"cause"`
	Evidence         []string   `json:"evidence"`
	OpenedAt         time.Time  `json:"opened_at"` // RFC 3339, UTC
	OpenedBy         string     `json:"opened_by"`
	ClosedAt         *time.Time `json:"closed_at"`
	ClosedBy         *string    `json:"closed_by"`
	Reason           *string    `json:"reason"` // of its end
}

// ContingencyCode is a code that the authority gave ahead for a fortnight, and what was issued
// and reported by it.
type ContingencyCode struct {
	Environment string    `json:"environment"`
	Period      string    `json:"period"` // YYYYMM
	Order       int       `json:"order"`  // 1: days 1 to 15; 2: the rest
	State       string    `json:"state"`  // requested, refused, held, owed or closed
	Code        *string   `json:"code"`
	From        *string   `json:"from"`         // YYYY-MM-DD
	To          *string   `json:"to"`           // YYYY-MM-DD, its last day
	ReportUntil *string   `json:"report_until"` // YYYY-MM-DD, as the authority named it
	Issued      int64     `json:"issued"`
	Reported    int64     `json:"reported"`
	Due         int64     `json:"due"`     // issued and not reported
	Idle        []int     `json:"idle"`    // points that were reported without documents
	Doubted     []int     `json:"doubted"` // points that somebody else uses, by the authority's word
	Remarks     []Message `json:"remarks"` // that came with the code: a debt of earlier reports, for instance
	Refusal     []Message `json:"refusal"`
	Warnings    []string  `json:"warnings"`
	Sandbox     bool      `json:"sandbox"` // no fiscal value
}

// ContingencyUse is the share of a month that a point of sale issued by contingency. The law
// calls a contingency exceptional while it stays below five per cent.
type ContingencyUse struct {
	PointOfSale int    `json:"point_of_sale"`
	Month       string `json:"month"`     // YYYY-MM, of the documents' dates
	Documents   int64  `json:"documents"` // accepted, at both points
	Contingency int64  `json:"contingency"`
	Share       string `json:"share_percent"` // of the documents, two decimals
	Hours       string `json:"hours"`         // in which a contingency was open, two decimals
	HourShare   string `json:"hours_percent"` // of the month until now, two decimals
	Warning     bool   `json:"warning"`       // one of the two shares is three per cent or more
}

// Reported is the report of an invoice.
func Reported(state events.ReportState, dueBy string, messages []events.AuthorityMessage) *AuthorityReport {
	return &AuthorityReport{State: string(state), DueBy: dueBy, Codes: Messages(messages)}
}

// ContingencyOf is the record of a point of sale's contingency, without what is open.
func ContingencyOf(point int, c events.Contingency) Contingency {
	return Contingency{PointOfSale: point, ContingencyPoint: c.PointOfSale, Mode: c.Mode, AfterMinutes: c.AfterMinutes,
		MaxHours: c.MaxHours}
}
