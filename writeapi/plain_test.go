package writeapi_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/go-chi/chi/v5"
)

// A write that ignored a parameter would not do what its caller expects: each of them refuses any,
// whatever its path names.
func TestWritesRefuseQueryParameters(t *testing.T) {
	w := newWorld(t)
	s := w.company()
	tried := 0
	check(t, chi.Walk(w.router.(chi.Routes), func(method, route string, _ http.Handler,
		_ ...func(http.Handler) http.Handler) error {
		if method == http.MethodGet || route == "/api/exports" || strings.HasPrefix(route, "/api/exports/") {
			return nil // an export's period is in its query; the read side has the route
		}
		path := strings.NewReplacer("{id_company}", s.id, "{", "", "}", "").Replace(route)
		for _, credential := range []string{s.key, ana} {
			a := w.call(method, path+"?dry_run=true", "", credential)
			if a.Code == http.StatusUnauthorized || a.Code == http.StatusForbidden {
				continue // the other credential is this route's
			}
			tried++
			a.fails(422, "VALIDATION_FAILED", "dry_run UNKNOWN_FIELD")
			break
		}
		return nil
	}))
	if tried < 20 {
		t.Errorf("only %d routes were reached", tried)
	}
}

// Some clients send an empty body in chunks, without a length and a content type: it is none.
func TestAnEmptyBodyInChunksIsNone(t *testing.T) {
	w := newWorld(t)
	s, hook := w.hooked()
	send := func(path string) int {
		t.Helper()
		r := httptest.NewRequest("POST", path, http.NoBody)
		r.ContentLength, r.TransferEncoding = -1, []string{"chunked"}
		name, value, _ := strings.Cut(s.key, ": ")
		r.Header.Set(name, value)
		a := httptest.NewRecorder()
		w.router.ServeHTTP(a, r)
		return a.Code
	}
	invoice := w.issued(s, 1, sample(t))
	for path, want := range map[string]int{
		hook + "/rotate-secret": 200, hook + "/ping": 202, "/api/invoices/" + invoice + "/credit-note": 201,
	} {
		if got := send(path); got != want {
			t.Errorf("%s answers %d, want %d", path, got, want)
		}
	}
	if got := send(hook + "/replays"); got != http.StatusUnsupportedMediaType { // it has a body
		t.Errorf("a replay answers %d", got)
	}
}
