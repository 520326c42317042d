package storage

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/gofrs/flock"
)

const lockName = "node.lock"

// LockFolder takes the data folder for this process alone, until the lock is closed.
func LockFolder(dir string) (*flock.Flock, error) {
	lock := flock.New(filepath.Join(dir, lockName), flock.SetPermissions(0o600))
	ok, err := lock.TryLock()
	if err != nil {
		return nil, fmt.Errorf("lock the data folder %s: %w", dir, err)
	}
	if !ok {
		holder := ""
		if pid, err := os.ReadFile(lock.Path()); err == nil && len(pid) > 0 {
			holder = " (process " + strings.TrimSpace(string(pid)) + ")"
		}
		return nil, fmt.Errorf("%w: %s%s: stop it first, or choose another data folder", ErrInUse, dir, holder)
	}
	if err := os.WriteFile(lock.Path(), []byte(strconv.Itoa(os.Getpid())+"\n"), 0o600); err != nil {
		return nil, errors.Join(fmt.Errorf("note the process in the lock: %w", err), lock.Unlock())
	}
	return lock, nil
}

// Locked tells whether some process has the data folder: a copy of the folder has the lock's file and no lock.
func Locked(dir string) (bool, error) {
	lock := flock.New(filepath.Join(dir, lockName), flock.SetFlag(os.O_RDONLY))
	free, err := lock.TryRLock()
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("look at the lock of the data folder %s: %w", dir, err)
	}
	if !free {
		return true, nil
	}
	return false, lock.Unlock()
}

// ErrInUse says that another process has the data folder open.
var ErrInUse = errors.New("the data folder is in use by another process")
