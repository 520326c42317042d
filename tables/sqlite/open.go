// Package sqlite keeps the tables contract in one SQLite file, without a server.
//
// It runs in WAL mode with synchronous=NORMAL: a power cut may take back the newest
// transactions, never a part of one. That is the right bargain here and only here,
// because everything in this file is folded again from the log; the checkpoint is in
// the same transactions, so after a power cut it is as old as the documents.
//
// One connection writes, a pool reads. Other processes may use the file beside this
// one; they wait for each other's transactions.
package sqlite

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"time"

	sqlite3 "modernc.org/sqlite"

	"folio/fault"
	"folio/sqlfile"
	"folio/tables"
)

// Store is a tables.Store in a file.
type Store struct {
	now   func() time.Time
	lean  bool
	write *sqlfile.Writer
	group *sqlfile.Group // of write
	read  *sql.DB        // query only

	mu     sync.RWMutex
	tables map[string]*table

	pages    *checkpointer
	batch    statements
	prepared sync.Map // *sql.Stmt of the pool that reads, by its text
}

var _ tables.Store = (*Store)(nil)

// Option changes how a store is opened.
type Option func(*Store)

// WithClock sets the clock that leases are judged by; the machine's by default.
func WithClock(now func() time.Time) Option { return func(s *Store) { s.now = now } }

// Lean keeps the memory of the process small: few connections, which keep 1 MiB of pages each. It is for a program
// that reads everything once, beside a service.
func Lean(s *Store) { s.lean = true }

// layout is what exists beside the typed tables.
const layout = `
CREATE TABLE IF NOT EXISTS folio_schemas (name TEXT PRIMARY KEY, shape TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS folio_checkpoints (name TEXT PRIMARY KEY, store TEXT NOT NULL,
	at_c INTEGER NOT NULL, at_p INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS folio_leases (name TEXT PRIMARY KEY, owner TEXT NOT NULL,
	token INTEGER NOT NULL, until INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS folio_work (list TEXT NOT NULL, key TEXT NOT NULL, grp TEXT NOT NULL,
	ord_c INTEGER NOT NULL, ord_p INTEGER NOT NULL, due INTEGER NOT NULL,
	at_c INTEGER NOT NULL, at_p INTEGER NOT NULL, gone INTEGER NOT NULL, body BLOB, PRIMARY KEY (list, key));
CREATE INDEX IF NOT EXISTS folio_work_due ON folio_work (list, due, ord_c, ord_p, key) WHERE gone = 0;
CREATE INDEX IF NOT EXISTS folio_work_group ON folio_work (list, grp, ord_c, ord_p, key, due) WHERE gone = 0;
CREATE INDEX IF NOT EXISTS folio_work_gone ON folio_work (list, at_c, at_p) WHERE gone = 1;`

// Open opens or makes the file, readable by its owner only; its folder must exist. A
// file that cannot be read is safe to delete: it is rebuilt from the log.
func Open(ctx context.Context, path string, opts ...Option) (*Store, error) {
	s := &Store{now: time.Now, tables: map[string]*table{}}
	for _, o := range opts {
		o(s)
	}
	dsn, err := sqlfile.Make(path)
	if err != nil {
		return nil, fmt.Errorf("open tables: %w", err)
	}
	if err := s.connect(ctx, dsn); errors.Is(err, fault.StoreUnavailable) {
		return nil, errors.Join(fmt.Errorf("open tables in %s: %w", path, err), s.Close())
	} else if err != nil {
		return nil, errors.Join(fmt.Errorf("open tables in %s (it holds nothing that the log does not: "+
			"if it is damaged, delete it and its -wal and -shm files and start again): %w", path, err), s.Close())
	}
	return s, nil
}

func (s *Store) connect(ctx context.Context, dsn string) error {
	writes, reads := pages(8000), pages(2000)
	if s.lean {
		writes, reads = pages(1000), pages(1000)
	}
	common := "_pragma=journal_mode(wal)&_pragma=synchronous(normal)&_pragma=temp_store(memory)"
	s.write = sqlfile.NewWriter(sql.OpenDB(connector(dsn + "?" + sqlfile.Writers +
		"&_pragma=journal_size_limit(67108864)&_pragma=wal_autocheckpoint(20000)&" + common + writes)))
	s.group = sqlfile.NewGroup(s.write)
	if _, err := s.write.Exec(ctx, layout); err != nil {
		return err
	}
	s.read = sql.OpenDB(connector(dsn + "?" + sqlfile.Readers + "&" + common + reads + "&_pragma=query_only(1)"))
	readers := max(4, runtime.GOMAXPROCS(0))
	if s.lean {
		readers = 2
	}
	s.read.SetMaxOpenConns(readers)
	s.read.SetMaxIdleConns(readers)
	if err := s.startCheckpointer(ctx, dsn+"?"+sqlfile.Readers+"&_pragma=wal_autocheckpoint(0)&"+common+
		pages(500)); err != nil {
		return sqlfile.Explain(err)
	}
	return sqlfile.Explain(s.batch.prepare(ctx, s))
}

// pages says how many KiB of pages a connection keeps. The file is not mapped into memory: what is hot is answered
// without it, and mapped pages count as memory of the process (decision 145).
func pages(kib int) string { return fmt.Sprintf("&_pragma=mmap_size(0)&_pragma=cache_size(-%d)", kib) }

// Close ends all connections; the last one folds the WAL into the file.
func (s *Store) Close() error {
	var errs []error
	if s.pages != nil {
		errs = append(errs, s.pages.close())
	}
	if s.read != nil {
		errs = append(errs, sqlfile.Close(s.read))
	}
	if s.write != nil {
		errs = append(errs, sqlfile.Close(s.write.DB))
	}
	return errors.Join(errs...)
}

// connector opens connections that know folio_fold, without touching the process-wide
// driver that other packages use.
type connector string

func (c connector) Connect(ctx context.Context) (driver.Conn, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return folding().Open(string(c))
}

func (c connector) Driver() driver.Driver { return folding() }

var folding = sync.OnceValue(func() *sqlite3.Driver {
	d := &sqlite3.Driver{}
	d.MustRegisterDeterministicScalarFunction("folio_fold", 1,
		func(_ *sqlite3.FunctionContext, args []driver.Value) (driver.Value, error) {
			if v, ok := args[0].(string); ok {
				return tables.Fold(v), nil
			}
			return args[0], nil
		})
	return d
})

// query is a prepared statement of the pool that reads, for texts that do not vary:
// parsing one costs as much as running it.
func (s *Store) query(ctx context.Context, text string) (*sql.Stmt, error) {
	if known, ok := s.prepared.Load(text); ok {
		return known.(*sql.Stmt), nil
	}
	made, err := s.read.PrepareContext(ctx, text)
	if err != nil {
		return nil, err
	}
	if known, raced := s.prepared.LoadOrStore(text, made); raced {
		return known.(*sql.Stmt), made.Close()
	}
	return made, nil
}

// transact runs fn in one transaction, in its turn and maybe with others: see sqlfile.Group.
func (s *Store) transact(ctx context.Context, fn func(context.Context, *sql.Tx) error) error {
	return s.counted(s.group.Transact(ctx, fn))
}

// alone is transact without others, for changes of the layout.
func (s *Store) alone(ctx context.Context, fn func(context.Context, *sql.Tx) error) error {
	return s.counted(s.write.Transact(ctx, fn))
}

func (s *Store) counted(err error) error {
	if err == nil {
		s.pages.wrote(1)
	}
	return err
}
