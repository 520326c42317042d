package main

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"golang.org/x/sys/unix"
)

// What a killed export left is removed; what another one is writing, and what only looks alike, stays.
func TestWhatAKilledExportLeftIsSwept(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	for _, name := range []string{"a.zip.12345.folio-part", "a.zip.777.folio-part", "a.zip.mine.folio-part",
		"b.zip.12345.folio-part", "a.zip.1", "a.zip.001.part"} {
		if err := os.WriteFile(at(name), []byte("half"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	// None of these is a file of ours: to open the second would wait for whoever writes into it.
	if err := errors.Join(os.Mkdir(at("a.zip.1.folio-part"), 0o700), unix.Mkfifo(at("a.zip.2.folio-part"), 0o600),
		os.Symlink("a.zip.1", at("a.zip.3.folio-part"))); err != nil {
		t.Fatal(err)
	}
	written, err := os.Open(at("a.zip.777.folio-part"))
	if err != nil {
		t.Fatal(err)
	}
	defer written.Close()
	if err := lockPart(written); err != nil {
		t.Fatal(err)
	}
	if err := sweepParts(at("a.zip")); err != nil {
		t.Fatal(err)
	}
	left, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, n := range left {
		names = append(names, n.Name())
	}
	if want := []string{"a.zip.001.part", "a.zip.1", "a.zip.1.folio-part", "a.zip.2.folio-part", "a.zip.3.folio-part",
		"a.zip.777.folio-part", "a.zip.mine.folio-part", "b.zip.12345.folio-part"}; !slices.Equal(names, want) {
		t.Errorf("left are %v, want %v", names, want)
	}
}
