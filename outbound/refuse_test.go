package outbound_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync/atomic"
	"testing"

	"folio/outbound"
)

// names is a name service of one's own.
func names(m map[string][]string) func(context.Context, string) ([]netip.Addr, error) {
	return func(_ context.Context, host string) ([]netip.Addr, error) {
		var out []netip.Addr
		for _, a := range m[host] {
			out = append(out, netip.MustParseAddr(a))
		}
		return out, nil
	}
}

var known = names(map[string][]string{
	"example.com":          {"93.184.216.34", "2606:2800:220:1:248:1893:25c8:1946"},
	"xn--and-6ma2c.test":   {"93.184.216.34"},
	"127.0.0.1.nip.io":     {"127.0.0.1"},
	"localhost":            {"127.0.0.1", "::1"},
	"mixed.test":           {"93.184.216.34", "10.0.0.1"},
	"metadata.google.test": {"169.254.169.254"},
})

func TestAddressesThatAreRefused(t *testing.T) {
	for address, code := range map[string]string{
		"ftp://example.com/":                               "BAD_SCHEME",
		"file:///etc/passwd":                               "BAD_SCHEME",
		"gopher://example.com":                             "BAD_SCHEME",
		"example.com/hook":                                 "BAD_SCHEME",
		"":                                                 "BAD_SCHEME",
		"https://":                                         "BAD_URL",
		"https:///hook":                                    "BAD_URL",
		"https:example.com":                                "BAD_URL",
		"https://example.com/a b":                          "BAD_URL",
		"https://example.com\\@10.0.0.1/":                  "BAD_URL",
		"https://example.com/#secret":                      "BAD_URL",
		"https://user:pass@example.com/":                   "CREDENTIALS_IN_URL",
		"https://user@example.com/":                        "CREDENTIALS_IN_URL",
		"https://example.com:22/":                          "BAD_PORT",
		"https://example.com:25/":                          "BAD_PORT",
		"https://example.com:6379/":                        "BAD_PORT",
		"https://example.com:0/":                           "BAD_PORT",
		"https://example.com:99999/":                       "BAD_PORT",
		"https://example.com:/":                            "BAD_PORT",
		"https://2130706433/":                              "BAD_HOST",
		"https://0x7f000001/":                              "BAD_HOST",
		"https://0x7f.1/":                                  "BAD_HOST",
		"https://0177.0.0.1/":                              "BAD_HOST",
		"https://127.1/":                                   "BAD_HOST",
		"https://127.0.0.1./":                              "BAD_HOST",
		"https://1.2.3.256/":                               "BAD_HOST",
		"https://[fe80::1%25eth0]/":                        "BAD_HOST",
		"https://example..com/":                            "BAD_HOST",
		"https://.example.com/":                            "BAD_HOST",
		"https://" + strings.Repeat("a", 64) + ".com/":     "BAD_HOST",
		"https://exa_mple..com/":                           "BAD_HOST",
		"https://127.0.0.1/":                               "PRIVATE_ADDRESS",
		"http://0.0.0.0/":                                  "PRIVATE_ADDRESS",
		"https://10.0.0.5/":                                "PRIVATE_ADDRESS",
		"https://172.31.255.255/":                          "PRIVATE_ADDRESS",
		"https://192.168.1.1/":                             "PRIVATE_ADDRESS",
		"https://100.64.0.1/":                              "PRIVATE_ADDRESS",
		"https://100.100.100.200/":                         "PRIVATE_ADDRESS",
		"https://169.254.169.254/latest/meta-data/":        "PRIVATE_ADDRESS",
		"https://168.63.129.16/":                           "PRIVATE_ADDRESS",
		"https://224.0.0.1/":                               "PRIVATE_ADDRESS",
		"https://255.255.255.255/":                         "PRIVATE_ADDRESS",
		"https://[::1]/":                                   "PRIVATE_ADDRESS",
		"https://[::]/":                                    "PRIVATE_ADDRESS",
		"https://[::ffff:127.0.0.1]/":                      "PRIVATE_ADDRESS",
		"https://[::ffff:7f00:1]/":                         "PRIVATE_ADDRESS",
		"https://[::127.0.0.1]/":                           "PRIVATE_ADDRESS",
		"https://[64:ff9b::7f00:1]/":                       "PRIVATE_ADDRESS",
		"https://[2002:7f00:1::]/":                         "PRIVATE_ADDRESS",
		"https://[2001:0:7f00:1::]/":                       "PRIVATE_ADDRESS",
		"https://[fd00:ec2::254]/":                         "PRIVATE_ADDRESS",
		"https://[fe80::1]/":                               "PRIVATE_ADDRESS",
		"https://[fec0::1]/":                               "PRIVATE_ADDRESS",
		"https://[ff02::1]/":                               "PRIVATE_ADDRESS",
		"https://localhost/":                               "PRIVATE_ADDRESS",
		"https://LOCALHOST./":                              "PRIVATE_ADDRESS",
		"https://１２７.０.０.１/":                               "BAD_HOST",
		"https://example.com/" + strings.Repeat("x", 2048): "URL_TOO_LONG",
	} {
		err := client(t, outbound.Options{Allow: []netip.Prefix{}, Resolve: known}).Check(address)
		var r *outbound.Refusal
		if !errors.As(err, &r) || r.Code != code {
			t.Errorf("%.60s: %v, want %s", address, err, code)
		}
		if code == "PRIVATE_ADDRESS" && !strings.Contains(strings.ToLower(address), "localhost") {
			if got := post(t, client(t, outbound.Options{Allow: []netip.Prefix{}, Resolve: known}),
				address); got.Ending != outbound.Refused || !strings.HasSuffix(got.Fault, r.Text) {
				t.Errorf("%.60s at dial: %s (%s)", address, got.Ending, got.Fault)
			}
			if strings.ContainsAny(r.Text, "0123456789") {
				t.Errorf("%.60s: %s names an address", address, r.Text)
			}
		}
	}
}

