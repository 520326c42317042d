//go:build long

package e2e

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// fsck is the command by which operators of Tessera check a log of tlog-tiles; go run fetches and builds it.
const fsck = "github.com/transparency-dev/tessera/cmd/fsck@v1.0.4"

// A whole program that nobody here wrote reads the log of a running service from its first entry, and comes to the root
// that is signed; with another key it does not.
func TestTesseraChecksTheTransparencyLog(t *testing.T) {
	dir := t.TempDir()
	p := serve(t, dir, append([]string{"--checkpoint-every", "300ms"}, unlimited...)...)
	c := issuing(t, p, dir, 72)
	for i := range 60 { // more than a tile of 256 entries
		c.issue(t, body("FCA", 1, fmt.Sprint("fsck-", i)))
	}
	a := newAuditor(t, p.base)
	a.reach(300)
	if out, err := check(t, p.base, a.key); err != nil || !strings.Contains(out, "Successfully fsck'd log") {
		t.Errorf("fsck: %v\n%s", err, out)
	}
	other := strings.Replace(a.key, "+", "x+", 1)
	if out, err := check(t, p.base, other); err == nil {
		t.Errorf("a key of another log is taken:\n%s", out)
	}
	p.stop(t)
}

func check(t *testing.T, base, key string) (string, error) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "key")
	if err := os.WriteFile(file, []byte(key), 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 10*verdictLimit)
	defer cancel()
	out, err := exec.CommandContext(ctx, "go", "run", fsck, "--storage_url", base+"/log/", "--public_key", file,
		"--ui=false").CombinedOutput()
	return string(out), err
}
