package arca

import (
	"context"
	"crypto/tls"
	"errors"
	"net/http"
	"time"

	"folio/authority"
	"folio/authority/wire"
	"folio/version"
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

// NewHTTPClient is a client for ARCA's hosts: wire.NewClient's with CipherSuites.
func NewHTTPClient(timeout time.Duration) *http.Client {
	return wire.NewClient(timeout, CipherSuites...)
}

// reply is an HTTP answer as it arrived.
type reply = wire.Reply

// post sends one SOAP 1.1 request and never repeats it. Its errors are *NotSent or
// *Ambiguous; a reply comes back for HTTP 200 and for HTTP 500, which carries faults.
func post(ctx context.Context, c *http.Client, q wire.Request, action string) (reply, error) {
	q.Method = http.MethodPost
	q.Headers = map[string]string{"Content-Type": "text/xml; charset=utf-8", "SOAPAction": `"` + action + `"`,
		"User-Agent": version.UserAgent("ARCA")}
	r, err := wire.Do(ctx, c, q)
	if err == nil && r.Status != http.StatusInternalServerError {
		err = r.Fine(q.Operation)
	}
	switch {
	case errors.Is(err, authority.ErrNotSent):
		return r, &NotSent{q.Operation, err}
	case err != nil:
		return r, &Ambiguous{q.Operation, err}
	}
	return r, nil
}
