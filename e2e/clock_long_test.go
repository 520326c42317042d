//go:build long

package e2e

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// aheadVariable is the variable by which a program with a clock of its own knows how many seconds it is ahead of the
// machine's: less than nothing is behind.
const aheadVariable = "E2E_CLOCK_AHEAD"

// withOwnClock is the program with a clock that is ahead by aheadVariable, built once a run. Nothing of it is in the
// product, and no place that reads the time is forgotten, for time.Now itself is replaced, by the overlay of the go
// command. What measures spans (the monotonic clock) is not changed: what is waited for still takes its time.
func withOwnClock(t *testing.T) string {
	t.Helper()
	built, err := ownClock()
	if err != nil {
		t.Fatal(err)
	}
	return built
}

var ownClock = sync.OnceValues(func() (string, error) {
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return "", fmt.Errorf("go env GOROOT: %w", err)
	}
	source := filepath.Join(strings.TrimSpace(string(root)), "src", "time", "time.go")
	text, err := os.ReadFile(source)
	if err != nil {
		return "", err
	}
	changed, err := clockAhead(string(text))
	if err != nil {
		return "", err
	}
	return overlaid("folio-with-own-clock", source, changed)
})

// overlaid builds the program with another content of one source file, by the overlay of the go command.
func overlaid(name, source, content string) (built string, err error) {
	built = filepath.Join(ownDir, name)
	overlay, replaced := built+".json", built+".go"
	for file, text := range map[string]string{
		replaced: content, overlay: fmt.Sprintf(`{"Replace":{%q:%q}}`, source, replaced),
	} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			return "", err
		}
	}
	out, err := exec.Command("go", "build", "-overlay", overlay, "-o", built, "folio/cmd/folio").CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("build %s: %w\n%s", name, err, out)
	}
	return built, nil
}

// clockAhead is the source of package time with a Now that adds the seconds of aheadVariable.
func clockAhead(source string) (string, error) {
	const read, imports = "\tsec, nsec, mono := runtimeNow()\n", "import (\n"
	before, body, found := strings.Cut(source, "\nfunc Now() Time {\n"+read)
	if !found || !strings.Contains(before, imports) {
		return "", fmt.Errorf("time.Now of this Go is written otherwise: see what clockAhead replaces in it")
	}
	return strings.Replace(before, imports, imports+"\t\"syscall\"\n", 1) + `
var ahead = func() int64 {
	s, _ := syscall.Getenv("` + aheadVariable + `")
	n, _ := atoi(s)
	return int64(n)
}()

func Now() Time {
` + read + "\tsec += ahead\n" + body, nil
}
