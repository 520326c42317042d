package console

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// TestTheStatusPageShowsTheOutagesOfEveryCompany, and says how many it leaves out.
func TestTheStatusPageShowsTheOutagesOfEveryCompany(t *testing.T) {
	api := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		answer := `{"id_account":"A","data":[]}`
		if r.URL.Path == "/api/authority" {
			answer = `{"data":[],"outages":[{"id":"O1","id_company":"C12","legal_name":"The twelfth","authority":"arca",` +
				`"environment":"Production","since":"2026-11-29T10:00:00Z"}],"outages_open":8}`
		}
		_, _ = w.Write([]byte(answer))
	})
	r := httptest.NewRequest(http.MethodGet, "/console/status", nil)
	r.AddCookie(&http.Cookie{Name: sessionCookie, Value: "t"})
	w := httptest.NewRecorder()
	New(Config{API: api}).ServeHTTP(w, r)
	for _, want := range []string{`href="/console/c/C12">The twelfth<`, "7 more are open."} {
		if !strings.Contains(w.Body.String(), want) {
			t.Errorf("%d: the page lacks %q: %s", w.Code, want, w.Body)
		}
	}
}
