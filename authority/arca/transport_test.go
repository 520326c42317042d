package arca

import (
	"context"
	"crypto/rand"
	"crypto/rsa"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"errors"
	"io"
	"log"
	"math/big"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/smallstep/pkcs7"

	"folio/authority/wire"
)

func send(t *testing.T, url string, timeout time.Duration) (reply, error) {
	t.Helper()
	return post(t.Context(), NewHTTPClient(timeout), wire.Request{Operation: "op", URL: url, Body: []byte("<x/>")},
		"action")
}

func TestWhatWasNotSentAndWhatMayHaveBeenProcessed(t *testing.T) {
	closed := httptest.NewServer(http.NotFoundHandler())
	closed.Close()
	status := func(code int) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(code) }
	}
	hold := make(chan struct{})
	defer close(hold)
	for _, c := range []struct {
		name      string
		handler   http.HandlerFunc
		ambiguous bool
	}{
		{"cut after the request", func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, true},
		{"no answer in time", func(_ http.ResponseWriter, r *http.Request) {
			_, _ = io.Copy(io.Discard, r.Body) // a server sees a client leave only after its body
			select {
			case <-hold:
			case <-r.Context().Done():
			}
		}, true},
		{"an answer cut off", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "100")
			_, _ = io.WriteString(w, "<")
		}, true},
		{"HTTP 502", status(502), true},
		{"HTTP 503", status(503), true},
		{"HTTP 408", status(408), true},
		{"a redirect", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/elsewhere", http.StatusFound) },
			true},
		{"HTTP 400", status(400), false},
		{"HTTP 403", status(403), false},
		{"HTTP 429", status(429), false},
	} {
		t.Run(c.name, func(t *testing.T) {
			srv := httptest.NewServer(c.handler)
			defer srv.Close()
			_, err := send(t, srv.URL, 300*time.Millisecond)
			check(t, err, c.ambiguous)
		})
	}
	_, err := send(t, closed.URL, time.Second)
	check(t, err, false)
	_, err = send(t, "http://[::1", time.Second)
	check(t, err, false)
	untrusted := httptest.NewUnstartedServer(status(200))
	untrusted.Config.ErrorLog = log.New(io.Discard, "", 0)
	untrusted.StartTLS()
	defer untrusted.Close()
	_, err = send(t, untrusted.URL, time.Second)
	check(t, err, false)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = post(ctx, NewHTTPClient(0), wire.Request{Operation: "op", URL: closed.URL, Body: nil}, "")
	check(t, err, false)
}

func check(t *testing.T, err error, ambiguous bool) {
	t.Helper()
	var a *Ambiguous
	var n *NotSent
	if errors.As(err, &a) != ambiguous || errors.As(err, &n) == ambiguous {
		t.Errorf("%T %v", err, err)
	}
}

func TestAPostIsNeverRepeatedByTheTransport(t *testing.T) {
	var hits atomic.Int64
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if hits.Add(1) > 1 {
			panic(http.ErrAbortHandler) // the second comes over a kept connection, which net/http may retry
		}
	}))
	defer srv.Close()
	c := NewHTTPClient(time.Second)
	for range 2 {
		_, _ = post(t.Context(), c, wire.Request{Operation: "op", URL: srv.URL, Body: []byte("<x/>")}, "")
	}
	if n := hits.Load(); n != 2 {
		t.Errorf("%d requests arrived for 2 that were sent", n)
	}
}

func TestServersThatOnlyKnowRSAKeyExchangeAreReached(t *testing.T) {
	srv := httptest.NewUnstartedServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	srv.TLS = &tls.Config{MaxVersion: tls.VersionTLS12, CipherSuites: []uint16{tls.TLS_RSA_WITH_AES_128_CBC_SHA}}
	srv.StartTLS()
	defer srv.Close()
	c := NewHTTPClient(time.Second)
	transport, _ := c.Transport.(*http.Transport)
	transport.TLSClientConfig.RootCAs = srv.Client().Transport.(*http.Transport).TLSClientConfig.RootCAs
	if _, err := post(t.Context(), c, wire.Request{Operation: "op", URL: srv.URL, Body: nil}, ""); err != nil {
		t.Error(err)
	}
}

