package sqlite

import (
	"context"
	"database/sql"
	"sync"
	"sync/atomic"
)

const (
	// looksEvery is after how many written rows the checkpointer looks at SQLite's log.
	looksEvery = 256
	// movedFrom is how many pages of that log make it move them, 4 MB.
	movedFrom = 1000
)

// checkpointer moves committed pages from SQLite's log into the file beside the writer.
// A commit that did so itself would take as long as a sync of the file, and whoever waits
// for the next one as well. It has no clock: what is written wakes it.
type checkpointer struct {
	db      *sql.DB // of its own: one connection
	rows    atomic.Int64
	wake    chan struct{}
	stopped chan struct{}
	ended   chan struct{}
	once    sync.Once
}

// startCheckpointer opens its connection and starts it.
func (s *Store) startCheckpointer(ctx context.Context, dsn string) error {
	c := &checkpointer{db: sql.OpenDB(connector(dsn)), wake: make(chan struct{}, 1), stopped: make(chan struct{}),
		ended: make(chan struct{})}
	c.db.SetMaxOpenConns(1)
	s.pages = c
	if err := c.db.PingContext(ctx); err != nil {
		close(c.ended)
		return err
	}
	go func() {
		defer close(c.ended)
		for {
			select {
			case <-c.wake:
				c.move(s.write.DB)
			case <-c.stopped:
				return
			}
		}
	}()
	return nil
}

// wrote counts rows of a transaction that was committed.
func (c *checkpointer) wrote(rows int) {
	if c.rows.Add(int64(rows)) < looksEvery {
		return
	}
	c.rows.Store(0)
	select {
	case c.wake <- struct{}{}:
	default:
	}
}

// move makes one checkpoint if there is enough to move. What came in meanwhile is moved
// between two transactions once there is much of it, because only a log that was moved
// whole begins anew. Failures (a disk that is full, another process) lose nothing: the
// pages stay in the log, and a commit moves them when it has grown too long.
func (c *checkpointer) move(writer *sql.DB) {
	ctx := context.Background()
	pages, moved, err := state(ctx, c.db, "NOOP")
	if err != nil || pages-moved < movedFrom {
		return
	}
	if _, _, err = state(ctx, c.db, "PASSIVE"); err != nil { // it tells of the pages that it began with
		return
	}
	pages, moved, err = state(ctx, c.db, "NOOP")
	if err == nil && pages > moved && pages >= 2*movedFrom {
		_, _, _ = state(ctx, writer, "PASSIVE")
	}
}

// state runs a checkpoint of some mode and gives the pages of the log and those of them
// that are in the file. NOOP only asks.
func state(ctx context.Context, db *sql.DB, mode string) (pages, moved int64, err error) {
	var busy int64
	err = db.QueryRowContext(ctx, "PRAGMA wal_checkpoint("+mode+")").Scan(&busy, &pages, &moved)
	return pages, moved, err
}

func (c *checkpointer) close() error {
	c.once.Do(func() { close(c.stopped) })
	<-c.ended
	return c.db.Close()
}
