package e2e

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
)

// Read models and worklists are built anew beside the running service, which issues meanwhile.
func TestEverythingIsBuiltAnewBesideTheService(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	p := serve(t, dir, append([]string{"--retry-base", "100ms"}, unlimited...)...)
	c := issuing(t, p, dir, 1)
	for n := range 5 {
		c.issue(t, body("FCB", 1, fmt.Sprint("before ", n)))
	}
	one := succeed(t, "projections", "rebuild", "--data", dir, "--wait", "companies")
	if !strings.Contains(one, "projection companies: built") || !strings.Contains(one, "left as they are: submission") {
		t.Errorf("one: %s", one)
	}
	said := succeed(t, "projections", "rebuild", "--data", dir, "--wait")
	for _, want := range []string{"projection invoices: asked", "projection invoices: built", "worklist submission: asked",
		"worklist submission: built", "worklist delivery: built", "worklist dailyreport: built", "worklist notices: built"} {
		if !strings.Contains(said, want) {
			t.Errorf("%q is not said: %s", want, said)
		}
	}
	c.issue(t, body("FCB", 1, "after"))
	if l := get[list](t, c.client, "/api/invoices?status=accepted"); l.TotalResults != 6 {
		t.Errorf("%d invoices are listed, 6 were issued", l.TotalResults)
	}
	c.want(t, http.StatusOK, http.MethodGet, "/readyz", nil)
	p.stop(t)
}
