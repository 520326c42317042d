// Package secretfile says whether a file that holds a secret is for its reader alone, and whose a new one is.
package secretfile

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// Exposed says that others may read the file: its mode is looser than 0600. One that root owns and hands to our
// group may be 0640, since that is how systemd (LoadCredential) and Kubernetes (a secret, with fsGroup) give a secret
// to a process that is not root; PostgreSQL has the same rule for its keys.
func Exposed(info fs.FileInfo) bool { return exposed(info, os.Geteuid()) }

func exposed(info fs.FileInfo, me int) bool {
	others := fs.FileMode(0o077)
	if s, ok := info.Sys().(*syscall.Stat_t); ok && s.Uid == 0 && me != 0 {
		others = 0o037
	}
	return info.Mode().Perm()&others != 0
}

// Belong gives a file that root made to whom its folder belongs: root's commands work beside a service of another user,
// which could not open the file at its next start. For anybody else, and in a folder of root's, it does nothing.
func Belong(path string) error {
	if os.Geteuid() != 0 {
		return nil
	}
	made, err := os.Lstat(path)
	if err != nil {
		return err
	}
	folder, err := os.Stat(filepath.Dir(path))
	if err != nil {
		return err
	}
	file, ours := made.Sys().(*syscall.Stat_t)
	owner, known := folder.Sys().(*syscall.Stat_t)
	if !ours || !known || file.Uid != 0 || owner.Uid == 0 {
		return nil
	}
	if err := os.Lchown(path, int(owner.Uid), int(owner.Gid)); err != nil {
		return fmt.Errorf("give %s to the owner of its folder: %w", path, err)
	}
	return nil
}
