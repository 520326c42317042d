package events

// DailyReportSent: this report of a day goes to the authority. Its bytes were signed and
// stored before, and only they are sent until there is a verdict. An accepted report is
// replaced by a later one under the next sequence; a refused one leaves its sequence free.
type DailyReportSent struct {
	Fact        `json:"-"`
	Company     string `json:"company"`
	Environment string `json:"environment"`
	Date        string `json:"date"`     // YYYY-MM-DD, local
	Sending     int    `json:"sending"`  // of this day, from 1
	Sequence    int    `json:"sequence"` // among the accepted ones, from 1 (Uruguay: SecEnvio)
	SHA256      string `json:"sha256"`   // of the signed bytes, a file of the vault
	Facts       string `json:"facts"`    // SHA-256 of the content without sequence and time
	Used        int64  `json:"used"`     // numbers that the day took
	Annulled    int64  `json:"annulled"` // of those, numbers that are no document
}

var _ = define[DailyReportSent]("dailyreport", "DailyReportSent")

// DailyReportAccepted: the authority has the report.
type DailyReportAccepted struct {
	Fact     `json:"-"`
	Sending  int    `json:"sending"`
	Receipt  string `json:"receipt,omitempty"`  // the authority's id of it
	Repeated bool   `json:"repeated,omitempty"` // it had it already: an earlier answer was lost
	Sandbox  bool   `json:"sandbox,omitempty"`  // no fiscal value
	Calls    []Call `json:"calls,omitempty"`
}

func (e DailyReportAccepted) exchanges() []Call { return e.Calls }

var _ = define[DailyReportAccepted]("dailyreport", "DailyReportAccepted")

// DailyReportRejected: the authority refused the report. Another one is made when the day
// changes or an operator asks for it.
type DailyReportRejected struct {
	Fact    `json:"-"`
	Sending int                `json:"sending"`
	Reasons []AuthorityMessage `json:"reasons"`
	Calls   []Call             `json:"calls,omitempty"`
}

func (e DailyReportRejected) exchanges() []Call { return e.Calls }

var _ = define[DailyReportRejected]("dailyreport", "DailyReportRejected")

// DailyReportRequested: an operator asks for a refused report to be made and sent again.
type DailyReportRequested struct {
	Fact        `json:"-"`
	Company     string `json:"company"`
	Environment string `json:"environment"`
	Date        string `json:"date"`               // YYYY-MM-DD, local
	Sequence    int    `json:"sequence,omitempty"` // to send it under, where the authority insists on one
	Reason      string `json:"reason,omitempty"`
}

var _ = define[DailyReportRequested]("dailyreport", "DailyReportRequested")
