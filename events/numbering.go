package events

import "time"

// SubmissionOpened: these invoices, in this order, are to be sent under the numbers
// First, First+1, ... Where the authority gives out the numbers, no other submission of the
// series opens before it settles; where they come from uploaded ranges, several may be open.
type SubmissionOpened struct {
	Fact       `json:"-"`
	Submission string   `json:"submission"`
	First      int64    `json:"first"`
	Invoices   []string `json:"invoices"`
	SHA256     string   `json:"sha256"` // of what is sent, without credentials
	// of the numbers, where they come from files; empty in old events: the one that holds First
	Range         string `json:"range,omitempty"`
	AuthorityLast int64  `json:"authority_last"` // the authority's last number when asked
}

var _ = define[SubmissionOpened]("numbering", "SubmissionOpened")

// SubmissionSplit: the authority refused what the open submission sent, as a whole, and
// received none of its documents. From here on each goes alone, as it was signed and under
// its number.
type SubmissionSplit struct {
	Fact       `json:"-"`
	Submission string             `json:"submission"`
	Messages   []AuthorityMessage `json:"messages"`        // why it refused the whole
	Calls      []Call             `json:"calls,omitempty"` // until then
}

func (e SubmissionSplit) exchanges() []Call { return e.Calls }

var _ = define[SubmissionSplit]("numbering", "SubmissionSplit")

// EnvelopeRenewed: the authority says that it had the envelope of this open submission and
// denies its documents. From here on the same signed documents go out in the envelope
// SHA256, under their numbers; the authority takes each of them once.
type EnvelopeRenewed struct {
	Fact       `json:"-"`
	Submission string             `json:"submission"`
	SHA256     string             `json:"sha256"`          // of what is sent from here on
	Messages   []AuthorityMessage `json:"messages"`        // what the authority said about the last one
	Calls      []Call             `json:"calls,omitempty"` // until then
}

func (e EnvelopeRenewed) exchanges() []Call { return e.Calls }

var _ = define[EnvelopeRenewed]("numbering", "EnvelopeRenewed")

// SubmissionSettled: what came of every invoice of an open submission.
type SubmissionSettled struct {
	Fact       `json:"-"`
	Submission string    `json:"submission"`
	Outcomes   []Outcome `json:"outcomes"`
	Calls      []Call    `json:"calls,omitempty"`
}

func (e SubmissionSettled) exchanges() []Call { return e.Calls }

var _ = define[SubmissionSettled]("numbering", "SubmissionSettled")

// Result is what came of one document.
type Result string

// The three ends of a submission. NotProcessed frees the number and the invoice
// goes back to the head of the queue.
const (
	Accepted     Result = "accepted"
	Rejected     Result = "rejected"
	NotProcessed Result = "not_processed"
)

// Codes of Folio's own beside the authority's: why a number of a range that an operator
// gave up will never be a document.
const (
	CodeVoided      = "FOLIO_VOIDED"       // the authority does not have it
	CodeNumberTaken = "FOLIO_NUMBER_TAKEN" // a document that is not ours has its number
	CodeUnfit       = "FOLIO_UNFIT"        // it cannot be written as the authority's schema wants it
)

// Outcome is the result of one invoice of a submission.
type Outcome struct {
	Invoice       string             `json:"invoice"`
	Number        int64              `json:"number"`
	Result        Result             `json:"result"`
	Authorization *Authorization     `json:"authorization,omitempty"`
	Messages      []AuthorityMessage `json:"messages,omitempty"` // reasons or observations
	Found         bool               `json:"found,omitempty"`    // learnt by asking, the answer itself was lost
	Sandbox       bool               `json:"sandbox,omitempty"`
}

// Call is one exchange with the authority. Both bodies are files of the vault,
// without token and signature.
type Call struct {
	Operation string    `json:"operation"`
	At        time.Time `json:"at"`
	Request   string    `json:"request,omitempty"` // SHA-256
	Answer    string    `json:"answer,omitempty"`  // SHA-256; empty when none came
	Fault     string    `json:"fault,omitempty"`
}

// ForeignNumbersNoticed: another system used numbers of this series.
type ForeignNumbersNoticed struct {
	Fact `json:"-"`
	From int64 `json:"from"`
	To   int64 `json:"to"`
}

var _ = define[ForeignNumbersNoticed]("numbering", "ForeignNumbersNoticed")

// SeriesHeld: the series cannot go on until somebody has looked.
type SeriesHeld struct {
	Fact   `json:"-"`
	Reason string `json:"reason"`
	Calls  []Call `json:"calls,omitempty"` // that led to it
}

func (e SeriesHeld) exchanges() []Call { return e.Calls }

var _ = define[SeriesHeld]("numbering", "SeriesHeld")

// SeriesReleased: an operator looked and lets the series go on, with Next of Range if
// they are given: numbers before it were used outside of this log. Voids is the open
// submission whose documents the operator gives up, unless the authority has them.
type SeriesReleased struct {
	Fact   `json:"-"`
	Reason string `json:"reason,omitempty"`
	Range  string `json:"range,omitempty"` // ULID, the id_enumeration
	Next   int64  `json:"next,omitempty"`
	Voids  string `json:"voids,omitempty"` // the submission
}

var _ = define[SeriesReleased]("numbering", "SeriesReleased")

// CallsOf are the exchanges with the authority that led to a fact, in their order; none for most.
func CallsOf(e Event) []Call {
	if told, ok := e.(interface{ exchanges() []Call }); ok {
		return told.exchanges()
	}
	return nil
}
