package httpapi

import (
	"net/http"
	"net/http/httptest"
	"testing"
	"testing/synctest"
	"time"
)

// Rows count against the limits of who sends them, and wait where a request would be refused.
func TestEveryRowCountsAndWaitsForItsTurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		mux := NewRouter(Config{Auth: fakeAuth{}, Limiter: NewLimiter(Limits{PerSecond: 3}, nil)})
		began := time.Now()
		var at []time.Duration
		mux.Method(http.MethodPost, "/rows", Handler(func(_ http.ResponseWriter, r *http.Request) error {
			for range 7 {
				if err := Pace(r.Context()); err != nil {
					return err
				}
				at = append(at, time.Since(began))
			}
			return nil
		}))
		r := httptest.NewRequest(http.MethodPost, "/rows", http.NoBody)
		r.Header.Set("X-Api-Key", "good-key")
		mux.ServeHTTP(httptest.NewRecorder(), r)
		// The request itself is the first of the three.
		want := []time.Duration{0, 0, time.Second, time.Second, time.Second, 2 * time.Second, 2 * time.Second}
		if len(at) != len(want) {
			t.Fatal(at)
		}
		for i := range want {
			if at[i] != want[i] {
				t.Errorf("row %d after %s, not %s", i, at[i], want[i])
			}
		}
	})
}
