//go:build long

package e2e

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// moved is a clock that programs of a test show: the machine's, and so many seconds ahead of it. It is moved between
// two lives of a program.
type moved struct {
	t     *testing.T
	ahead atomic.Int64
}

// aheadVariable is the variable by which a program with a moved clock knows how far it is ahead, in seconds.
const aheadVariable = "E2E_CLOCK_AHEAD"

// movedClock has the rest of the test run a program whose clock can be moved. Such a test is not parallel: others run
// the program as it is.
func movedClock(t *testing.T) *moved {
	t.Helper()
	t.Setenv(aheadVariable, "0") // refuses a parallel test
	real := program
	program = withMovedTime(t)
	t.Cleanup(func() { program = real })
	return &moved{t: t}
}

// Now is the time that programs show.
func (m *moved) Now() time.Time { return time.Now().Add(time.Duration(m.ahead.Load()) * time.Second) }

// to sets what the clock of programs shows that start from now on.
func (m *moved) to(at time.Time) {
	m.t.Helper()
	seconds := int64(time.Until(at) / time.Second)
	if seconds < m.ahead.Load() {
		m.t.Fatalf("the clock of %s would go back to %s", m.Now(), at)
	}
	m.ahead.Store(seconds)
	m.t.Setenv(aheadVariable, fmt.Sprint(seconds))
}

// withMovedTime links the program's own packages, as they were compiled, with a package time whose Now adds
// aheadVariable. Nothing else of the program differs: what is waited for still takes its time.
func withMovedTime(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	source := filepath.Join(goCommand(t, "env", "GOROOT"), "src", "time", "time.go")
	text, err := os.ReadFile(source)
	if err != nil {
		t.Fatal(err)
	}
	// The lines stay where they are: the linker compares what the other packages saw of this one.
	changed := string(text)
	for old, now := range map[string]string{
		"\t\"errors\"\n": "\t\"errors\"; \"syscall\"\n",
		"func Now() Time {\n\tsec, nsec, mono := runtimeNow()\n": "func Now() Time {\n\tsec, nsec, mono := runtimeNow(); " +
			"text, _ := syscall.Getenv(\"" + aheadVariable + "\"); ahead, _ := atoi(text); sec += int64(ahead)\n",
	} {
		if strings.Count(changed, old) != 1 {
			t.Fatalf("package time has another %q: its clock cannot be moved so any more", old)
		}
		changed = strings.Replace(changed, old, now, 1)
	}
	write := func(name, content string) string {
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		return file
	}
	replace, err := json.Marshal(map[string]any{"Replace": map[string]string{source: write("time.go", changed)}})
	if err != nil {
		t.Fatal(err)
	}
	archive := goCommand(t, "list", "-export", "-overlay", write("overlay.json", string(replace)), "-f", "{{.Export}}",
		"time")
	packages := goCommand(t, "list", "-export", "-deps", "-f",
		"{{if .Export}}packagefile {{.ImportPath}}={{.Export}}{{end}}", "folio/cmd/folio")
	of := func(name string) *regexp.Regexp { return regexp.MustCompile(`(?m)^packagefile ` + name + `=(.*)$`) }
	root := of("folio/cmd/folio").FindStringSubmatch(packages)
	if root == nil || !of("time").MatchString(packages) {
		t.Fatalf("the program is made of %s", packages)
	}
	packages = of("time").ReplaceAllString(packages, "packagefile time="+archive)
	out := filepath.Join(dir, "folio")
	goCommand(t, "tool", "link", "-importcfg", write("importcfg", packages), "-buildmode=exe", "-o", out, root[1])
	return out
}

// goCommand gives what the go command prints.
func goCommand(t *testing.T, args ...string) string {
	t.Helper()
	c := exec.CommandContext(t.Context(), "go", args...)
	var errs strings.Builder
	c.Stderr = &errs
	out, err := c.Output()
	if err != nil {
		t.Fatalf("go %s: %v\n%s", strings.Join(args, " "), err, errs.String())
	}
	return strings.TrimSpace(string(out))
}
