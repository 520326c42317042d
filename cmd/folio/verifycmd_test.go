package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	notes "golang.org/x/mod/sumdb/note"

	"folio/transparency"
)

// What /log/key gave is kept in a file as a rule: it is taken as it is.
func TestTheKeyOfAKeptCheckpointMayBeInAFile(t *testing.T) {
	signer, key, err := transparency.DrawKey("folio.example/log/L")
	if err != nil {
		t.Fatal(err)
	}
	by, err := notes.NewSigner(signer)
	if err != nil {
		t.Fatal(err)
	}
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
	_, another, err := transparency.DrawKey("folio.example/log/L")
	if err != nil {
		t.Fatal(err)
	}
	c := verifyCmd{Checkpoint: []string{checkpoint}, Key: []string{another}}
	if _, err := c.held(); err == nil || !strings.Contains(err.Error(), "another --key") {
		t.Errorf("with the key from before a rotation: %v", err)
	}
}
