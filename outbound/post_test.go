package outbound_test

import (
	"context"
	"crypto/x509"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"folio/outbound"
)

var loopback = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8"), netip.MustParsePrefix("::1/128")}

func client(t *testing.T, o outbound.Options) *outbound.Client {
	t.Helper()
	if o.Allow == nil {
		o.Allow = loopback
	}
	c := outbound.New(o)
	t.Cleanup(c.Close)
	return c
}

// tries is how often a receiver is called that was too slow: whatever the machine did in
// between, one that is too slow is so every time.
const tries = 5

func post(t *testing.T, c *outbound.Client, to string) (r outbound.Result) {
	t.Helper()
	for range tries {
		r = c.Post(t.Context(), to, http.Header{"Content-Type": {"application/json"}}, []byte(`{"a":1}`))
		if r.Ending != outbound.Timeout {
			break
		}
	}
	return r
}

func answer(status int, wait time.Duration, headers ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		select {
		case <-time.After(wait):
		case <-r.Context().Done():
		}
		for i := 0; i < len(headers); i += 2 {
			w.Header().Set(headers[i], headers[i+1])
		}
		w.WriteHeader(status)
		_, _ = io.WriteString(w, "said")
	}
}

func TestReceiversGetTheVerdictOfTheSpecification(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		handler http.HandlerFunc
		outcome outbound.Ending
		status  int
		body    string
	}{
		"200 at once":              {answer(200, 0), outbound.Delivered, 200, "said"},
		"200 after 700 ms":         {answer(200, 700*time.Millisecond), outbound.Delivered, 200, "said"},
		"200 after 1300 ms":        {answer(200, 1300*time.Millisecond), outbound.Timeout, 0, ""},
		"201":                      {answer(201, 0), outbound.Status, 201, "said"},
		"204":                      {answer(204, 0), outbound.Status, 204, ""},
		"301 is not followed":      {answer(301, 0, "Location", "/elsewhere"), outbound.Status, 301, "said"},
		"410":                      {answer(410, 0), outbound.Status, 410, "said"},
		"429 with its Retry-After": {answer(429, 0, "Retry-After", "7200"), outbound.Status, 429, "said"},
		"500":                      {answer(500, 0), outbound.Status, 500, "said"},
		"a reset": {func(w http.ResponseWriter, _ *http.Request) {
			conn, _, err := http.NewResponseController(w).Hijack()
			if err != nil {
				panic(err)
			}
			if err := conn.(*net.TCPConn).SetLinger(0); err != nil {
				panic(err)
			}
			conn.Close()
		}, outbound.Broken, 0, ""},
		"an endless body": {func(w http.ResponseWriter, r *http.Request) {
			for r.Context().Err() == nil {
				if _, err := io.WriteString(w, strings.Repeat("x", 1000)); err != nil {
					return
				}
			}
		}, outbound.Delivered, 200, strings.Repeat("x", outbound.MaxBody)},
		"a body that never comes": {func(w http.ResponseWriter, r *http.Request) {
			w.WriteHeader(200)
			_ = http.NewResponseController(w).Flush()
			<-r.Context().Done()
		}, outbound.Delivered, 200, ""},
		"headers that never end": {func(w http.ResponseWriter, r *http.Request) {
			conn, _, err := http.NewResponseController(w).Hijack()
			if err != nil {
				panic(err)
			}
			defer conn.Close()
			_, _ = io.WriteString(conn, "HTTP/1.1 200 OK\r\n")
			for range 100 {
				if _, err := io.WriteString(conn, "X-Drip: 1\r\n"); err != nil {
					return
				}
				time.Sleep(50 * time.Millisecond)
			}
		}, outbound.Timeout, 0, ""},
		"no HTTP": {func(w http.ResponseWriter, _ *http.Request) {
			conn, _, err := http.NewResponseController(w).Hijack()
			if err != nil {
				panic(err)
			}
			_, _ = io.WriteString(conn, "220 mail.example.com ESMTP\r\n")
			conn.Close()
		}, outbound.Broken, 0, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var elsewhere atomic.Int32
			mux := http.NewServeMux()
			mux.HandleFunc("/hook", c.handler)
			mux.HandleFunc("/elsewhere", func(http.ResponseWriter, *http.Request) { elsewhere.Add(1) })
			s := httptest.NewServer(mux)
			defer s.Close()
			r := post(t, client(t, outbound.Options{}), s.URL+"/hook")
			if r.Ending != c.outcome || r.Status != c.status || string(r.Body) != c.body {
				t.Fatalf("%s, %d, %q (%s); want %s, %d, %q", r.Ending, r.Status, r.Body, r.Fault, c.outcome, c.status, c.body)
			}
			if (r.Fault == "") != (c.outcome == outbound.Delivered) || strings.Contains(r.Fault, s.URL) {
				t.Errorf("fault %q", r.Fault)
			}
			if elsewhere.Load() != 0 {
				t.Error("a redirect was followed")
			}
		})
	}
}

