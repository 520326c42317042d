package calls

import (
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
)

// Delivery says what becomes of a call that is answered by a script.
type Delivery int

// The server never hears of the call, does it before the client gets the scripted answer, or
// gets it with Proxy.Deliver.
const (
	Never Delivery = iota
	Before
	Later
)

// Answer is what a client gets in place of the server's own answer.
type Answer struct {
	status   *status.Status
	trailer  metadata.MD
	delivery Delivery
}

// Status is any answer; pairs are keys and values of the trailer.
func Status(d Delivery, code codes.Code, message string, pairs ...string) Answer {
	return Answer{status.New(code, message), metadata.Pairs(pairs...), d}
}

// What EventStoreDB 23.10 says, word by word.

// CommitTimeout is the answer of a leader that lost its followers: the event may come about.
func CommitTimeout(d Delivery) Answer {
	return Status(d, codes.Aborted, "Operation timed out: Commit phase timeout.")
}

// NotReady is what a node says that has no leader.
func NotReady() Answer { return Status(Never, codes.Unavailable, "Server Is Not Ready") }

// Dropped is how a subscription learns that its server was killed.
func Dropped() Answer { return Status(Never, codes.Unavailable, "Connection dropped") }

// NotLeader is a follower's answer to a call that requires the leader at host and port.
func NotLeader(host, port string) Answer {
	return Status(Never, codes.NotFound, "Leader info available",
		"exception", "not-leader", "leader-endpoint-host", host, "leader-endpoint-port", port)
}

// Unauthenticated is the answer to a wrong password and to a disabled user.
func Unauthenticated() Answer { return Status(Never, codes.Unauthenticated, "Unauthenticated") }

// AccessDenied is the answer to a user without the right.
func AccessDenied() Answer {
	return Status(Never, codes.PermissionDenied, "Access Denied", "exception", "access-denied")
}

// TooLarge is the answer to an append over the limit.
func TooLarge() Answer {
	return Status(Never, codes.InvalidArgument, "Maximum Append Size of 1048576 Exceeded.",
		"exception", "maximum-append-size-exceeded")
}

// StreamDeleted is the answer about a tombstoned stream.
func StreamDeleted(stream string) Answer {
	return Status(Never, codes.FailedPrecondition, "Event stream '"+stream+"' is deleted.",
		"exception", "stream-deleted", "stream-name", stream)
}
