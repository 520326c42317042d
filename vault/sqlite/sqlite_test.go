package sqlite_test

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"folio/vault"
	"folio/vault/sqlite"
	"folio/vault/vaulttest"
)

func TestSuite(t *testing.T) {
	vaulttest.Run(t, func(t *testing.T) vault.Backend {
		b, err := sqlite.OpenBackend(t.Context(), filepath.Join(t.TempDir(), "vault.db"))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			if err := b.Close(); err != nil {
				t.Error(err)
			}
		})
		return b
	})
}

func TestVaultFileIsItsOwnersAndOutlivesTheProcess(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "with space?#%ñ")
	if err := os.Mkdir(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	db, key := filepath.Join(folder, "vault.db"), filepath.Join(folder, "master.key")
	for _, round := range []string{"first", "second"} {
		v, err := sqlite.Open(t.Context(), db, key)
		if err != nil {
			t.Fatal(err)
		}
		if round == "first" {
			if err := v.Seal(t.Context(), "a", []byte("secret")); err != nil {
				t.Fatal(err)
			}
		}
		if got, err := v.Open(t.Context(), "a"); err != nil || string(got) != "secret" {
			t.Fatalf("%s: %q, %v", round, got, err)
		}
		files, err := os.ReadDir(folder)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			if info, err := f.Info(); err != nil || info.Mode().Perm() != 0o600 {
				t.Errorf("%s: %v, %v", f.Name(), info, err)
			}
		}
		if err := v.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// What was deleted is in no file of the vault any more, also while others have it open.
func TestWhatIsDeletedIsGoneFromTheFiles(t *testing.T) {
	file := filepath.Join(t.TempDir(), "vault.db")
	open := func() *sqlite.Backend {
		b, err := sqlite.OpenBackend(t.Context(), file)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = b.Close() })
		return b
	}
	one, other := open(), open()
	secret := bytes.Repeat([]byte("0123456789abcdef"), 300)
	if err := errors.Join(one.Save(t.Context(), "a", secret), one.Save(t.Context(), "b", []byte("stays"))); err != nil {
		t.Fatal(err)
	}
	if _, err := other.Load(t.Context(), "a"); err != nil {
		t.Fatal(err)
	}
	if !inFiles(t, file, secret[:64]) {
		t.Fatal("the secret is not found where it is")
	}
	if err := errors.Join(one.Delete(t.Context(), "a"), one.Erase(t.Context())); err != nil {
		t.Fatal(err)
	}
	if inFiles(t, file, secret[:64]) {
		t.Error("the secret is in a file")
	}
	if got, err := other.Load(t.Context(), "b"); err != nil || string(got) != "stays" {
		t.Errorf("%s, %v", got, err)
	}
}

func inFiles(t *testing.T, file string, what []byte) bool {
	t.Helper()
	found := false
	for _, end := range []string{"", "-wal"} {
		left, err := os.ReadFile(file + end)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			t.Fatal(err)
		}
		found = found || bytes.Contains(left, what)
	}
	return found
}

// Whoever has the old master key, and a copy of the file from after the rotation, opens nothing with it.
func TestARotationLeavesNoOldKeyInTheFiles(t *testing.T) {
	dir := t.TempDir()
	file, key := filepath.Join(dir, "vault.db"), filepath.Join(dir, "master.key")
	v, err := sqlite.Open(t.Context(), file, key)
	if err != nil {
		t.Fatal(err)
	}
	beside, err := sqlite.OpenBackend(t.Context(), file)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = errors.Join(beside.Close(), v.Close()) })
	if err := errors.Join(v.Seal(t.Context(), "small", []byte("secret")),
		v.Seal(t.Context(), "large", make([]byte, 20_000))); err != nil {
		t.Fatal(err)
	}
	before := map[string][]byte{}
	for _, id := range []string{"keys/data", "secret/small", "secret/large"} {
		if before[id], err = beside.Load(t.Context(), id); err != nil {
			t.Fatal(err)
		}
		before[id] = before[id][:min(len(before[id]), 60)]
		if !inFiles(t, file, before[id]) {
			t.Fatalf("%s is not found where it is", id)
		}
	}
	if _, err := v.RotateMasterKey(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := v.RotateDataKey(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	for id, sealed := range before {
		if inFiles(t, file, sealed) {
			t.Errorf("%s of before is in a file", id)
		}
	}
}
