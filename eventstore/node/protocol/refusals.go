// Package protocol is what every service of a node says alike: its errors, as the server words
// them, and the filters of $all.
package protocol

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"folio/eventstore/node/storage"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
)

// Refusal is an error of the protocol: a gRPC status and the trailers by which clients tell errors
// of one status apart.
type Refusal struct {
	Code     codes.Code
	Message  string
	Trailers []string // key, value, key, value
	cause    error    // for errors.Is within the node
}

func (r *Refusal) Error() string { return r.Message }
func (r *Refusal) Unwrap() error { return r.cause }

// metadata are the trailers. HTTP/2 carries printable ASCII only, and the Node client ends its process over
// anything else: a value that is not is encoded as gRPC encodes the status message.
func (r *Refusal) metadata() metadata.MD {
	md := make(metadata.MD, len(r.Trailers)/2)
	for i := 0; i < len(r.Trailers); i += 2 {
		md[r.Trailers[i]] = append(md[r.Trailers[i]], trailerText(r.Trailers[i+1]))
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

var ErrTooLarge = errors.New("the append is too large")

var ErrAccessDenied = errors.New("access denied")

func AccessDenied(message string) error {
	return &Refusal{Code: codes.PermissionDenied, cause: ErrAccessDenied, Message: message,
		Trailers: []string{"exception", "access-denied"}}
}

func Invalid(message string) error { return &Refusal{Code: codes.InvalidArgument, Message: message} }

// Broken is how the server answers a request that no client sends.
func Broken(what string) error {
	return &Refusal{Code: codes.Unknown, Message: "Exception was thrown by handler. " + what}
}

// The texts below are read by clients that know no better (the Python client parses some): they are the
// server's own, word for word.

func StreamDeleted(stream string) error {
	return &Refusal{Code: codes.FailedPrecondition, Message: "Event stream '" + stream + "' is deleted.",
		Trailers: []string{"exception", "stream-deleted", "stream-name", stream}}
}

func AppendTooLarge(limit int) error {
	return &Refusal{Code: codes.InvalidArgument, cause: ErrTooLarge,
		Message:  "Maximum Append Size of " + strconv.Itoa(limit) + " bytes Exceeded: split the append or shrink its events.",
		Trailers: []string{"exception", "maximum-append-size-exceeded", "maximum-append-size", strconv.Itoa(limit)}}
}

func MissingProperty() error {
	return &Refusal{Code: codes.InvalidArgument, Message: "Required Metadata Property 'type' or 'content-type' is missing",
		Trailers: []string{"exception", "missing-required-metadata-property", "required-metadata-properties",
			"type,content-type"}}
}

func DeleteConflict(stream string, expected, actual int64) error {
	e, a := strconv.FormatInt(expected, 10), strconv.FormatInt(actual, 10)
	return &Refusal{Code: codes.FailedPrecondition,
		Message: "Delete failed due to WrongExpectedVersion. Stream: " + stream + ", Expected version: " + e +
			", Actual version: " + a,
		Trailers: []string{"exception", "wrong-expected-version", "stream-name", stream, "expected-version", e,
			"actual-version", a}}
}

// Unary turns the error of a call into the status that leaves the node and sets its trailers.
func Unary(ctx context.Context, req any, _ *grpc.UnaryServerInfo, next grpc.UnaryHandler) (any, error) {
	resp, err := next(ctx, req)
	trailers, st := toStatus(err)
	if trailers != nil {
		_ = grpc.SetTrailer(ctx, trailers) // fails outside a call only
	}
	return resp, st
}

// Stream does the same for calls that stream.
func Stream(srv any, call grpc.ServerStream, _ *grpc.StreamServerInfo, next grpc.StreamHandler) error {
	trailers, st := toStatus(next(srv, call))
	if trailers != nil {
		call.SetTrailer(trailers)
	}
	return st
}

// Each hands every message of a call to take, until the client has no more to say or take fails.
func Each[M any](receive func() (M, error), take func(M) error) error {
	for {
		m, err := receive()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if err := take(m); err != nil {
			return err
		}
	}
}

// toStatus maps every error of the node to one status. What has no place of its own is Unknown, as at
// the server.
func toStatus(err error) (metadata.MD, error) {
	var r *Refusal
	switch {
	case err == nil:
		return nil, nil
	case errors.As(err, &r):
		return r.metadata(), status.Error(r.Code, r.Message)
	case errors.Is(err, context.Canceled):
		return nil, status.Error(codes.Canceled, "the call was cancelled")
	case errors.Is(err, context.DeadlineExceeded):
		return nil, status.Error(codes.DeadlineExceeded, "the call's deadline passed; what it asked for may still happen")
	case errors.Is(err, storage.ErrDamaged):
		return nil, status.Error(codes.DataLoss, err.Error())
	case errors.Is(err, storage.ErrStopped), errors.Is(err, storage.ErrDiskFull), errors.Is(err, storage.ErrBusy):
		return nil, status.Error(codes.Unavailable, err.Error())
	}
	if _, ok := status.FromError(err); ok {
		return nil, err
	}
	return nil, status.Error(codes.Unknown, err.Error())
}
