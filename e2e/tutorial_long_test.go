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
	"time"
)

// Every block of the tutorial is run, in its order, in a copy of the repository.
func TestTheTutorialOfProjectionsIsRunToTheLetter(t *testing.T) {
	raw, err := os.ReadFile("../docs/adding-a-projection.md")
	if err != nil {
		t.Fatal(err)
	}
	script, blocks := tutorialScript(string(raw))
	if blocks < 8 {
		t.Fatalf("%d blocks were found", blocks)
	}
	dir := copyOfTheRepository(t)
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Minute)
	defer cancel()
	run := exec.CommandContext(ctx, "bash", "-c", script)
	run.Dir = dir
	out, err := run.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, want := range []string{`"documents":`, `"sum_total":`, "id,month,customer,total,document",
		"sales_by_customer_v1", "0 differ"} {
		if !strings.Contains(string(out), want) {
			t.Errorf("no %s in\n%s", want, out)
		}
	}
}

// tutorialScript is one shell script of the blocks behind the marks "run" and "file PATH".
func tutorialScript(text string) (script string, blocks int) {
	var b strings.Builder
	b.WriteString("set -euo pipefail\n")
	for _, part := range strings.Split(text, "<!-- ")[1:] {
		mark, rest, _ := strings.Cut(part, " -->\n```")
		_, rest, _ = strings.Cut(rest, "\n") // the language
		block, _, _ := strings.Cut(rest, "\n```")
		if file, ok := strings.CutPrefix(mark, "file "); ok {
			fmt.Fprintf(&b, "cat > %s <<'END_OF_FILE'\n%s\nEND_OF_FILE\n", file, block)
		} else {
			b.WriteString(block + "\n")
		}
		blocks++
	}
	return b.String(), blocks
}

// copyOfTheRepository has what is committed or would be.
func copyOfTheRepository(t *testing.T) string {
	t.Helper()
	list := exec.Command("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard")
	list.Dir = ".."
	out, err := list.Output()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for name := range strings.SplitSeq(strings.TrimRight(string(out), "\x00"), "\x00") {
		info, err := os.Stat(filepath.Join("..", name))
		if os.IsNotExist(err) {
			continue // deleted, and not committed so far
		}
		if err != nil {
			t.Fatal(err)
		}
		raw, err := os.ReadFile(filepath.Join("..", name))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), raw, info.Mode()); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}
