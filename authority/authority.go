// Package authority is the contract between submission and a fiscal authority. One
// driver speaks to the real authority and to its sandbox alike and cannot tell which.
package authority

import (
	"context"
	"crypto/sha256"
	"crypto/tls"
	"encoding/hex"
	"errors"
	"fmt"
	"time"

	"folio/events"
)

// Environment is where documents count: Production, or Testing for the authority's
// own trial system. The two never share a series or a ticket.
type Environment string

// The two environments of a certificate.
const (
	Production Environment = "Production"
	Testing    Environment = "Testing"
)

// Credential is the company's certificate, opened for one use. It is never logged.
type Credential struct {
	Certificate   tls.Certificate
	Fingerprint   string // SHA-256 of the DER: names its tickets
	TaxIdentifier string // on whose behalf we speak: the company's
	Environment   Environment
	// AskAgain says that a person asked for this now, mostly after putting something right:
	// a refusal that the driver remembers is asked for again.
	AskAgain bool
}

// Series is one sequence of numbers.
type Series struct {
	Company      string
	Environment  Environment
	OfficialCode int
	BranchOffice int
}

// Last is what the authority knows about a series.
type Last struct {
	Number     int64
	BatchLimit int // documents that one call may carry
}

// Document is one document of a batch with the number it is sent under.
type Document struct {
	Invoice  string
	Number   int64
	Document events.Document
	Taxes    events.TaxInformation
	Profile  events.IssuerProfile
	// the company's own fields of the fiscal profile, as they are now: of who sends, not of what is sent
	Fields  map[string]string
	Created time.Time
	Range   *Range // where numbers come from files: the one that Number belongs to
	// Envelope is the SHA-256 of what carries it, once that is fixed: what a driver keeps of
	// an earlier envelope is not about this one. Documents that go alone keep that of the whole.
	Envelope string
}

// Range is an uploaded numbering file, opened for one use. It may hold a private key
// and is never logged.
type Range struct {
	ID     string // id_enumeration
	Series string // Uruguay: letter of the CAE
	File   []byte
	From   int64
	To     int64
}

// Batch are documents of one series with consecutive numbers.
type Batch struct {
	Series    Series
	Documents []Document
	// At dates what is signed: certificate and numbering file were found valid at that
	// moment. Zero: the driver's clock does.
	At time.Time
}

// SignedAt is the moment that dates what is signed.
func (b Batch) SignedAt(now func() time.Time) time.Time {
	if b.At.IsZero() {
		return now()
	}
	return b.At
}

// Prepared is what will be sent, fixed before it is sent. Content holds no
// credentials; where documents are signed it is the signed bytes.
type Prepared struct {
	Content []byte
	SHA256  string
}

// Answer is a definitive answer: every document of the batch has an outcome.
type Answer struct {
	Outcomes []events.Outcome
}

// Found is what the authority knows about one number.
type Found struct {
	Exists        bool
	Pending       bool   // it arrived, and the authority has not decided yet
	Rejected      bool   // the authority refused it for good; Observations say why
	Same          bool   // every field that identifies our document agrees
	Difference    string // which field does not, when it exists and is not the same
	Authorization events.Authorization
	Observations  []events.AuthorityMessage
	Sandbox       bool // no fiscal value
}

// Outcome is what became of a document that was found and decided on.
func (f Found) Outcome(d Document) events.Outcome {
	o := events.Outcome{Invoice: d.Invoice, Number: d.Number, Result: events.Rejected, Messages: f.Observations}
	if !f.Rejected {
		o.Result, o.Authorization, o.Sandbox = events.Accepted, &f.Authorization, f.Sandbox
	}
	return o
}

// Exchange is one call as it went over the line, without token and signature.
type Exchange struct {
	Operation string
	At        time.Time
	Request   []byte
	Answer    []byte
	Fault     string
	Result    CallResult
}

// Recorder keeps exchanges; drivers call it once per call, whatever came of it.
type Recorder func(Exchange)

// Driver speaks one authority's protocol. All methods may be called concurrently.
// An error that wraps ErrNotSent means that the authority surely saw nothing; one
// that wraps ErrRefused is definitive for the whole call; every other error of Send
// is ambiguous: the documents may have been processed, ask Find before sending again.
type Driver interface {
	// Name is that of country.Rules.Authority: "arca".
	Name() string
	// Last gets ready (ticket included) and asks for the last number of a series.
	Last(ctx context.Context, c Credential, s Series, rec Recorder) (Last, error)
	// Prepare fixes what will be sent: where documents are signed, it signs them, once.
	// A document that the authority's schema refuses is not signed: the error is an Unfit.
	// It does no I/O.
	Prepare(ctx context.Context, c Credential, b Batch) (Prepared, error)
	// Send sends exactly what was prepared, once.
	Send(ctx context.Context, c Credential, b Batch, p Prepared, rec Recorder) (Answer, error)
	// Find asks what became of one document under its number.
	Find(ctx context.Context, c Credential, s Series, d Document, rec Recorder) (Found, error)
	// Ping asks whether the authority is there; nil when it says so.
	Ping(ctx context.Context, e Environment) error
	// Can is what this driver does beyond the above, always the same.
	Can() Capabilities
}

// Capabilities are what only some authorities offer or want. What one does not is nil.
type Capabilities struct {
	Grouper  Grouper
	Splitter Splitter
	Renewer  Renewer
	Quoter   Quoter
	Reporter Reporter
	Verifier Verifier
	// Contingency is of authorities whose codes are given in advance.
	Contingency Contingency
	// Exchanger is for countries whose law has the buyer receive the document as a file.
	Exchanger Exchanger
}

