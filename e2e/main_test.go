// Package e2e proves Folio from outside: it starts the real program with its embedded
// defaults and speaks to it as integrators and operators do, over HTTP and through its
// subcommands.
package e2e

import (
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// program is the program under test, built once a run; ownDir is this run's own directory, gone with it.
var program, ownDir string

func TestMain(m *testing.M) {
	flag.Parse()
	code, err := run(m)
	if err != nil {
		fmt.Fprintln(os.Stderr, "e2e:", err)
		code = 1
	}
	os.Exit(code)
}

// atATime sets how many tests run at a time.
var atATime = func() error { return nil }

// run builds the program with the flags of FOLIO_E2E_BUILD, such as -race; FOLIO_E2E_PROGRAM names one that is built.
func run(m *testing.M) (int, error) {
	dir, err := os.MkdirTemp("", "folio-e2e")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(dir)
	ownDir = dir
	if err := atATime(); err != nil {
		return 0, err
	}
	if err := lookAtSources(); err != nil {
		return 0, err
	}
	if program = os.Getenv("FOLIO_E2E_PROGRAM"); program != "" {
		return m.Run(), nil
	}
	program = filepath.Join(dir, "folio")
	args := append([]string{"build", "-o", program}, strings.Fields(os.Getenv("FOLIO_E2E_BUILD"))...)
	if out, err := exec.Command("go", append(args, "folio/cmd/folio")...).CombinedOutput(); err != nil {
		return 0, fmt.Errorf("build the program: %w\n%s", err, out)
	}
	return m.Run(), undocumented()
}

// lookAtSources lets the go command see what the program is made of: it takes a result
// from its cache unless a file that the test looked at has changed.
func lookAtSources() error {
	return filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".go" && filepath.Base(path) != "go.mod" {
			return err
		}
		_, err = os.Stat(path)
		return err
	})
}
