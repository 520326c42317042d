package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// module finds a released client in the module cache, downloading it when it is not there. The go.sum of
// conformance/modules says what it must hash to.
func (r *run) module(ctx context.Context, path string) (string, error) {
	cmd := exec.CommandContext(ctx, "go", "mod", "download", "-json", path)
	cmd.Dir = filepath.Join(r.here, "modules")
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("download %s: %w", path, err)
	}
	var found struct{ Dir string }
	if err := json.Unmarshal(out, &found); err != nil {
		return "", fmt.Errorf("download %s: %w", path, err)
	}
	return found.Dir, nil
}

// copyModule copies a module, which is read-only in the cache, to where files of it can be replaced.
func (r *run) copyModule(ctx context.Context, path, name string) (string, error) {
	dir, err := r.module(ctx, path)
	if err != nil {
		return "", err
	}
	to := filepath.Join(r.work, name)
	if err := os.RemoveAll(to); err != nil {
		return "", err
	}
	if err := os.CopyFS(to, os.DirFS(dir)); err != nil {
		return "", fmt.Errorf("copy %s: %w", path, err)
	}
	err = filepath.WalkDir(to, func(path string, d os.DirEntry, err error) error {
		if err == nil && d.IsDir() {
			err = os.Chmod(path, 0o700)
		}
		return err
	})
	return to, err
}

// testEvent is a line of go test -json.
type testEvent struct{ Action, Test, Output string }

// withoutNameServer keeps gRPC from asking a name server how to talk to localhost: while
// that one is slow, calls wait until their time is over.
const withoutNameServer = "GRPC_ENABLE_TXT_SERVICE_CONFIG=false"

// goSuite are tests of a copied module.
type goSuite struct {
	name, dir, pkg string
	pattern        string   // of the tests to be run
	env            []string // besides our own
}

// goTest runs a suite and makes a row of each of its top tests.
func (r *run) goTest(ctx context.Context, s goSuite) ([]row, error) {
	cmd := exec.CommandContext(ctx, "go", "test", "-mod=mod", "-json", "-count=1", "-vet=off", "-timeout", "15m", "-run",
		s.pattern, s.pkg)
	cmd.Dir = s.dir
	cmd.Env = append(os.Environ(), append(s.env, "GOFLAGS=", "GOWORK=off", withoutNameServer)...)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	results := &goResults{suite: s.name, order: map[string]int{}, output: map[string]string{}, parents: map[string]bool{},
		outcome: map[string]string{}}
	lines := bufio.NewScanner(out)
	lines.Buffer(nil, 4<<20)
	for lines.Scan() {
		var e testEvent
		if json.Unmarshal(lines.Bytes(), &e) != nil {
			continue
		}
		if r.verbose && e.Action == "output" {
			fmt.Print(e.Output)
		}
		results.hear(e)
	}
	var exit *exec.ExitError
	if err := cmd.Wait(); err != nil && !errors.As(err, &exit) {
		return nil, err
	}
	return results.rows()
}

// goResults collects outcomes. Only tests without tests below them count.
type goResults struct {
	suite   string
	names   []string
	order   map[string]int
	outcome map[string]string
	output  map[string]string
	parents map[string]bool
	rest    strings.Builder
}

func (g *goResults) hear(e testEvent) {
	if e.Test == "" {
		g.rest.WriteString(e.Output)
		return
	}
	if _, seen := g.order[e.Test]; !seen {
		g.order[e.Test] = len(g.names)
		g.names = append(g.names, e.Test)
		if i := strings.LastIndex(e.Test, "/"); i > 0 {
			g.parents[e.Test[:i]] = true
		}
	}
	switch e.Action {
	case "output":
		g.output[e.Test] += e.Output
	case "pass", "fail", "skip":
		g.outcome[e.Test] = e.Action
	}
}

func (g *goResults) rows() (rows []row, err error) {
	if len(g.names) == 0 {
		return nil, fmt.Errorf("no test ran: %s", strings.TrimSpace(g.rest.String()))
	}
	at := map[string]int{}
	for _, name := range g.names {
		top, _, _ := strings.Cut(name, "/")
		if _, ok := at[top]; !ok {
			at[top] = len(rows)
			rows = append(rows, row{suite: g.suite, test: top})
		}
		r := &rows[at[top]]
		if g.parents[name] && (g.outcome[name] != "fail" || g.failedBelow(name)) {
			continue
		}
		short := name[strings.LastIndex(name, "/")+1:]
		switch g.outcome[name] {
		case "pass":
			r.passed++
		case "skip":
			r.skipped++
			r.notes = append(r.notes, reason(short, g.output[name]))
		default: // also those that never ended
			r.failed++
			r.notes = append(r.notes, "FAILED "+short)
			fmt.Printf("--- %s\n%s\n", name, g.output[name])
		}
	}
	return rows, nil
}

func (g *goResults) failedBelow(name string) bool {
	for below, outcome := range g.outcome {
		if outcome == "fail" && strings.HasPrefix(below, name+"/") {
			return true
		}
	}
	return false
}

// reason is what a skipped test says.
func reason(name, output string) string {
	for line := range strings.Lines(output) {
		line = strings.TrimSpace(line)
		if _, text, ok := strings.Cut(line, ".go:"); ok {
			if _, text, ok = strings.Cut(text, ": "); ok {
				return text
			}
		}
	}
	return name + " is left out by the test itself"
}
