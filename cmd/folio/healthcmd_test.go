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
		{"health --addr 127.0.0.1" + port(gone), "", "does not answer"},
		{"health --addr 127.0.0.1:0", "", "is not the address"},
	} {
		out, err := run(t, strings.Fields(c.line)...)
		if out != c.out || (err == nil) != (c.fault == "") || err != nil && !strings.Contains(err.Error(), c.fault) {
			t.Errorf("%s: %q, %v", c.line, out, err)
		}
	}
}
