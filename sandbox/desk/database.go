package desk

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	_ "modernc.org/sqlite" // the driver "sqlite"

	"folio/sqlfile"
)

// Database is an authority's memory. A commit is on the disk when it returns.
type Database struct{ *sql.DB }

// Within runs f in one transaction, which is committed when f succeeds: nothing else looks
// or writes meanwhile.
func (db Database) Within(ctx context.Context, f func(*sql.Tx) error) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	if err := f(tx); err != nil {
		return errors.Join(err, tx.Rollback())
	}
	return tx.Commit()
}

// patience is how long a database waits for another process that keeps its file.
const patience = 30 * time.Second

// OpenDatabase opens the SQLite database of a sandbox in a folder, or makes both, readable
// by their owner alone, and prepares its tables.
//
// It has one connection, since SQLite has one writer: whoever must wait waits for the
// connection, in turn, as long as its context lasts, and not in SQLite, which only tries
// again after a while. Whoever holds a transaction or rows must not ask for another.
func OpenDatabase(ctx context.Context, dir, name, tables string) (Database, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return Database{}, err
	}
	path := filepath.Join(dir, name)
	uri, err := sqlfile.Make(path)
	if err != nil {
		return Database{}, err
	}
	db, err := sql.Open("sqlite", fmt.Sprintf("%s?_txlock=immediate&_pragma=busy_timeout(%d)"+
		"&_pragma=journal_mode(WAL)&_pragma=synchronous(FULL)", uri, patience.Milliseconds()))
	if err != nil {
		return Database{}, err
	}
	db.SetMaxOpenConns(1)
	err = sqlfile.Patiently(ctx, patience, func() error {
		_, err := db.ExecContext(ctx, tables)
		return err
	})
	if err != nil {
		return Database{}, errors.Join(fmt.Errorf("prepare %s: %w", path, err), db.Close())
	}
	return Database{db}, nil
}

// Querier is a database or a transaction.
type Querier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
}

// Found tells what a row's Scan said: that there is none is no error.
func Found(scanned error) (bool, error) {
	if errors.Is(scanned, sql.ErrNoRows) {
		return false, nil
	}
	return scanned == nil, scanned
}

// Bodies are what the rows of a query hold: each is one column of JSON, and what more takes
// from the columns behind it.
func Bodies[T any](ctx context.Context, q Querier, more func(*T) []any, query string,
	args ...any) (out []T, err error) {
	rows, err := q.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var one T
		var body []byte
		into := []any{&body}
		if more != nil {
			into = append(into, more(&one)...)
		}
		if err := rows.Scan(into...); err != nil {
			return nil, err
		}
		if err := json.Unmarshal(body, &one); err != nil {
			return nil, err
		}
		out = append(out, one)
	}
	return out, rows.Err()
}
