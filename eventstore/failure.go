package eventstore

import (
	"context"
	"errors"
	"io"
	"strings"

	"github.com/EventStore/EventStore-Client-Go/v4/esdb"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// Errors of this package; what a call returns wraps one of them together with the
// operation, the stream and the client's own error.
var (
	// ErrConflict: the stream is not at the expected revision. Nothing was appended.
	ErrConflict = errors.New("stream has moved on")
	// ErrStreamDeleted: the stream was tombstoned and can never be used again.
	ErrStreamDeleted = errors.New("stream is deleted")
	// ErrUnavailable: the log did not answer in time; see ErrOutcomeUnknown.
	ErrUnavailable = errors.New("event log unavailable")
	// ErrOutcomeUnknown comes with an append that was sent and never answered: it may
	// or may not be in the log. Appending the same again settles it.
	ErrOutcomeUnknown = errors.New("outcome of the append is unknown, append the same again to settle it")
	// ErrTooLarge: an append is over the server's limit. Nothing was appended.
	ErrTooLarge = errors.New("append is too large")
	// ErrUnauthenticated: the log refuses our credentials, or their rights.
	ErrUnauthenticated = errors.New("event log refuses the credentials")
	// ErrInvalid: the call itself is wrong. Nothing was sent.
	ErrInvalid = errors.New("invalid call of the event log")
	// ErrClosed: Close was called.
	ErrClosed = errors.New("event log is closed")

	errRefused  = errors.New("event log refused the call")
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
	if f.cause == nil {
		return []error{f.kind}
	}
	return []error{f.kind, f.cause}
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

func explainStatus(err error) *failure {
	s, _ := status.FromError(err)
	text := strings.ToLower(s.Message())
	switch s.Code() {
	case codes.Unauthenticated, codes.PermissionDenied:
		return &failure{kind: ErrUnauthenticated, cause: err, undone: true}
	case codes.Unavailable, codes.DeadlineExceeded, codes.Canceled, codes.NotFound:
		return &failure{kind: ErrUnavailable, cause: err, repeatable: true, broken: true}
	case codes.Aborted: // the server's own time-out
		return &failure{kind: ErrUnavailable, cause: err, repeatable: true}
	case codes.InvalidArgument, codes.Unimplemented, codes.OutOfRange:
		if strings.Contains(text, "maximum append") {
			return &failure{kind: ErrTooLarge, cause: err, undone: true}
		}
		return &failure{kind: errRefused, cause: err, undone: true}
	case codes.ResourceExhausted:
		return &failure{kind: ErrTooLarge, cause: err, undone: true}
	case codes.FailedPrecondition:
		if strings.Contains(text, "is deleted") {
			return &failure{kind: ErrStreamDeleted, cause: err, undone: true}
		}
	case codes.Internal:
		if strings.Contains(text, "rst_stream") {
			return &failure{kind: ErrUnavailable, cause: err, repeatable: true, broken: true}
		}
	}
	// The client reports a connection lost while it sends as a bare EOF.
	if errors.Is(err, io.EOF) || errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) {
		return &failure{kind: ErrUnavailable, cause: err, repeatable: true, broken: true}
	}
	return &failure{kind: errRefused, cause: err}
}
