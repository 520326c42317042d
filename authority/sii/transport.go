package sii

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
	"sync/atomic"
	"time"

	"folio/authority"
)

const (
	// DefaultTimeout is for one call, whole.
	DefaultTimeout = 45 * time.Second
	maxAnswer      = 4 << 20
	// userAgent is what SII's servers let in: a browser's, with PROG 1.0 in it.
	userAgent = "Mozilla/5.0 (compatible; PROG 1.0; folio)"
)

// NewHTTPClient is a client for SII's hosts: HTTP/1.1, no redirects, no retries of its
// own, timeout for a whole call (0: DefaultTimeout).
func NewHTTPClient(timeout time.Duration) *http.Client {
	if timeout <= 0 {
		timeout = DefaultTimeout
	}
	return &http.Client{
		Timeout:       timeout,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		Transport: &http.Transport{
			Proxy:                 http.ProxyFromEnvironment,
			DialContext:           (&net.Dialer{Timeout: 10 * time.Second, KeepAlive: 30 * time.Second}).DialContext,
			TLSHandshakeTimeout:   15 * time.Second,
			ResponseHeaderTimeout: timeout,
			IdleConnTimeout:       30 * time.Second,
			MaxIdleConnsPerHost:   32,
			Protocols:             onlyHTTP1(), // HTTP/2 would repeat requests after some connection errors
		},
	}
}

func onlyHTTP1() *http.Protocols {
	p := new(http.Protocols)
	p.SetHTTP1(true)
	return p
}

// request is one HTTP call. Body is sent whole, with its length: SII cuts chunked
// bodies.
type request struct {
	op, method, url string
	headers         map[string]string
	body            []byte
	shown           []byte // what an exchange shows of it; body when nil
	token           string
}

// reply is an HTTP answer as it arrived.
type reply struct {
	status int
	body   []byte
}

// do sends one request, once. Its errors wrap ErrNotSent when the authority surely saw
// nothing; after any other it may have acted. A status is no error here.
func do(ctx context.Context, c *http.Client, r request) (reply, error) {
	var sent atomic.Bool
	ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{WroteHeaders: func() { sent.Store(true) }})
	var body io.Reader
	if r.body != nil {
		body = io.NopCloser(bytes.NewReader(r.body)) // opaque: net/http cannot send it again
	}
	req, err := http.NewRequestWithContext(ctx, r.method, r.url, body)
	if err != nil {
		return reply{}, fmt.Errorf("%w: %s: %w", authority.ErrNotSent, r.op, err)
	}
	req.ContentLength = int64(len(r.body))
	req.Header.Set("User-Agent", userAgent)
	for name, value := range r.headers {
		req.Header.Set(name, value)
	}
	if r.token != "" {
		req.Header.Set("Cookie", "TOKEN="+r.token)
	}
	resp, err := c.Do(req)
	if err != nil {
		if sent.Load() {
			c.CloseIdleConnections()
			return reply{}, fmt.Errorf("%s: no answer: %w", r.op, err)
		}
		return reply{}, fmt.Errorf("%w: %s: %w", authority.ErrNotSent, r.op, err)
	}
	defer resp.Body.Close()
	answer, err := io.ReadAll(io.LimitReader(resp.Body, maxAnswer+1))
	got := reply{resp.StatusCode, answer}
	switch {
	case err != nil:
		c.CloseIdleConnections()
		return got, fmt.Errorf("%s: the answer was cut off: %w", r.op, err)
	case len(answer) > maxAnswer:
		return got, fmt.Errorf("%s: the answer exceeds %d bytes", r.op, maxAnswer)
	}
	return got, nil
}

// fine wants HTTP 200. Of the others, 4xx say that nothing was done.
func (r reply) fine(op string) error {
	switch {
	case r.status == http.StatusOK:
		return nil
	case r.status >= 400 && r.status < 500 && r.status != http.StatusRequestTimeout:
		return fmt.Errorf("%w: %s: HTTP %d", authority.ErrNotSent, op, r.status)
	}
	return fmt.Errorf("%s: HTTP %d", op, r.status)
}

// maxKept bounds each body of an exchange.
const maxKept = 256 << 10

// keep copies a body within bounds, without the token should it be in there.
func keep(body []byte, token string) []byte {
	if token != "" {
		body = bytes.ReplaceAll(body, []byte(token), []byte("[redacted]"))
	}
	return bytes.Clone(body[:min(len(body), maxKept)])
}

// errNoAnswer is an answer that cannot be read: HTML, something else, nothing.
var errNoAnswer = errors.New("the answer is not in SII's form")
