package main

import (
	"net/http"
	"net/http/httptest"
	"testing"
)

// The console calls both sides of the API, so a process that has one of them alone serves none.
// Whatever is not the console's reaches the API as it came.
func TestTheConsoleIsWhereTheAPIIsWhole(t *testing.T) {
	const ofAPI = http.StatusTeapot
	api := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(ofAPI) })
	for _, c := range []struct {
		roles []string
		none  bool
		path  string
		want  int
	}{
		{[]string{roleWrite, roleRead}, false, "/console/login", http.StatusOK},
		{[]string{roleWrite, roleRead}, false, "/console", http.StatusSeeOther},
		{[]string{roleWrite, roleRead}, false, "/consoles", ofAPI},
		{[]string{roleWrite, roleRead}, false, "/api//invoices/../x", ofAPI},
		{[]string{roleWrite, roleRead}, true, "/console/login", ofAPI},
		{[]string{roleRead, roleProjections}, false, "/console/login", ofAPI},
		{[]string{roleWrite}, false, "/console/login", ofAPI},
	} {
		s := &service{}
		s.flags.Roles, s.flags.NoConsole = c.roles, c.none
		w := httptest.NewRecorder()
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.URL.Path = c.path
		s.withConsole(api).ServeHTTP(w, r)
		if w.Code != c.want {
			t.Errorf("%v, without a console %v: %s is %d, want %d", c.roles, c.none, c.path, w.Code, c.want)
		}
	}
}
