package country

import "folio/events"

// Basis is why a document may go to its receiver before the authority's verdict.
type Basis string

// The three bases.
const (
	Sent        Basis = "sent"        // the authority has it
	Contingency Basis = "contingency" // the authority is away, and the law lets it go on
	ReportOnly  Basis = "report_only" // it is never sent, only reported with its day
)

// Standing is what is known of a document that is signed and has no verdict.
type Standing struct {
	Received bool // the authority has it
	Away     bool // the authority counts as away for the company
	Offline  bool // the operator holds that a signed document may go out while it is away
}

// HandsOver is implemented by the rules of countries whose law lets a signed document go to
// its receiver before the authority's verdict.
type HandsOver interface {
	Signed
	// HandOver is why a signed document may be handed over; "" when it may not yet.
	HandOver(d events.Document, s Standing) Basis
	// Provisional is what the printed form shows of a document as it was signed, as
	// SignedDocument gives it.
	Provisional(signed []byte) (events.Authorization, error)
	// BeforeVerdict is what the print says of itself.
	BeforeVerdict(b Basis) string
	// RefusedAfter is what to do about a document that was handed over and then refused.
	RefusedAfter() string
}