func TestAnswersAreBounded(t *testing.T) {
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		block := make([]byte, 1<<20)
		for range 9 {
			_, _ = w.Write(block)
		}
	}))
	defer srv.Close()
	_, err := send(t, srv.URL, 10*time.Second)
	check(t, err, true)
	if got := keep(make([]byte, wire.MaxKept+1), nil); len(got) != wire.MaxKept {
		t.Errorf("%d bytes kept", len(got))
	}
}

var signer = sync.OnceValue(func() Credential {
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		panic(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(7),
		Subject:   pkix.Name{CommonName: "alias", SerialNumber: "CUIT 30500010912"},
		NotBefore: time.Unix(0, 0), NotAfter: time.Unix(1<<33, 0)}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		panic(err)
	}
	cert, err := x509.ParseCertificate(der)
	if err != nil {
		panic(err)
	}
	return Credential{Certificate: cert, Key: key}
})

func TestTicketRequestIsSignedAndAttached(t *testing.T) {
	now := time.Date(2026, 12, 1, 2, 30, 0, 999, time.UTC)
	tra, err := TicketRequest("wsfe", now)
	if err != nil {
		t.Fatal(err)
	}
	const want = `<loginTicketRequest version="1.0"><header><uniqueId>1796092200</uniqueId><generationTime>2026-11-30T23:20:00-03:00</generationTime>` +
		`<expirationTime>2026-11-30T23:40:00-03:00</expirationTime></header><service>wsfe</service></loginTicketRequest>`
	if string(tra) != want {
		t.Errorf("%s", tra)
	}
	der, err := SignCMS(tra, signer())
	if err != nil {
		t.Fatal(err)
	}
	p7, err := pkcs7.Parse(der)
	if err != nil {
		t.Fatal(err)
	}
	if err := p7.Verify(); err != nil || string(p7.Content) != string(tra) ||
		!p7.GetOnlySigner().Equal(signer().Certificate) {
		t.Errorf("%v, content %q", err, p7.Content)
	}
	if !p7.Signers[0].DigestAlgorithm.Algorithm.Equal(pkcs7.OIDDigestAlgorithmSHA256) ||
		len(p7.Signers[0].AuthenticatedAttributes) > 0 {
		t.Errorf("%+v", p7.Signers[0].DigestAlgorithm)
	}
}

func TestSecretsStayOutOfWhatIsRecorded(t *testing.T) {
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		if !strings.Contains(string(body), "<Token>secret-token-1</Token><Sign>secret-sign</Sign>") {
			t.Errorf("the service got %s", body)
		}
		_, _ = w.Write(wrap("FECompTotXRequest",
			"<RegXReq>0</RegXReq><Errors><Err><Code>10000</Code><Msg>secret-token-1</Msg></Err></Errors>"))
	}))
	defer srv.Close()
	d := newWSAA()
	c := New(Options{Endpoints: EndpointsAt("testing", srv.URL), Now: d.now})
	held := d.tickets()
	c.tickets = held.Tickets
	if _, err := held.Get(t.Context(), someone, ServiceInvoices); err != nil {
		t.Fatal(err)
	}
	var seen []Exchange
	_, err := c.Session(someone, 30500010912, func(x Exchange) { seen = append(seen, x) }).Limit(t.Context())
	var refused *Refused
	if !errors.As(err, &refused) || len(seen) != 1 {
		t.Fatalf("%v, %d calls", err, len(seen))
	}
	if text := string(seen[0].Request) + string(seen[0].Answer); strings.Contains(text, "secret") ||
		!strings.Contains(text, "<Cuit>30500010912</Cuit>") {
		t.Error(text)
	}
}

func TestATicketThatLacksTheTaxpayerIsToldFromABadOne(t *testing.T) {
	for text, want := range map[string]bool{
		"ValidacionDeToken: No apareció CUIT en lista de relaciones: 1": true,
		"ValidacionDeToken: Error al verificar hash: ":                  false,
	} {
		r := Refused{Operation: "x", Errors: []Message{{Code: 600, Text: text}}}
		if r.unrepresented() != want || !r.Transient() {
			t.Error(r.Error())
		}
	}
}
