package e2e

import (
	"net/http"
	"strings"
	"testing"
)

// Behind a reverse proxy that is trusted, nobody's guesses are another's.
func TestGuessesLockNobodyElseOut(t *testing.T) {
	t.Parallel()
	p := serve(t, t.TempDir(), "--trusted-proxies", "127.0.0.0/8")
	guesser := client{base: p.base, hasty: true}.with("X-Forwarded-For", "203.0.113.9")
	owner := client{base: p.base, hasty: true}.with("X-Forwarded-For", "198.51.100.7")
	right, wrong := map[string]string{"email": email, "password": password},
		map[string]string{"email": email, "password": "not-" + password}
	slowed := 0
	for n := range 12 {
		a := must(guesser.send(http.MethodPost, "/api/login", wrong))
		if a.status == http.StatusTooManyRequests {
			slowed++
		}
		if n < 6 && a.status != http.StatusUnauthorized {
			t.Errorf("guess %d: %d", n+1, a.status)
		}
	}
	if slowed == 0 {
		t.Error("twelve guesses are not slowed down")
	}
	owner.want(t, http.StatusOK, http.MethodPost, "/api/login", right)
	for range 6 {
		owner.refused(t, 401, "LOGIN_FAILED", http.MethodPost, "/api/login", wrong)
	}
	owner.want(t, http.StatusOK, http.MethodPost, "/api/login", right)
	p.stop(t)
}

func TestTheOperatorsAddress(t *testing.T) {
	t.Parallel()
	p := serve(t, t.TempDir(), "--admin-addr", "127.0.0.1:0")
	_, rest, _ := strings.Cut(p.stderr.String(), "readiness are here\" address=")
	admin, _, _ := strings.Cut(rest, "\n")
	for _, c := range []struct {
		base, path string
		status     int
		has, lacks string
	}{
		{p.base, "/healthz", 200, "ok", ""},
		{p.base, "/readyz", 200, `"status":"ready"`, "feeds"},
		{p.base, "/metrics", 404, "", "folio_"},
		{admin, "/healthz", 200, "ok", ""},
		{admin, "/readyz", 200, "feeds", ""},
		{admin, "/metrics", 200, "folio_admission_used", ""},
	} {
		eventually(t, verdictLimit, c.base+c.path, func() (string, bool) {
			a := must(client{base: c.base}.send(http.MethodGet, c.path, nil))
			text := string(a.body)
			return text, a.status == c.status && strings.Contains(text, c.has) &&
				(c.lacks == "" || !strings.Contains(text, c.lacks))
		})
	}
	p.stop(t)
}

func TestWithoutAnAddressOfTheirOwnDetailsAreForThisMachine(t *testing.T) {
	t.Parallel()
	p := serve(t, t.TempDir())
	here := client{base: p.base}
	elsewhere := here.with("X-Forwarded-For", "203.0.113.9") // through a proxy on this machine
	here.want(t, http.StatusOK, http.MethodGet, "/metrics", nil)
	elsewhere.want(t, http.StatusNotFound, http.MethodGet, "/metrics", nil)
	if a := must(here.send(http.MethodGet, "/readyz", nil)); !strings.Contains(string(a.body), "feeds") {
		t.Errorf("no details for this machine: %s", a.body)
	}
	if a := must(elsewhere.send(http.MethodGet, "/readyz", nil)); strings.Contains(string(a.body), "feeds") ||
		!strings.Contains(string(a.body), "ready") {
		t.Errorf("details for another machine: %s", a.body)
	}
	p.stop(t)
}
