package main

import (
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"
	"time"
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

// What has no credit note offers none: a note is a button that ends in a refusal otherwise.
func TestTheConsoleKnowsWhatHasACreditNote(t *testing.T) {
	for _, c := range served(time.Now()) {
		for name, want := range map[string]bool{"FCA": c.Code == "AR", "NCA": false, "NCX": false, "FAC": c.Code == "CL",
			"GUI": false, "NCE": false, "EFA": c.Code == "UY", "REM": false, "NCF": false} {
			if got := slices.Contains(c.Credited, name); got != want {
				t.Errorf("%s: %s has a credit note: %v, want %v", c.Code, name, got, want)
			}
		}
	}
}
