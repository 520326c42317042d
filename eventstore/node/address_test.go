package node

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"folio/eventstore/node/storage"
)

// Whoever copies a folder beside a running service copies the note of its node as well: what is done to the copy must
// not be done to the live log.
func TestACopyOfAFolderIsNotServedByTheNodeOfTheOriginal(t *testing.T) {
	dir, copied := t.TempDir(), t.TempDir()
	n := start(t, Options{Dir: dir})
	if found, err := FindAddress(dir); err != nil || found != n.Address() {
		t.Fatalf("the original: %q, %v", found, err)
	}
	for _, names := range [][]string{{addressName}, {addressName, "node.lock"}} {
		for _, name := range names {
			content, err := os.ReadFile(filepath.Join(dir, name))
			if err == nil {
				err = os.WriteFile(filepath.Join(copied, name), content, 0o600)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		if found, err := FindAddress(copied); !errors.Is(err, ErrNotRunning) {
			t.Errorf("with %v the copy is served at %q, %v", names, found, err)
		}
	}
	lock, err := storage.LockFolder(copied) // nothing was left locked
	if err != nil {
		t.Fatal(err)
	}
	if err := lock.Unlock(); err != nil {
		t.Error(err)
	}
}
