package fault

import (
	"errors"
	"regexp"
)

// endpoints are the addresses that errors of the network and of drivers name: "dial tcp
// [::1]:2113: …", "write tcp 10.0.0.1:40112->10.0.0.2:2113: …", "dial unix /data/node.sock: …",
// "lookup db.internal on 10.0.0.2:53: …", "{ Addr: db.internal:27017, Type: …",
// "connection(db.internal:27017[-4]) …", "server at db.internal:27017 …".
var endpoints = []struct {
	form *regexp.Regexp
	bare string
}{
	{regexp.MustCompile(`\b(tcp|unix) [^\s"]*[^\s":]`), "$1"},
	{regexp.MustCompile(`\blookup [^\s:]+( on [^\s]+)?:`), "lookup:"},
	{regexp.MustCompile(`\bAddr: [^\s,]+,? ?`), ""},
	{regexp.MustCompile(`\bconnection\([^)]*\)`), "connection"},
	{regexp.MustCompile(`\bserver at \S+`), "server"},
}

// unaddressed is an error without the addresses in its text.
type unaddressed struct{ cause error }

func (e unaddressed) Error() string {
	text := e.cause.Error()
	for _, p := range endpoints {
		text = p.form.ReplaceAllString(text, p.bare)
	}
	return text
}
func (e unaddressed) Unwrap() error { return e.cause }

// Unaddressed is err without the addresses of servers in its text: they are the operator's,
// and errors reach callers and logs. What it wraps stays; nil stays nil.
func Unaddressed(err error) error {
	if err == nil || errors.As(err, new(unaddressed)) {
		return err
	}
	return unaddressed{err}
}
