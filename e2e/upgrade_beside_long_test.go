//go:build long

package e2e

import (
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// nextRelease is this program with a list of invoices in another form, as a next release may have: its table is one
// that this one does not read.
func nextRelease(t *testing.T) string {
	t.Helper()
	source, err := filepath.Abs("../projections/invoices.go")
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(source)
	if err != nil {
		t.Fatal(err)
	}
	const define = `= engine.Define("invoices", `
	if !strings.Contains(string(text), define) {
		t.Fatalf("%s defines the list of invoices otherwise", source)
	}
	built, err := overlaid("folio-next", source, strings.Replace(string(text), define, define+"1000 + ", 1))
	if err != nil {
		t.Fatal(err)
	}
	return built
}

// beside starts a release with roles over a data folder that others use.
func beside(t *testing.T, release, dir, roles string) *process {
	t.Helper()
	c := exec.Command(release, slices.Concat([]string{"serve", "--data", dir, "--addr", "127.0.0.1:0", "--roles", roles,
		"--retry-base", "100ms"}, unlimited)...)
	c.Env = environ(environment...)
	p := start(t, c)
	p.base = p.await(t, "listening on ")
	eventually(t, startLimit, roles+" is ready", func() (string, bool) {
		a, err := client{base: p.base}.send(http.MethodGet, "/readyz", nil)
		return string(a.body), err == nil && a.status == http.StatusOK
	})
	return p
}

// lists wants the list of a release to have an invoice, as soon as it says that it has come so far.
func (c company) lists(t *testing.T, p *process, id, position string) {
	t.Helper()
	c.base = p.base
	eventually(t, verdictLimit, "the list has "+id, func() (string, bool) {
		a, err := c.with("Folio-Min-Position", position).once(http.MethodGet, "/api/invoices?per_page=5", nil)
		if err != nil || a.status != http.StatusOK && a.status != http.StatusServiceUnavailable {
			t.Fatalf("%d %s %v", a.status, a.body, err)
		}
		return string(a.body), a.status == http.StatusOK && strings.Contains(string(a.body), id)
	})
}

// The order of docs/upgrading.md, and back: what folds comes beside what folds, so that both releases read right lists
// until the last reader of the older one has gone.
func TestTwoReleasesSideBySide(t *testing.T) {
	next, dir := nextRelease(t), t.TempDir()
	node := beside(t, program, dir, "node,sandbox")
	folds := beside(t, program, dir, "projections")
	works := beside(t, program, dir, "processors")
	front := beside(t, program, dir, "write,read")
	c := issuing(t, front, dir, 1)
	issued := 0
	issue := func(through *process, readers ...*process) {
		t.Helper()
		issued++
		at := c
		at.base = through.base
		a := at.want(t, http.StatusCreated, http.MethodPost, "/api/invoices", body("FCB", 1, fmt.Sprint("beside", issued)))
		for _, p := range readers {
			c.lists(t, p, decode[invoice](t, a).ID, a.header.Get("Folio-Position"))
		}
	}
	issue(front, front)

	nextFolds := beside(t, next, dir, "projections")
	issue(front, front)
	nextFront := beside(t, next, dir, "write,read")
	issue(front, front, nextFront)
	issue(nextFront, front, nextFront)
	nextWorks := beside(t, next, dir, "processors") // it stands by
	works.stop(t)
	issue(front, front, nextFront)
	front.stop(t)
	folds.stop(t)
	issue(nextFront, nextFront)
	c.base = nextFront.base
	c.settle(t, verdictLimit)

	folds = beside(t, program, dir, "projections")
	front = beside(t, program, dir, "write,read")
	issue(nextFront, nextFront, front)
	works = beside(t, program, dir, "processors")
	for _, p := range []*process{nextWorks, nextFront, nextFolds} {
		p.stop(t)
	}
	issue(front, front)
	c.base = front.base
	c.settle(t, verdictLimit)
	all := c.all(t)
	consecutive(t, all)
	if len(all) != issued {
		t.Errorf("%d invoices are there, %d were issued", len(all), issued)
	}
	for _, p := range []*process{works, front, folds, node} {
		p.stop(t)
	}
	succeed(t, "verify", "--data", dir)
}
