// Package wire makes one HTTP call to an authority the way its drivers need it: sent
// once, never repeated or redirected, bounded in time and size, and with an error that
// says whether the authority can have seen anything.
package wire

import (
	"bytes"
	"context"
	"crypto/tls"
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
	// maxAnswer bounds what is read of one answer: 250 documents with long texts stay far below.
	maxAnswer = 8 << 20
)

// NewClient is a client for authorities' hosts: TLS 1.2 or later, HTTP/1.1, no
// redirects, no retries of its own, timeout for a whole call (0: DefaultTimeout). ciphers
// are offered in the place of Go's own up to TLS 1.2.
func NewClient(timeout time.Duration, ciphers ...uint16) *http.Client {
	if timeout <= 0 {
		timeout = DefaultTimeout
	}
	http1 := new(http.Protocols) // HTTP/2 would repeat requests after some connection errors
	http1.SetHTTP1(true)
	return &http.Client{
		Timeout:       timeout,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		Transport: &http.Transport{
			Proxy:                 http.ProxyFromEnvironment,
			DialContext:           (&net.Dialer{Timeout: 10 * time.Second, KeepAlive: 30 * time.Second}).DialContext,
			TLSClientConfig:       &tls.Config{MinVersion: tls.VersionTLS12, CipherSuites: ciphers},
			TLSHandshakeTimeout:   15 * time.Second,
			ResponseHeaderTimeout: timeout,
			IdleConnTimeout:       30 * time.Second,
			MaxIdleConnsPerHost:   32,
			Protocols:             http1,
		},
	}
}

// Request is one HTTP call. Body is sent whole, with its length: some authorities cut
// chunked bodies.
type Request struct {
	Operation, Method, URL string
	Headers                map[string]string
	Body                   []byte
}

// Reply is an HTTP answer as it arrived.
type Reply struct {
	Status int
	Body   []byte
}

// Call is one HTTP call as whoever measures sees it.
type Call struct {
	Operation string
	Began     time.Time
	Took      time.Duration
	Result    authority.CallResult // by HTTP alone: 5xx is Broken
}

type observerKey struct{}

// Observed is ctx in which f hears of every call that Do makes, the log-ins that no exchange records among them.
func Observed(ctx context.Context, f func(Call)) context.Context {
	return context.WithValue(ctx, observerKey{}, f)
}

// Do sends one request, once, and tells the observer of ctx. Its errors wrap authority.ErrNotSent when the authority
// surely saw nothing; after any other it may have acted. A status is no error here.
func Do(ctx context.Context, c *http.Client, r Request) (Reply, error) {
	tell, observed := ctx.Value(observerKey{}).(func(Call))
	if !observed {
		return do(ctx, c, r)
	}
	began := time.Now()
	got, err := do(ctx, c, r)
	result := authority.CallResultOf(err)
	if err == nil && got.Status >= http.StatusInternalServerError {
		result = authority.Broken
	}
	tell(Call{Operation: r.Operation, Began: began, Took: time.Since(began), Result: result})
	return got, err
}

func do(ctx context.Context, c *http.Client, r Request) (Reply, error) {
	var sent atomic.Bool
	ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{WroteHeaders: func() { sent.Store(true) }})
	var body io.Reader
	if r.Body != nil {
		body = io.NopCloser(bytes.NewReader(r.Body)) // opaque: net/http cannot send it again
	}
	req, err := http.NewRequestWithContext(ctx, r.Method, r.URL, body)
	if err != nil {
		return Reply{}, fmt.Errorf("%w: %s: %w", authority.ErrNotSent, r.Operation, err)
	}
	req.ContentLength = int64(len(r.Body))
	for name, value := range r.Headers {
		req.Header[name] = []string{value} // as it is written: SOAPAction
	}
	resp, err := c.Do(req)
	if err != nil {
		if sent.Load() {
			c.CloseIdleConnections()
			return Reply{}, fmt.Errorf("%s: no answer: %w", r.Operation, err)
		}
		return Reply{}, fmt.Errorf("%w: %s: %w", authority.ErrNotSent, r.Operation, err)
	}
	defer resp.Body.Close()
	answer, err := io.ReadAll(io.LimitReader(resp.Body, maxAnswer+1))
	got := Reply{resp.StatusCode, answer}
	switch {
	case err != nil:
		c.CloseIdleConnections()
		return got, fmt.Errorf("%s: the answer was cut off: %w", r.Operation, err)
	case len(answer) > maxAnswer:
		return got, fmt.Errorf("%s: the answer exceeds %d bytes", r.Operation, maxAnswer)
	}
	return got, nil
}

// Fine wants HTTP 200. Of the others, 4xx say that nothing was done.
func (r Reply) Fine(op string) error {
	switch {
	case r.Status == http.StatusOK:
		return nil
	case r.Status >= 400 && r.Status < 500 && r.Status != http.StatusRequestTimeout:
		return fmt.Errorf("%w: %s: HTTP %d", authority.ErrNotSent, op, r.Status)
	}
	return fmt.Errorf("%s: HTTP %d", op, r.Status)
}

// MaxKept bounds each body of an exchange.
const MaxKept = 256 << 10

// Keep copies a body for an exchange, within bounds and without the secrets should
// they be in there.
func Keep(body []byte, secrets ...string) []byte {
	for _, secret := range secrets {
		if secret != "" {
			body = bytes.ReplaceAll(body, []byte(secret), []byte("[redacted]"))
		}
	}
	return bytes.Clone(body[:min(len(body), MaxKept)])
}