// Grouper is for documents that may not all share a call, beyond what Last's BatchLimit
// says: documents for which Together is false go in calls of their own, in the order of
// the queue. It is symmetric and transitive.
type Grouper interface {
	Together(a, b events.Document) bool
}

// Splitter is for drivers that sign documents and send several in a call, when the
// authority refuses such a call as a whole (ErrRefused) although one of them may be at
// fault. Split gives what is sent of each document alone, in the order of the batch: the
// document as it was signed, and the same bytes each time. It does no I/O. Send takes them
// with a batch of that one document. An error that wraps errors.ErrUnsupported says that
// the documents only go as they were prepared.
type Splitter interface {
	Split(b Batch, p Prepared) ([]Prepared, error)
}

// Renewer is for drivers that put signed documents in envelopes, where the authority
// may have had an envelope and deny its documents (ErrHidden). Renew puts the
// documents, byte by byte as they were signed, in their n-th new one, from 1 on; p is what
// they were in until then. It does no I/O. The authority must take each document once,
// whichever envelope brings it. An error that wraps errors.ErrUnsupported says that there
// is no new envelope for them.
type Renewer interface {
	Renew(c Credential, b Batch, p Prepared, n int) (Prepared, error)
}

// Sentinels that drivers wrap.
var (
	// ErrNotSent: nothing reached the authority (no connection, no ticket).
	ErrNotSent = errors.New("the authority was not reached")
	// ErrRefused: the authority refused the call as a whole; nothing was processed.
	ErrRefused = errors.New("the authority refused the call")
	// ErrSeries: the authority does not serve this issuer, point of sale or kind of
	// document. Nothing was processed; it may once the issuer has put it right.
	ErrSeries = errors.New("the authority does not serve this series")
	// ErrCredential: the certificate itself is refused (expired, untrusted, not
	// authorised for the service); waiting does not help, another one does.
	ErrCredential = errors.New("the authority refuses the certificate")
	// ErrPending: the documents arrived and the authority decides later; ask Find, not
	// before the Message's At where there is one. Find may say so too.
	ErrPending = errors.New("the authority has not decided yet")
	// ErrHidden: the authority says that it has what was sent, and does not show it. What
	// was sent may come to light; ask Find. Find may say so too: nothing is sent then, and
	// when an operator gives the numbers up it counts as not there.
	ErrHidden = errors.New("the authority does not show what it says it has")
	// ErrTooLarge: Prepare cannot put so many documents in one call; fewer may fit.
	ErrTooLarge = errors.New("the documents are too large for one call")
	// ErrWrongNumber: the authority expected another number or a later date; ask Find.
	ErrWrongNumber = errors.New("the authority expects another number or date")
)

// Unfit is the error of Prepare about one document of the batch that can never be sent as it
// is: its authority's schema refuses it. The others may go without it.
type Unfit struct {
	Invoice string
	Err     error // what is wrong, with the path of the element where there is one
}

// Error says what is wrong with which invoice.
func (u *Unfit) Error() string { return "invoice " + u.Invoice + ": " + u.Err.Error() }

// Unwrap is what is wrong.
func (u *Unfit) Unwrap() error { return u.Err }

// Reasons are what the invoice's record says.
func (u *Unfit) Reasons() []events.AuthorityMessage {
	return []events.AuthorityMessage{{Code: events.CodeUnfit,
		Text: events.Because("The document cannot be written as the authority wants it: %s. It was not sent and has no "+
			"number: put that right and issue it again.", u.Err.Error())}}
}

// Message is the authority's own code and text inside an error, for the reason that
// a pending invoice shows.
type Message struct {
	Code, Text string
	Err        error     // one of the sentinels, or nil for ambiguous
	At         time.Time // asking before is useless; zero: unknown
	// Receipt is the authority's own name of what it received, with ErrPending; "": not known.
	Receipt string
	// Broken: the authority answered that it cannot work now. It counts as away.
	Broken bool
}

// Said is a Message as an error: what the authority said, and what it means (one of the
// errors above, nil when that is not known).
func Said(code, text string, meaning error) error {
	return &Message{Code: code, Text: text, Err: meaning}
}

// Reasons are what a refusal says, in the error's words where the authority has none.
func Reasons(err error) []events.AuthorityMessage {
	var m *Message
	if errors.As(err, &m) {
		return []events.AuthorityMessage{{Code: m.Code, Text: m.Text}}
	}
	return []events.AuthorityMessage{{Code: "REFUSED", Text: err.Error()}}
}

// NotSent says of a failure that nothing went out.
func NotSent(err error) error { return fmt.Errorf("%w: %w", ErrNotSent, err) }

// Error is "code: text", or the text alone.
func (m *Message) Error() string {
	if m.Code == "" {
		return m.Text
	}
	return m.Code + ": " + m.Text
}

// Unwrap is the sentinel.
func (m *Message) Unwrap() error { return m.Err }

// DatedBefore is the reason of a document that is older than the one before it, in words
// that name both dates (YYYY-MM-DD): a date is never changed silently.
func DatedBefore(code, ours string, number int64, theirs string) events.AuthorityMessage {
	return events.AuthorityMessage{Code: code, Text: fmt.Sprintf(
		"The invoice is dated %s, earlier than number %d of the same series, dated %s: the authority takes dates in order "+
			"only. Issue it again, dated %[3]s or later, or at another point of sale.",
		ours, number, theirs)}
}

// Prepare fixes content under its hash.
func Prepare(content []byte) Prepared {
	sum := sha256.Sum256(content)
	return Prepared{Content: content, SHA256: hex.EncodeToString(sum[:])}
}
