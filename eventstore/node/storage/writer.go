package storage

import (
	"context"
	"errors"
	"fmt"
	"time"

	sqlite3 "modernc.org/sqlite/lib"
)

const (
	batchRequests = 1024
	batchBytes    = 8 << 20
	cachedHeads   = 16 << 10
)

// Change is one atomic request to the writer.
type Change struct {
	Kind     ChangeKind
	Stream   string
	Expected int64
	Events   []Record // id, kind, json, meta and data are set
	size     int
	began    time.Time
	done     chan Result
}

type ChangeKind uint8

const (
	AppendEvents ChangeKind = iota
	SoftDelete
	Tombstone
	importEvents // of many streams, each with its place
)

// Result answers a change. With Wrong set, Current is the stream's revision and nothing was written.
type Result struct {
	Current int64
	Pos     uint64
	Wrong   bool
	Err     error
}

var (
	ErrStreamDeleted = errors.New("the stream was deleted for ever (tombstoned)")
	ErrStopped       = errors.New("the event store node has stopped")
)

// writer is the only one that writes: one goroutine, one connection. Whatever waits in its queue goes
// into one transaction, and nobody is answered before that transaction is on disk.
type writer struct {
	db      *database
	store   *Store
	queue   chan *Change
	maint   chan func()
	heads   *headCache
	last    uint64
	streams int64 // highest stream number in use
	scratch []byte
	written []Record // of the open transaction
	undone  chan struct{}
}

// Submit queues a change and waits for its outcome. When ctx ends first the change may still happen.
func (s *Store) Submit(ctx context.Context, c *Change) Result {
	if err := s.Enqueue(ctx, c); err != nil {
		return Result{Err: err}
	}
	return s.Await(ctx, c)
}

// Enqueue puts a change behind those that were queued before it. After an error it does not happen.
func (s *Store) Enqueue(ctx context.Context, c *Change) error {
	c.began = time.Now()
	c.done = make(chan Result, 1)
	for i := range c.Events {
		c.size += MemoryOf(&c.Events[i])
	}
	select {
	case s.writer.queue <- c:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	case <-s.stopped:
		return s.StopReason()
	}
}

// Await waits for the outcome of a queued change. When ctx ends first the change may still happen.
func (s *Store) Await(ctx context.Context, c *Change) Result {
	select {
	case out := <-c.done:
		s.Stats.latency.add(&latencyBounds, time.Since(c.began).Seconds())
		return out
	case <-ctx.Done():
		return Result{Err: ctx.Err()}
	case <-s.writer.undone:
		select {
		case out := <-c.done:
			return out
		default:
			return Result{Err: s.StopReason()}
		}
	}
}

// run ends when the store stops; what is still queued then is answered by submit itself.
func (w *writer) run() {
	defer close(w.undone)
	batch := make([]*Change, 0, batchRequests)
	for {
		select {
		case c := <-w.queue:
			batch = w.drain(append(batch[:0], c))
			w.commit(batch)
		case f := <-w.maint:
			f()
		case <-w.store.stopped:
			return
		}
	}
}

// drain takes what is waiting without waiting for more: under load a batch is what came in during the
// commit before, and a single append is not delayed.
func (w *writer) drain(batch []*Change) []*Change {
	size := batch[0].size
	for len(batch) < batchRequests && size < batchBytes {
		select {
		case c := <-w.queue:
			size += c.size
			batch = append(batch, c)
		default:
			return batch
		}
	}
	return batch
}

// commit carries out a batch in one transaction. Refusals wait for the commit too, since they may rest
// on what an earlier change of the batch did.
func (w *writer) commit(batch []*Change) {
	outcomes := make([]Result, len(batch))
	w.written = nil
	lastBefore, streamsBefore := w.last, w.streams
	err := w.db.exec("BEGIN IMMEDIATE")
	for i := 0; err == nil && i < len(batch); i++ {
		outcomes[i], err = w.apply(batch[i])
	}
	if err == nil {
		started := time.Now()
		err = w.db.exec("COMMIT")
		w.store.Stats.CommitNanos.Add(uint64(time.Since(started)))
	}
	if err != nil {
		_ = w.db.exec("ROLLBACK") // SQLite may have done so itself
		w.heads.clear()
		w.last, w.streams, w.written = lastBefore, streamsBefore, nil
		err = w.classify(err)
		for i := range outcomes {
			outcomes[i] = Result{Err: err}
		}
	}
	w.store.committed(w.written, len(batch))
	for i, c := range batch {
		c.done <- outcomes[i]
	}
}

// classify tells errors that a client may retry from those after which this process no longer knows
// what is on disk. After a failed sync the kernel may have dropped the pages and report success next
// time, so the node stops and the next start reads what is really there.
func (w *writer) classify(err error) error {
	var refused *importError
	switch {
	case errors.As(err, &refused):
		return err
	case diskFull(err):
		return fmt.Errorf("%w: free space on the disk of %s and try again (%w)", ErrDiskFull, w.store.dir, err)
	case primary(err) == sqlite3.SQLITE_BUSY, primary(err) == sqlite3.SQLITE_LOCKED:
		return fmt.Errorf("%w: another program holds the write lock of %s (%w)", ErrBusy, w.store.dir, err)
	}
	w.store.Fail(fmt.Errorf("write to the event log in %s failed, so the node stopped: check the disk, then start it "+
		"again (%w)", w.store.dir, err))
	return w.store.StopReason()
}

var (
	ErrDiskFull = errors.New("the disk is full")
	ErrBusy     = errors.New("the event log is locked")
)

// insert writes r at the end of the log and of its stream. Positions grow by about the size of the
// event, as in a log file; readers rely on nothing but their order.
func (w *writer) insert(h *head, r Record) error {
	r.prev = w.last
	if r.Pos == 0 { // an imported event has its position
		r.Pos = w.last + recordOverhead + uint64(len(r.Stream)+len(r.Kind)+len(r.Meta)+len(r.Data))
	}
	if h.num == 0 {
		if err := w.db.exec("INSERT INTO streams (num, name) VALUES (?, ?)", w.streams+1, string(r.Stream)); err != nil {
			return err
		}
		w.streams++
		h.num = w.streams
	}
	w.scratch = appendRecord(w.scratch[:0], &r)
	err := w.db.exec("INSERT INTO events (pos, stream, rev, rec) VALUES (?, ?, ?, ?)", int64(r.Pos), h.num, int64(r.Rev),
		w.scratch)
	if err != nil {
		return err
	}
	if h.keepsIDs {
		if err := w.db.exec("INSERT INTO ids (stream, id, rev) VALUES (?, ?, ?)", h.num, r.ID[:], int64(r.Rev)); err != nil {
			return err
		}
	}
	w.last, h.last = r.Pos, int64(r.Rev)
	w.written = append(w.written, r)
	return nil
}
