package transparency_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"testing"

	"filippo.io/torchwood"
	"golang.org/x/mod/sumdb/tlog"

	"folio/events"
	"folio/tables"
	"folio/tables/sqlite"
	"folio/transparency"
)

// secrets is a vault in memory.
type secrets map[string][]byte

func (s secrets) Open(_ context.Context, ref string) ([]byte, error) { return s[ref], nil }

func (s secrets) SealFirst(_ context.Context, ref string, secret []byte) error {
	if s[ref] == nil {
		s[ref] = secret
	}
	return nil
}

func (s secrets) Seal(_ context.Context, ref string, secret []byte) error {
	s[ref] = secret
	return nil
}

// reference is the tree as golang.org/x/mod/sumdb/tlog keeps it, every hash of it.
type reference struct {
	hashes []tlog.Hash
	size   int64
}

func (r *reference) ReadHashes(indexes []int64) ([]tlog.Hash, error) {
	out := make([]tlog.Hash, len(indexes))
	for i, index := range indexes {
		out[i] = r.hashes[index]
	}
	return out, nil
}

func (r *reference) add(t testing.TB, entry []byte) {
	t.Helper()
	more, err := tlog.StoredHashes(r.size, entry, r)
	if err != nil {
		t.Fatal(err)
	}
	r.hashes, r.size = append(r.hashes, more...), r.size+1
}

