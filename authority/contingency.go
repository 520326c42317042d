package authority

import (
	"context"
	"fmt"
	"time"

	"folio/events"
)

// Contingency is for authorities that give a code in advance, for the documents which a
// company issues while the authority is away and reports afterwards. Its methods may be
// called concurrently, and their errors mean what those of Driver mean: ErrNotSent,
// ErrCredential, ErrSeries, ErrRefused; anything else is ambiguous, what was asked for may
// have been done. Each method says how that is settled.
type Contingency interface {
	// Ask asks for the code of a fortnight. Besides the errors above it gives ErrWindow and
	// ErrCodeExists. After an ambiguous error Consult tells whether there is a code; asking
	// again never makes a second one.
	Ask(ctx context.Context, c Credential, f Fortnight, rec Recorder) (ContingencyCode, error)
	// Consult is the code that the authority gave for a fortnight; false: it gave none.
	// It changes nothing.
	Consult(ctx context.Context, c Credential, f Fortnight, rec Recorder) (ContingencyCode, bool, error)
	// Freeze fixes what is reported of a document under its number: pure, and the same
	// bytes each time. code is of the fortnight of the document's date, at the moment when
	// the document was made. A document that has no place in the authority's tables is an
	// Unfit. It does no I/O.
	Freeze(d Document, code string, at time.Time) (Frozen, error)
	// Report reports documents of one series, in the order of their numbers, with exactly
	// the bytes that were frozen, once. There is one outcome for each document, in order. The
	// first refusal stops the rest, which are ReportNotProcessed. No more documents than
	// Last's BatchLimit go in a call. After an ambiguous error FindReported tells, document
	// by document, what arrived.
	Report(ctx context.Context, c Credential, s Series, batch []Frozen, rec Recorder) ([]ReportOutcome, error)
	// FindReported asks what the authority holds under a document's number and compares it
	// with the frozen bytes, the code included. It changes nothing.
	FindReported(ctx context.Context, c Credential, s Series, d Frozen, rec Recorder) (Found, error)
	// NoMovement tells that no document of a code was issued at a point of sale: only once no
	// such document can come any more. After an ambiguous error, NoMovementReported tells, or
	// telling again, which is MovementKnown.
	NoMovement(ctx context.Context, c Credential, code string, point int, rec Recorder) (MovementAnswer, error)
	// NoMovementReported are the points of sale that were told to be without documents of a
	// code; point 0 asks for all of them. It changes nothing.
	NoMovementReported(ctx context.Context, c Credential, code string, point int, rec Recorder) ([]NoMovement, error)
	// PointsOfSale are those of the company. It changes nothing. False: the authority names
	// none at all, as ARCA's testing does, although it takes any; nothing can be checked then.
	PointsOfSale(ctx context.Context, c Credential, rec Recorder) ([]PointOfSale, bool, error)
}

// Errors of Contingency.Ask; both are an ErrRefused.
var (
	// ErrWindow: codes of this fortnight are not given now: too early, or it is over.
	ErrWindow = fmt.Errorf("%w: no code is given for this fortnight now", ErrRefused)
	// ErrCodeExists: there is a code for this fortnight; Consult gives it.
	ErrCodeExists = fmt.Errorf("%w: there is a code for this fortnight", ErrRefused)
)

// Fortnight is one half of a month: Order 1 is the days 1 to 15, 2 the rest.
type Fortnight struct {
	Period string // yyyymm
	Order  int
}

// ContingencyCode is a code that was given in advance. Dates are YYYY-MM-DD, local.
type ContingencyCode struct {
	Code string
	Fortnight
	From, To string // first and last date of documents under it
	// ReportUntil is the last day to report them, as the authority named it: it is never
	// computed.
	ReportUntil string
	Processed   string // the authority's own time, as it wrote it
	// Remarks came with the code and do not lessen it: debts of earlier reports, for example.
	Remarks []events.AuthorityMessage
	Sandbox bool // no fiscal value
}

// Frozen is what is reported of one document.
type Frozen struct {
	Invoice string
	Number  int64
	Prepared
}

// ReportResult is what became of a document that was reported.
type ReportResult string

// The results of a report.
const (
	ReportTaken       ReportResult = "reported"
	ReportObserved    ReportResult = "observed" // taken, with remarks in Messages
	ReportRefused     ReportResult = "refused"  // for the reasons in Messages; it holds the series
	ReportUnprocessed ReportResult = "not_processed"
)

// ReportOutcome is what became of one document of a report.
type ReportOutcome struct {
	Invoice  string
	Number   int64
	Result   ReportResult
	Messages []events.AuthorityMessage
	// WrongNumber: it was refused because the authority expects another number. It may be our
	// own, whose answer was lost: ask FindReported before anything else. Never renumber it.
	WrongNumber bool
	// TooEarly: it was refused because codes of this fortnight are not reported yet; the same
	// bytes are taken later.
	TooEarly  bool
	Processed string // the authority's own time, as it wrote it
	Sandbox   bool   // no fiscal value
}

// MovementResult is what became of telling that a point of sale had no documents.
type MovementResult string

// The results of NoMovement.
const (
	MovementTaken   MovementResult = "reported"
	MovementKnown   MovementResult = "known"     // told before: done
	MovementUsed    MovementResult = "used"      // a document of the code was reported at this point
	MovementEarly   MovementResult = "too_early" // the same is taken later
	MovementRefused MovementResult = "refused"   // for the reasons in Messages
)

// MovementAnswer is the authority's word on NoMovement.
type MovementAnswer struct {
	Result    MovementResult
	Messages  []events.AuthorityMessage
	Processed string // the authority's own time, as it wrote it
	Sandbox   bool   // no fiscal value
}

// NoMovement is a point of sale that was told to be without documents of a code.
type NoMovement struct {
	Code        string
	PointOfSale int
	Processed   string // the authority's own time, as it wrote it
}

// PointOfSale is one as the authority has it registered.
type PointOfSale struct {
	Number      int
	Emission    string // how documents are issued at it, in the authority's words
	Contingency bool   // its documents carry codes that were given in advance
	Blocked     bool
	ClosedOn    string // YYYY-MM-DD; "": it is open
}
