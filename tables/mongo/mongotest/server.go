// Package mongotest gives long tests a server that speaks MongoDB's protocol.
package mongotest

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// Server is the address of FOLIO_TEST_MONGO, or of a FerretDB that runs until the test ends.
func Server(t testing.TB) string {
	t.Helper()
	return Start(t).Address
}

// Ferret is a FerretDB of the nested module, a process of its own; or the server of
// FOLIO_TEST_MONGO, which nobody here ends.
type Ferret struct {
	Address         string // of its present life
	program, folder string // of its own; empty for FOLIO_TEST_MONGO
	process         *exec.Cmd
}

// Start starts it; it ends with the test.
func Start(t testing.TB) *Ferret {
	t.Helper()
	if address, given := os.LookupEnv("FOLIO_TEST_MONGO"); given {
		return &Ferret{Address: address}
	}
	f := &Ferret{program: filepath.Join(t.TempDir(), "ferret"), folder: t.TempDir()}
	build := exec.Command("go", "build", "-o", f.program, "./cmd/ferret")
	build.Dir = filepath.Join("..", "tables", "mongo", "ferret") // of a package of the first level
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("build FerretDB: %v\n%s", err, out)
	}
	f.start(t)
	t.Cleanup(f.kill)
	return f
}

func (f *Ferret) start(t testing.TB) {
	t.Helper()
	f.process = exec.Command(f.program, f.folder)
	f.process.Stderr = os.Stderr
	out, err := f.process.StdoutPipe()
	if err == nil {
		err = f.process.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	address, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatalf("FerretDB says no address: %v", err)
	}
	f.Address = strings.TrimSpace(address)
}

func (f *Ferret) kill() {
	_ = f.process.Process.Kill()
	_ = f.process.Wait() // killed
}

// Restart kills FerretDB and starts it anew on its data. FerretDB 1.24 never gives back what a
// client that was killed held.
func (f *Ferret) Restart(t testing.TB) {
	t.Helper()
	if f.process == nil {
		return
	}
	f.kill()
	f.start(t)
}
