package desk

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	_ "modernc.org/sqlite" // the driver "sqlite"
)

// OpenDatabase opens the SQLite database of a sandbox in a folder, or makes both, readable
// by their owner alone, and prepares its tables. A commit is on the disk when it returns.
//
// It has one connection, since SQLite has one writer: whoever must wait waits for the
// connection, in turn, as long as its context lasts, and not in SQLite, which only tries
// again after a while. Whoever holds a transaction or rows must not ask for another.
func OpenDatabase(ctx context.Context, dir, name, tables string) (*sql.DB, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	path := filepath.Join(dir, name)
	file, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600) // SQLite would make it readable by others
	if err != nil {
		return nil, err
	}
	if err := file.Close(); err != nil {
		return nil, err
	}
	db, err := sql.Open("sqlite", "file:"+path+"?_txlock=immediate&_pragma=busy_timeout(10000)&_pragma=journal_mode(WAL)&_pragma=synchronous(FULL)")
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1)
	if _, err := db.ExecContext(ctx, tables); err != nil {
		return nil, errors.Join(fmt.Errorf("prepare %s: %w", path, err), db.Close())
	}
	return db, nil
}
