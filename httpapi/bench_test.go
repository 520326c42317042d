package httpapi

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"

	"folio/scope"
)

func BenchmarkLimiter(b *testing.B) {
	keys := make([]string, 1000)
	for i := range keys {
		keys[i] = "key:" + strconv.Itoa(i)
	}
	l := NewLimiter(DefaultLimits, nil)
	b.ReportAllocs()
	i := 0
	for b.Loop() {
		l.Take(keys[i%1000])
		i++
	}
}

// BenchmarkRequest is everything of this package for one POST, without a network and
// without a reader of its fields.
func BenchmarkRequest(b *testing.B) {
	mux := NewRouter(Config{Auth: fakeAuth{}, Limiter: NewLimiter(Limits{PerSecond: 1e9, PerMinute: 1e9}, nil),
		Log: slog.New(slog.DiscardHandler)})
	mux.With(RequireCompany(scope.Read)).Method("POST", "/api/invoices",
		Handler(func(w http.ResponseWriter, r *http.Request) error {
			body, err := ReadJSON(w, r)
			if err != nil {
				return err
			}
			if _, err := body.Canonical(); err != nil {
				return err
			}
			RawJSON(w, http.StatusCreated, []byte(`{}`))
			return nil
		}))
	b.ReportAllocs()
	for b.Loop() {
		r := httptest.NewRequest("POST", "/api/invoices", strings.NewReader(`{"branch_office":1}`))
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("X-Api-Key", "good-key")
		w := httptest.NewRecorder()
		if mux.ServeHTTP(w, r); w.Code != http.StatusCreated {
			b.Fatal(w.Body)
		}
	}
}
