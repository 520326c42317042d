package verify_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"golang.org/x/mod/sumdb/note"

	"folio/events"
	"folio/eventstore"
	"folio/tables"
	"folio/transparency"
	"folio/vault"
	"folio/verify"
)

// published is a log of 297 leaves with another key and a checkpoint, whose tree is in the tables as a notary keeps it.
func published(t *testing.T) *world {
	t.Helper()
	first, begunWith, err := transparency.DrawKey("folio/log/L")
	if err != nil {
		t.Fatal(err)
	}
	signer, key, err := transparency.DrawKey("folio/log/L")
	if err != nil {
		t.Fatal(err)
	}
	rotated := events.NotaryKeyRotated{Tree: "L", Key: key, Reason: "yearly"}
	by, err := note.NewSigner(first)
	if err != nil {
		t.Fatal(err)
	}
	statement, err := note.Sign(&note.Note{Text: transparency.Rotation("L", begunWith, key)}, by)
	if err != nil {
		t.Fatal(err)
	}
	rotated.Statement = string(statement)
	w := newWorld(t, func(yield func(fact) bool) {
		for f := range many(294) {
			if begun, ok := f.event.(events.TreeBegun); ok {
				begun.Key = begunWith
				f.event = begun
			}
			if !yield(f) {
				return
			}
		}
		_ = yield(fact{"transparency-L", rotated}) && yield(fact{"transparency-L", events.CheckpointRecorded{Tree: "L"}})
	})
	if err := transparency.SealKey(t.Context(), w.vault, key, signer); err != nil {
		t.Fatal(err)
	}
	salts, err := transparency.ReadSalts(t.Context(), w.vault)
	if err != nil {
		t.Fatal(err)
	}
	store, err := transparency.OpenStore(t.Context(), w.tables)
	if err != nil {
		t.Fatal(err)
	}
	b, head := transparency.NewBuilder("L"), transparency.Head{Rotations: []events.NotaryKeyRotated{rotated}}
	for e, err := range w.log.All(t.Context(), events.Position{}, eventstore.Filter{}) {
		if err != nil {
			t.Fatal(err)
		}
		if e, err = events.Open(e); err != nil {
			t.Fatal(err)
		}
		if c, ok := e.Event.(events.CheckpointRecorded); ok {
			head.TreeHead = events.TreeHead{Tree: "L", Origin: "folio/log/L", Key: key, Size: c.Size, Root: c.Root}
		}
		if err := b.Add(salts.Entry(e), e.Position); err != nil {
			t.Fatal(err)
		}
	}
	writes, _, err := store.Writes(b, 0)
	if err == nil {
		err = w.tables.Apply(t.Context(), tables.Batch{Writes: []tables.Write{writes}})
	}
	if err == nil {
		head.Note, err = transparency.SignHead(t.Context(), w.vault, head.TreeHead)
	}
	if err == nil {
		err = transparency.Mark{Size: head.Size, Root: head.Root}.Keep(t.Context(), w.vault, "L")
	}
	if err == nil {
		err = store.Publish(t.Context(), head, events.Position{Commit: 1})
	}
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// rewrite changes the body of a document in the tables, as somebody does who has their file.
func (w *world) rewrite(id string, change func(body string) string) {
	w.t.Helper()
	const table = "transparency_v1"
	d, err := w.tables.Get(w.t.Context(), table, id)
	if err != nil {
		w.t.Fatal(err)
	}
	body := change(string(d.Body))
	if body == string(d.Body) {
		w.t.Fatalf("nothing was changed of %s: %.200s", id, body)
	}
	d.Body, d.At.Commit = []byte(body), d.At.Commit+1
	if err := w.tables.Apply(w.t.Context(), tables.Batch{Writes: []tables.Write{{Table: table,
		Documents: []tables.Document{d}}}}); err != nil {
		w.t.Fatal(err)
	}
}

// behind changes the first letter behind a text.
func behind(text string) func(body string) string {
	return func(body string) string {
		at := strings.Index(body, text) + len(text)
		letter := "A"
		if body[at:at+1] == letter {
			letter = "B"
		}
		return body[:at] + letter + body[at+1:]
	}
}

// entryOf changes an entry in its middle.
func entryOf(n int) func(body string) string {
	return func(body string) string {
		begin := strings.Index(body, `"entries":"`) + len(`"entries":"`)
		at := begin + (n*32+16)*4/3
		return body[:at] + behind("")(body[at:])
	}
}

// behindDigit makes the published size a smaller one.
func behindDigit(body string) string { return strings.Replace(body, `"size":29`, `"size":28`, 1) }

// Tiles that cannot be read are told of: nothing was held against them.
func TestVerifyTellsOfTilesThatItDidNotCompare(t *testing.T) {
	w := published(t)
	deleted := tables.Write{Table: "transparency_v1", Deletes: []string{"L#state"}}
	if err := w.tables.Apply(t.Context(), tables.Batch{Writes: []tables.Write{deleted}}); err != nil {
		t.Fatal(err)
	}
	report, err := verify.Run(t.Context(), w.config())
	if err != nil || !slices.ContainsFunc(report.Notes,
		func(n string) bool { return strings.HasPrefix(n, "the tiles of the tree L") }) {
		t.Errorf("%v; it tells of %q", err, report.Notes)
	}
}

// Whoever has the disk may take from the vault what the log is held against: that it is gone says so.
func TestVerifyFindsWhatTheVaultLacks(t *testing.T) {
	for ref, want := range map[string]string{
		"transparency/salts":    "does not have the salts that the tree L was begun with",
		"transparency/signed/L": "the vault does not remember that one was signed",
	} {
		w := published(t)
		c := w.config()
		c.Secrets = without{c.Secrets, ref}
		_, err := verify.Run(t.Context(), c)
		if d := (*verify.Difference)(nil); !errors.As(err, &d) || !strings.Contains(err.Error(), want) {
			t.Errorf("without %s: %v", ref, err)
		}
	}
	w := published(t)
	if err := w.vault.Seal(t.Context(), "transparency/salts", []byte(strings.Repeat("x", 32))); err != nil {
		t.Fatal(err)
	}
	if _, err := verify.Run(t.Context(), w.config()); err == nil ||
		!strings.Contains(err.Error(), "the vault has other salts than the tree L was begun with") {
		t.Errorf("with other salts: %v", err)
	}
}

// Whoever has the disk may take a whole tree out of the log: that one was signed is in the vault, and says so.
func TestVerifyFindsALogWhoseTreeWasRemoved(t *testing.T) {
	w := newWorld(t, all(fact{"folio-store", events.StoreCreated{Store: "L"}}))
	report, err := verify.Run(t.Context(), w.config())
	if err != nil || !slices.ContainsFunc(report.Notes,
		func(n string) bool { return strings.HasPrefix(n, "no transparency log was ever kept") }) {
		t.Errorf("of a log that never had a tree: %v, it tells %q", err, report.Notes)
	}
	if err := (transparency.Mark{Size: 7, Root: "root"}).Keep(t.Context(), w.vault, "L"); err != nil {
		t.Fatal(err)
	}
	_, err = verify.Run(t.Context(), w.config())
	if d := (*verify.Difference)(nil); !errors.As(err, &d) ||
		!strings.HasPrefix(err.Error(), "a checkpoint of size 7 of the tree L was signed") {
		t.Errorf("of a log whose tree was removed: %v", err)
	}
}

// without is a vault that lacks a secret.
type without struct {
	verify.Secrets
	ref string
}

func (w without) Open(ctx context.Context, ref string) ([]byte, error) {
	if ref == w.ref {
		return nil, vault.ErrNotFound
	}
	return w.Secrets.Open(ctx, ref)
}

// What is published of the tree is held against the log, each part of it.
func TestVerifyFindsWhatIsForgedOfThePublishedTree(t *testing.T) {
	for name, c := range map[string]struct {
		forge func(w *world)
		what  string // "" when nothing is wrong
	}{
		"nobody touched it": {func(*world) {}, ""},
		"the first leaf": {func(w *world) { w.rewrite("L#0/0", behind(`"entries":"`)) },
			"transparency-L, revision 0, position C:100/P:100: it is published as leaf 0"},
		"an entry that a signed checkpoint covers": {func(w *world) {
			w.rewrite("L#0/0", entryOf(10))
		}, "otherwise than the signed checkpoint"},
		"an entry that none covers": {func(w *world) { w.rewrite("L#0/1", entryOf(40)) },
			"it is not the event that was published as leaf 296"},
		"a tile of entries that is no tile": {func(w *world) {
			w.rewrite("L#0/0", func(body string) string { return body[:40] })
		}, "its entry as leaf 0 of the tree L cannot be read: tile 0 of level 0"},
		"a tile of hashes that is no tile": {func(w *world) {
			w.rewrite("L#1/0", func(body string) string { return body[:14] })
		}, "folio projections rebuild notary"},
		"a checkpoint that is none": {func(w *world) {
			w.rewrite("head", func(body string) string { return body[:40] })
		}, "what is published of the tree L cannot be read"},
		"the place of a leaf": {func(w *world) {
			w.rewrite("L#0/0", func(body string) string { return strings.Replace(body, "300,300", "300,301", 1) })
		}, "with the place C:300/P:301"},
		"a tile above the leaves": {func(w *world) { w.rewrite("L#1/0", behind(`"hashes":"`)) }, "tile 0 of level 1"},
		"the edge": {func(w *world) { w.rewrite("L#state", behind(`"edge":["`)) },
			"are gone on from, at size 297, are not what their entries make"},
		"the signature": {func(w *world) {
			w.rewrite("head", func(body string) string {
				return strings.Replace(body, "\u2014 folio/log/L ", "\u2014 folio/log/L A", 1)
			})
		}, "is not signed by its key"},
		"the rotation of the key": {func(w *world) {
			w.rewrite("head", func(body string) string {
				return strings.Replace(body, `"reason":"yearly"`, `"reason":"stolen"`, 1)
			})
		}, "rotation of the key that is published is another one"},
		"no rotation of the key": {func(w *world) {
			w.rewrite("head", func(body string) string { return strings.Replace(body, `"rotations":`, `"forgotten":`, 1) })
		}, "names a key"},
		"the key":  {func(w *world) { w.rewrite("head", behind(`"key":"folio/log/L+`)) }, "names a key"},
		"the size": {func(w *world) { w.rewrite("head", behindDigit) }, "is not the checkpoint that is published"},
		"the note of another tree": {func(w *world) {
			w.rewrite("head", func(body string) string { return strings.Replace(body, `"note":"folio`, `"note":"Folio`, 1) })
		}, "is not signed by its key"},
	} {
		t.Run(name, func(t *testing.T) {
			w := published(t)
			c.forge(w)
			_, err := verify.Run(t.Context(), w.config())
			var d *verify.Difference
			switch {
			case c.what == "" && err != nil:
				t.Fatal(err)
			case c.what != "" && (!errors.As(err, &d) || !strings.Contains(err.Error(), c.what)):
				t.Errorf("found: %v; want %q", err, c.what)
			}
		})
	}
}
