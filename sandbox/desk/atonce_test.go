package desk

import (
	"context"
	"io"
	"path/filepath"
	"testing"

	"folio/sqlfile/sqlfiletest"
)

func TestADatabaseIsMadeByManyAtOnce(t *testing.T) {
	sqlfiletest.MadeByManyAtOnce(t, func(ctx context.Context, path string) (io.Closer, error) {
		return OpenDatabase(ctx, filepath.Dir(path), filepath.Base(path), "CREATE TABLE IF NOT EXISTS line (name TEXT)")
	})
}