// Who asks learns nothing of our network: a name that means a private address there is
// taken like one that means nothing, and the calls of both end alike.
func TestPrivateAndUnknownNamesAreAnsweredAlike(t *testing.T) {
	c := client(t, outbound.Options{Allow: []netip.Prefix{}, OwnPorts: []uint16{8443}, Resolve: known})
	var want outbound.Result
	for i, address := range []string{"https://unknown.test/", "https://127.0.0.1.nip.io/",
		"https://127.0.0.1.nip.io:8443/", "https://mixed.test/", "https://metadata.google.test/", "https://localhost/"} {
		if err := c.Check(address); err != nil && !strings.Contains(address, "//localhost/") {
			t.Errorf("%s: %v", address, err)
		}
		got := post(t, c, address)
		if i == 0 {
			want = got
		}
		if got.Ending != outbound.Unresolved || got.Fault != want.Fault || got.Latency != want.Latency {
			t.Errorf("%s: %+v, want %+v", address, got, want)
		}
	}
}

func TestAddressesThatPass(t *testing.T) {
	for _, address := range []string{
		"https://example.com/hook?token=1", "http://example.com", "https://example.com:8443/", "https://EXAMPLE.com./",
		"https://93.184.216.34/", "https://[2606:2800:220:1:248:1893:25c8:1946]/", "https://ñandú.test/",
		"https://not-yet-there.test/",
	} {
		if err := client(t, outbound.Options{Allow: []netip.Prefix{}, Resolve: known}).Check(address); err != nil {
			t.Errorf("%s: %v", address, err)
		}
	}
}

func TestTheOperatorAllowsNetworksButNeverOurOwnPorts(t *testing.T) {
	c := client(t, outbound.Options{Allow: loopback, OwnPorts: []uint16{8080},
		Local: func(a netip.Addr) bool { return a.String() == "93.184.216.34" }, Resolve: known})
	for address, ok := range map[string]bool{
		"http://127.0.0.1:9000/": true, "http://[::ffff:127.0.0.1]:9000/": true, "http://10.0.0.1:9000/": false,
		"http://127.0.0.1:8080/": false, "http://localhost:8080/": false, "http://0.0.0.0:8080/": false,
		"http://93.184.216.34:8080/": false, "http://93.184.216.34:8081/": true,
	} {
		if err := c.Check(address); (err == nil) != ok {
			t.Errorf("%s: %v", address, err)
		}
	}
	if _, err := outbound.ParsePrefixes([]string{"10.0.0.0/8", "192.0.2.7", "::1"}); err != nil {
		t.Error(err)
	}
	if _, err := outbound.ParsePrefixes([]string{"10.0.0"}); err == nil {
		t.Error("10.0.0 was taken for a network")
	}
}

// What a name resolves to is looked at in the call itself: what it meant before gains nothing.
func TestRebindingGainsNothing(t *testing.T) {
	var called atomic.Int32
	s := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { called.Add(1) }))
	defer s.Close()
	c := client(t, outbound.Options{Allow: []netip.Prefix{},
		Resolve: names(map[string][]string{"rebind.test": {"127.0.0.1"}})})
	address := strings.Replace(s.URL, "127.0.0.1", "rebind.test", 1)
	if err := c.Check(address); err != nil {
		t.Fatal(err)
	}
	if r := post(t, c, address); r.Ending != outbound.Unresolved || called.Load() != 0 {
		t.Fatalf("%s (%s), the receiver was called %d times", r.Ending, r.Fault, called.Load())
	}
}

func FuzzCheck(f *testing.F) {
	for _, s := range []string{"https://example.com/", "http://[::1%25x]:80/", "https://0x7f.1/", "http://a@b:1/",
		"https://ñ.test"} {
		f.Add(s)
	}
	c := outbound.New(outbound.Options{Resolve: known})
	f.Fuzz(func(t *testing.T, address string) {
		err := c.Check(address)
		var r *outbound.Refusal
		if err != nil && (!errors.As(err, &r) || r.Code == "" || r.Text == "") {
			t.Fatalf("%q: %v", address, err)
		}
	})
}
