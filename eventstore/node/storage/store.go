// Package storage is the log of a node: an SQLite database with one writer, readers beside it,
// the high-water mark that notices a lost end, views of categories and types, and the hub that
// hands committed events to live subscriptions. It knows nothing of gRPC.
package storage

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"modernc.org/sqlite"
)

const (
	// LogFile is the name of the database in the data folder.
	LogFile      = "events.db"
	recentBytes  = 4 << 20
	readerCount  = 8
	readerCache  = "cache_size(-1000)" // KiB
	writerCache  = "cache_size(-8000)" // KiB
	checkerCache = "cache_size(-2000)" // KiB; it reads in order, beside others of its process
	walPagesGoal = 2000                // pages of 4 KiB after which SQLite's log is moved into the database
	// WalReserve is the space that a node keeps ready for SQLite's log, in bytes.
	WalReserve = walPagesGoal * 4 << 10
)

// Store is the event log on disk with everything that is not gRPC.
type Store struct {
	dir     string
	Now     func() time.Time
	log     *slog.Logger
	writer  *writer
	readers *readers
	Hub     *Hub
	mark    *markFile
	index   *index
	Stats   counters

	Last    atomic.Uint64 // position of the last committed event
	hasMeta atomic.Bool   // whether any metadata stream exists

	stopOnce sync.Once
	stopped  chan struct{} // closed when writing ends, by stop or by a failure
	Failed   chan struct{}
	Failure  error
	workers  sync.WaitGroup
}

// Open opens or creates the log in dir, which the caller has locked, with reserve bytes of space
// ready for SQLite's log. It refuses a log that ends before its high-water mark.
func Open(dir string, reserve int, now func() time.Time, log *slog.Logger) (_ *Store, err error) {
	// fdatasync writes all that reading the data back needs; fsync would wait for time stamps too.
	if _, err := sqlite.Fdatasync(true); err != nil && !errors.Is(err, sqlite.ErrFdatasyncUnavailable) {
		return nil, fmt.Errorf("choose fdatasync: %w", err)
	}
	s := &Store{dir: dir, Now: now, log: log, Hub: newHub(recentBytes), stopped: make(chan struct{}),
		Failed: make(chan struct{})}
	s.index = &index{store: s}
	file := filepath.Join(dir, LogFile)
	if err := preallocate(file+"-wal", reserve); err != nil {
		return nil, err
	}
	db, err := openDatabase(file, "journal_mode(WAL)", "synchronous(FULL)", "wal_autocheckpoint(0)", writerCache)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, db.close())
		}
	}()
	if err := os.Chmod(file, 0o600); err != nil {
		return nil, fmt.Errorf("protect the event log: %w", err)
	}
	if err := prepareSchema(db); err != nil {
		return nil, err
	}
	last, err := lastRecord(db)
	if err != nil {
		return nil, err
	}
	if s.mark, err = openMark(dir, db, last, log); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, s.mark.close())
		}
	}()
	if err := s.startWriter(db, last); err != nil {
		return nil, err
	}
	s.readers = newReaders(file)
	s.work(s.writer.run)
	s.work(s.checkpointer)
	s.work(s.marker)
	return s, nil
}

// preallocate fills SQLite's log with zeros, which SQLite takes for an empty one. A sync of bytes inside
// a file is a third cheaper than one that has to make the file longer too. A log that a crash left
// behind is not touched.
func preallocate(wal string, size int) error {
	if info, err := os.Stat(wal); err == nil && info.Size() > 0 {
		return nil
	}
	f, err := os.OpenFile(wal, os.O_WRONLY|os.O_CREATE, 0o600)
	if err != nil {
		return fmt.Errorf("make room for the log: %w", err)
	}
	zeros := make([]byte, min(size, 1<<20))
	for left := size; left > 0 && err == nil; left -= len(zeros) {
		_, err = f.Write(zeros[:min(left, len(zeros))])
	}
	if isNoSpace(err) {
		err = f.Truncate(0) // readable with a full disk, as ever
	}
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return fmt.Errorf("make room for the log: %w", err)
	}
	return nil
}

