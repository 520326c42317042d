package outbound

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"strings"
	"sync"
	"time"
	"unicode/utf8"
)

// Ending says how a call ended, in a stable word.
type Ending string

// The endings. Only Delivered is success.
const (
	Delivered  Ending = "delivered"         // 200, all headers in time
	Status     Ending = "status"            // another status; a redirect is one
	Timeout    Ending = "timeout"           // no complete headers in time
	Refused    Ending = "forbidden_address" // the address may not be called
	Unresolved Ending = "unresolved"        // the host's name has no public address
	Connect    Ending = "connect"           // no connection: refused, unreachable, the proxy's no
	TLS        Ending = "tls"               // the certificate or the handshake is bad
	Broken     Ending = "broken"            // the connection ended, or spoke no HTTP, before the headers
)

// Endings are all of them.
var Endings = []Ending{Delivered, Status, Timeout, Refused, Unresolved, Connect, TLS, Broken}

// Result is what came of a call.
type Result struct {
	Ending  Ending
	Status  int           // 0 when no headers came
	Latency time.Duration // from the start of the connection to the headers or the failure
	Fault   string        // in words, empty for Delivered
	Body    []byte        // of the answer: at most MaxBody, as much as came in time
}

// errLate ends a call whose time is over.
var errLate = errors.New("the receiver did not answer in time")

// Post sends a body once. Success is status 200 with all headers in within Limit of the
// start of the connection (or of the sending, on one that was kept). The answer's body is
// read as far as time and MaxBody allow and decides nothing. ctx ends the call early.
func (c *Client) Post(ctx context.Context, to string, header http.Header, body []byte) Result {
	t, err := parse(to)
	if err != nil {
		return failed(err, 0)
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	w := &stopwatch{expire: func() { cancel(errLate) }}
	defer w.stop()
	ctx = httptrace.WithClientTrace(context.WithValue(ctx, stopwatchKey{}, w), &httptrace.ClientTrace{
		GotConn: func(i httptrace.GotConnInfo) {
			if i.Reused {
				w.start()
			}
		},
	})
	u := *t.url
	u.Host, u.RawQuery = hostPort(t, u.Port()), ascii(u.RawQuery)
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, u.String(), bytes.NewReader(body))
	if err != nil {
		return failed(refuse("BAD_URL", "must be an address like https://example.com/webhooks"), 0)
	}
	r.Header = header.Clone()
	r.Header.Set("User-Agent", c.o.UserAgent)
	// A kept connection that the receiver has closed meanwhile is no failure of its
	// own: the transport tries again on a new one. An empty value is not sent.
	r.Header["X-Idempotency-Key"] = []string{}
	return c.send(ctx, r, w)
}

func (c *Client) send(ctx context.Context, r *http.Request, w *stopwatch) Result {
	answer, err := c.http.Do(r)
	latency := w.elapsed()
	if err != nil {
		if cause := context.Cause(ctx); errors.Is(cause, errLate) {
			err = errLate
		}
		return failed(err, latency)
	}
	defer answer.Body.Close()
	out := Result{Ending: Delivered, Status: answer.StatusCode, Latency: latency}
	switch {
	case latency > Limit:
		return Result{Ending: Timeout, Status: answer.StatusCode, Latency: latency, Fault: errLate.Error()}
	case answer.StatusCode != http.StatusOK:
		out.Ending, out.Fault = Status, fmt.Sprintf("the receiver answered %d, not 200", answer.StatusCode)
	}
	if answer.StatusCode == http.StatusSwitchingProtocols {
		return out // what follows is no body, and ctx would not end it
	}
	// What cuts the body short (time, the receiver) decides nothing.
	out.Body, _ = io.ReadAll(io.LimitReader(answer.Body, MaxBody))
	return out
}

// ascii escapes what a request line may not hold of a query that is written as it is read
// (RFC 3986 §2.5); a path is escaped by the transport.
func ascii(query string) string {
	var out strings.Builder
	for _, b := range []byte(query) {
		if b < utf8.RuneSelf {
			out.WriteByte(b)
		} else {
			fmt.Fprintf(&out, "%%%02X", b)
		}
	}
	return out.String()
}

func hostPort(t target, port string) string {
	host := t.host
	if strings.Contains(host, ":") {
		host = "[" + host + "]"
	}
	if port == "" {
		return host
	}
	return host + ":" + port
}

// failed words an error without addresses: the receiver's is in the delivery already, and
// ours, the proxy's and the name server's are none of a stranger's business.
func failed(err error, latency time.Duration) Result {
	if u := (*url.Error)(nil); errors.As(err, &u) {
		err = u.Err
	}
	return Result{Ending: endingOf(err), Latency: latency, Fault: clip(unaddressed(err.Error(), err))}
}

// unaddressed takes the addresses of the network's errors below err out of a text.
func unaddressed(text string, err error) string {
	switch e := err.(type) {
	case *net.OpError:
		return unaddressed(strings.ReplaceAll(text, e.Error(), e.Op+": "+e.Err.Error()), e.Err)
	case *net.DNSError:
		return strings.ReplaceAll(text, e.Error(), e.Err)
	case interface{ Unwrap() error }:
		return unaddressed(text, e.Unwrap())
	case interface{ Unwrap() []error }:
		for _, one := range e.Unwrap() {
			text = unaddressed(text, one)
		}
	}
	return text
}

func endingOf(err error) Ending {
	var (
		refused *Refusal
		unknown *unresolved
		op      *net.OpError
		record  tls.RecordHeaderError
		alert   tls.AlertError
		verify  *tls.CertificateVerificationError
		host    x509.HostnameError
	)
	switch {
	case errors.As(err, &unknown): // before the refusal that it may be of
		return Unresolved
	case errors.As(err, &refused):
		return Refused
	case errors.Is(err, errLate):
		return Timeout
	case errors.As(err, &record), errors.As(err, &alert), errors.As(err, &verify), errors.As(err, &host),
		strings.Contains(err.Error(), "tls: "),
		strings.Contains(err.Error(), "HTTP response to HTTPS client"):
		return TLS
	case errors.As(err, &op) && op.Timeout(), strings.Contains(err.Error(), "TLS handshake timeout"):
		return Timeout
	case errors.As(err, &op) && op.Op == "dial", strings.Contains(err.Error(), "the proxy"):
		return Connect
	}
	return Broken
}

// maxFault keeps the texts of faults short.
const maxFault = 300

func clip(s string) string {
	if len(s) > maxFault {
		s = s[:maxFault]
	}
	return strings.ToValidUTF8(s, "")
}

// stopwatch measures the receiver's time and ends the call when it is over.
type stopwatch struct {
	expire func()

	mu    sync.Mutex
	began time.Time
	timer *time.Timer
	over  bool
}

type stopwatchKey struct{}

// stopwatchOf is never nil.
func stopwatchOf(ctx context.Context) *stopwatch {
	if w, ok := ctx.Value(stopwatchKey{}).(*stopwatch); ok {
		return w
	}
	return &stopwatch{expire: func() {}}
}

// start begins the receiver's time; only the first start counts.
func (w *stopwatch) start() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.began.IsZero() && !w.over {
		w.began = time.Now()
		w.timer = time.AfterFunc(Limit, w.expire)
	}
}

func (w *stopwatch) elapsed() time.Duration {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.began.IsZero() {
		return 0
	}
	return time.Since(w.began)
}

func (w *stopwatch) stop() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.over = true
	if w.timer != nil {
		w.timer.Stop()
	}
}
