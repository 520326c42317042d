package arca

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
	"sync/atomic"
	"time"
)

const (
	// DefaultTimeout is for one call, whole.
	DefaultTimeout = 45 * time.Second
	// maxAnswer bounds what is read of one answer: 250 details with long texts stay far below.
	maxAnswer = 8 << 20
)

// CipherSuites are the ones offered to ARCA. Its production host has been seen to
// accept only a small DH group, which Go never offers, or RSA key exchange, which Go
// offers only when asked by name. Certificates are verified all the same.
var CipherSuites = []uint16{
	tls.TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384, tls.TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384,
	tls.TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256, tls.TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256,
	tls.TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256, tls.TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256,
	tls.TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA, tls.TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA,
	tls.TLS_RSA_WITH_AES_256_GCM_SHA384, tls.TLS_RSA_WITH_AES_128_GCM_SHA256, tls.TLS_RSA_WITH_AES_128_CBC_SHA,
}

// NewHTTPClient is a client for ARCA's hosts: TLS 1.2 or later with CipherSuites,
// HTTP/1.1, no redirects, no retries of its own, timeout for a whole call (0: DefaultTimeout).
func NewHTTPClient(timeout time.Duration) *http.Client {
	if timeout <= 0 {
		timeout = DefaultTimeout
	}
	return &http.Client{
		Timeout: timeout,
		// A redirect would turn the POST into a GET.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		Transport: &http.Transport{
			Proxy:                 http.ProxyFromEnvironment,
			DialContext:           (&net.Dialer{Timeout: 10 * time.Second, KeepAlive: 30 * time.Second}).DialContext,
			TLSClientConfig:       &tls.Config{MinVersion: tls.VersionTLS12, CipherSuites: CipherSuites},
			TLSHandshakeTimeout:   15 * time.Second,
			ResponseHeaderTimeout: timeout,
			IdleConnTimeout:       30 * time.Second,
			MaxIdleConnsPerHost:   32,
			// HTTP/2 would repeat requests on its own after some connection errors.
			TLSNextProto: map[string]func(string, *tls.Conn) http.RoundTripper{},
		},
	}
}

// reply is an HTTP answer as it arrived.
type reply struct {
	status int
	body   []byte
}

// post sends one SOAP 1.1 request and never repeats it. Its errors are *NotSent or
// *Ambiguous; a reply comes back for HTTP 200 and for HTTP 500, which carries faults.
func post(ctx context.Context, c *http.Client, op, url, action string, body []byte) (reply, error) {
	var sent atomic.Bool
	ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{WroteHeaders: func() { sent.Store(true) }})
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, io.NopCloser(bytes.NewReader(body)))
	if err != nil {
		return reply{}, &NotSent{op, err}
	}
	req.ContentLength = int64(len(body))
	req.Header.Set("Content-Type", "text/xml; charset=utf-8")
	req.Header.Set("SOAPAction", `"`+action+`"`)
	req.Header.Set("User-Agent", "folio")
	resp, err := c.Do(req)
	if err != nil {
		if sent.Load() {
			c.CloseIdleConnections()
			return reply{}, &Ambiguous{op, err}
		}
		return reply{}, &NotSent{op, err}
	}
	defer resp.Body.Close()
	answer, err := io.ReadAll(io.LimitReader(resp.Body, maxAnswer+1))
	r := reply{resp.StatusCode, answer}
	switch {
	case err != nil:
		c.CloseIdleConnections()
		return r, &Ambiguous{op, fmt.Errorf("answer of HTTP %d cut off: %w", r.status, err)}
	case len(answer) > maxAnswer:
		return r, &Ambiguous{op, fmt.Errorf("answer of HTTP %d exceeds %d bytes", r.status, maxAnswer)}
	case r.status == http.StatusOK, r.status == http.StatusInternalServerError:
		return r, nil
	case r.status >= 400 && r.status < 500 && r.status != http.StatusRequestTimeout:
		return r, &NotSent{op, httpError(r.status)}
	}
	return r, &Ambiguous{op, httpError(r.status)}
}

func httpError(status int) error {
	return errors.New("HTTP " + http.StatusText(status) + fmt.Sprintf(" (%d)", status))
}
