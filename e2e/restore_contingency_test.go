package e2e

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// ARCA does not know what a contingency point issued and nobody reported: after a restore its series stand until the
// operator says where the numbers go on, those without a document in the backup too.
func TestARestoredContingencyPointGivesNoNumberOutAgain(t *testing.T) {
	t.Parallel()
	dir, backup, restored := t.TempDir(), filepath.Join(t.TempDir(), "backup"), filepath.Join(t.TempDir(), "restored")
	arca := spyOn(t, dir)
	p := serve(t, dir, "--authority-url", arca.URL, "--retry-base", "100ms")
	c := issuing(t, p, dir, 1)
	c.onContingency(t)
	arca.trouble.Store(&trouble{effect: down})
	c.hand(t, "open")
	first := c.accepted(t, c.post(t, body("FCB", 1, "in the backup")).ID)
	succeed(t, "backup", "--data", dir, backup)
	lost := c.accepted(t, c.post(t, body("FCB", 1, "after the backup")).ID)
	if *first.Number != "9001-00000001" || *lost.Number != "9001-00000002" {
		t.Fatalf("numbers %s and %s", *first.Number, *lost.Number)
	}
	p.stop(t)
	if err := os.MkdirAll(restored, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(filepath.Join(dir, "master.key"), filepath.Join(restored, "master.key")); err != nil {
		t.Fatal(err)
	}
	said := succeed(t, "restore", "--data", restored, backup)
	used, unused := c.id+"-Production-6-9001", c.id+"-Production-1-9001"
	for _, series := range []string{used, unused} {
		if !strings.Contains(said, "series "+series+" of a contingency point is held") {
			t.Errorf("%s is not held: %s", series, said)
		}
	}

	arca = spyOn(t, restored)
	arca.trouble.Store(&trouble{effect: down})
	p = serve(t, restored, "--authority-url", arca.URL, "--retry-base", "100ms")
	c.client.base = p.base
	next := c.post(t, body("FCB", 1, "after the restore"))
	said, errs, code := command(t, "series", "release", "--data", restored, "--all", "--yes", "--reason", "restored")
	if code != 1 || strings.Contains(said, " released") || !strings.Contains(errs, "series stay held") ||
		!strings.Contains(said, "the last number of the contingency point in this log is 1. ARCA does not know") {
		t.Errorf("with --yes: %d\n%s%s", code, said, errs)
	}
	release := func(series, number string) []string {
		return []string{"series", "release", "--data", restored, series, "--next", number, "--reason", "the papers"}
	}
	if _, errs, code := command(t, release(used, "1")...); code == 0 || !strings.Contains(errs, "was used") {
		t.Errorf("--next 1 ended with %d: %s", code, errs)
	}
	succeed(t, release(unused, "2")...)
	succeed(t, release(used, "3")...)
	if got := c.accepted(t, next.ID); *got.Number != "9001-00000003" {
		t.Errorf("the next number is %s, 3 was named", *got.Number)
	}
	p.stop(t)
	succeed(t, "verify", "--data", restored)
}
