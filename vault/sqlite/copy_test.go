package sqlite_test

import (
	"path/filepath"
	"testing"

	"folio/vault/sqlite"
)

func TestACopyOpensWithTheSameMasterKey(t *testing.T) {
	dir := t.TempDir()
	key, from, to := filepath.Join(dir, "master.key"), filepath.Join(dir, "vault.db"), filepath.Join(dir, "copy.db")
	v, err := sqlite.Open(t.Context(), from, key)
	if err != nil {
		t.Fatal(err)
	}
	defer v.Close()
	if err := v.Seal(t.Context(), "a", []byte("secret")); err != nil {
		t.Fatal(err)
	}
	if err := sqlite.Copy(t.Context(), from, to); err != nil {
		t.Fatal(err)
	}
	if err := v.Seal(t.Context(), "a", []byte("later")); err != nil {
		t.Fatal(err)
	}
	c, err := sqlite.Open(t.Context(), to, key)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if got, err := c.Open(t.Context(), "a"); err != nil || string(got) != "secret" {
		t.Errorf("got %q, %v", got, err)
	}
	if sqlite.Copy(t.Context(), from, to) == nil {
		t.Error("a copy was written over")
	}
	if sqlite.Copy(t.Context(), filepath.Join(dir, "none.db"), filepath.Join(dir, "x.db")) == nil {
		t.Error("nothing was copied")
	}
}
