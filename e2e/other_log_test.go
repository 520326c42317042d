package e2e

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// workers are all processors.
var workers = []string{"submission", "delivery", "dailyreport", "notices", "credits", "notary"}

// Worklists of another event log, or of a newer copy of it, are refused by their processors. That must show: a day
// would not be reported, and no notice given, and nobody would know. A rebuild cures all of them.
func TestWorklistsOfAnotherLogAreRefusedAloudAndBuiltAnew(t *testing.T) {
	t.Parallel()
	worklistsOfAnotherLog(t)
}

func TestAnOlderLogUnderNewerWorklists(t *testing.T) {
	t.Parallel()
	olderLog(t)
}

func worklistsOfAnotherLog(t *testing.T, flags ...string) {
	dir, other := t.TempDir(), t.TempDir()
	flags = append([]string{"--retry-base", "100ms"}, flags...)
	p := serve(t, other, "--transparency", "off") // a tree is bound to its vault, and would be refused for that
	p.stop(t)
	p = serve(t, dir, flags...)
	c := issuing(t, p, dir, 1)
	c.issue(t, body("FCB", 1, "of the first log"))
	p.stop(t)

	// The log is put aside: an empty one is refused before it gets an id, by the rebuild as well.
	aside := filepath.Join(t.TempDir(), "log")
	rename(t, filepath.Join(dir, "log"), aside)
	rebuild := append([]string{"projections", "rebuild", "--data", dir}, stores(flags)...)
	for _, args := range [][]string{append([]string{"serve", "--data", dir, "--addr", "127.0.0.1:0"}, flags...), rebuild} {
		if out, errs, code := command(t, args...); code == 0 || !strings.Contains(errs, "give Folio that log") {
			t.Errorf("folio %s with an empty log ended with %d: %s%s", args[0], code, out, errs)
		}
	}

	// Another log, with an id: only the read models are built anew.
	rename(t, filepath.Join(dir, "log"), filepath.Join(t.TempDir(), "empty"))
	rename(t, filepath.Join(other, "log"), filepath.Join(dir, "log"))
	succeed(t, append(slices.Clone(rebuild), readModels(t, dir)...)...)
	p = serve(t, dir, flags...)
	base := client{base: p.base}
	eventually(t, startLimit, "every processor says that it refuses its worklist", func() (string, bool) {
		a := must(base.send(http.MethodGet, "/readyz", nil))
		m := must(base.send(http.MethodGet, "/metrics", nil))
		all := a.status == http.StatusServiceUnavailable
		for _, w := range workers {
			all = all && strings.Contains(string(a.body), "the worklist of "+w+" belongs to event log") &&
				strings.Contains(string(m.body), fmt.Sprintf("folio_processor_failing{processor=%q} 1", w))
		}
		return string(a.body), all
	})
	said := succeed(t, append(slices.Clone(rebuild), "--wait")...) // beside the running service
	for _, w := range workers {
		if !strings.Contains(said, "worklist "+w+": built") {
			t.Errorf("the rebuild does not say that it built %s: %s", w, said)
		}
	}
	isWell(t, p)
	p.stop(t)
}

// olderLog gives the service a copy of its log from before the last invoice.
func olderLog(t *testing.T, flags ...string) {
	dir := t.TempDir()
	flags = append([]string{"--retry-base", "100ms"}, flags...)
	p := serve(t, dir, flags...)
	c := issuing(t, p, dir, 1)
	c.issue(t, body("FCB", 1, "in both logs"))
	p.stop(t)
	older := filepath.Join(t.TempDir(), "log")
	if err := os.CopyFS(older, os.DirFS(filepath.Join(dir, "log"))); err != nil {
		t.Fatal(err)
	}
	p = serve(t, dir, flags...)
	c.client.base = p.base
	c.issue(t, body("FCB", 1, "in the newer log"))
	p.stop(t)
	rename(t, filepath.Join(dir, "log"), filepath.Join(t.TempDir(), "newer"))
	rename(t, older, filepath.Join(dir, "log"))
	refused := append([]string{"serve", "--data", dir, "--addr", "127.0.0.1:0"}, flags...)
	if out, errs, code := command(t, refused...); code == 0 || !strings.Contains(errs, "folio projections rebuild --all") {
		t.Errorf("an older log was served: %d, %s%s", code, out, errs)
	}
	succeed(t, append([]string{"projections", "rebuild", "--data", dir}, stores(flags)...)...)
	p = serve(t, dir, flags...)
	isWell(t, p)
	again := issuing(t, p, dir, 2)
	again.issue(t, body("FCB", 1, "after the rebuild"))
	p.stop(t)
}

// isWell wants a service that is ready and whose processors work.
func isWell(t *testing.T, p *process) {
	t.Helper()
	base := client{base: p.base}
	eventually(t, startLimit, "the service is ready", func() (string, bool) {
		a := must(base.send(http.MethodGet, "/readyz", nil))
		return string(a.body), a.status == http.StatusOK
	})
	m := must(base.send(http.MethodGet, "/metrics", nil))
	for _, w := range workers {
		if line := fmt.Sprintf("folio_processor_failing{processor=%q} 0", w); !strings.Contains(string(m.body), line) {
			t.Errorf("no metric %s", line)
		}
	}
}

// stores are those of the flags that name a database.
func stores(flags []string) []string {
	if i := slices.Index(flags, "--mongo"); i >= 0 {
		return flags[i : i+2]
	}
	return nil
}

// readModels are the names of all projections, as the program tells them.
func readModels(t *testing.T, dir string) []string {
	t.Helper()
	_, errs, _ := command(t, "projections", "rebuild", "--data", dir, "nonesuch")
	_, names, found := strings.Cut(errs, "use some of ")
	names, _, found2 := strings.Cut(names, ", or of the worklists")
	if !found || !found2 {
		t.Fatalf("the program does not tell its projections: %s", errs)
	}
	return strings.Split(names, ", ")
}

func rename(t *testing.T, from, to string) {
	t.Helper()
	if err := os.Rename(from, to); err != nil {
		t.Fatal(err)
	}
}
