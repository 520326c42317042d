package e2e

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func remove(t *testing.T, dir, pattern string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, pattern))
	if err != nil || len(files) == 0 {
		t.Fatalf("nothing to remove at %s: %v", pattern, err)
	}
	for _, f := range files {
		if err := os.RemoveAll(f); err != nil {
			t.Fatal(err)
		}
	}
}

func TestReadModelsAreBuiltAnew(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	p := serve(t, dir, unlimited...)
	c := issuing(t, p, dir, 1)
	for n := range 12 {
		c.post(t, body([]string{"FCA", "FCB"}[n%2], 1, fmt.Sprint(n)))
	}
	c.settle(t, verdictLimit)
	whole := func() string { return string(must(c.send("GET", "/api/invoices", nil)).body) }
	want := whole()

	t.Run("beside the running service", func(t *testing.T) {
		out := succeed(t, "projections", "rebuild", "invoices", "--data", dir)
		if !strings.Contains(out, "invoices") || whole() != want {
			t.Errorf("%s, and the list is\n%s\nwant\n%s", out, whole(), want)
		}
		eventually(t, startLimit, "the new build is read", func() (string, bool) { return "", whole() == want })
	})
	p.stop(t)
	t.Run("from nothing, when they were lost", func(t *testing.T) {
		remove(t, dir, "tables.db*")
		if _, errs, code := command(t, "projections", "list", "--data", dir); code != 0 ||
			!strings.Contains(errs, "invoices: no service has begun version") {
			t.Errorf("list: %d %s", code, errs)
		}
		if _, errs, code := command(t, "projections", "rebuild", "invoices", "--hold", "--data", dir); code == 0 ||
			!strings.Contains(errs, "folio replay --projection invoices") {
			t.Errorf("a rebuild that is held of nothing: %d %s", code, errs)
		}
		p = serve(t, dir, unlimited...)
		c.base = p.base
		eventually(t, startLimit, "the list is whole", func() (string, bool) { got := whole(); return got, got == want })
		if i := c.issue(t, body("FCA", 1, "next")); *i.Number != "0001-00000007" {
			t.Errorf("the next invoice is %s", i)
		}
		consecutive(t, c.all(t))
		p.stop(t)
		if n := len(vouchers(t, dir)); n != 13 {
			t.Errorf("the authority knows %d documents, want 13", n)
		}
	})
}

func TestDataThatDoesNotBelongTogetherIsRefused(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, lost, says string }{
		{"a new log under the read models", "log", "the read models belong to the event log"},
		{"a vault without its key", "master.key", "master key"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			p := serve(t, dir)
			register(t, login(t, p.base, email, password), cuit(1))
			p.stop(t)
			remove(t, dir, c.lost)
			_, errs, code := command(t, "serve", "--data", dir, "--addr", "127.0.0.1:0")
			if code == 0 || !strings.Contains(errs, c.says) {
				t.Errorf("it ended with %d and said %s", code, errs)
			}
		})
	}
}

func TestALongPathOfTheDataFolder(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), strings.Repeat("carpeta-larga-", 12), "con espacios y ñ")
	p := serve(t, dir)
	c := issuing(t, p, dir, 1)
	i := c.issue(t, body("FCB", 1, "long path"))
	if out := succeed(t, "history", i.ID, "--data", dir); !strings.Contains(out, "AuthorityAccepted") {
		t.Errorf("history says %s", out)
	}
	p.stop(t)
}

func TestFilesAreForTheirOwnerAlone(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "data")
	p := serve(t, dir)
	issuing(t, p, dir, 1)
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		// A file that others may read is safe below a folder that they may not enter.
		secret := d.IsDir() && path == dir || filepath.Ext(path) == ".key" || filepath.Ext(path) == ".sock" ||
			filepath.Ext(path) == ".pem"
		if secret && info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s has the mode %s", path, info.Mode())
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	p.stop(t)
}
