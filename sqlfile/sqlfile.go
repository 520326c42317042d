// Package sqlfile is how Folio uses SQLite files that other processes may use beside it:
// how they are made, how long a write waits for its turn, and which failures pass.
package sqlfile

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"time"

	sqlite3 "modernc.org/sqlite"
	lib "modernc.org/sqlite/lib"

	"folio/clock"
	"folio/fault"
	"folio/secretfile"
)

// Patience is how long a write waits for other writers, in this process and in others,
// before it is fault.StoreUnavailable; a read waits as long for a file that is locked.
const Patience = 2500 * time.Millisecond

// try is how long one attempt waits inside SQLite, where no context is looked at.
const try = 20 * time.Millisecond

// The pragmas that say how long a statement waits: Readers for connections that read,
// Writers for the one of a Writer, which tries again by itself.
var (
	Readers = fmt.Sprintf("_pragma=busy_timeout(%d)", Patience.Milliseconds())
	Writers = fmt.Sprintf("_txlock=immediate&_pragma=busy_timeout(%d)", try.Milliseconds())
)

// Make makes the file if it is not there, readable by its owner only (SQLite would let
// others read it), and gives its address as an SQLite URI, whatever characters it holds.
func Make(path string) (uri string, err error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return "", err
	}
	if err := errors.Join(f.Close(), secretfile.Belong(path)); err != nil {
		return "", err
	}
	abs, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	return "file:" + (&url.URL{Path: filepath.ToSlash(abs)}).EscapedPath(), nil
}

// closing is how long Close waits for a connection that somebody still holds.
const closing = 5 * time.Second

// Close ends all connections to a file. database/sql returns before that of a transaction whose caller has just
// left is rolled back and ended: Close waits for it, so that afterwards nothing of this process writes to the folder.
func Close(dbs ...*sql.DB) error {
	var errs []error
	for _, db := range dbs {
		errs = append(errs, db.Close())
	}
	for until := time.Now().Add(closing); time.Now().Before(until); time.Sleep(time.Millisecond) {
		if !slices.ContainsFunc(dbs, func(db *sql.DB) bool { return db.Stats().OpenConnections > 0 }) {
			break
		}
	}
	return errors.Join(errs...)
}

// Writer is the one connection of a process that writes to a file. Its transactions take
// turns, in the order in which they were asked for while no other process is in the way.
type Writer struct{ DB *sql.DB }

// NewWriter limits db, opened with Writers, to one connection.
func NewWriter(db *sql.DB) *Writer {
	db.SetMaxOpenConns(1)
	return &Writer{db}
}

// Transact runs fn in one immediate transaction. What waited longer than Patience for its
// turn is fault.StoreUnavailable, and fn did not run. Waiting ends with ctx, and so does
// the transaction as a whole; fn gets a context that does not end, because the driver
// starts a goroutine for each statement whose context can.
func (w *Writer) Transact(ctx context.Context, fn func(context.Context, *sql.Tx) error) error {
	deadline := time.Now().Add(Patience)
	var tx *sql.Tx
	var free func() error
	err := Patiently(ctx, Patience, func() (err error) {
		tx, free, err = w.begin(ctx, deadline)
		return err
	})
	if err != nil {
		return err
	}
	return Explain(errors.Join(run(ctx, tx, fn), free()))
}

// Patiently calls f again while it fails because another connection keeps the file, until patience is over: then
// it is fault.StoreUnavailable. SQLite itself does not wait in every case: two connections that both make a new
// file a WAL file are refused at once, whatever their busy_timeout. It ends with ctx; f must have done nothing
// when it fails.
func Patiently(ctx context.Context, patience time.Duration, f func() error) error {
	for deadline := time.Now().Add(patience); ; {
		err := f()
		if !locked(err) || time.Now().After(deadline) {
			return Explain(err)
		}
		if !clock.Sleep(ctx, try/4) { // the connection is free meanwhile, for whoever only reads
			return ctx.Err()
		}
	}
}

