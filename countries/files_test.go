package countries

import (
	"io"
	"os"
	"strings"
	"testing"
)

// Who makes a file for a folder that no service ever used is told; for one with a sandbox nothing is said.
func TestAFileForAFolderWithoutASandboxIsToldOf(t *testing.T) {
	data := t.TempDir()
	said := func() string {
		r, w, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		before := os.Stderr
		os.Stderr = w
		dir := ForSandbox(data)
		os.Stderr = before
		if err := w.Close(); err != nil || dir != SandboxDir(data) {
			t.Fatal(dir, err)
		}
		b, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	if got := said(); !strings.Contains(got, data+" has no sandbox yet") {
		t.Errorf("of a new folder: %q", got)
	}
	if err := os.Mkdir(SandboxDir(data), 0o700); err != nil {
		t.Fatal(err)
	}
	if got := said(); got != "" {
		t.Errorf("of a sandbox that is there: %q", got)
	}
}
