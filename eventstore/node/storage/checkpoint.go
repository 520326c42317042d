package storage

import (
	"database/sql/driver"
	"fmt"
	"path/filepath"
	"time"
)

const (
	checkpointEvery = 200 * time.Millisecond
	markEvery       = 500 * time.Millisecond
)

// checkpointer moves committed pages from SQLite's log into the database file beside the writer, so
// that commits do not wait for it. The rest, which came in meanwhile, is moved between two commits:
// only then can SQLite start its log from the beginning again.
func (s *Store) checkpointer() {
	db, err := openDatabase(filepath.Join(s.dir, LogFile), "synchronous(FULL)", "wal_autocheckpoint(0)",
		"cache_size(-500)")
	if err != nil {
		s.Fail(err)
		return
	}
	defer func() { _ = db.close() }()
	tick := time.NewTicker(checkpointEvery)
	defer tick.Stop()
	var seen uint64
	for {
		select {
		case <-s.stopped:
			return
		case <-tick.C:
		}
		if last := s.Last.Load(); last != seen {
			seen = last
			if !s.checkpoint(db) {
				return
			}
		}
	}
}

// checkpoint answers whether to go on.
func (s *Store) checkpoint(db *database) bool {
	pages, moved, err := walState(db, "NOOP")
	if err == nil && pages-moved >= walPagesGoal {
		pages, moved, err = walState(db, "PASSIVE")
	}
	if err != nil {
		return s.checkpointFailed(err)
	}
	if pages < 2*walPagesGoal || pages == moved {
		return true
	}
	select {
	case s.writer.maint <- func() {
		if _, _, err := walState(s.writer.db, "PASSIVE"); err != nil {
			s.checkpointFailed(err)
		}
	}:
	case <-s.stopped:
	}
	return true
}

// checkpointFailed answers whether checkpoints may go on. A full disk or a busy log loses nothing: the
// pages stay in SQLite's log.
func (s *Store) checkpointFailed(err error) bool {
	if diskFull(err) || primary(err) == sqliteBusy || primary(err) == sqliteLocked {
		return true
	}
	s.Fail(fmt.Errorf("moving events into %s failed, so the node stopped: check the disk, then start it again (%w)",
		LogFile, err))
	return false
}

// walState runs a checkpoint of some mode and answers how many pages the log has and how many of them
// are in the database file. NOOP only asks.
func walState(db *database, mode string) (pages, moved int64, err error) {
	err = db.each(func(row []driver.Value) (bool, error) {
		pages, moved = row[1].(int64), row[2].(int64)
		return false, nil
	}, "PRAGMA wal_checkpoint("+mode+")")
	return pages, moved, err
}

// marker writes the high-water mark behind the commits.
func (s *Store) marker() {
	tick := time.NewTicker(markEvery)
	defer tick.Stop()
	for {
		select {
		case <-s.stopped:
			return
		case <-tick.C:
			if err := s.mark.sync(); err != nil && !isNoSpace(err) {
				s.Fail(fmt.Errorf("write the high-water mark: %w", err))
				return
			}
		}
	}
}
