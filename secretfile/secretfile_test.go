package secretfile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
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

func TestWhatRootMakesIsOfWhoseFolderItIs(t *testing.T) {
	const service, other = 4711, 4712
	cases := []struct{ folder, before, after int }{{service, 0, service}, {0, 0, 0}, {service, other, other}}
	if me := os.Geteuid(); me != 0 { // who makes files for himself alone
		cases = []struct{ folder, before, after int }{{me, me, me}}
	}
	for _, c := range cases {
		dir := t.TempDir()
		path := filepath.Join(dir, "master.key")
		err := errors.Join(os.WriteFile(path, nil, 0o600), os.Chown(path, c.before, -1),
			os.Chown(dir, c.folder, -1), Belong(path))
		if err != nil {
			t.Fatal(err)
		}
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		if s, ok := info.Sys().(*syscall.Stat_t); !ok || int(s.Uid) != c.after || info.Mode() != 0o600 {
			t.Errorf("in a folder of %d a file of %d is %v of %d", c.folder, c.before, info.Mode(), s.Uid)
		}
	}
}
