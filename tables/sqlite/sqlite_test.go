package sqlite_test

import (
	"path/filepath"
	"testing"

	"folio/tables"
	"folio/tables/sqlite"
	"folio/tables/tabletest"
)

func open(t *testing.T) tables.Store {
	t.Helper()
	s, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "tables.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

func TestSuite(t *testing.T) { tabletest.Run(t, open) }
