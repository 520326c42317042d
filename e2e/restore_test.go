package e2e

import (
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// A Chilean company is backed up while it issues. What it issues afterwards is not in the
// backup: its series is held until the operator says where the numbers go on.
func TestARestoredSeriesGoesOnWhereTheOperatorSays(t *testing.T) {
	t.Parallel()
	dir, backup, restored := t.TempDir(), filepath.Join(t.TempDir(), "backup"), filepath.Join(t.TempDir(), "restored")
	p := serve(t, dir, "--retry-base", "100ms")
	c := chilean(t, p, dir)
	c.enumerate(t, http.StatusCreated, 33, caf(t, dir, rutIssuer, 33, 1, 100))
	first := c.issue(t, pesos("FAC", "in the backup"))
	said := succeed(t, "backup", "--data", dir, backup)
	if !strings.Contains(said, "the sandbox's keys and records are in it too") ||
		!strings.Contains(said, "master key is not") {
		t.Errorf("the backup says %s", said)
	}
	lost := c.issue(t, pesos("FAC", "after the backup"))
	if *first.Number != "0000-00000001" || *lost.Number != "0000-00000002" {
		t.Fatalf("numbers %s and %s", *first.Number, *lost.Number)
	}
	p.stop(t)

	if err := os.MkdirAll(restored, 0o700); err != nil {
		t.Fatal(err)
	}
	key, err := os.ReadFile(filepath.Join(dir, "master.key"))
	if err == nil {
		err = os.WriteFile(filepath.Join(restored, "master.key"), key, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	said = succeed(t, "restore", "--data", restored, backup)
	series := regexp.MustCompile(`folio series release (\S+) --next N`).FindStringSubmatch(said)
	if series == nil {
		t.Fatalf("the restore names no series to release: %s", said)
	}

	p = serve(t, restored, "--retry-base", "100ms")
	c.client.base = p.base
	eventually(t, verdictLimit, "the read models are built", func() (string, bool) {
		a, err := c.send(http.MethodGet, "/api/invoices/"+first.ID, nil)
		return string(a.body), err == nil && a.status == http.StatusOK && strings.Contains(string(a.body), *first.Number)
	})
	next := c.post(t, pesos("FAC", "after the restore"))
	c.waits(t, next.ID, "SERIES_HELD")
	for refusal, number := range map[string]string{"was used": "1", "No uploaded range": "101",
		"name the one behind it with --next": "0"} {
		if _, errs, code := command(t, "series", "release", "--data", restored, series[1], "--next", number, "--reason",
			"a guess"); code == 0 || !strings.Contains(errs, refusal) {
			t.Errorf("--next %s ended with %d: %s", number, code, errs)
		}
	}
	succeed(t, "series", "release", "--data", restored, series[1], "--next", "3", "--reason",
		"0002 was sent after the backup")
	if got := c.accepted(t, next.ID); *got.Number != "0000-00000003" {
		t.Errorf("the next number is %s, 3 was named", *got.Number)
	}
	p.stop(t)
}

// Whoever restored goes through what is held in one command. A range that nobody had used is not held.
func TestAfterARestoreEachHeldSeriesIsAskedAbout(t *testing.T) {
	t.Parallel()
	dir, backup, restored := t.TempDir(), filepath.Join(t.TempDir(), "backup"), filepath.Join(t.TempDir(), "restored")
	p := serve(t, dir, "--retry-base", "100ms")
	c := chilean(t, p, dir)
	c.enumerate(t, http.StatusCreated, 33, caf(t, dir, rutIssuer, 33, 1, 100))
	c.enumerate(t, http.StatusCreated, 39, caf(t, dir, rutIssuer, 39, 1, 100))
	c.issue(t, pesos("FAC", "in the backup"))
	argentine := issuing(t, p, dir, 3)
	for range 2 {
		argentine.issue(t, body("FCB", 1, "in the backup"))
	}
	succeed(t, "backup", "--data", dir, backup)
	p.stop(t)
	if err := os.MkdirAll(restored, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(filepath.Join(dir, "master.key"), filepath.Join(restored, "master.key")); err != nil {
		t.Fatal(err)
	}
	said := succeed(t, "restore", "--data", restored, backup)
	if !strings.Contains(said, "-33-0 is held") || !strings.Contains(said, "-39-0 goes on") {
		t.Errorf("the restore says %s", said)
	}

	p = serve(t, restored, "--retry-base", "100ms")
	held := argentine.id + "-Production-6-1"
	succeed(t, "series", "hold", "--data", restored, held, "--reason", "looked at")
	all := []string{"series", "release", "--data", restored, "--all", "--reason", "restored"}
	said, errs, code := command(t, append(all, "--yes")...)
	if code != 1 || !strings.Contains(errs, "1 of 2 series stay held") ||
		!strings.Contains(said, "that at ARCA is 2") || !strings.Contains(said, "SII has no query") {
		t.Errorf("with --yes: %d\n%s%s", code, said, errs)
	}
	said, errs, code = converse(t, "1\nseven\n2\n", all...)
	if code != 0 || !strings.Contains(said, "was used") || !strings.Contains(said, `"seven" is no answer`) ||
		strings.Contains(said, "It is held") { // who is asked was told so, and the command that it names is this one
		t.Errorf("with answers: %d\n%s%s", code, said, errs)
	}
	if said = succeed(t, all...); !strings.Contains(said, "no series is held") {
		t.Errorf("afterwards: %s", said)
	}
	c.client.base, argentine.client.base = p.base, p.base
	if got := argentine.issue(t, body("FCB", 1, "after")); *got.Number != "0001-00000003" {
		t.Errorf("the next number is %s", *got.Number)
	}
	if got := c.issue(t, pesos("FAC", "after the restore")); *got.Number != "0000-00000002" {
		t.Errorf("the next number is %s", *got.Number)
	}
	p.stop(t)
}
