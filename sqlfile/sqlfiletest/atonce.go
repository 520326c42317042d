// Package sqlfiletest has what every store in an SQLite file must pass.
package sqlfiletest

import (
	"context"
	"io"
	"path/filepath"
	"sync"
	"testing"
)

// MadeByManyAtOnce opens a store that is not there yet sixteen times at once. Each opener makes the new file a WAL
// file, for which SQLite waits for nobody.
func MadeByManyAtOnce(t *testing.T, open func(ctx context.Context, path string) (io.Closer, error)) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "store.db")
	var all sync.WaitGroup
	for range 16 {
		all.Go(func() {
			s, err := open(t.Context(), path)
			if err == nil {
				err = s.Close()
			}
			if err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
}