func (r *reference) root(t testing.TB, size int64) tlog.Hash {
	t.Helper()
	h, err := tlog.TreeHash(size, r)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func place(i int64) events.Position {
	return events.Position{Commit: uint64(i) * 10, Prepare: uint64(i) * 10}
}

func entryOf(i int64) (e transparency.Entry) {
	copy(e[:], fmt.Sprintf("entry %d", i))
	return e
}

func openStore(t testing.TB) (*transparency.Store, tables.Store) {
	t.Helper()
	db, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "tables.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	s, err := transparency.OpenStore(t.Context(), db)
	if err != nil {
		t.Fatal(err)
	}
	return s, db
}

// A tree of 70,000 leaves has two full levels of tiles; it is kept in steps of any size and taken up again between
// them.
func TestTilesAreThoseOfTheReference(t *testing.T) {
	store, db := openStore(t)
	random := rand.New(rand.NewPCG(1, 2))
	ref, b := &reference{}, transparency.NewBuilder("T")
	var sizes []int64
	for b.Size() < 70_000 {
		for range 1 + random.Int64N(9000) {
			e := entryOf(b.Size())
			ref.add(t, e[:])
			if err := b.Add(e, place(b.Size())); err != nil {
				t.Fatal(err)
			}
		}
		w, kept, err := store.Writes(b, 7)
		if err != nil {
			t.Fatal(err)
		}
		if err := db.Apply(t.Context(), tables.Batch{Writes: []tables.Write{w}}); err != nil {
			t.Fatal(err)
		}
		kept()
		sizes = append(sizes, b.Size())
		root, err := b.Root()
		if err != nil || root != ref.root(t, b.Size()) {
			t.Fatalf("the root at %d is %s (%v), want %s", b.Size(), root, err, ref.root(t, b.Size()))
		}
		last, pending := b.Last(), 0
		if b, pending, err = store.Resume(t.Context(), "T"); err != nil || pending != 7 || b.Last() != last {
			t.Fatalf("taken up at %d with %d pending and the last leaf at %s: %v", b.Size(), pending, b.Last(), err)
		}
	}
	for _, old := range sizes {
		for _, tile := range tlog.NewTiles(torchwood.TileHeight, 0, old) {
			want, err := tlog.ReadTileData(tile, ref)
			if err != nil {
				t.Fatal(err)
			}
			got, err := store.Tile(t.Context(), "T", tile)
			if err != nil || string(got) != string(want) {
				t.Fatalf("%s differs: %v", torchwood.TilePath(tile), err)
			}
		}
		root, err := store.Root(t.Context(), "T", old)
		if err != nil || root != ref.root(t, old) {
			t.Errorf("the root at %d, read from the tiles, is %s (%v)", old, root, err)
		}
		proof, err := store.Consistency(t.Context(), "T", old, b.Size())
		if err == nil {
			err = tlog.CheckTree(proof, b.Size(), ref.root(t, b.Size()), old, ref.root(t, old))
		}
		if err != nil {
			t.Error(err)
		}
	}
	proofs(t, store, ref, b.Size())
}

// proofs finds events by their places and proves them in the published tree.
func proofs(t *testing.T, store *transparency.Store, ref *reference, size int64) {
	if _, err := store.Prover(t.Context()); !errors.Is(err, transparency.ErrNone) {
		t.Errorf("proved before anything was published: %v", err)
	}
	head := transparency.Head{TreeHead: events.TreeHead{Tree: "T", Size: size, Root: ref.root(t, size).String()}}
	if err := store.Publish(t.Context(), head, place(size)); err != nil {
		t.Fatal(err)
	}
	prover, err := store.Prover(t.Context())
	if err != nil || prover.Last != place(size-1) {
		t.Fatalf("the last leaf is at %s: %v", prover.Last, err)
	}
	for _, i := range []int64{0, 1, 255, 256, 65_535, 65_536, size - 1} {
		p, err := prover.Prove(t.Context(), place(i))
		if err == nil && (p.Index != i || p.Entry != entryOf(i)) {
			t.Errorf("leaf %d was found at %d", i, p.Index)
		}
		if err == nil {
			err = tlog.CheckRecord(p.Path, size, ref.root(t, size), i, p.Entry.Hash())
		}
		if err != nil {
			t.Errorf("leaf %d: %v", i, err)
		}
	}
	for _, at := range []events.Position{{Commit: 15, Prepare: 15}, place(size), place(size + 1000)} {
		if _, err := prover.Prove(t.Context(), at); !errors.Is(err, transparency.ErrNotIncluded) {
			t.Errorf("no leaf is at %s, but: %v", at, err)
		}
	}
}

// The salt hides the event, and every field of the event changes the entry.
func TestAnEntryCommitsToEveryField(t *testing.T) {
	salts, err := transparency.OpenSalts(t.Context(), secrets{})
	if err != nil {
		t.Fatal(err)
	}
	event := events.Recorded{Stream: "invoice-1", Revision: 1, Type: "InvoiceCreated",
		ID:  "0b8a1c1e-6a56-4d4e-9a51-6a5b2f0d9d12",
		Raw: []byte(`{"a":1}`), RawMeta: []byte(`{"schema":1}`)}
	seen := map[transparency.Entry]string{salts.Entry(event): "the event"}
	for name, change := range map[string]func(*events.Recorded){
		"stream":   func(r *events.Recorded) { r.Stream = "invoice-2" },
		"revision": func(r *events.Recorded) { r.Revision = 2 },
		"type":     func(r *events.Recorded) { r.Type = "InvoiceCreatex" },
		"id":       func(r *events.Recorded) { r.ID = "0b8a1c1e-6a56-4d4e-9a51-6a5b2f0d9d13" },
		"data":     func(r *events.Recorded) { r.Raw = []byte(`{"a":2}`) },
		"metadata": func(r *events.Recorded) { r.RawMeta = []byte(`{"schema":2}`) },
		"a byte that moves from data to metadata": func(r *events.Recorded) {
			r.Raw, r.RawMeta = []byte(`{"a":1`), []byte(`}{"schema":1}`)
		},
	} {
		other := event
		change(&other)
		// Under the salt of the event: what is compared is the commitment.
		e := salts.Of(event.Stream, event.Revision).Entry(other)
		if of, twice := seen[e]; twice {
			t.Errorf("%s changed and the entry did not: it is that of %s", name, of)
		}
		seen[e] = name
	}
	if salts.Of("a", 11) == salts.Of("1@a", 1) || salts.Of("invoice-1", 1) == salts.Of("invoice-1", 2) {
		t.Error("two events have one salt")
	}
	if again, err := transparency.OpenSalts(t.Context(), secrets{"transparency/salts": []byte("another")}); err != nil ||
		again.Fingerprint() == salts.Fingerprint() {
		t.Errorf("two keys have one fingerprint: %v", err)
	}
}

// The definition in docs/transparency.md, computed here without this package.
func TestTheExampleOfTheDefinition(t *testing.T) {
	var salt transparency.Salt
	for i := range salt {
		salt[i] = byte(i)
	}
	event := events.Recorded{Stream: "folio-store", Revision: 0, Type: "StoreCreated",
		ID:  "0b8a1c1e-6a56-4d4e-9a51-6a5b2f0d9d12",
		Raw: []byte(`{"store":"x"}`), RawMeta: []byte(`{"schema":1,"at":"2026-11-29T00:00:00Z"}`)}
	e := salt.Entry(event)
	got := fmt.Sprintf("%x %s", e, e.Hash())
	const want = exampleEntry
	if got != want {
		t.Errorf("entry and leaf are %s, the page says %s", got, want)
	}
}

// exampleEntry was computed with another program, from the page alone.
const exampleEntry = "41ad64eb7d251d92860e7eb3b143475484052fdd6ee690ece27c4187a2acdd39 " +
	"UsDK6XZtKyQ0zWHC84OA5rRem8jkMbXUFbpo9Tg/4h4="

func TestOnlyEventsOfFolioCount(t *testing.T) {
	ours := events.Recorded{Stream: "invoice-1", Type: "InvoiceCreated", Meta: events.Meta{Schema: 1}}
	unmarked, server, link := ours, ours, ours
	unmarked.Meta.Schema, server.Stream, link.Type = 0, "$projections", "$>"
	if !transparency.Counts(ours) || transparency.Counts(unmarked) || transparency.Counts(server) ||
		transparency.Counts(link) {
		t.Error("the wrong events are leaves")
	}
}

// Paths that name no tile of the published tree are not there, and what is not there yet is not told as "no".
func TestPathsOfTheLog(t *testing.T) {
	store, db := openStore(t)
	status := func(path string) int {
		w := httptest.NewRecorder()
		transparency.Handler(store, transparency.ForAll, func(w http.ResponseWriter, _ *http.Request, err error) {
			switch {
			case errors.Is(err, transparency.ErrNone):
				w.WriteHeader(http.StatusServiceUnavailable)
			case errors.Is(err, transparency.ErrUnknownPath):
				w.WriteHeader(http.StatusNotFound)
			default:
				w.WriteHeader(http.StatusInternalServerError)
			}
		}).ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, nil))
		return w.Code
	}
	if got := status("/checkpoint"); got != http.StatusServiceUnavailable {
		t.Errorf("a log without a checkpoint answers %d", got)
	}
	b := transparency.NewBuilder("T")
	for range 300 {
		if err := b.Add(entryOf(b.Size()), place(b.Size())); err != nil {
			t.Fatal(err)
		}
	}
	w, _, err := store.Writes(b, 0)
	if err != nil {
		t.Fatal(err)
	}
	if err := db.Apply(t.Context(), tables.Batch{Writes: []tables.Write{w}}); err != nil {
		t.Fatal(err)
	}
	if err := store.Publish(t.Context(), transparency.Head{TreeHead: events.TreeHead{Tree: "T", Size: 290}},
		place(290)); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]int{
		"/checkpoint": 200, "/key": 200, "/rotations": 200,
		"/tile/0/000": 200, "/tile/0/001.p/34": 200, "/tile/0/001.p/33": 200, "/tile/entries/000": 200,
		"/tile/entries/001.p/34": 200, "/tile/1/000.p/1": 200,
		"/tile/0/001.p/35": 404, "/tile/0/001": 404, "/tile/0/002.p/1": 404, "/tile/1/000.p/2": 404, "/tile/2/000.p/1": 404,
		"/tile/0/x001/000":  404,
		"/tile/0/000.p/256": 404, "/tile/0/0": 404, "/tile/64/000": 404, "/tile/entries/001": 404, "/": 404, "/tile": 404,
		"/../checkpoint": 404,
	} {
		if got := status(path); got != want {
			t.Errorf("%s answers %d, want %d", path, got, want)
		}
	}
}

// A key that nobody could read what it signs by would be the tree's for good.
func TestNoKeyIsDrawnForANameThatIsNone(t *testing.T) {
	for _, origin := range []string{"", "a b", "a+b", "a\n", "a\u00a0b", "\xff"} {
		if _, _, err := transparency.DrawKey(origin); err == nil {
			t.Errorf("%q is taken", origin)
		}
	}
	signer, verifier, err := transparency.DrawKey("folio.example.com/log/1")
	if err != nil || signer == "" || verifier == "" {
		t.Error(err)
	}
}
