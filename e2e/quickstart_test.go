package e2e

import (
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// The blocks of the quickstart are run, in their order, but for those in TypeScript, which
// need npm.
func TestTheQuickstartIsRunToTheLetter(t *testing.T) {
	t.Parallel()
	out := runQuickstart(t)
	for _, want := range []string{`"pending_steps":[]`, `"status":"Accepted"`, "es obligatorio", "/docs/errors/VALIDATION_FAILED",
		"Go: 0001-00000002 Accepted"} {
		if !strings.Contains(out, want) {
			t.Errorf("no %s in\n%s", want, out)
		}
	}
}

// Whoever reads the page sees no mark: the name of a block that is a file stands in the line above it.
func TestTheQuickstartNamesItsFiles(t *testing.T) {
	t.Parallel()
	raw, err := os.ReadFile("../docs/quickstart.md")
	if err != nil {
		t.Fatal(err)
	}
	parts, named := strings.Split(string(raw), "\n\n<!-- "), 0
	for i, part := range parts[1:] {
		mark, _, _ := strings.Cut(part, " -->")
		_, file, isFile := strings.Cut(mark, " ")
		if !isFile {
			continue
		}
		named++
		above := parts[i][strings.LastIndex(parts[i], "\n\n"):]
		if !strings.Contains(above, "`"+file+"`") || !strings.HasSuffix(above, ":") {
			t.Errorf("%s is not named above its block: %q", file, above)
		}
	}
	if named != 4 {
		t.Errorf("%d files", named)
	}
}

// runQuickstart runs the blocks with these marks besides "run" and "file", in a folder with
// what they use of the repository, on ports that are free.
func runQuickstart(t *testing.T, marks ...string) string {
	t.Helper()
	raw, err := os.ReadFile("../docs/quickstart.md")
	if err != nil {
		t.Fatal(err)
	}
	script, blocks := tutorialScript(string(raw), marks...)
	if blocks < 12 {
		t.Fatalf("%d blocks were found", blocks)
	}
	for _, port := range []string{"8081", "8082"} {
		script = strings.ReplaceAll(script, "127.0.0.1:"+port, freeAddress(t))
	}
	dir := t.TempDir()
	repository := must(filepath.Abs(".."))
	for link, to := range map[string]string{"bin": filepath.Dir(program), "client": filepath.Join(repository, "client")} {
		if err := os.Symlink(to, filepath.Join(dir, link)); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"client-ts", "apidoc"} {
		if len(marks) > 0 {
			if out, err := exec.Command("cp", "-r", filepath.Join(repository, name), dir).CombinedOutput(); err != nil {
				t.Fatalf("%v %s", err, out)
			}
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), 8*time.Minute)
	defer cancel()
	run := exec.CommandContext(ctx, "bash", "-c", "trap 'kill $(jobs -p) 2>/dev/null || true' EXIT\n"+script)
	run.Dir, run.WaitDelay = dir, time.Minute
	out, err := run.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return string(out)
}

func freeAddress(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// tutorialScript is one shell script of the blocks behind the marks "run" and "file PATH",
// and behind these marks, which a path may follow too.
func tutorialScript(text string, marks ...string) (script string, blocks int) {
	var b strings.Builder
	b.WriteString("set -euo pipefail\n")
	for _, part := range strings.Split(text, "<!-- ")[1:] {
		mark, rest, marked := strings.Cut(part, " -->\n```")
		kind, file, _ := strings.Cut(mark, " ")
		if !marked || !slices.Contains(append(marks, "run", "file"), kind) {
			continue
		}
		_, rest, _ = strings.Cut(rest, "\n") // the language
		block, _, _ := strings.Cut(rest, "\n```")
		if file != "" {
			fmt.Fprintf(&b, "mkdir -p $(dirname %s); cat > %s <<'END_OF_FILE'\n%s\nEND_OF_FILE\n", file, file, block)
		} else {
			b.WriteString(block + "\n")
		}
		blocks++
	}
	return b.String(), blocks
}
