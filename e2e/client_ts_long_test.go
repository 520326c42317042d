//go:build long

package e2e

import (
	"context"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// The client in TypeScript has tests of its own, for node. They are run in a copy: nothing is generated in the
// repository.
func TestTheClientInTypeScript(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"client-ts", "apidoc"} {
		if out, err := exec.Command("cp", "-r", filepath.Join("..", name), dir).CombinedOutput(); err != nil {
			t.Fatalf("%v %s", err, out)
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	run := exec.CommandContext(ctx, "sh", "-c", "npm ci --silent --no-audit --no-fund && npm test")
	run.Dir, run.WaitDelay = filepath.Join(dir, "client-ts"), time.Minute
	if out, err := run.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}
