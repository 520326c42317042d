package eventstore

import (
	"log/slog"
	"strings"
	"testing"
)

// FuzzAddress is inside the package so that no address it invents is ever dialled.
func FuzzAddress(f *testing.F) {
	for _, s := range []string{"esdb://a:b@h1:1,h2:2?tls=true", "kurrentdb+discover://h", "unix:///x", "esdb://[",
		"esdb://h?tls=%zz"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, address string) {
		if strings.Contains(strings.ToLower(address), "cafile") {
			return // names a file to read
		}
		c, err := configure(address, slog.New(slog.DiscardHandler))
		if err != nil {
			return
		}
		if c.MaxDiscoverAttempts != discoverAttempts || c.Logger == nil {
			t.Errorf("%q: %+v", address, c)
		}
		if c.DisableTLS && c.Username != "" {
			t.Errorf("%q: credentials without TLS", address)
		}
	})
}
