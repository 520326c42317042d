package e2e

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Whoever goes on with an older copy of the log begins another tree, and a service that runs by then is well within
// seconds.
func TestATreeThatIsBegunAgainIsHeardOf(t *testing.T) {
	t.Parallel()
	dir, copied := t.TempDir(), filepath.Join(t.TempDir(), "log")
	log := filepath.Join(dir, "log")
	often := []string{"--checkpoint-every", "100ms"}
	p := serve(t, dir, often...)
	p.stop(t)
	if err := os.CopyFS(copied, os.DirFS(log)); err != nil {
		t.Fatal(err)
	}
	p = serve(t, dir, often...)
	signed := func() string {
		a, err := client{base: p.base}.send(http.MethodGet, "/log/checkpoint", nil)
		if err != nil || a.status != http.StatusOK {
			return ""
		}
		return string(a.body)
	}
	eventually(t, verdictLimit, "a checkpoint", func() (string, bool) { return "", signed() != "" })
	before := signed()
	succeed(t, "account", "add", "older@folio.example", "--password", password, "--data", dir)
	eventually(t, verdictLimit, "a checkpoint of the account", func() (string, bool) { return before, signed() != before })
	p.stop(t)
	if err := os.RemoveAll(log); err != nil {
		t.Fatal(err)
	}
	if err := os.CopyFS(log, os.DirFS(copied)); err != nil {
		t.Fatal(err)
	}
	succeed(t, "projections", "rebuild", "--data", dir, "--all")
	p = serve(t, dir, often...)
	ready := func(status int, says string) {
		t.Helper()
		eventually(t, verdictLimit, "readyz", func() (string, bool) {
			a, err := client{base: p.base}.send(http.MethodGet, "/readyz", nil)
			return string(a.body), err == nil && a.status == status && strings.Contains(string(a.body), says)
		})
	}
	ready(http.StatusServiceUnavailable, "folio notary begin")
	succeed(t, "notary", "begin", "--data", dir, "--reason", "the older copy goes on")
	ready(http.StatusOK, `"ready"`)
}