// work runs one of the background loops, which close waits for.
func (s *Store) work(f func()) {
	s.workers.Add(1)
	go func() { defer s.workers.Done(); f() }()
}

// startWriter begins where the log ends. Nothing else is read: the start does not depend on its length.
func (s *Store) startWriter(db *database, last Record) error {
	streams, _, err := db.number("SELECT max(stream) FROM events")
	if err != nil {
		return fmt.Errorf("count streams: %w", err)
	}
	_, meta, err := db.number("SELECT num FROM streams WHERE name >= '$$' AND name < '$%' LIMIT 1")
	if err != nil {
		return fmt.Errorf("look for metadata streams: %w", err)
	}
	s.hasMeta.Store(meta)
	s.Last.Store(last.Pos)
	s.writer = &writer{db: db, store: s, queue: make(chan *Change, batchRequests), maint: make(chan func()),
		heads: newHeadCache(cachedHeads), last: last.Pos, streams: streams, undone: make(chan struct{})}
	return nil
}

// prepareSchema makes the tables of a new log and refuses a file of another program or a newer version.
func prepareSchema(db *database) error {
	id, _, err := db.number("PRAGMA application_id")
	if err != nil {
		return fmt.Errorf("read the event log: %w", err)
	}
	version, _, err := db.number("PRAGMA user_version")
	if err != nil {
		return fmt.Errorf("read the event log: %w", err)
	}
	switch {
	case id == 0 && version == 0:
		setup := fmt.Sprintf("BEGIN IMMEDIATE; %s PRAGMA application_id = %d; PRAGMA user_version = %d; COMMIT;", schema,
			applicationID, schemaVersion)
		if err := db.script(setup); err != nil {
			return fmt.Errorf("create the event log: %w", err)
		}
	case id != applicationID:
		return fmt.Errorf("%s is an SQLite database, but not an event log: choose another data folder", LogFile)
	case version != schemaVersion:
		return fmt.Errorf("%s has schema %d and this program knows %d: start the version that wrote it, or a newer one",
			LogFile, version, schemaVersion)
	}
	return nil
}

// committed publishes a finished batch: first to the mark and to new readers, then to subscriptions.
func (s *Store) committed(events []Record, changes int) {
	s.Stats.Batches.Add(1)
	s.Stats.Changes.Add(uint64(changes))
	s.Stats.batchSizes.add(&batchBounds, float64(changes))
	if len(events) == 0 {
		return
	}
	s.Stats.Syncs.Add(1)
	s.Stats.Events.Add(uint64(len(events)))
	newest := &events[len(events)-1]
	s.Last.Store(newest.Pos)
	s.mark.note(newest.Pos, newest.sum)
	s.Hub.publish(events)
}

// Fail stops the node for good. Only the first failure counts.
func (s *Store) Fail(err error) {
	s.stopOnce.Do(func() {
		s.Failure = err
		s.log.Error("the event store node stopped", "error", err)
		close(s.Failed)
		close(s.stopped)
	})
}

// StopReason is what a call hears that came too late.
func (s *Store) StopReason() error {
	select {
	case <-s.Failed:
		return fmt.Errorf("%w: %w", ErrStopped, s.Failure)
	default:
		return ErrStopped
	}
}

// Close ends writing, brings the mark up to date and moves the log into the database file.
func (s *Store) Close(ctx context.Context) error {
	s.stopOnce.Do(func() { close(s.stopped) })
	s.workers.Wait()
	err := errors.Join(s.index.close(), s.readers.close(ctx))
	if s.Failure == nil {
		err = errors.Join(err, s.mark.sync(), s.writer.db.script("PRAGMA wal_checkpoint(TRUNCATE)"))
	}
	return errors.Join(err, s.mark.close(), s.writer.db.close())
}

// LimitPages bounds the log's file to a number of pages, or to its present size if that is more.
// It is how a test fills the disk.
func (s *Store) LimitPages(pages int) error {
	done := make(chan error, 1)
	s.writer.maint <- func() { done <- s.writer.db.script("PRAGMA max_page_count = " + strconv.Itoa(pages)) }
	return <-done
}
