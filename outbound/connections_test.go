package outbound_test

import (
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"

	"folio/outbound"
)

// What a company reads of a failure is not where our proxy and name server are.
func TestFaultsNameNoAddressOfOurNetwork(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	closed := l.Addr().String()
	l.Close()
	reset := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		conn, _, err := http.NewResponseController(w).Hijack()
		if err != nil {
			panic(err)
		}
		_ = conn.(*net.TCPConn).SetLinger(0)
		conn.Close()
	}))
	defer reset.Close()
	two := func(context.Context, string) ([]netip.Addr, error) {
		return []netip.Addr{netip.MustParseAddr("127.0.0.1"), netip.MustParseAddr("127.0.0.2")}, nil
	}
	nowhere := func(context.Context, string) ([]netip.Addr, error) {
		return nil, &net.DNSError{Err: "no such host", Name: "receiver.test", Server: "127.0.0.3:53", IsNotFound: true}
	}
	for _, c := range []struct {
		name, to string
		options  outbound.Options
		fault    string
	}{
		{"a closed port", "http://" + closed, outbound.Options{}, "dial: connect: connection refused"},
		{"a closed port at two addresses", "http://" + strings.Replace(closed, "127.0.0.1", "receiver.test", 1),
			outbound.Options{Resolve: two},
			"dial: connect: connection refused\ndial: connect: connection refused"},
		{"a proxy that is away", "http://127.0.0.1:9999/", outbound.Options{Proxy: &url.URL{Scheme: "http", Host: closed}},
			"reach the proxy: dial: connect: connection refused"},
		{"a connection that is reset", reset.URL, outbound.Options{}, "read: connection reset by peer"},
		{"a name that nobody knows", "http://receiver.test/", outbound.Options{Resolve: nowhere},
			"the host's name does not resolve to a public address"},
	} {
		if r := post(t, client(t, c.options), c.to); !strings.HasSuffix(r.Fault, c.fault) ||
			strings.Contains(r.Fault, "127.0.0.") {
			t.Errorf("%s: %s: %q, want %q", c.name, r.Ending, r.Fault, c.fault)
		}
	}
}

func TestAConnectionIsKeptAndALostOneIsNoFailure(t *testing.T) {
	t.Parallel()
	var connections atomic.Int32
	s := httptest.NewUnstartedServer(answer(200, 0))
	s.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateNew {
			connections.Add(1)
		}
	}
	s.Start()
	defer s.Close()
	c := client(t, outbound.Options{})
	for range 5 {
		if r := post(t, c, s.URL); r.Ending != outbound.Delivered {
			t.Fatalf("%s (%s)", r.Ending, r.Fault)
		}
	}
	if n := connections.Load(); n != 1 {
		t.Errorf("%d connections for 5 calls", n)
	}
	s.CloseClientConnections()
	if r := post(t, c, s.URL); r.Ending != outbound.Delivered {
		t.Errorf("after the receiver closed the kept connection: %s (%s)", r.Ending, r.Fault)
	}
}

func TestASourceAddressIsThatOfEveryConnection(t *testing.T) {
	t.Parallel()
	var from atomic.Value
	s := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { from.Store(r.RemoteAddr) }))
	defer s.Close()
	r := post(t, client(t, outbound.Options{SourceIP: netip.MustParseAddr("127.0.0.9")}), s.URL)
	if got, _ := from.Load().(string); r.Ending != outbound.Delivered || !strings.HasPrefix(got, "127.0.0.9:") {
		t.Fatalf("%s (%s), seen from %v", r.Ending, r.Fault, from.Load())
	}
}

// proxy is one that speaks CONNECT and notes what it was asked for.
func proxy(t *testing.T, asked *atomic.Value) *url.URL {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Store(r.Method + " " + r.Host + " " + r.Header.Get("Proxy-Authorization"))
		to, err := net.Dial("tcp", r.Host)
		if err != nil {
			w.WriteHeader(http.StatusBadGateway)
			return
		}
		defer to.Close()
		w.WriteHeader(http.StatusOK)
		conn, rest, err := http.NewResponseController(w).Hijack()
		if err != nil {
			panic(err)
		}
		defer conn.Close()
		go func() { _, _ = io.Copy(to, rest) }()
		_, _ = io.Copy(conn, to)
	}))
	t.Cleanup(s.Close)
	u, err := url.Parse(s.URL)
	if err != nil {
		t.Fatal(err)
	}
	u.User = url.UserPassword("folio", "secret")
	return u
}

func TestAProxyIsAskedForTheAddressThatWasLookedAt(t *testing.T) {
	t.Parallel()
	s := httptest.NewServer(answer(200, 0))
	defer s.Close()
	var asked atomic.Value
	resolve := func(context.Context, string) ([]netip.Addr, error) {
		return []netip.Addr{netip.MustParseAddr("127.0.0.1")}, nil
	}
	c := client(t, outbound.Options{Proxy: proxy(t, &asked), Resolve: resolve})
	address := strings.Replace(s.URL, "127.0.0.1", "receiver.test", 1)
	if r := post(t, c, address); r.Ending != outbound.Delivered {
		t.Fatalf("%s (%s)", r.Ending, r.Fault)
	}
	want := "CONNECT " + strings.TrimPrefix(s.URL, "http://") + " Basic Zm9saW86c2VjcmV0"
	if asked.Load() != want {
		t.Errorf("the proxy was asked %q, want %q", asked.Load(), want)
	}
	if r := post(t, client(t, outbound.Options{Proxy: proxy(t, &asked), Allow: []netip.Prefix{}, Resolve: resolve}),
		address); r.Ending != outbound.Unresolved {
		t.Errorf("a private address through the proxy: %s (%s)", r.Ending, r.Fault)
	}
}
