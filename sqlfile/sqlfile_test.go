package sqlfile_test

import (
	"context"
	"database/sql"
	"errors"
	"path/filepath"
	"testing"
	"time"

	"folio/fault"
	"folio/sqlfile"
)

// open gives a writer and what another process would have: a connection of its own.
func open(t *testing.T) (w *sqlfile.Writer, other *sql.Conn) {
	t.Helper()
	uri, err := sqlfile.Make(filepath.Join(t.TempDir(), "a b?#ñ.db"))
	if err != nil {
		t.Fatal(err)
	}
	connect := func() *sql.DB {
		db, err := sql.Open("sqlite", uri+"?_pragma=journal_mode(wal)&"+sqlfile.Writers)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = db.Close() })
		return db
	}
	w = sqlfile.NewWriter(connect())
	if _, err := w.Exec(t.Context(), "CREATE TABLE t (n INTEGER)"); err != nil {
		t.Fatal(err)
	}
	other, err = connect().Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return w, other
}

func exec(t *testing.T, c *sql.Conn, statement string) {
	t.Helper()
	if _, err := c.ExecContext(t.Context(), statement); err != nil {
		t.Fatal(err)
	}
}

func insert(ctx context.Context, w *sqlfile.Writer) error {
	_, err := w.Exec(ctx, "INSERT INTO t VALUES (1)")
	return err
}

func TestWritesThatFindTheFileLockedAreUnavailableInTimeHoweverManyWait(t *testing.T) {
	w, other := open(t)
	exec(t, other, "BEGIN IMMEDIATE")
	const many = 30
	ended, began := make(chan error, many), time.Now()
	for range many {
		go func() { ended <- insert(t.Context(), w) }()
	}
	for range many {
		if err := <-ended; !errors.Is(err, fault.StoreUnavailable) {
			t.Errorf("a write ended with %v", err)
		}
	}
	if took := time.Since(began); took < sqlfile.Patience || took > many/2*sqlfile.Patience {
		t.Errorf("they gave up after %s", took)
	}
	exec(t, other, "ROLLBACK")
	if err := insert(t.Context(), w); err != nil {
		t.Errorf("and afterwards %v", err)
	}
}

func TestAWriteGoesOnWhenTheOtherProcessEndsInTime(t *testing.T) {
	w, other := open(t)
	exec(t, other, "BEGIN IMMEDIATE")
	ended := make(chan error, 1)
	go func() { ended <- insert(t.Context(), w) }()
	time.AfterFunc(200*time.Millisecond, func() { _, _ = other.ExecContext(context.Background(), "COMMIT") })
	if err := <-ended; err != nil {
		t.Errorf("the write ended with %v", err)
	}
}

func TestACallerThatLeavesIsNoOutage(t *testing.T) {
	w, other := open(t)
	exec(t, other, "BEGIN IMMEDIATE")
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(50*time.Millisecond, cancel)
	if err := insert(ctx, w); !errors.Is(err, context.Canceled) || errors.Is(err, fault.StoreUnavailable) {
		t.Errorf("the write ended with %v", err)
	}
}

func TestAFullDiskIsUnavailableAndWrongSQLIsNot(t *testing.T) {
	w, _ := open(t)
	if _, err := w.DB.ExecContext(t.Context(), "PRAGMA max_page_count = 2"); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Exec(t.Context(), "INSERT INTO t VALUES (zeroblob(1000000))"); !errors.Is(err, fault.StoreUnavailable) {
		t.Errorf("a full file: %v", err)
	}
	if _, err := w.Exec(t.Context(), "INSERT INTO nothing VALUES (1)"); err == nil ||
		errors.Is(err, fault.StoreUnavailable) {
		t.Errorf("a table that is not there: %v", err)
	}
}

// A caller that leaves within a transaction gets the error of leaving.
func TestATransactionEndsWithItsCaller(t *testing.T) {
	w, _ := open(t)
	ctx, leave := context.WithCancel(t.Context())
	err := w.Transact(ctx, func(ctx context.Context, tx *sql.Tx) error {
		leave()
		for { // until database/sql has rolled it back
			if _, err := tx.ExecContext(ctx, "INSERT INTO t VALUES (1)"); err != nil {
				return err
			}
		}
	})
	if !errors.Is(err, context.Canceled) || errors.Is(err, sql.ErrTxDone) {
		t.Errorf("got %v", err)
	}
}

// Whoever removes the folder after Close meets nobody who writes to it.
func TestCloseWaitsForATransactionWhoseCallerLeft(t *testing.T) {
	for range 50 {
		w, _ := open(t)
		ctx, leave := context.WithCancel(t.Context())
		if _, err := w.DB.BeginTx(ctx, nil); err != nil {
			t.Fatal(err)
		}
		leave()
		if err := sqlfile.Close(w.DB); err != nil {
			t.Fatal(err)
		}
		if n := w.DB.Stats().OpenConnections; n != 0 {
			t.Fatalf("%d connections are open after Close", n)
		}
	}
}
