package sqlite_test

import (
	"context"
	"io"
	"testing"

	"folio/sqlfile/sqlfiletest"
	"folio/tables/sqlite"
)

func TestTablesAreMadeByManyAtOnce(t *testing.T) {
	sqlfiletest.MadeByManyAtOnce(t, func(ctx context.Context, path string) (io.Closer, error) {
		return sqlite.Open(ctx, path)
	})
}
