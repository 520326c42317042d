package sqlite_test

import (
	"context"
	"io"
	"testing"

	"folio/sqlfile/sqlfiletest"
	"folio/vault/sqlite"
)

func TestAVaultIsMadeByManyAtOnce(t *testing.T) {
	sqlfiletest.MadeByManyAtOnce(t, func(ctx context.Context, path string) (io.Closer, error) {
		return sqlite.OpenBackend(ctx, path)
	})
}
