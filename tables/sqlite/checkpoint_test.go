package sqlite

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"testing"

	"folio/events"
	"folio/tables"
)

// Without anybody who moves pages, SQLite's log of these writes would have more than
// 100 MB, and 80 before a commit had to do it. On a loaded machine a commit may be quicker now and then.
func TestTheLogOfTheTablesIsMovedBesideTheWriter(t *testing.T) {
	least := int64(math.MaxInt64)
	for range 5 {
		if least = min(least, logAfterWrites(t)); least <= 64<<20 {
			return
		}
	}
	t.Errorf("SQLite's log has %d bytes", least)
}

// logAfterWrites is the size of SQLite's log after 120 MB of writes.
func logAfterWrites(t *testing.T) int64 {
	t.Helper()
	path := filepath.Join(t.TempDir(), "tables.db")
	s, err := Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	body := bytes.Repeat([]byte("x"), 2000)
	for n := range uint64(600) {
		items := make([]tables.Item, 100)
		for i := range items {
			items[i] = tables.Item{Key: fmt.Sprint(n, "-", i), At: events.Position{Commit: n + 1, Prepare: n + 1}, Body: body}
		}
		if err := s.Worklist("w").Put(t.Context(), items...); err != nil {
			t.Fatal(err)
		}
	}
	info, err := os.Stat(path + "-wal")
	if err != nil {
		t.Fatal(err)
	}
	return info.Size()
}

func TestAStoreMayBeClosedTwice(t *testing.T) {
	s, err := Open(t.Context(), filepath.Join(t.TempDir(), "tables.db"))
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
}
