package writeapi

import (
	"net/http/httptest"
	"testing"
)

func TestWhoseFailuresCountTogether(t *testing.T) {
	for address, want := range map[string]string{
		"192.0.2.7:1234":           "192.0.2.7",
		"192.0.2.7:9":              "192.0.2.7",
		"[2001:db8:1:2:3:4:5:6]:1": "2001:db8:1:2::/64", // one host owns all of it
		"[2001:db8:1:2::9]:1":      "2001:db8:1:2::/64",
		"[::ffff:192.0.2.7]:1":     "192.0.2.7",
		"[fe80::1%eth0]:1":         "fe80::/64",
		"@":                        "@", // a unix socket
		"folio.example.com:1":      "folio.example.com",
	} {
		r := httptest.NewRequest("POST", "/api/login", nil)
		r.RemoteAddr = address
		r.Header.Set("X-Forwarded-For", "203.0.113.1")
		if got := remote(r); got != want {
			t.Errorf("%s counts as %s, want %s", address, got, want)
		}
	}
}
