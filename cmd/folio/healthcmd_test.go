package main

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

func TestHealthTellsByItsExitCode(t *testing.T) {
	says := func(status int, body string) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/healthz" {
				_, _ = w.Write([]byte("ok\n"))
				return
			}
			w.WriteHeader(status)
			_, _ = w.Write([]byte(body))
		})
	}
	ready := httptest.NewServer(says(http.StatusOK, `{"status":"ready"}`))
	defer ready.Close()
	private := httptest.NewTLSServer(says(http.StatusOK, `{"status":"ready"}`))
	defer private.Close()
	stopping := httptest.NewServer(says(http.StatusServiceUnavailable, `{"status":"stopping"}`))
	defer stopping.Close()
	troubled := httptest.NewServer(says(http.StatusServiceUnavailable, `{"status": "not ready",
		"log": {"state": "unreachable", "since": "2026-11-29T10:00:00Z", "fault": "connection refused"},
		"stores": [{"name": "tables", "state": "ok"}, {"name": "vault", "state": "away", "fault": "the disk is full"}],
		"feeds": [{"name": "projection companies", "state": "folding", "caught_up": true},
			{"name": "projection invoices", "state": "folding"}, {"name": "processor mail", "state": "standby"},
			{"name": "processor notices", "state": "failed", "fault": "worklists belong to another log"}],
		"authorities": [{"authority": "arca", "environment": "Production", "since": "2026-11-29T10:00:00Z",
			"fault": "timeout"}, {"authority": "sii", "environment": "Production", "up": true}],
		"quarantine": {"held": 2}, "series": {"held": 1}, "outages": {"open": 3},
		"missing_figures": [{"country": "UY", "name": "unit_value", "year": 2027}]}`))
	defer troubled.Close()
	other := httptest.NewServer(says(http.StatusOK, "hello"))
	defer other.Close()
	gone := httptest.NewServer(says(http.StatusOK, ""))
	gone.Close()
	port := func(s *httptest.Server) string { return s.URL[strings.LastIndex(s.URL, ":"):] }
	for _, c := range []struct {
		line       string
		out, fault string
	}{
		{"health --addr 127.0.0.1" + port(ready), "ready\n", ""},
		{"health --addr 0.0.0.0" + port(ready), "ready\n", ""},
		{"health --addr " + port(ready), "ready\n", ""},
		{"health --tls-cert x.pem --addr 127.0.0.1" + port(private), "ready\n", ""},
		{"health --addr 127.0.0.1" + port(stopping), "", "503 stopping"},
		{"health --live --addr 127.0.0.1" + port(stopping), "ok\n", ""},
		{"health --addr 127.0.0.1" + port(other), "", "is no service of Folio's"},
		{"health --addr 127.0.0.1" + port(gone), "", "or name with --addr"},
		{"health --addr 127.0.0.1" + port(troubled), "", "503 not ready\n" +
			"  log: unreachable since 2026-11-29 10:00:00Z: connection refused\n" +
			"  vault: away: the disk is full\n" +
			"  processor notices: failed: worklists belong to another log\n" +
			"  not as new as the log yet: projection invoices (folio projections list)\n" +
			"  another process does, or this one soon: processor mail\n" +
			"  authority arca (Production): down since 2026-11-29 10:00:00Z, invoices wait: timeout\n" +
			"  streams that are held: 2 (folio quarantine list)\n" +
			"  series that are held: 1, that stand: 0 (folio series list)\n" +
			"  outages of companies' authorities: 3 (folio outages list --open)\n" +
			"  no UY unit_value of 2027 (folio figures)"},
		{"health --addr 127.0.0.1:0", "", "is not the address"},
	} {
		out, err := run(t, strings.Fields(c.line)...)
		if out != c.out || (err == nil) != (c.fault == "") || err != nil && !strings.Contains(err.Error(), c.fault) {
			t.Errorf("%s: %q, %v", c.line, out, err)
		}
	}
}
