package e2e

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"filippo.io/torchwood"
	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

// auditor is somebody without a credential, who has the verifier key and tools that Folio's makers did not write:
// torchwood reads and authenticates tiles, sumdb/note verifies signatures, sumdb/tlog proofs.
type auditor struct {
	t       *testing.T
	base    string
	fetcher *torchwood.TileFetcher
	client  *torchwood.Client
	key     string
}

func newAuditor(t *testing.T, base string) *auditor {
	t.Helper()
	fetcher, err := torchwood.NewTileFetcher(base+"/log/", torchwood.WithConcurrencyLimit(4))
	if err != nil {
		t.Fatal(err)
	}
	a := &auditor{t: t, base: base, fetcher: fetcher}
	if a.client, err = torchwood.NewClient(fetcher); err != nil {
		t.Fatal(err)
	}
	a.key = strings.TrimSpace(string(a.endpoint("key")))
	return a
}

// endpoint is fetched until it is there: a service that has just begun has no checkpoint.
func (a *auditor) endpoint(path string) []byte {
	a.t.Helper()
	ctx, cancel := context.WithTimeout(a.t.Context(), verdictLimit)
	defer cancel()
	got, err := a.fetcher.ReadEndpoint(ctx, path)
	if err != nil {
		a.t.Fatal(err)
	}
	return got
}

// tree verifies the checkpoint that is published now.
func (a *auditor) tree() (tlog.Tree, error) {
	verifier, err := note.NewVerifier(a.key)
	if err != nil {
		return tlog.Tree{}, err
	}
	signed, err := note.Open(a.endpoint("checkpoint"), note.VerifierList(verifier))
	if err != nil {
		return tlog.Tree{}, err
	}
	c, err := torchwood.ParseCheckpoint(signed.Text)
	if err == nil && c.Origin != verifier.Name() {
		err = fmt.Errorf("the origin is %s, the key's name %s", c.Origin, verifier.Name())
	}
	return c.Tree, err
}

// reach awaits a checkpoint of at least so many leaves.
func (a *auditor) reach(size int64) (t tlog.Tree) {
	a.t.Helper()
	eventually(a.t, verdictLimit, fmt.Sprintf("a checkpoint of %d leaves", size), func() (string, bool) {
		var err error
		if t, err = a.tree(); err != nil {
			a.t.Fatal(err)
		}
		return fmt.Sprint(t.N), t.N >= size
	})
	return t
}

// reads fetches every entry of a tree, each of which torchwood holds against the tree, and proves some of them.
func (a *auditor) reads(tree tlog.Tree) (entries [][]byte) {
	a.t.Helper()
	for int64(len(entries)) < tree.N {
		before := len(entries)
		for _, e := range a.client.Entries(a.t.Context(), tree, int64(len(entries))) {
			entries = append(entries, append([]byte{}, e...))
		}
		if err := a.client.Err(); err != nil || len(entries) == before {
			a.t.Fatalf("entries from %d of %d: %v", before, tree.N, err)
		}
	}
	for _, i := range []int64{0, tree.N / 2, tree.N - 1} {
		entry, proof, err := a.client.Entry(a.t.Context(), tree, i)
		if err == nil {
			err = tlog.CheckRecord(proof, tree.N, tree.Hash, i, tlog.RecordHash(entry))
		}
		if err != nil {
			a.t.Errorf("entry %d is not proved: %v", i, err)
		}
	}
	return entries
}

// goesOn verifies that one tree continues another.
func (a *auditor) goesOn(old, tree tlog.Tree) {
	a.t.Helper()
	proof, err := tlog.ProveTree(tree.N, old.N, torchwood.TileHashReaderWithContext(a.t.Context(), tree, a.fetcher))
	if err == nil {
		err = tlog.CheckTree(proof, tree.N, tree.Hash, old.N, old.Hash)
	}
	if err != nil {
		a.t.Errorf("size %d does not go on from size %d: %v", tree.N, old.N, err)
	}
}

