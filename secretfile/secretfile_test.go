package secretfile

import (
	"io/fs"
	"syscall"
	"testing"
	"time"
)

type file struct {
	mode  fs.FileMode
	owner uint32
}

func (f file) Name() string       { return "secret" }
func (f file) Size() int64        { return 1 }
func (f file) Mode() fs.FileMode  { return f.mode }
func (f file) ModTime() time.Time { return time.Time{} }
func (f file) IsDir() bool        { return false }
func (f file) Sys() any           { return &syscall.Stat_t{Uid: f.owner} }

func TestOnlyRootMayLendASecretToAGroup(t *testing.T) {
	const me = 65532
	for _, c := range []struct {
		file
		me      int
		exposed bool
	}{
		{file{0o600, me}, me, false}, {file{0o400, me}, me, false},
		{file{0o640, me}, me, true}, {file{0o604, me}, me, true},
		{file{0o440, 0}, me, false}, {file{0o640, 0}, me, false},
		{file{0o660, 0}, me, true}, {file{0o444, 0}, me, true}, {file{0o450, 0}, me, true},
		{file{0o640, 0}, 0, true}, {file{0o600, 0}, 0, false},
	} {
		if got := exposed(c.file, c.me); got != c.exposed {
			t.Errorf("%v of %d read by %d: exposed %t", c.mode, c.owner, c.me, got)
		}
	}
}
