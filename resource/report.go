package resource

import "time"

// DailyReport is one sending of a day's report to the authority, as the API shows it.
type DailyReport struct {
	Date        string     `json:"date"` // YYYY-MM-DD, local
	Environment string     `json:"environment"`
	Sequence    int        `json:"sequence"` // one accepted later, under the next one, replaces it
	Status      string     `json:"status"`   // In process, Accepted or Rejected
	Issued      int64      `json:"issued"`   // documents of the day
	Annulled    int64      `json:"annulled"` // numbers that are no document
	Used        int64      `json:"used"`     // both
	Receipt     *string    `json:"receipt"`  // the authority's id of it
	Reasons     []Message  `json:"reasons"`
	Sandbox     bool       `json:"sandbox"` // no fiscal value
	SentAt      time.Time  `json:"sent_at"` // RFC 3339, UTC
	DecidedAt   *time.Time `json:"decided_at"`
}
