package httpapi

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
)

func TestARangeBehindTheEndIsAProblem(t *testing.T) {
	mux, _, _ := testRouter(Limits{})
	mux.Method(http.MethodGet, "/file", Handler(func(w http.ResponseWriter, r *http.Request) error {
		w.Header().Set("Content-Type", "application/zip")
		w.Header().Set("ETag", `"tag"`)
		return ServeContent(w, r, strings.NewReader("0123456789"))
	}))
	for asked, want := range map[string]struct {
		status     int
		part, body string
	}{
		"":             {200, "", "0123456789"},
		"bytes=2-4":    {206, "bytes 2-4/10", "234"},
		"bytes=8-99":   {206, "bytes 8-9/10", "89"},
		"bytes=10-":    {416, "bytes */10", ""},
		"bytes=10-12":  {416, "bytes */10", ""},
		"bytes=nobody": {416, "", ""},
		"lines=1-2":    {200, "", "0123456789"},
	} {
		a := call(mux, http.MethodGet, "/file", "", "x-api-key: good-key", "Range: "+asked)
		if a.Code != want.status || a.Header().Get("Content-Range") != want.part {
			t.Errorf("%s: %d, %s", asked, a.Code, a.Header())
		}
		if want.status < 400 {
			if a.Body.String() != want.body || a.Header().Get("Content-Type") != "application/zip" {
				t.Errorf("%s: %s", asked, a.Body)
			}
			continue
		}
		var p problem
		if err := json.Unmarshal(a.Body.Bytes(), &p); err != nil || p.Message != "RANGE_NOT_SATISFIABLE" || p.Status != 416 ||
			a.Header().Get("Content-Type") != ProblemType || a.Header().Get("ETag") != "" {
			t.Errorf("%s: %v, %s, %s", asked, err, a.Header(), a.Body)
		}
	}
}
