// Package secretfile says whether a file that holds a secret is for its reader alone.
package secretfile

import (
	"io/fs"
	"os"
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
