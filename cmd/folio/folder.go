package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// takeFolder makes this process the only one on a data folder that has the role node or
// sandbox: both keep files there that one process writes. Processes with the other roles
// may run beside it, on the same machine. The lock ends with the process, however it ends.
func takeFolder(dir string) (*os.File, error) {
	f, err := os.OpenFile(filepath.Join(dir, "serve.lock"), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, fmt.Errorf("take the data folder: %w", err)
	}
	if err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB); err != nil {
		err = fmt.Errorf("take the data folder %s: %w", dir, err)
		if errors.Is(err, unix.EWOULDBLOCK) {
			err = fmt.Errorf("the data folder %s is in use by another folio serve with the role node or sandbox: give this one "+
				"--roles write,read,projections,processors, or a folder of its own", dir)
		}
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}
