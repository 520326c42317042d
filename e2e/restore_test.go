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
	for refusal, number := range map[string]string{"was used": "1", "No uploaded range": "101"} {
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
