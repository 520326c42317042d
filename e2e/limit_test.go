package e2e

import (
	"net/http"
	"strconv"
	"sync"
	"testing"
	"time"
)

// burst sends n requests at once and counts what came of them.
func burst(t *testing.T, c client, n int, path string) (passed, refused int, last answer) {
	t.Helper()
	c.hasty = true
	var mu sync.Mutex
	each(t, 16, n, func(int) error {
		a, err := c.send(http.MethodGet, path, nil)
		mu.Lock()
		defer mu.Unlock()
		if a.status == http.StatusTooManyRequests {
			refused++
			last = a
		} else {
			passed++
		}
		return err
	})
	return passed, refused, last
}

func TestRateLimit(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	p := serve(t, dir)
	bearer := login(t, p.base, email, password)
	c := register(t, bearer, cuit(1))

	t.Run("no more than fifty in a second, and Retry-After is enough", func(t *testing.T) {
		// The sandbox of time is real: a burst that took long may have crossed seconds.
		start := time.Now()
		passed, refused, last := burst(t, c.client, 120, "/api/invoices?per_page=1")
		took := time.Since(start)
		if most := 50 * (1 + int(took/time.Second)); passed > most || passed < 50 || took < time.Second && refused != 70 {
			t.Errorf("%d passed and %d were refused in %s", passed, refused, took)
		}
		checkRefusal(t, last)
		wait, _ := strconv.Atoi(last.header.Get("Retry-After"))
		time.Sleep(time.Duration(wait) * time.Second) // the promise under test
		c.hasty = true
		c.want(t, http.StatusOK, http.MethodGet, "/api/invoices?per_page=1", nil)
		c.hasty = false
	})
	t.Run("a company's other key and the account have their own budgets", func(t *testing.T) {
		other := withKey(t, bearer, c)
		burst(t, c.client, 60, "/api/invoices?per_page=1")
		other.hasty = true
		other.want(t, http.StatusOK, http.MethodGet, "/api/invoices?per_page=1", nil)
	})
	t.Run("every answer tells the budget", func(t *testing.T) {
		for _, path := range []string{"/api/invoices", "/nowhere", "/api/invoices?page=0"} {
			h := must(c.send(http.MethodGet, path, nil)).header
			left, err := strconv.Atoi(h.Get("RateLimit-Remaining"))
			if h.Get("RateLimit-Policy") != "50;w=1, 3000;w=60" || h.Get("RateLimit-Limit") == "" ||
				h.Get("RateLimit-Reset") == "" || err != nil || left < 0 || left > 49 {
				t.Errorf("%s: %v", path, h)
			}
		}
	})
	t.Run("a header cannot buy another budget before login", func(t *testing.T) {
		nobody := client{base: p.base, hasty: true}
		limited := false
		for n := range 60 {
			a := must(nobody.with("X-Forwarded-For", "10.0.0."+strconv.Itoa(n)).send(http.MethodGet, "/api/currencies", nil))
			if a.status == http.StatusTooManyRequests {
				limited = true
				checkRefusal(t, a)
			}
		}
		if _, refused, _ := burst(t, nobody, 120, "/api/currencies"); !limited && refused == 0 {
			t.Error("180 requests of one address passed")
		}
	})
	t.Run("health and metrics are exempt", func(t *testing.T) {
		for _, path := range []string{"/healthz", "/readyz", "/metrics"} {
			if _, refused, _ := burst(t, client{base: p.base}, 70, path); refused != 0 {
				t.Errorf("%d of 70 requests of %s were refused", refused, path)
			}
		}
	})
	p.stop(t)
}

// checkRefusal wants all that the contract says of a 429.
func checkRefusal(t *testing.T, a answer) {
	t.Helper()
	if a.status != http.StatusTooManyRequests {
		t.Fatalf("no request was refused, the last answered %d", a.status)
	}
	p, err := readProblem(a)
	if err != nil || p.Message != "RATE_LIMIT_EXCEEDED" {
		t.Errorf("the refusal is %+v, %v", p, err)
	}
	if wait, err := strconv.Atoi(a.header.Get("Retry-After")); err != nil || wait != 1 {
		t.Errorf("Retry-After %q, want 1: fifty a second are free again by then", a.header.Get("Retry-After"))
	}
	if a.header.Get("RateLimit-Remaining") != "0" {
		t.Errorf("remaining %q on a refusal", a.header.Get("RateLimit-Remaining"))
	}
}

func TestRateLimitOfAMinute(t *testing.T) {
	t.Parallel()
	p := serve(t, t.TempDir(), "--rate-limit-second", "0", "--rate-limit-minute", "30")
	bearer := login(t, p.base, email, password)
	passed, refused, last := burst(t, bearer, 40, "/api/companies")
	if passed != 30 || refused != 10 {
		t.Errorf("%d passed and %d were refused, want 30 and 10", passed, refused)
	}
	if wait, err := strconv.Atoi(last.header.Get("Retry-After")); err != nil || wait < 30 || wait > 60 {
		t.Errorf("Retry-After %q, want the rest of the minute", last.header.Get("Retry-After"))
	}
	p.stop(t)
}

func TestWrongPasswordsAreThrottled(t *testing.T) {
	t.Parallel()
	p := serve(t, t.TempDir())
	nobody := client{base: p.base, hasty: true}
	a := throttled(t, nobody)
	if a.header.Get("Retry-After") == "" {
		t.Error("a throttled login without Retry-After")
	}
	nobody.hasty = false
	if a := nobody.want(t, http.StatusOK, http.MethodPost, "/api/login",
		map[string]string{"email": email, "password": password}); a.status != 200 {
		t.Error("the right password does not help")
	}
	p.stop(t)
}

// Limits of calls are each process's own: docs/operating.md says how to divide them.
func TestLimitsHoldForEachProcess(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	flags := []string{"--rate-limit-second", "0", "--rate-limit-minute"}
	whole := serve(t, dir, append(flags, "30")...)
	halves := []*process{serve(t, dir, append(append([]string{"--roles", "write,read"}, flags...), "15")...),
		serve(t, dir, append(append([]string{"--roles", "write,read"}, flags...), "15")...)}
	bearer := login(t, whole.base, email, password)
	began := time.Now()
	passed, _, _ := burst(t, bearer, 40, "/api/companies")
	var divided int
	for _, p := range halves {
		bearer.base = p.base
		each, _, _ := burst(t, bearer, 20, "/api/companies")
		divided += each
	}
	if time.Since(began) < time.Minute && (passed != 30 || divided != 30) { // later more are let through
		t.Errorf("one process let %d through, two with half of its limit %d: want 30 each", passed, divided)
	}
}

var wrongPassword = map[string]string{"email": email, "password": "not-" + password}

// throttled tries wrong passwords until they are slowed down, which the first ones are not. The first waits are as
// short as a slow machine takes for a password, so that some more may pass.
func throttled(t *testing.T, c client) answer {
	t.Helper()
	for n := range 20 {
		a := must(c.send(http.MethodPost, "/api/login", wrongPassword))
		switch p, err := readProblem(a); {
		case err != nil || p.Message == "RATE_LIMIT_EXCEEDED" || n < 6 && a.status != http.StatusUnauthorized:
			t.Fatalf("try %d: %d %s", n+1, a.status, a.body)
		case a.status == http.StatusTooManyRequests:
			return a
		}
	}
	t.Fatal("20 wrong passwords passed")
	return answer{}
}
