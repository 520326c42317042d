package httpapi

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

func from(peer string, headers ...string) *http.Request {
	r := httptest.NewRequest("GET", "/", nil)
	r.RemoteAddr = peer
	for _, line := range headers {
		name, value, _ := strings.Cut(line, ": ")
		r.Header.Add(name, value)
	}
	return r
}

func TestWhereARequestComesFrom(t *testing.T) {
	proxies, err := ParseProxies([]string{"10.0.0.0/8", "2001:db8:ffff::1", "::ffff:192.0.2.200"})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, peer string
		headers    []string
		want       string
	}{
		{"no proxy", "192.0.2.7:4711", nil, "address:192.0.2.7"},
		{"IPv4 in IPv6", "[::ffff:192.0.2.7]:4711", nil, "address:192.0.2.7"},
		{"of IPv6 the /64", "[2001:db8:1:2:3:4:5:6]:1", nil, "address:2001:db8:1:2::/64"},
		{"a zone", "[fe80::1%eth0]:1", nil, "address:fe80::/64"},
		{"a socket", "@", nil, "address:@"},
		{"a stranger that says it is a proxy", "192.0.2.7:1", []string{"X-Forwarded-For: 203.0.113.9"}, "address:192.0.2.7"},
		{"through a proxy", "10.1.2.3:1", []string{"X-Forwarded-For: 203.0.113.9"}, "address:203.0.113.9"},
		{"with a port", "10.1.2.3:1", []string{"X-Forwarded-For: 203.0.113.9:55"}, "address:203.0.113.9"},
		{"IPv6 in brackets", "10.1.2.3:1", []string{"X-Forwarded-For: [2001:db8:1:2::9]:55"}, "address:2001:db8:1:2::/64"},
		{"what the client wrote before is not read", "10.1.2.3:1", []string{"X-Forwarded-For: 198.51.100.1, 203.0.113.9"},
			"address:203.0.113.9"},
		{"through two proxies", "[2001:db8:ffff::1]:1", []string{"X-Forwarded-For: 198.51.100.1, 203.0.113.9, 10.9.9.9"},
			"address:203.0.113.9"},
		{"in two headers", "192.0.2.200:1", []string{"X-Forwarded-For: 203.0.113.9", "X-Forwarded-For: 10.9.9.9"},
			"address:203.0.113.9"},
		{"a proxy that calls by itself", "10.1.2.3:1", nil, "address:10.1.2.3"},
		{"nothing but proxies", "10.1.2.3:1", []string{"X-Forwarded-For: 10.4.5.6"}, "address:10.4.5.6"},
		{"nonsense ends the walk", "10.1.2.3:1", []string{"X-Forwarded-For: 203.0.113.9, unknown"}, "address:10.1.2.3"},
	} {
		if got := proxies.place(from(c.peer, c.headers...)); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
	if _, err := ParseProxies([]string{"proxy.example.com"}); err == nil {
		t.Error("a name is taken for a network")
	}
}

func TestLocalPathsAreForThisMachine(t *testing.T) {
	ok := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { NoContent(w) })
	teapot := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusTeapot) })
	proxies, err := ParseProxies([]string{"127.0.0.9"})
	if err != nil {
		t.Fatal(err)
	}
	mux := NewRouter(Config{Auth: fakeAuth{}, Proxies: proxies,
		Operations: map[string]http.Handler{"/readyz": teapot},
		Local:      map[string]http.Handler{"/readyz": ok, "/metrics": ok}})
	for _, c := range []struct {
		name, path, peer string
		headers          []string
		want             int
	}{
		{"this machine", "/metrics", "127.0.0.1:1", nil, 204},
		{"this machine, details", "/readyz", "[::1]:1", nil, 204},
		{"another machine", "/metrics", "192.0.2.7:1", nil, 404},
		{"another machine, plain", "/readyz", "192.0.2.7:1", nil, 418},
		{"through an unknown proxy on this machine", "/metrics", "127.0.0.1:1", []string{"X-Forwarded-For: 127.0.0.1"}, 404},
		{"through another one", "/metrics", "127.0.0.1:1", []string{"Via: 1.1 proxy"}, 404},
		{"through a trusted proxy from elsewhere", "/metrics", "127.0.0.9:1", []string{"X-Forwarded-For: 192.0.2.7"}, 404},
		{"through a trusted proxy from here", "/metrics", "127.0.0.9:1", []string{"X-Forwarded-For: 127.0.0.1"}, 204},
	} {
		r := from(c.peer, c.headers...)
		r.URL.Path = c.path
		w := httptest.NewRecorder()
		mux.ServeHTTP(w, r)
		if w.Code != c.want {
			t.Errorf("%s: %d, want %d", c.name, w.Code, c.want)
		}
	}
}
