package main

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// What a killed export left is removed; what another one is writing, and what only looks alike, stays.
func TestWhatAKilledExportLeftIsSwept(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"a.zip.12345.part", "a.zip.777.part", "a.zip.mine.part", "b.zip.12345.part", "a.zip.1"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("half"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	written, err := os.Open(filepath.Join(dir, "a.zip.777.part"))
	if err != nil {
		t.Fatal(err)
	}
	defer written.Close()
	if err := lockPart(written); err != nil {
		t.Fatal(err)
	}
	if err := sweepParts(filepath.Join(dir, "a.zip")); err != nil {
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
	if want := []string{"a.zip.1", "a.zip.777.part", "a.zip.mine.part", "b.zip.12345.part"}; !slices.Equal(names, want) {
		t.Errorf("left are %v, want %v", names, want)
	}
}
