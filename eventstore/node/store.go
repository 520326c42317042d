package node

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"modernc.org/sqlite"
)

const (
	logFile      = "events.db"
	recentBytes  = 4 << 20
	readerCount  = 8
	readerCache  = "cache_size(-4000)"  // KiB
	writerCache  = "cache_size(-16000)" // KiB
	walPagesGoal = 2000                 // pages of 4 KiB after which SQLite's log is moved into the database
	walReserve   = walPagesGoal * 4 << 10
)

// store is the event log on disk with everything that is not gRPC.
type store struct {
	dir     string
	now     func() time.Time
	log     *slog.Logger
	writer  *writer
	readers *readers
	hub     *hub
	mark    *markFile
	index   *index
	stats   counters

	last    atomic.Uint64 // position of the last committed event
	hasMeta atomic.Bool   // whether any metadata stream exists

	stopOnce sync.Once
	stopped  chan struct{} // closed when writing ends, by stop or by a failure
	failed   chan struct{}
	failure  error
	workers  sync.WaitGroup
}

// openStore opens or creates the log in dir, which the caller has locked, with reserve bytes of space
// ready for SQLite's log. It refuses a log that ends before its high-water mark.
func openStore(dir string, reserve int, now func() time.Time, log *slog.Logger) (_ *store, err error) {
	// fdatasync writes all that reading the data back needs; fsync would wait for time stamps too.
	if _, err := sqlite.Fdatasync(true); err != nil && !errors.Is(err, sqlite.ErrFdatasyncUnavailable) {
		return nil, fmt.Errorf("choose fdatasync: %w", err)
	}
	s := &store{dir: dir, now: now, log: log, hub: newHub(recentBytes), stopped: make(chan struct{}),
		failed: make(chan struct{})}
	s.index = &index{store: s}
	file := filepath.Join(dir, logFile)
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
	_, err = f.Write(make([]byte, size))
	if isNoSpace(err) {
		err = f.Truncate(0) // readable with a full disk, as ever
	}
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return fmt.Errorf("make room for the log: %w", err)
	}
	return nil
}

// work runs one of the background loops, which close waits for.
func (s *store) work(f func()) {
	s.workers.Add(1)
	go func() { defer s.workers.Done(); f() }()
}

// startWriter begins where the log ends. Nothing else is read: the start does not depend on its length.
func (s *store) startWriter(db *database, last record) error {
	streams, _, err := db.number("SELECT max(stream) FROM events")
	if err != nil {
		return fmt.Errorf("count streams: %w", err)
	}
	_, meta, err := db.number("SELECT num FROM streams WHERE name >= '$$' AND name < '$%' LIMIT 1")
	if err != nil {
		return fmt.Errorf("look for metadata streams: %w", err)
	}
	s.hasMeta.Store(meta)
	s.last.Store(last.pos)
	s.writer = &writer{db: db, store: s, queue: make(chan *change, batchRequests), maint: make(chan func()),
		heads: newHeadCache(cachedHeads), last: last.pos, streams: streams, undone: make(chan struct{})}
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
		return fmt.Errorf("%s is an SQLite database, but not an event log: choose another data folder", logFile)
	case version != schemaVersion:
		return fmt.Errorf("%s has schema %d and this program knows %d: start the version that wrote it, or a newer one",
			logFile, version, schemaVersion)
	}
	return nil
}

// committed publishes a finished batch: first to the mark and to new readers, then to subscriptions.
func (s *store) committed(events []record, changes int) {
	s.stats.batches.Add(1)
	s.stats.changes.Add(uint64(changes))
	s.stats.batchSizes.add(&batchBounds, float64(changes))
	if len(events) == 0 {
		return
	}
	s.stats.syncs.Add(1)
	s.stats.events.Add(uint64(len(events)))
	newest := &events[len(events)-1]
	s.last.Store(newest.pos)
	s.mark.note(newest.pos, newest.sum)
	s.hub.publish(events)
}

// fail stops the node for good. Only the first failure counts.
func (s *store) fail(err error) {
	s.stopOnce.Do(func() {
		s.failure = err
		s.log.Error("the event store node stopped", "error", err)
		close(s.failed)
		close(s.stopped)
	})
}

// stopReason is what a call hears that came too late.
func (s *store) stopReason() error {
	select {
	case <-s.failed:
		return fmt.Errorf("%w: %w", errStopped, s.failure)
	default:
		return errStopped
	}
}

// close ends writing, brings the mark up to date and moves the log into the database file.
func (s *store) close(ctx context.Context) error {
	s.stopOnce.Do(func() { close(s.stopped) })
	s.workers.Wait()
	err := errors.Join(s.index.close(), s.readers.close(ctx))
	if s.failure == nil {
		err = errors.Join(err, s.mark.sync(), s.writer.db.script("PRAGMA wal_checkpoint(TRUNCATE)"))
	}
	return errors.Join(err, s.mark.close(), s.writer.db.close())
}
