package eventstore

import (
	"context"
	"errors"
	"strings"

	"github.com/EventStore/EventStore-Client-Go/v4/esdb"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"folio/fault"
)

// Errors of this package; what a call returns wraps one of them together with the
// operation, the stream and the client's own error.
var (
	// ErrConflict: the stream is not at the expected revision. Nothing was appended.
	ErrConflict = errors.New("stream has moved on")
	// ErrStreamDeleted: the stream was tombstoned and can never be used again.
	ErrStreamDeleted = errors.New("stream is deleted")
	// ErrUnavailable: the log gave no answer that settles the call; ask again later. It is
	// what every error is that is none of ErrConflict, ErrStreamDeleted, ErrTooLarge and
	// ErrInvalid; see also ErrOutcomeUnknown.
	ErrUnavailable = errors.New("event log unavailable")
	// ErrOutcomeUnknown comes with an append that was sent and never answered: it may
	// or may not be in the log. Appending the same again settles it.
	ErrOutcomeUnknown = errors.New("outcome of the append is unknown, append the same again to settle it")
	// ErrTooLarge: an append is over the server's limit. Nothing was appended.
	ErrTooLarge = errors.New("append is too large")
	// ErrUnauthenticated: the log refuses our credentials, or their rights. It is also
	// ErrUnavailable: an operator can give them back.
	ErrUnauthenticated = errors.New("event log refuses the credentials")
	// ErrInvalid: the call itself is wrong. Nothing was sent.
	ErrInvalid = errors.New("invalid call of the event log")
	// ErrReplaced: this is another log than the one that was seen before, or an older copy.
	// It is also ErrUnavailable.
	ErrReplaced = errors.New("not the event log that Folio works with")
	// ErrClosed: Close was called. It is also ErrUnavailable.
	ErrClosed = errors.New("event log is closed")
	// ErrDamaged: the log lost or changed what it held, so that asking again never helps. It is
	// also ErrUnavailable.
	ErrDamaged = errors.New("damaged event log")

	errServer   = errors.New("unsuitable event log")
	errNoStream = errors.New("stream does not exist")
)

// failure is one error of the client, understood.
type failure struct {
	kind       error
	cause      error
	repeatable bool // the same call may succeed later
	broken     bool // the session is of no more use
	undone     bool // the server certainly did nothing this time
}

func (f *failure) Error() string {
	if f.cause == nil {
		return f.kind.Error()
	}
	return f.kind.Error() + ": " + f.cause.Error()
}

func (f *failure) Unwrap() []error {
	chain := []error{f.kind}
	if !f.answer() && f.kind != ErrUnavailable {
		chain = append(chain, ErrUnavailable)
	}
	if f.cause != nil {
		chain = append(chain, f.cause)
	}
	return chain
}

// answer says that the log understood the call and settled it, if only by refusing it.
func (f *failure) answer() bool {
	switch f.kind {
	case ErrConflict, ErrStreamDeleted, ErrTooLarge, ErrInvalid, errNoStream:
		return true
	}
	return false
}

// settles says that f is also the answer to every earlier attempt: an append that
// had been written would have been recognised by its ids, and one too large never is.
func (f *failure) settles() bool { return f.kind == ErrConflict || f.kind == ErrTooLarge }

// orEnded is f as it is reported when ctx, which bounded the repetitions, is over.
func (f *failure) orEnded(ctx context.Context) error {
	ended := ctx.Err()
	switch {
	case ended == nil || f.kind == ErrClosed:
		return f
	case errors.Is(ended, context.Canceled):
		return &failure{kind: ended, cause: f}
	case errors.Is(f, ended):
		return f
	default:
		return &failure{kind: f, cause: ended}
	}
}

// explain understands whatever the client returned. The client keeps gRPC's status
// only in the chain of wrapped errors, and for some refusals only in its text.
func explain(err error) *failure {
	f := understand(err)
	f.cause = fault.Unaddressed(advised(plain(f.cause)))
	return f
}

// plain takes the client's own error away from around the server's: it has no words for some
// of its codes and says so at length.
func plain(err error) error {
	if e := (*esdb.Error)(nil); errors.As(err, &e) && e.Err() != nil {
		return e.Err()
	}
	return err
}

func understand(err error) *failure {
	if f := (*failure)(nil); errors.As(err, &f) {
		known := *f
		return &known
	}
	if e := (*esdb.Error)(nil); errors.As(err, &e) {
		switch e.Code() {
		case esdb.ErrorCodeWrongExpectedVersion:
			return &failure{kind: ErrConflict, cause: e.Err(), undone: true}
		case esdb.ErrorCodeStreamDeleted:
			return &failure{kind: ErrStreamDeleted, cause: e.Err(), undone: true}
		case esdb.ErrorCodeNotLeader:
			return &failure{kind: ErrUnavailable, cause: err, repeatable: true, undone: true}
		case esdb.ErrorCodeConnectionClosed:
			return &failure{kind: ErrUnavailable, cause: err, repeatable: true, broken: true, undone: true}
		case esdb.ErrorCodeResourceNotFound:
			// Without a gRPC status it is the answer to a read; with one it is a node
			// that is not the leader, which must never pass for an empty stream.
			if status.Code(e.Err()) == codes.Unknown {
				return &failure{kind: errNoStream, cause: e.Err()}
			}
		}
	}
	return explainStatus(err)
}

// explainStatus takes everything for "unavailable, ask again" that does not certainly say
// otherwise: a server in trouble, a proxy before it and the client have many ways to say so,
// and some have no status at all ("no nodes are eligible").
func explainStatus(err error) *failure {
	s, _ := status.FromError(err)
	text := strings.ToLower(s.Message())
	switch s.Code() {
	case codes.Unauthenticated, codes.PermissionDenied:
		return &failure{kind: ErrUnauthenticated, cause: err, undone: true}
	case codes.Aborted: // the server's own time-out: the append may come about all the same
		return &failure{kind: ErrUnavailable, cause: err, repeatable: true}
	case codes.InvalidArgument, codes.ResourceExhausted, codes.OutOfRange:
		if s.Code() == codes.ResourceExhausted || strings.Contains(text, "maximum append") {
			return &failure{kind: ErrTooLarge, cause: err, undone: true}
		}
		return &failure{kind: ErrInvalid, cause: err, undone: true}
	case codes.DataLoss:
		return &failure{kind: ErrDamaged, cause: err, undone: true}
	case codes.Unimplemented:
		return &failure{kind: errServer, cause: err, undone: true}
	case codes.FailedPrecondition:
		if strings.Contains(text, "is deleted") {
			return &failure{kind: ErrStreamDeleted, cause: err, undone: true}
		}
	}
	return &failure{kind: ErrUnavailable, cause: err, repeatable: true, broken: true}
}

// isNotLeader: the client has learnt who the leader is and connects to it by itself.
func isNotLeader(err error) bool {
	e := (*esdb.Error)(nil)
	return errors.As(err, &e) && e.Code() == esdb.ErrorCodeNotLeader
}
