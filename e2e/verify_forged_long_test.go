//go:build long

package e2e

import (
	"bytes"
	"database/sql"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"folio/eventstore/node/storage"
	vaultsqlite "folio/vault/sqlite"

	"filippo.io/torchwood"
	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

// model is the table of invoices that is read.
func model(t *testing.T, dir string) (name string) {
	t.Helper()
	db, err := sql.Open("sqlite", filepath.Join(dir, "tables.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	err = db.QueryRowContext(t.Context(), `SELECT name FROM folio_schemas WHERE name LIKE 'invoices\_v%' ESCAPE '\' AND name NOT LIKE '%lists' ORDER BY name DESC`).Scan(&name)
	if err != nil {
		t.Fatal(err)
	}
	return `"t_` + name + `"`
}

// digest is the SHA-256 behind a member of an event.
func digest(t *testing.T, data []byte, member string) string {
	t.Helper()
	_, rest, found := strings.Cut(string(data), member)
	if !found || len(rest) < 64 {
		t.Fatalf("%s has no %s", data, member)
	}
	return rest[:64]
}

// rebuilt is an operator who changes the past, forgets every checkpoint and has the notary sign what is left. Folio
// alone
// finds nothing; whoever kept one old checkpoint does, with Folio's own tool and with others'.
func (s *scene) rebuilt(t *testing.T) {
	var tree string
	dir := s.forged(t, func(all []storage.Imported) []storage.Imported {
		all = slices.DeleteFunc(all, func(e storage.Imported) bool { return e.Type == "CheckpointRecorded" })
		for i := range all {
			all[i].Data = bytes.ReplaceAll(all[i].Data, []byte("scene-1"), []byte("scene-7"))
			if e, ok := strings.CutPrefix(all[i].Stream, "transparency-"); ok {
				tree = e
			}
		}
		return all
	})
	for _, end := range []string{"", "-wal", "-shm"} {
		if err := os.Remove(filepath.Join(dir, "tables.db"+end)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			t.Fatal(err)
		}
	}
	v, err := vaultsqlite.Open(t.Context(), filepath.Join(dir, "vault.db"), filepath.Join(dir, "master.key"))
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(v.Delete(t.Context(), "transparency/signed/"+tree), v.Close()); err != nil {
		t.Fatal(err)
	}
	p := serve(t, dir, "--checkpoint-every", "50ms")
	a := newAuditor(t, p.base)
	if a.key != s.key {
		t.Fatal("the operator signs with another key")
	}
	forged := a.reach(1)
	for i := 0; forged.N < s.size && i < 200; i++ { // log-ins are events, too
		succeed(t, "account", "reset", email, "--data", dir)
		forged = a.reach(forged.N + 1)
	}
	old := s.kept(t)
	proof, err := tlog.ProveTree(forged.N, old.N, torchwood.TileHashReaderWithContext(t.Context(), forged, a.fetcher))
	if err == nil {
		err = tlog.CheckTree(proof, forged.N, forged.Hash, old.N, old.Hash)
	}
	if err == nil {
		t.Error("the forged tree continues the checkpoint that was kept")
	}
	p.stop(t)
	succeed(t, "verify", "--data", dir)
	_, errs, code := command(t, "verify", "--data", dir, "--checkpoint", s.checkpoint, "--key", s.key)
	if code != 1 || !strings.Contains(errs, "position ") || !strings.Contains(errs, "kept") {
		t.Errorf("with the checkpoint that was kept it ends with %d: %s", code, errs)
	}
}

// kept is the checkpoint that somebody kept.
func (s *scene) kept(t *testing.T) tlog.Tree {
	t.Helper()
	text, err := os.ReadFile(s.checkpoint)
	if err != nil {
		t.Fatal(err)
	}
	verifier, err := note.NewVerifier(s.key)
	if err != nil {
		t.Fatal(err)
	}
	n, err := note.Open(text, note.VerifierList(verifier))
	if err != nil {
		t.Fatal(err)
	}
	c, err := torchwood.ParseCheckpoint(n.Text)
	if err != nil {
		t.Fatal(err)
	}
	return c.Tree
}