// Somebody with published tools alone verifies what a running service publishes: every entry is in the tree, and
// each tree continues the ones before, across a SIGKILL, a change of the key and tables that were lost.
func TestStrangersVerifyTheTransparencyLog(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	flags := []string{"--checkpoint-every", "300ms", "--rate-limit-second", "0", "--rate-limit-minute", "0"}
	p := serve(t, dir, flags...)
	c := issuing(t, p, dir, 71)
	for i := range 60 {
		c.issue(t, body("FCA", 1, fmt.Sprint("leaf-", i)))
	}
	a := newAuditor(t, p.base)
	first := a.reach(256)
	entries := a.reads(first)
	for _, e := range entries {
		if len(e) != tlog.HashSize {
			t.Fatalf("an entry has %d bytes: it must be a commitment and nothing else", len(e))
		}
	}
	p.kill()

	p = serve(t, dir, flags...)
	c.base = p.base
	c.issue(t, body("FCA", 1, "after the death"))
	a2 := newAuditor(t, p.base)
	if a2.key != a.key {
		t.Errorf("another key signs after the death: %s", a2.key)
	}
	second := a2.reach(first.N + 1)
	a2.goesOn(first, second)
	if out := succeed(t, "notary", "rotate", "--data", dir, "--reason", "a test"); !strings.Contains(out, a.key) {
		t.Errorf("the rotation does not name the old key:\n%s", out)
	}
	eventually(t, verdictLimit, "another key", func() (string, bool) {
		a2.key = strings.TrimSpace(string(a2.endpoint("key")))
		return a2.key, a2.key != a.key
	})
	if n, err := a.statement(string(a2.endpoint("rotations"))); err != nil || !strings.Contains(n, a2.key) {
		t.Errorf("the old key does not vouch for the new one: %q, %v", n, err)
	}
	third := a2.reach(second.N + 1)
	a2.goesOn(second, third)
	a2.goesOn(first, third)
	kept := filepath.Join(t.TempDir(), "kept")
	if err := os.WriteFile(kept, a2.endpoint("checkpoint"), 0o600); err != nil {
		t.Fatal(err)
	}
	succeed(t, "verify", "--data", dir, "--no-models", "--checkpoint", kept, "--key", a.key)

	succeed(t, "projections", "rebuild", "notary", "--wait", "--data", dir)
	fourth := a2.reach(third.N)
	a2.goesOn(third, fourth)
	for i, e := range a2.reads(fourth)[:len(entries)] {
		if string(e) != string(entries[i]) {
			t.Errorf("entry %d is another one since", i)
		}
	}
	p.stop(t)
}

// statement opens a note that is signed with the auditor's key.
func (a *auditor) statement(signed string) (string, error) {
	verifier, err := note.NewVerifier(a.key)
	if err != nil {
		return "", err
	}
	n, err := note.Open([]byte(signed), note.VerifierList(verifier))
	if err != nil {
		return "", err
	}
	return n.Text, nil
}

// The operator says who may read the log.
func TestWhoMayReadTheTransparencyLog(t *testing.T) {
	for access, want := range map[string]struct{ stranger, account, here int }{
		"public":   {http.StatusOK, http.StatusOK, http.StatusOK},
		"accounts": {http.StatusUnauthorized, http.StatusOK, http.StatusUnauthorized},
		"operator": {http.StatusNotFound, http.StatusNotFound, http.StatusOK},
		"off":      {http.StatusNotFound, http.StatusNotFound, http.StatusNotFound},
	} {
		t.Run(access, func(t *testing.T) {
			t.Parallel()
			p := serve(t, t.TempDir(), "--transparency", access)
			here := client{base: p.base}
			stranger := here.with("X-Forwarded-For", "203.0.113.7")
			account := login(t, p.base, email, password).with("X-Forwarded-For", "203.0.113.7")
			for _, as := range []struct {
				name   string
				client client
				want   int
			}{{"somebody here", here, want.here}, {"a stranger", stranger, want.stranger},
				{"an account", account, want.account}} {
				eventually(t, 20*time.Second, as.name, func() (string, bool) {
					got, err := as.client.once(http.MethodGet, "/log/checkpoint", nil)
					return fmt.Sprint(got.status, err), got.status == as.want
				})
				if as.want != http.StatusOK {
					continue
				}
				// A cache between would hand out what it may keep for all, to strangers too.
				got, err := as.client.once(http.MethodGet, "/log/tile/entries/000.p/1", nil)
				caching := got.header.Get("Cache-Control")
				if err != nil || strings.HasPrefix(caching, "public") != (access == "public") ||
					strings.Contains(caching, "immutable") {
					t.Errorf("%s: a tile may be kept by %q: %v", as.name, caching, err)
				}
			}
			p.stop(t)
		})
	}
}
