package e2e

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// aside serves the log of a folder alone, as a server elsewhere would, and answers its address.
func aside(t *testing.T, dir string) string {
	t.Helper()
	serve(t, dir, "--roles", "node", "--authority", "testing", "--log-level", "warn")
	address, err := os.ReadFile(filepath.Join(dir, "log", "node.addr"))
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(address))
}

// bringKey brings the master key of a data folder into another one.
func bringKey(t *testing.T, from, to string) {
	t.Helper()
	key, err := os.ReadFile(filepath.Join(from, "master.key"))
	if err == nil {
		err = os.MkdirAll(to, 0o700)
	}
	if err == nil {
		err = os.WriteFile(filepath.Join(to, "master.key"), key, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// Beside a log on a server the vault is backed up with the position that it belongs to, and restored to that log only.
func TestABackupBesideALogElsewhere(t *testing.T) {
	t.Parallel()
	dir, root := t.TempDir(), t.TempDir()
	log := aside(t, t.TempDir())
	flags := []string{"--eventstore", log, "--retry-base", "100ms", "--roles", "write,read,projections,processors,sandbox"}
	p := serve(t, dir, flags...)
	c := chilean(t, p, dir)
	c.enumerate(t, http.StatusCreated, 33, caf(t, dir, rutIssuer, 33, 1, 100))
	first := c.issue(t, pesos("FAC", "in the backup"))
	p.stop(t)
	backup := func(name string) string {
		to := filepath.Join(root, name)
		if said := succeed(t, "backup", "--data", dir, "--eventstore", log, to); !strings.Contains(said, "up to position") {
			t.Errorf("the backup says %s", said)
		}
		return to
	}
	early := backup("early")
	p = serve(t, dir, flags...)
	c.client.base = p.base
	c.issue(t, pesos("FAC", "after the backup"))
	p.stop(t)
	late := backup("late")

	restored := filepath.Join(root, "restored")
	bringKey(t, dir, restored)
	refused := func(want, from string, more ...string) {
		t.Helper()
		_, errs, code := command(t, append([]string{"restore", "--data", restored, from}, more...)...)
		if code == 0 || !strings.Contains(errs, want) {
			t.Errorf("restore of %s %v ended with %d: %s", from, more, code, errs)
		}
	}
	refused("name it with --eventstore", late)
	refused("is not", late, "--eventstore", aside(t, t.TempDir()))
	refused("after position", early, "--eventstore", log)

	said := succeed(t, "restore", "--data", restored, "--eventstore", log, "--keep-log", early)
	if !strings.Contains(said, "events after the backup") || strings.Contains(said, "is held") {
		t.Errorf("with the log kept the restore says %s", said)
	}
	again := filepath.Join(root, "again")
	bringKey(t, dir, again)
	if said := succeed(t, "restore", "--data", again, "--eventstore", log, late); !strings.Contains(said, "is held") {
		t.Errorf("with the log restored no series is held: %s", said)
	}
	p = serve(t, again, flags...)
	c.client.base = p.base
	eventually(t, verdictLimit, "the read models are built", func() (string, bool) {
		a, err := c.send(http.MethodGet, "/api/invoices/"+first.ID, nil)
		return string(a.body), err == nil && a.status == http.StatusOK && strings.Contains(string(a.body), *first.Number)
	})
	c.waits(t, c.post(t, pesos("FAC", "after the restore")).ID, "SERIES_HELD")
	p.stop(t)
}