// What a receiver sends after 101 is no body, and no end of a call's time reaches it.
func TestAReceiverThatChangesTheProtocolHoldsNoCall(t *testing.T) {
	t.Parallel()
	let := make(chan struct{})
	defer close(let)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		conn, _, err := http.NewResponseController(w).Hijack()
		if err != nil {
			panic(err)
		}
		defer conn.Close()
		_, _ = io.WriteString(conn, "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: quiet\r\n\r\n")
		<-let
	}))
	over, c := make(chan outbound.Result, 1), client(t, outbound.Options{})
	go func() { over <- post(t, c, s.URL) }()
	select {
	case r := <-over:
		if r.Ending != outbound.Status || r.Status != http.StatusSwitchingProtocols || len(r.Body) > 0 {
			t.Errorf("got %+v", r)
		}
	case <-time.After(10 * outbound.Limit):
		t.Error("the call has no end")
	}
}

func TestCertificatesAreVerified(t *testing.T) {
	t.Parallel()
	s := httptest.NewUnstartedServer(answer(200, 0))
	s.Config.ErrorLog = log.New(io.Discard, "", 0)
	s.StartTLS()
	defer s.Close()
	if r := post(t, client(t, outbound.Options{}), s.URL); r.Ending != outbound.TLS {
		t.Errorf("a certificate of nobody: %s (%s)", r.Ending, r.Fault)
	}
	roots := x509.NewCertPool()
	roots.AddCert(s.Certificate())
	if r := post(t, client(t, outbound.Options{Roots: roots}), s.URL); r.Ending != outbound.Delivered {
		t.Errorf("a good certificate: %s (%s)", r.Ending, r.Fault)
	}
	other := strings.Replace(s.URL, "127.0.0.1", "receiver.test", 1)
	resolve := func(context.Context, string) ([]netip.Addr, error) {
		return []netip.Addr{netip.MustParseAddr("127.0.0.1")}, nil
	}
	if r := post(t, client(t, outbound.Options{Roots: roots, Resolve: resolve}), other); r.Ending != outbound.TLS {
		t.Errorf("a certificate of another host: %s (%s)", r.Ending, r.Fault)
	}
	plain := httptest.NewServer(answer(200, 0))
	defer plain.Close()
	if r := post(t, client(t, outbound.Options{}),
		strings.Replace(plain.URL, "http://", "https://", 1)); r.Ending != outbound.TLS {
		t.Errorf("no TLS at all: %s (%s)", r.Ending, r.Fault)
	}
}

func TestAReceiverThatIsNotThereIsTold(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := "http://" + l.Addr().String()
	l.Close()
	if r := post(t, client(t, outbound.Options{}), address); r.Ending != outbound.Connect {
		t.Errorf("a closed port: %s (%s)", r.Ending, r.Fault)
	}
	nowhere := func(context.Context, string) ([]netip.Addr, error) {
		return nil, &net.DNSError{Err: "no such host", Name: "receiver.test", Server: "10.9.8.7:53", IsNotFound: true}
	}
	if r := post(t, client(t, outbound.Options{Resolve: nowhere}),
		"http://receiver.test/"); r.Ending != outbound.Unresolved {
		t.Errorf("an unknown host: %s (%s)", r.Ending, r.Fault)
	}
}

func TestAnAddressIsCalledInTheLettersOfARequestLine(t *testing.T) {
	t.Parallel()
	var called atomic.Value
	s := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { called.Store(r.RequestURI) }))
	defer s.Close()
	for to, want := range map[string]string{"/a%2Fb?x=%20y": "/a%2Fb?x=%20y",
		"/peña/?ciudad=Córdoba&día=1": "/pe%C3%B1a/?ciudad=C%C3%B3rdoba&d%C3%ADa=1", "": "/"} {
		if r := post(t, client(t, outbound.Options{}), s.URL+to); r.Ending != outbound.Delivered || called.Load() != want {
			t.Errorf("%s: %s, called %v, want %s", to, r.Ending, called.Load(), want)
		}
	}
}
