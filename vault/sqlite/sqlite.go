// Package sqlite keeps a vault in an SQLite file of its own.
//
// It runs with synchronous=FULL: a vault cannot be rebuilt from the log, and a signed
// document must be on disk before the event that speaks of it.
package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	_ "modernc.org/sqlite" // registers the driver

	"folio/sqlfile"
	"folio/vault"
)

// Open opens or makes the vault in the file at path, with the master key in another
// file: see vault.New. The folder must exist; the file is readable by its owner only.
func Open(ctx context.Context, path, masterKey string) (*vault.Sealed, error) {
	b, err := OpenBackend(ctx, path)
	if err != nil {
		return nil, err
	}
	v, err := vault.New(ctx, b, masterKey)
	if err != nil {
		return nil, errors.Join(err, b.Close())
	}
	return v, nil
}

// Backend is a vault.Backend in a file.
type Backend struct {
	write *sqlfile.Writer
	read  *sql.DB
}

var _ vault.Backend = (*Backend)(nil)

// OpenBackend opens the file without the keys.
func OpenBackend(ctx context.Context, path string) (*Backend, error) {
	uri, err := sqlfile.Make(path)
	if err != nil {
		return nil, fmt.Errorf("open vault: %w", err)
	}
	const pragmas = "&_pragma=journal_mode(wal)&_pragma=synchronous(full)&_pragma=secure_delete(on)&_pragma=cache_size(-2000)"
	write, err := sql.Open("sqlite", uri+"?"+sqlfile.Writers+pragmas)
	if err != nil {
		return nil, fmt.Errorf("open vault: %w", err)
	}
	read, err := sql.Open("sqlite", uri+"?"+sqlfile.Readers+pragmas+"&_pragma=query_only(1)")
	if err != nil {
		return nil, errors.Join(fmt.Errorf("open vault: %w", err), write.Close())
	}
	read.SetMaxOpenConns(4)
	b := &Backend{sqlfile.NewWriter(write), read}
	if err := b.prepare(ctx); err != nil {
		return nil, errors.Join(fmt.Errorf("open vault in %s: %w", path, err), b.Close())
	}
	return b, nil
}

// prepare makes the table. It writes nothing to a file that has one, so that a start does
// not wait for whoever writes just then.
func (b *Backend) prepare(ctx context.Context) error {
	made := false
	err := sqlfile.Patiently(ctx, sqlfile.Patience, func() error {
		return b.read.QueryRowContext(ctx, "SELECT EXISTS (SELECT 1 FROM sqlite_schema WHERE name = 'sealed')").Scan(&made)
	})
	if err == nil && !made {
		_, err = b.write.Exec(ctx, "CREATE TABLE IF NOT EXISTS sealed (id TEXT PRIMARY KEY, bytes BLOB NOT NULL)")
	}
	return sqlfile.Explain(err)
}

// Load implements vault.Backend.
func (b *Backend) Load(ctx context.Context, id string) (sealed []byte, err error) {
	err = b.read.QueryRowContext(ctx, "SELECT bytes FROM sealed WHERE id = ?", id).Scan(&sealed)
	if errors.Is(err, sql.ErrNoRows) {
		err = vault.ErrNotFound
	}
	return sealed, sqlfile.Explain(err)
}

// exec runs a statement and tells whether it changed anything.
func (b *Backend) exec(ctx context.Context, statement string, args ...any) (bool, error) {
	n, err := b.write.Exec(ctx, statement, args...)
	return n > 0, err
}

// Save implements vault.Backend.
func (b *Backend) Save(ctx context.Context, id string, sealed []byte) error {
	_, err := b.exec(ctx, "INSERT INTO sealed (id, bytes) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET bytes = "+
		"excluded.bytes", id, sealed)
	return err
}

// Insert implements vault.Backend.
func (b *Backend) Insert(ctx context.Context, id string, sealed []byte) (bool, error) {
	return b.exec(ctx, "INSERT INTO sealed (id, bytes) VALUES (?, ?) ON CONFLICT (id) DO NOTHING", id, sealed)
}

// Swap implements vault.Backend.
func (b *Backend) Swap(ctx context.Context, id string, old, sealed []byte) (bool, error) {
	return b.exec(ctx, "UPDATE sealed SET bytes = ? WHERE id = ? AND bytes = ?", sealed, id, old)
}

// Delete implements vault.Backend.
func (b *Backend) Delete(ctx context.Context, id string) error {
	_, err := b.exec(ctx, "DELETE FROM sealed WHERE id = ?", id)
	return err
}

// Erase implements vault.Backend. SQLite overwrites what it deletes, but only in the pages that it writes to its log:
// the file behind them, and what the log had before, keep it until the log is moved into the file and begins anew.
func (b *Backend) Erase(ctx context.Context) error { return b.write.Fold(ctx) }

// Empty implements vault.Backend.
func (b *Backend) Empty(ctx context.Context) (empty bool, err error) {
	err = b.read.QueryRowContext(ctx, "SELECT NOT EXISTS (SELECT 1 FROM sealed)").Scan(&empty)
	return empty, sqlfile.Explain(err)
}

// Close implements vault.Backend.
func (b *Backend) Close() error { return sqlfile.Close(b.read, b.write.DB) }
