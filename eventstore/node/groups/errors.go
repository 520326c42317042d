package groups

import (
	"folio/eventstore/node/protocol"

	"google.golang.org/grpc/codes"
)

// The refusals of persistent subscriptions, each with the exception by which clients know it.

func groupRefusal(code codes.Code, exception, message string, group []string, more ...string) error {
	return &protocol.Refusal{Code: code, Message: message,
		Trailers: append([]string{"exception", exception, "stream-name", group[0], "group-name", group[1]}, more...)}
}

func groupExists(stream, name string) error {
	return groupRefusal(codes.AlreadyExists, "persistent-subscription-exists",
		"Subscription group "+name+" on stream "+stream+" exists.", []string{stream, name})
}

func groupMissing(stream, name string) error {
	return groupRefusal(codes.NotFound, "persistent-subscription-does-not-exist",
		"Subscription group "+name+" on stream "+stream+" does not exist.", []string{stream, name})
}

func groupFull(stream, name string) error {
	return groupRefusal(codes.FailedPrecondition, "maximum-subscribers-reached",
		"Maximum subscriptions reached for subscription group "+name+" on stream "+stream+".", []string{stream, name})
}

func groupDropped(stream, name string) error {
	return groupRefusal(codes.Canceled, "persistent-subscription-dropped",
		"Subscription group "+name+" on stream "+stream+" was dropped.", []string{stream, name})
}

func groupFailed(stream, name, reason string) error {
	return groupRefusal(codes.Internal, "persistent-subscription-failed",
		"Subscription group "+name+" on stream "+stream+" failed: '"+reason+"'", []string{stream, name}, "reason", reason)
}
