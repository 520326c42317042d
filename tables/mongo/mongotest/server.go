// Package mongotest gives long tests a server that speaks MongoDB's protocol.
package mongotest

import (
	"bufio"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// Server is the address of FOLIO_TEST_MONGO, or of a FerretDB of the nested module, which is a
// process of its own and runs until the test ends.
func Server(t testing.TB) string {
	t.Helper()
	if address, given := os.LookupEnv("FOLIO_TEST_MONGO"); given {
		return address
	}
	program := filepath.Join(t.TempDir(), "ferret")
	build := exec.Command("go", "build", "-o", program, "./cmd/ferret")
	build.Dir = filepath.Join("..", "tables", "mongo", "ferret") // of a package of the first level
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("build FerretDB: %v\n%s", err, out)
	}
	c := exec.Command(program, t.TempDir())
	c.Stderr = os.Stderr
	out, err := c.StdoutPipe()
	if err == nil {
		err = c.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	said := bufio.NewReader(out)
	t.Cleanup(func() {
		_, failed := io.Copy(io.Discard, said)
		if err := errors.Join(failed, c.Wait()); err != nil {
			t.Error(err)
		}
	})
	t.Cleanup(func() { _ = c.Process.Signal(syscall.SIGTERM) })
	address, err := said.ReadString('\n')
	if err != nil {
		t.Fatalf("FerretDB says no address: %v", err)
	}
	return strings.TrimSpace(address)
}
