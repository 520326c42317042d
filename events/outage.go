package events

import "time"

// AuthorityOutageOpened: for this company the authority is away. Either its calls failed,
// as Evidence shows, or somebody of the company said so, with a reason. At most one is open
// for a company, environment and authority.
type AuthorityOutageOpened struct {
	Fact        `json:"-"`
	Outage      string    `json:"outage"` // ULID
	Company     string    `json:"company"`
	Environment string    `json:"environment"` // Production or Testing
	Authority   string    `json:"authority"`   // arca, sii or dgi
	Cause       string    `json:"cause"`       // calls or operator
	Reason      string    `json:"reason,omitempty"`
	Since       time.Time `json:"since"`           // of the first failing call, or as the person said
	Calls       int       `json:"calls,omitempty"` // that failed with none that got through between
	// Evidence are the first and the last ones of these calls.
	Evidence []FailingCall `json:"evidence,omitempty"`
}

var _ = define[AuthorityOutageOpened]("outage", "AuthorityOutageOpened")

// AuthorityOutageClosed: the outage is over. Either a call got through, or somebody of the
// company said so, with a reason.
type AuthorityOutageClosed struct {
	Fact        `json:"-"`
	Outage      string    `json:"outage"`
	Company     string    `json:"company"`
	Environment string    `json:"environment"`
	Authority   string    `json:"authority"`
	Cause       string    `json:"cause"` // call or operator
	Reason      string    `json:"reason,omitempty"`
	Operation   string    `json:"operation,omitempty"` // of the call that got through
	Since       time.Time `json:"since"`               // as it was opened
	Until       time.Time `json:"until"`
	Seconds     int64     `json:"seconds"` // from Since to Until
}

var _ = define[AuthorityOutageClosed]("outage", "AuthorityOutageClosed")

// FailingCall is a call to an authority that got no answer, or one that says that the
// authority cannot work.
type FailingCall struct {
	At        time.Time `json:"at"`
	Operation string    `json:"operation,omitempty"`
	Fault     string    `json:"fault"`
	// Spared: the call was not made, because those of several companies had just failed.
	Spared bool `json:"spared,omitempty"`
}
