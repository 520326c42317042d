package eventstore

import (
	"errors"
	"strings"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// errAdvised marks an error that says already what to do.
type errAdvised struct {
	advice string
	cause  error
}

func (e *errAdvised) Error() string { return e.advice + ": " + e.cause.Error() }
func (e *errAdvised) Unwrap() error { return e.cause }

// advices are what an operator can do about a refusal, by what the refusal contains.
var advices = []struct {
	code     codes.Code
	contains string // of the text, in lower case
	advice   string
}{
	{codes.Unauthenticated, "", "the event log does not know the user or the password, or the user is disabled: " +
		"put it right on the server, or give Folio the new address and start it again"},
	{codes.PermissionDenied, "", `the event log's user lacks a right: it must read and append to streams (the default stream ACLs allow it) ` +
		`and read $all, which an administrator grants with setStreamMetadata("$all", {acl: {readRoles: ["NAME"]}}), ` +
		`as stored {"$acl":{"$r":["NAME"]}}`},
	{codes.Unavailable, "connection refused", "no server listens at the event log's address: start the server, or put " +
		"the address right"},
	{codes.Unavailable, "no such file", "no node listens at the event log's address: start the process that has it, or " +
		"put the path right"},
	{codes.Unavailable, "no such host", "the event log's host has no address: put its name right"},
	{codes.Unavailable, "error reading server preface: eof", "the event log's server may want TLS, and the address " +
		"says tls=false"},
	{codes.Unavailable, "does not look like a tls handshake", "the event log's server speaks no TLS: say tls=false in " +
		"the address"},
	{codes.Unavailable, "signed by unknown authority", "the certificate of the event log's server is of an unknown " +
		"authority: name its file with tlsCAFile in the address"},
	{codes.Unavailable, "certificate has expired",
		"the certificate of the event log's server has expired: renew it there"},
}

// advised adds to the server's words what to do about them.
func advised(err error) error {
	if err == nil || errors.As(err, new(*errAdvised)) {
		return err
	}
	s, ok := status.FromError(err)
	if !ok || s == nil {
		return err
	}
	text := strings.ToLower(s.Message())
	for _, a := range advices {
		if s.Code() == a.code && strings.Contains(text, a.contains) {
			return &errAdvised{a.advice, err}
		}
	}
	return err
}
