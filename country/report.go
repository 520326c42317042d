package country

import (
	"time"

	"folio/events"
)

// DailyReporter is implemented by the rules of countries whose authority wants a report
// of each day's documents (Uruguay's reporte diario).
type DailyReporter interface {
	// ReportDue is when the report of a local day (YYYY-MM-DD) is to be sent.
	ReportDue(day string) time.Time
	// NewDailyReport begins the report of a day.
	NewDailyReport(h ReportHead) DailyReport
}

// ExtraSignedAt is when a document was signed (RFC 3339), in Authorization.Extra: its
// local day is the one whose report it belongs to.
const ExtraSignedAt = "signed_at"

// ReportHead says whose report it is, and of which day.
type ReportHead struct {
	TaxIdentifier string // canonical
	Day           string // YYYY-MM-DD, local
}

// DailyReport is the report of one day while it is made. Documents come in any order;
// its content depends on which they are alone.
type DailyReport interface {
	// Issued adds a document that was signed on the day, decided or not.
	Issued(i Issued) error
	// Refused adds a number that the authority refused for good, for these reasons.
	Refused(officialCode int, series string, number int64, reasons []events.AuthorityMessage)
	// Content is the report under a sequence, signed at a time: the bytes that the driver
	// signs. The same documents, sequence and time give the same bytes.
	Content(sequence int, at time.Time) ([]byte, error)
	// Counts are how many numbers the day used, and how many of those are no document.
	Counts() (used, annulled int64)
}
