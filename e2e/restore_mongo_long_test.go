//go:build long

package e2e

import (
	"net/http"
	"path/filepath"
	"strings"
	"testing"
)

// With vault and read models in MongoDB the backup has the log, and leaves in the vault which position that is: a
// copy of the vault from before does not go with it.
func TestABackupBesideMongoDB(t *testing.T) {
	address := mongoServer(t)
	dir, root := t.TempDir(), t.TempDir()
	flags := []string{"--mongo", address, "--retry-base", "100ms"}
	p := serve(t, dir, flags...)
	c := chilean(t, p, dir)
	c.enumerate(t, http.StatusCreated, 33, caf(t, dir, rutIssuer, 33, 1, 100))
	first := c.issue(t, pesos("FAC", "in the backup"))
	backup, restored := filepath.Join(root, "backup"), filepath.Join(root, "restored")
	if said := succeed(t, "backup", "--data", dir, "--mongo", address, backup); !strings.Contains(said,
		"after this command") {
		t.Errorf("the backup says %s", said)
	}
	p.stop(t)

	bringKey(t, dir, restored)
	for want, more := range map[string][]string{
		"name it with --mongo": nil,
		"vault":                {"--mongo", mongoServer(t)}, // one that was not restored
	} {
		if _, errs, code := command(t, append([]string{"restore", "--data", restored, backup}, more...)...); code == 0 ||
			!strings.Contains(errs, want) {
			t.Errorf("restore %v ended with %d: %s", more, code, errs)
		}
	}
	if said := succeed(t, "restore", "--data", restored, "--mongo", address, backup); !strings.Contains(said, "is held") {
		t.Errorf("the restore says %s", said)
	}
	p = serve(t, restored, flags...)
	c.client.base = p.base
	eventually(t, verdictLimit, "the read models are built", func() (string, bool) {
		a, err := c.send(http.MethodGet, "/api/invoices/"+first.ID, nil)
		return string(a.body), err == nil && a.status == http.StatusOK && strings.Contains(string(a.body), *first.Number)
	})
	c.waits(t, c.post(t, pesos("FAC", "after the restore")).ID, "SERIES_HELD")
	p.stop(t)
}
