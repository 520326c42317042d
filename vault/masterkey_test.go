package vault

import (
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

func TestMasterKeyIsMadeOnceWithModeOfItsOwner(t *testing.T) {
	path := filepath.Join(t.TempDir(), "master.key")
	if _, err := LoadMasterKey(path); !errors.Is(err, fs.ErrNotExist) {
		t.Fatalf("missing file: %v", err)
	}
	if _, err := CreateMasterKey(path); err != nil {
		t.Fatal(err)
	}
	first, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := CreateMasterKey(path); err != nil {
		t.Fatal(err)
	}
	second, err := os.ReadFile(path)
	if err != nil || string(first) != string(second) {
		t.Fatalf("a second creation changed the key (%v)", err)
	}
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Fatalf("mode %v, %v", info.Mode(), err)
	}
	left, err := os.ReadDir(filepath.Dir(path))
	if err != nil || len(left) != 1 {
		t.Fatalf("left over: %v, %v", left, err)
	}
}

func TestMasterKeyThatOthersCanReadIsRefusedWithTheCommandToRun(t *testing.T) {
	path := filepath.Join(t.TempDir(), "master.key")
	if _, err := CreateMasterKey(path); err != nil {
		t.Fatal(err)
	}
	for _, mode := range []fs.FileMode{0o640, 0o604, 0o620, 0o601} {
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
		if _, err := LoadMasterKey(path); err == nil || !strings.Contains(err.Error(), "chmod 600 "+path) ||
			!strings.HasSuffix(err.Error(), "change the key") { // what a person reads last is what there is to do
			t.Errorf("%o: %v", mode, err)
		}
	}
	for _, mode := range []fs.FileMode{0o600, 0o400} {
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
		if _, err := LoadMasterKey(path); err != nil {
			t.Errorf("%o: %v", mode, err)
		}
	}
}

func TestMasterKeyShowsNothingWhenPrinted(t *testing.T) {
	path := filepath.Join(t.TempDir(), "master.key")
	k, err := CreateMasterKey(path)
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprintf("%v %+v %#v %s", k, k, k, k); got != "master key master key vault.MasterKey{} master key" {
		t.Errorf("printed %s", got)
	}
}

func FuzzMasterKey(f *testing.F) {
	good := header + base64.StdEncoding.EncodeToString(make([]byte, size))
	for _, seed := range []string{good, good + "\n", "", header, good[:len(good)-2], "other-key-v1 AAAA", good + "x"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		k, err := parseMasterKey(text)
		if err != nil {
			if rest := strings.TrimPrefix(strings.TrimSpace(string(text)), header); len(rest) > 20 &&
				strings.Contains(err.Error(), rest) {
				t.Fatalf("the error repeats the key: %v", err)
			}
			return
		}
		sealed, err := k.aead.Encrypt([]byte("x"), nil)
		if err != nil {
			t.Fatal(err)
		}
		if plain, err := k.aead.Decrypt(sealed, nil); err != nil || string(plain) != "x" {
			t.Fatalf("%q, %v", plain, err)
		}
	})
}

// Root rotates the key of a service that is another user, which has to read it at its next start.
func TestAMasterKeyThatRootMakesIsOfWhoseFolderItIs(t *testing.T) {
	service := 4711
	if me := os.Geteuid(); me != 0 { // who makes files for himself alone
		service = me
	}
	path := filepath.Join(t.TempDir(), "master.key")
	if err := os.Chown(filepath.Dir(path), service, -1); err != nil {
		t.Fatal(err)
	}
	if _, err := CreateMasterKey(path); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if s, ok := info.Sys().(*syscall.Stat_t); !ok || int(s.Uid) != service || info.Mode() != 0o600 {
		t.Errorf("the key is %v of %d", info.Mode(), s.Uid)
	}
}
