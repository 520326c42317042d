package httpapi

import (
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/oklog/ulid/v2"

	"folio/scope"
)

func TestRequestIdIsTheServersOwn(t *testing.T) {
	mux, clock, _ := testRouter(DefaultLimits)
	var inside string
	var at time.Time
	mux.Get("/", func(_ http.ResponseWriter, r *http.Request) {
		inside, at = RequestID(r.Context()), Started(r.Context())
	})
	seen := map[string]bool{}
	for range 100 {
		w := call(mux, "GET", "/", "", "X-Request-Id: chosen-by-client", "X-Api-Key: good-key")
		id := w.Header().Get("X-Request-Id")
		if _, err := ulid.ParseStrict(id); err != nil || id != inside || seen[id] ||
			len(w.Header().Values("X-Request-Id")) != 1 {
			t.Fatalf("id %q (in the handler %q, seen before: %v): %v", id, inside, seen[id], err)
		}
		seen[id] = true
		clock.advance(time.Second)
	}
	if want := clock.at.Add(-time.Second); !at.Equal(want) {
		t.Errorf("started at %s, want %s", at, want)
	}
}

func TestAccessLogNamesTheRouteAndCallerButNoSecret(t *testing.T) {
	mux, _, logs := testRouter(DefaultLimits)
	mux.With(RequireCompany(scope.Read)).Get("/api/invoices/{invoice_id}",
		func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("hello")) })
	call(mux, "GET", "/api/invoices/SECRETID?password=hunter2", "", "X-Api-Key: good-key",
		"Authorization: Bearer bad-token")
	line := logs.String()
	for _, want := range []string{`"method":"GET"`, `"route":"/api/invoices/{invoice_id}"`, `"status":200`, `"bytes":5`,
		`"caller":"key:key1"`, `"request_id":"01`, `"ms":`, `"company":"company1"`, `"address":"192.0.2.1"`} {
		if !strings.Contains(line, want) {
			t.Errorf("access log misses %s: %s", want, line)
		}
	}
	for _, secret := range []string{"good-key", "bad-token", "hunter2", "SECRETID"} {
		if strings.Contains(line, secret) {
			t.Errorf("access log holds %s: %s", secret, line)
		}
	}
}

// What a support call names is on the line of the request: the constant of the fault, too, and only where there is one.
func TestAccessLogNamesTheFault(t *testing.T) {
	mux, _, logs := testRouter(DefaultLimits)
	mux.With(RequireCompany(scope.Read)).Get("/api/invoices", func(http.ResponseWriter, *http.Request) {})
	for key, want := range map[string]string{"x": `"error":"BAD_CREDENTIAL"`, "good-key": ""} {
		logs.Reset()
		call(mux, "GET", "/api/invoices", "", "X-Api-Key: "+key)
		if line := logs.String(); !strings.Contains(line, want) || strings.Contains(line, `"error"`) != (want != "") {
			t.Errorf("with the key %s: %s", key, line)
		}
	}
}

// A support call is about one key of many: the line says which one was not taken, and that nobody was let in.
func TestAccessLogNamesTheKeyThatIsNotTaken(t *testing.T) {
	mux, _, logs := testRouter(DefaultLimits)
	mux.With(RequireCompany(scope.Read)).Get("/api/invoices", func(http.ResponseWriter, *http.Request) {})
	for key, want := range map[string]string{"revoked-key": `"refused":"key:key2"`, "x": "", "good-key": ""} {
		logs.Reset()
		w := call(mux, "GET", "/api/invoices", "", "X-Api-Key: "+key)
		line := logs.String()
		if strings.Contains(line, `"refused"`) != (want != "") || !strings.Contains(line, want) ||
			want != "" && (w.Code != 401 || strings.Contains(line, `"caller"`)) {
			t.Errorf("with the key %s: %d %s", key, w.Code, line)
		}
	}
}

func TestAnswersAreNeitherCachedNorSniffed(t *testing.T) {
	mux, _, _ := testRouter(DefaultLimits)
	w := call(mux, "GET", "/nothing", "")
	if w.Header().Get("Cache-Control") != "no-store" || w.Header().Get("X-Content-Type-Options") != "nosniff" {
		t.Errorf("headers are %v", w.Header())
	}
}

func TestOperationsAreExempt(t *testing.T) {
	clock := newFakeClock()
	mux := NewRouter(Config{Auth: fakeAuth{}, Limiter: NewLimiter(Limits{PerSecond: 1}, clock.now), Clock: clock.now,
		Log: slog.New(slog.DiscardHandler),
		Operations: map[string]http.Handler{"/healthz": http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			NoContent(w)
		})}})
	for range 5 {
		if w := call(mux, "GET", "/healthz", ""); w.Code != 204 || w.Header().Get("RateLimit-Limit") != "" {
			t.Fatalf("health answers %d %v", w.Code, w.Header())
		}
	}
	if first, second := call(mux, "GET", "/", "").Code, call(mux, "GET", "/", "").Code; first != 404 || second != 429 {
		t.Errorf("other paths answer %d, %d; want 404, 429", first, second)
	}
}
