package httpapi

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

func TestAPlainRouteRefusesEveryParameter(t *testing.T) {
	called := false
	h := Plain(func(w http.ResponseWriter, _ *http.Request) error {
		called = true
		NoContent(w)
		return nil
	})
	for target, want := range map[string]int{"/": 204, "/?at=": 422, "/?at=2026-03-02T15:04:05Z": 422} {
		called = false
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, target, nil))
		if w.Code != want || called != (want == 204) || want == 422 && !strings.Contains(w.Body.String(), `"at"`) {
			t.Errorf("%s answers %d: %s", target, w.Code, w.Body)
		}
	}
}
