package node

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
)

// refusal is an error of the protocol: a gRPC status and the trailers by which clients tell errors
// of one status apart.
type refusal struct {
	code     codes.Code
	message  string
	trailers []string // key, value, key, value
	cause    error    // for errors.Is within the node
}

func (r *refusal) Error() string { return r.message }
func (r *refusal) Unwrap() error { return r.cause }

// metadata are the trailers. HTTP/2 carries printable ASCII only, and the Node client ends its process over
// anything else: a value that is not is encoded as gRPC encodes the status message.
func (r *refusal) metadata() metadata.MD {
	md := make(metadata.MD, len(r.trailers)/2)
	for i := 0; i < len(r.trailers); i += 2 {
		md[r.trailers[i]] = append(md[r.trailers[i]], trailerText(r.trailers[i+1]))
	}
	return md
}

func printable(b byte) bool { return b >= ' ' && b <= '~' }

// trailerText answers text as it is when it is printable ASCII, else percent-encoded.
func trailerText(text string) string {
	if strings.IndexFunc(text, func(r rune) bool { return r > '~' || r < ' ' }) < 0 {
		return text
	}
	var b strings.Builder
	for _, c := range []byte(text) {
		if printable(c) && c != '%' {
			b.WriteByte(c)
			continue
		}
		fmt.Fprintf(&b, "%%%02X", c)
	}
	return b.String()
}

var errTooLarge = errors.New("the append is too large")

var errAccessDenied = errors.New("access denied")

func accessDenied(message string) error {
	return &refusal{code: codes.PermissionDenied, cause: errAccessDenied, message: message,
		trailers: []string{"exception", "access-denied"}}
}

func invalid(message string) error { return &refusal{code: codes.InvalidArgument, message: message} }

// broken is how the server answers a request that no client sends.
func broken(what string) error {
	return &refusal{code: codes.Unknown, message: "Exception was thrown by handler. " + what}
}

// The texts below are read by clients that know no better (the Python client parses some): they are the
// server's own, word for word.

func streamDeleted(stream string) error {
	return &refusal{code: codes.FailedPrecondition, message: "Event stream '" + stream + "' is deleted.",
		trailers: []string{"exception", "stream-deleted", "stream-name", stream}}
}

func appendTooLarge(limit int) error {
	return &refusal{code: codes.InvalidArgument, cause: errTooLarge,
		message:  "Maximum Append Size of " + strconv.Itoa(limit) + " bytes Exceeded: split the append or shrink its events.",
		trailers: []string{"exception", "maximum-append-size-exceeded", "maximum-append-size", strconv.Itoa(limit)}}
}

func missingProperty() error {
	return &refusal{code: codes.InvalidArgument, message: "Required Metadata Property 'type' or 'content-type' is missing",
		trailers: []string{"exception", "missing-required-metadata-property", "required-metadata-properties",
			"type,content-type"}}
}

func deleteConflict(stream string, expected, actual int64) error {
	e, a := strconv.FormatInt(expected, 10), strconv.FormatInt(actual, 10)
	return &refusal{code: codes.FailedPrecondition,
		message: "Delete failed due to WrongExpectedVersion. Stream: " + stream + ", Expected version: " + e +
			", Actual version: " + a,
		trailers: []string{"exception", "wrong-expected-version", "stream-name", stream, "expected-version", e,
			"actual-version", a}}
}

// answer turns err into the status that leaves the node and sets its trailers.
func answer(stream grpc.ServerStream, err error) error {
	trailers, st := toStatus(err)
	if trailers != nil {
		stream.SetTrailer(trailers)
	}
	return st
}

func answerUnary(ctx context.Context, err error) error {
	trailers, st := toStatus(err)
	if trailers != nil {
		_ = grpc.SetTrailer(ctx, trailers) // fails outside a call only
	}
	return st
}

// toStatus maps every error of the node to one status. What has no place of its own is Unknown, as at
// the server.
func toStatus(err error) (metadata.MD, error) {
	var r *refusal
	switch {
	case err == nil:
		return nil, nil
	case errors.As(err, &r):
		return r.metadata(), status.Error(r.code, r.message)
	case errors.Is(err, context.Canceled):
		return nil, status.Error(codes.Canceled, "the call was cancelled")
	case errors.Is(err, context.DeadlineExceeded):
		return nil, status.Error(codes.DeadlineExceeded, "the call's deadline passed; what it asked for may still happen")
	case errors.Is(err, ErrDamaged):
		return nil, status.Error(codes.DataLoss, err.Error())
	case errors.Is(err, errStopped), errors.Is(err, errDiskFull), errors.Is(err, errBusy):
		return nil, status.Error(codes.Unavailable, err.Error())
	}
	if _, ok := status.FromError(err); ok {
		return nil, err
	}
	return nil, status.Error(codes.Unknown, err.Error())
}
