package e2e

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
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
	for _, step := range [][]string{{"rebuild", "--hold", "--keep"}, {"switch"}, {"rollback"}} {
		args := append([]string{"projections"}, step...)
		if said := succeed(t, append(args, "invoices", "--wait", "--data", dir)...); !strings.Contains(said, "invoices: built") {
			t.Errorf("%v: %s", step, said)
		}
	}
	c.issue(t, body("FCB", 1, "after"))
	if l := get[list](t, c.client, "/api/invoices?status=accepted"); l.TotalResults != 6 {
		t.Errorf("%d invoices are listed, 6 were issued", l.TotalResults)
	}
	c.want(t, http.StatusOK, http.MethodGet, "/readyz", nil)
	p.stop(t)
}

// What a projection would be is compared with what is read, beside the service; nothing live is written.
func TestAProjectionIsReplayedBesideTheService(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	p := serve(t, dir, unlimited...)
	c := issuing(t, p, dir, 1)
	before := c.issue(t, body("FCA", 1, "before"))
	// behind is who reads no less than what the invoice shows.
	behind := func(i invoice) client {
		a := c.want(t, http.StatusOK, http.MethodGet, "/api/invoices/"+i.ID, nil)
		return c.with("Folio-Min-Position", a.header.Get("Folio-As-Of"))
	}
	at := behind(before).want(t, http.StatusOK, http.MethodGet, "/api/feed", nil).header.Get("Folio-Next-After")
	after := c.issue(t, body("FCA", 1, "after"))
	behind(after).want(t, http.StatusOK, http.MethodGet, "/api/reports/vat-book?month="+after.InvoiceDate[:7], nil)
	replay := func(args ...string) (stdout, stderr string) {
		t.Helper()
		stdout, stderr, code := command(t, append([]string{"replay", "--data", dir, "--projection", "vat_book"}, args...)...)
		if code != 0 {
			t.Fatalf("replay %v: %d\n%s", args, code, stderr)
		}
		return stdout, stderr
	}
	if out, said := replay(); out != "" || !strings.Contains(said, "2 documents compared, 0 differ: live vat_book_v") {
		t.Errorf("the same: %q, %s", out, said)
	}
	out, said := replay("--until", at)
	if !strings.Contains(out, "whole document") || !strings.Contains(out, after.ID) || strings.Contains(out, before.ID) ||
		!strings.Contains(said, "1 differ") || !strings.Contains(said, "up to "+at) {
		t.Errorf("until before the second: %s, %s", out, said)
	}
	file := filepath.Join(t.TempDir(), "difference")
	replay("--until", at, "--out", file)
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var d struct {
		ID       string
		Live     struct{ Invoice string }
		Replayed *struct{}
	}
	if err := json.Unmarshal(raw, &d); err != nil || d.Live.Invoice != after.ID || d.Replayed != nil {
		t.Errorf("the file: %v, %s", err, raw)
	}
	if _, said := replay(); !strings.Contains(said, "0 differ") {
		t.Errorf("again: %s", said)
	}
	p.stop(t)
}
