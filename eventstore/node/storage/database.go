package storage

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"net/url"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

const (
	applicationID = 0x464f4c4e // "FOLN"
	schemaVersion = 1
)

// schema: positions are row ids, so reading $all is one walk over one tree; every other tree costs each
// commit a page. ids holds the event ids of
// those streams alone that were appended to without an exact expectation (see decide.go).
const schema = `
CREATE TABLE IF NOT EXISTS events (pos INTEGER PRIMARY KEY, stream INTEGER NOT NULL,
	rev INTEGER NOT NULL, rec BLOB NOT NULL) STRICT;
CREATE UNIQUE INDEX IF NOT EXISTS events_by_stream ON events (stream, rev);
CREATE TABLE IF NOT EXISTS streams (name TEXT PRIMARY KEY, num INTEGER NOT NULL,
	keeps_ids INTEGER NOT NULL DEFAULT 0) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS ids (stream INTEGER NOT NULL, id BLOB NOT NULL, rev INTEGER NOT NULL,
	PRIMARY KEY (stream, id, rev)) STRICT, WITHOUT ROWID;
`

// database is one SQLite connection with its prepared statements, for one goroutine at a time. It uses
// the driver without database/sql: the pool and the reflection there cost more than the queries.
type database struct {
	conn  driver.Conn
	stmts map[string]driver.Stmt
}

func openDatabase(file string, pragmas ...string) (*database, error) {
	query := url.Values{"_pragma": append([]string{"busy_timeout(5000)"}, pragmas...)}
	dsn := (&url.URL{Scheme: "file", Path: file, RawQuery: query.Encode()}).String()
	connector, err := sqlite.NewConnector(dsn)
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", file, err)
	}
	conn, err := connector.Connect(context.Background())
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", file, nameDamage(err))
	}
	return &database{conn: conn, stmts: map[string]driver.Stmt{}}, nil
}

func (d *database) close() error {
	for _, s := range d.stmts {
		_ = s.Close()
	}
	return d.conn.Close()
}

// stmt prepares a query once for each connection.
func (d *database) stmt(query string) (driver.Stmt, error) {
	if s, ok := d.stmts[query]; ok {
		return s, nil
	}
	s, err := d.conn.Prepare(query)
	if err != nil {
		return nil, nameDamage(err)
	}
	d.stmts[query] = s
	return s, nil
}

func named(args []driver.Value) []driver.NamedValue {
	out := make([]driver.NamedValue, len(args))
	for i, a := range args {
		out[i] = driver.NamedValue{Ordinal: i + 1, Value: a}
	}
	return out
}

func (d *database) exec(query string, args ...driver.Value) error {
	s, err := d.stmt(query)
	if err != nil {
		return err
	}
	_, err = s.(driver.StmtExecContext).ExecContext(context.Background(), named(args))
	return nameDamage(err)
}

// script runs statements that are not worth keeping prepared.
func (d *database) script(text string) error {
	_, err := d.conn.(driver.ExecerContext).ExecContext(context.Background(), text, nil)
	return nameDamage(err)
}

// each hands every row to visit until it answers false. The row's blobs are copies that visit may keep.
func (d *database) each(visit func(row []driver.Value) (bool, error), query string, args ...driver.Value) (err error) {
	s, err := d.stmt(query)
	if err != nil {
		return err
	}
	rows, err := s.(driver.StmtQueryContext).QueryContext(context.Background(), named(args))
	if err != nil {
		return nameDamage(err)
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	row := make([]driver.Value, len(rows.Columns()))
	for {
		if err := rows.Next(row); err == io.EOF {
			return nil
		} else if err != nil {
			return nameDamage(err)
		}
		more, err := visit(row)
		if err != nil || !more {
			return err
		}
	}
}

// number answers the first column of the first row, and whether there was one that is not NULL.
func (d *database) number(query string, args ...driver.Value) (n int64, ok bool, err error) {
	err = d.each(func(row []driver.Value) (bool, error) {
		n, ok = row[0].(int64)
		return false, nil
	}, query, args...)
	return n, ok, err
}

// primary is SQLite's result code of err without its detail bits, 0 when err is not SQLite's.
func primary(err error) int {
	var e *sqlite.Error
	if errors.As(err, &e) {
		return e.Code() & 0xff
	}
	return 0
}

// diskFull is true for ENOSPC, which SQLite tells apart from every other failed write.
func diskFull(err error) bool { return primary(err) == sqlite3.SQLITE_FULL }

// nameDamage gives SQLite's own findings of damage the name that every other finding has.
func nameDamage(err error) error {
	switch primary(err) {
	case sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB:
		return fmt.Errorf("%w: %w; %s", ErrDamaged, err, Advice)
	}
	return err
}
