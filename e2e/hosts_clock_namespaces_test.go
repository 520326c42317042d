//go:build long && hosts && linux

package e2e

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// wrongBy is the environment variable of such a program.
const wrongBy = "FOLIO_TEST_CLOCK"

// buildWithClock builds the program with a clock that is wrong by FOLIO_TEST_CLOCK seconds: namespaces share the
// machine's. Nothing of it is in the product, and no place that reads the time is forgotten, for time.Now itself is
// replaced, by the overlay of the go command. What measures spans (the monotonic clock) is not changed.
func buildWithClock(t *testing.T) string {
	t.Helper()
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(strings.TrimSpace(string(root)), "src", "time", "time.go")
	source, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	overlay, wrong := filepath.Join(dir, "overlay.json"), filepath.Join(dir, "time.go")
	write(t, wrong, wrongClock(t, string(source)))
	write(t, overlay, fmt.Sprintf(`{"Replace":{%q:%q}}`, file, wrong))
	built := filepath.Join(dir, "folio")
	if out, err := exec.Command("go", "build", "-overlay", overlay, "-o", built,
		"folio/cmd/folio").CombinedOutput(); err != nil {
		t.Fatalf("build the program: %v\n%s", err, out)
	}
	return built
}

// wrongClock is the source of package time with a Now that adds the seconds of wrongBy.
func wrongClock(t *testing.T, source string) string {
	t.Helper()
	const read, imports = "\tsec, nsec, mono := runtimeNow()\n", "import (\n"
	before, body, found := strings.Cut(source, "\nfunc Now() Time {\n"+read)
	if !found || !strings.Contains(before, imports) {
		t.Fatal("time.Now of this Go is written otherwise: see what this test replaces in it")
	}
	return strings.Replace(before, imports, imports+"\t\"syscall\"\n", 1) + `
var wrongBy = func() int64 {
	s, _ := syscall.Getenv("` + wrongBy + `")
	n, _ := atoi(s)
	return int64(n)
}()

func Now() Time {
` + read + "\tsec += wrongBy\n" + body
}

func write(t *testing.T, file, content string) {
	t.Helper()
	if err := os.WriteFile(file, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}
