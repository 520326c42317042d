package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	notes "golang.org/x/mod/sumdb/note"

	"folio/events"
	"folio/transparency"
)

// drawn is a key of the log that these tests verify, with what signs by it.
func drawn(t *testing.T) (notes.Signer, string) {
	t.Helper()
	signer, key, err := transparency.DrawKey("folio.example/log/L")
	if err != nil {
		t.Fatal(err)
	}
	by, err := notes.NewSigner(signer)
	if err != nil {
		t.Fatal(err)
	}
	return by, key
}

// What /log/key gave is kept in a file as a rule: it is taken as it is.
func TestTheKeyOfAKeptCheckpointMayBeInAFile(t *testing.T) {
	by, key := drawn(t)
	text, err := notes.Sign(&notes.Note{
		Text: "folio.example/log/L\n7\n47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=\n"}, by)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	checkpoint, file := filepath.Join(dir, "kept"), filepath.Join(dir, "key")
	for name, content := range map[string][]byte{checkpoint: text, file: []byte(key + "\n")} {
		if err := os.WriteFile(name, content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, given := range []string{key, file} {
		c := verifyCmd{Checkpoint: []string{checkpoint}, Key: []string{given}}
		if held, err := c.held(); err != nil || len(held) != 1 || held[0].N != 7 {
			t.Errorf("with %q: %+v, %v", given, held, err)
		}
	}
	_, another := drawn(t)
	c := verifyCmd{Checkpoint: []string{checkpoint}, Key: []string{another}}
	if _, err := c.held(); err == nil || !strings.Contains(err.Error(), "another --key") {
		t.Errorf("with the key from before a rotation: %v", err)
	}
}

// Who keeps one key verifies checkpoints that were signed after a rotation: the key vouches for the next one.
func TestAKeyVouchesForThoseThatItHandedOverTo(t *testing.T) {
	var signers []notes.Signer
	var keys []string
	for range 4 {
		by, key := drawn(t)
		signers, keys = append(signers, by), append(keys, key)
	}
	handsOver := func(from, to, signed int) events.NotaryKeyRotated {
		statement, err := notes.Sign(&notes.Note{Text: transparency.Rotation("L", keys[from], keys[to])}, signers[signed])
		if err != nil {
			t.Fatal(err)
		}
		return events.NotaryKeyRotated{Tree: "L", Key: keys[to], Statement: string(statement)}
	}
	checkpoint := filepath.Join(t.TempDir(), "kept")
	for signed, vouched := range []bool{true, true, true, false} {
		text, err := notes.Sign(&notes.Note{
			Text: "folio.example/log/L\n7\n47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=\n"}, signers[signed])
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(checkpoint, text, 0o600); err != nil {
			t.Fatal(err)
		}
		c := verifyCmd{Checkpoint: []string{checkpoint}, Key: keys[:1]}
		_, err = c.held(handsOver(0, 1, 0), handsOver(1, 2, 1), handsOver(0, 3, 3)) // the last says so itself
		if (err == nil) != vouched {
			t.Errorf("signed by key %d: %v", signed, err)
		}
		c.Key = append(keys[:2:2], keys[0]) // who gives one that is vouched for, or one twice, has them all the same
		if _, err = c.held(handsOver(0, 1, 0), handsOver(0, 1, 0), handsOver(1, 2, 1)); (err == nil) != vouched {
			t.Errorf("signed by key %d, and more keys than one are given: %v", signed, err)
		}
	}
}
