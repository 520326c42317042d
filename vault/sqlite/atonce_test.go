package sqlite_test

import (
	"path/filepath"
	"sync"
	"testing"

	"folio/vault/sqlite"
)

// Each opener makes the new file a WAL file, for which SQLite waits for nobody.
func TestAVaultIsMadeByManyAtOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "vault.db")
	var all sync.WaitGroup
	for range 16 {
		all.Go(func() {
			b, err := sqlite.OpenBackend(t.Context(), path)
			if err != nil {
				t.Error(err)
				return
			}
			if err := b.Close(); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
}
