package sii

import (
	"context"
	"errors"
	"maps"
	"net/http"

	"folio/authority/wire"
)

// userAgent is what SII's servers let in: a browser's, with PROG 1.0 in it.
const userAgent = "Mozilla/5.0 (compatible; PROG 1.0; folio)"

// request is one HTTP call.
type request struct {
	op, method, url string
	headers         map[string]string
	body            []byte
	shown           []byte // what an exchange shows of it; body when nil
	token           string
}

// reply is an HTTP answer as it arrived.
type reply = wire.Reply

// do sends one request, once; its errors are those of wire.Do.
func do(ctx context.Context, c *http.Client, r request) (reply, error) {
	headers := map[string]string{"User-Agent": userAgent}
	maps.Copy(headers, r.headers)
	if r.token != "" {
		headers["Cookie"] = "TOKEN=" + r.token
	}
	return wire.Do(ctx, c, wire.Request{Operation: r.op, Method: r.method, URL: r.url, Headers: headers, Body: r.body})
}

// errNoAnswer is an answer that cannot be read: HTML, something else, nothing.
var errNoAnswer = errors.New("the answer is not in SII's form")