// begin waits for the connection until the deadline and asks once for the file's lock.
func (w *Writer) begin(ctx context.Context, deadline time.Time) (*sql.Tx, func() error, error) {
	waiting, cancel := context.WithDeadline(ctx, deadline)
	conn, err := w.DB.Conn(waiting)
	cancel()
	if err != nil {
		if ctx.Err() == nil && errors.Is(err, context.DeadlineExceeded) {
			err = fmt.Errorf("%w: other writes took longer than %s", fault.StoreUnavailable, Patience)
		}
		return nil, nil, err
	}
	tx, err := conn.BeginTx(ctx, nil)
	if err != nil {
		return nil, nil, errors.Join(err, conn.Close())
	}
	return tx, conn.Close, nil
}

// run gives ctx's error when the transaction ended with it.
func run(ctx context.Context, tx *sql.Tx, fn func(context.Context, *sql.Tx) error) error {
	err := fn(context.WithoutCancel(ctx), tx)
	if err == nil {
		err = tx.Commit()
	} else {
		err = errors.Join(err, Rollback(tx))
	}
	if left := ctx.Err(); left != nil && errors.Is(err, sql.ErrTxDone) {
		return left
	}
	return err
}

// Rollback ends a transaction, and is silent when its context ended it before.
func Rollback(tx *sql.Tx) error {
	if err := tx.Rollback(); err != nil && !errors.Is(err, sql.ErrTxDone) {
		return err
	}
	return nil
}

// Exec is Transact of one statement; it gives the number of rows that changed.
func (w *Writer) Exec(ctx context.Context, statement string, args ...any) (changed int64, err error) {
	err = w.Transact(ctx, func(ctx context.Context, tx *sql.Tx) error {
		r, err := tx.ExecContext(ctx, statement, args...)
		if err != nil {
			return err
		}
		changed, err = r.RowsAffected()
		return err
	})
	return changed, err
}

// errRead says that somebody still reads what SQLite's log has.
var errRead = fmt.Errorf("%w: somebody reads the file", fault.StoreUnavailable)

// Fold moves all of SQLite's log into the file and lets the log begin anew: what was deleted is in neither then, where
// deletions are overwritten (secure_delete). It waits for who reads, no longer than Patience.
func (w *Writer) Fold(ctx context.Context) error {
	return Patiently(ctx, Patience, func() error {
		var busy bool
		var pages, moved int64
		err := w.DB.QueryRowContext(ctx, "PRAGMA wal_checkpoint(TRUNCATE)").Scan(&busy, &pages, &moved)
		if err == nil && busy {
			return errRead
		}
		return err
	})
}

func locked(err error) bool {
	var e *sqlite3.Error
	return errors.Is(err, errRead) || errors.As(err, &e) &&
		(primary(e) == lib.SQLITE_BUSY || primary(e) == lib.SQLITE_LOCKED)
}

// Damaged says that the bytes of a file are not what SQLite wrote.
func Damaged(err error) bool {
	var e *sqlite3.Error
	return errors.As(err, &e) && (primary(e) == lib.SQLITE_CORRUPT || primary(e) == lib.SQLITE_NOTADB)
}

func primary(e *sqlite3.Error) int { return e.Code() & 0xff }

// Explain makes fault.StoreUnavailable of failures that pass by themselves or with the
// operator's help, and leaves all others as they are.
func Explain(err error) error {
	var e *sqlite3.Error
	if err == nil || !errors.As(err, &e) || errors.Is(err, fault.StoreUnavailable) {
		return err
	}
	switch primary(e) {
	case lib.SQLITE_BUSY, lib.SQLITE_LOCKED:
		return fmt.Errorf("%w: another process keeps the file: %w", fault.StoreUnavailable, err)
	case lib.SQLITE_FULL:
		return fmt.Errorf("%w: the disk is full: %w", fault.StoreUnavailable, err)
	case lib.SQLITE_IOERR, lib.SQLITE_CANTOPEN, lib.SQLITE_READONLY, lib.SQLITE_NOMEM, lib.SQLITE_PROTOCOL:
		return fmt.Errorf("%w: %w", fault.StoreUnavailable, err)
	}
	return err
}
