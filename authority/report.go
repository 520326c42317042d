package authority

import (
	"context"

	"folio/events"
)

// Reporter is for authorities that want a report of each day's documents (country.DailyReporter). Its methods may be
// called concurrently, and their
// errors mean what those of Driver mean: ErrNotSent, ErrCredential, ErrSeries,
// ErrRefused, and anything else is ambiguous.
//
// What became of a report whose answer was lost is learnt by sending the same bytes
// again: the authority takes them once, and says when it has them already.
type Reporter interface {
	// SignReport signs the content of a report, once. It does no I/O.
	SignReport(ctx context.Context, c Credential, content []byte) (Prepared, error)
	// SendReport sends exactly what was signed, once.
	SendReport(ctx context.Context, c Credential, p Prepared, rec Recorder) (Reported, error)
}

// Reported is the authority's word on a report.
type Reported struct {
	Accepted bool
	Repeated bool   // it had the report already
	Receipt  string // its id of the report
	Reasons  []events.AuthorityMessage
	Sandbox  bool // no fiscal value
}
