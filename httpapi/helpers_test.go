package httpapi

import (
	"bytes"
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"folio/fault"
	"folio/scope"
)

// fakeClock is moved by hand.
type fakeClock struct{ at time.Time }

func newFakeClock() *fakeClock { return &fakeClock{time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)} }

func (c *fakeClock) now() time.Time          { return c.at }
func (c *fakeClock) advance(d time.Duration) { c.at = c.at.Add(d) }

// fakeAuth knows one token and one key.
type fakeAuth struct{}

func (fakeAuth) Bearer(_ context.Context, token string) (Principal, error) {
	if token == "good-token" {
		return Principal{Kind: Account, Account: "acc1", Scopes: scope.All}, nil
	}
	return Principal{}, ErrBadCredential
}

func (fakeAuth) Key(_ context.Context, key string) (Principal, error) {
	switch key {
	case "good-key":
		return Principal{Kind: Key, Company: "company1", KeyID: "key1", Scopes: scope.All}, nil
	case "revoked-key":
		return Principal{}, &RefusedCredential{Whose: Principal{Kind: Key, KeyID: "key2"}, Err: ErrBadCredential}
	case "unsure-key":
		return Principal{}, fault.New(fault.Unavailable, "AUTH_UNAVAILABLE", "Keys cannot be checked now.")
	}
	return Principal{}, ErrBadCredential
}

// testRouter is the router with fakes; what it logs goes to the buffer.
func testRouter(limits Limits) (*Router, *fakeClock, *bytes.Buffer) {
	clock, logs := newFakeClock(), &bytes.Buffer{}
	mux := NewRouter(Config{Auth: fakeAuth{}, Limiter: NewLimiter(limits, clock.now), Clock: clock.now,
		Log: slog.New(slog.NewJSONHandler(logs, nil))})
	mux.Get("/route-of-all-tests", func(w http.ResponseWriter, _ *http.Request) { NoContent(w) })
	return mux, clock, logs
}

// call sends one request; headers are "Name: value".
func call(h http.Handler, method, target, body string, headers ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, target, strings.NewReader(body))
	for _, line := range headers {
		name, value, _ := strings.Cut(line, ": ")
		r.Header.Add(name, value)
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

func problemOf(t *testing.T, w *httptest.ResponseRecorder) problem {
	t.Helper()
	if got := w.Header().Get("Content-Type"); got != ProblemType {
		t.Fatalf("content type is %q, want %q; body %s", got, ProblemType, w.Body)
	}
	var p problem
	if err := json.Unmarshal(w.Body.Bytes(), &p); err != nil {
		t.Fatalf("problem is no JSON: %v: %s", err, w.Body)
	}
	if p.Status != w.Code {
		t.Errorf("problem says status %d, the answer has %d", p.Status, w.Code)
	}
	return p
}
