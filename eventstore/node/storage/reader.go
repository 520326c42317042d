package storage

import (
	"context"
	"database/sql/driver"
	"fmt"
	"math"
	"strings"
	"sync"
)

const (
	PageEvents = 128
	pageBytes  = 256 << 10
)

// readers is a pool of read-only connections, opened when first needed.
type readers struct {
	file string
	free chan struct{} // a token for each connection that may be lent

	mu   sync.Mutex
	idle []*database // opened; the one that was used last is lent first, since it has pages in memory
}

func newReaders(file string) *readers {
	r := &readers{file: file, free: make(chan struct{}, readerCount)}
	for range readerCount {
		r.free <- struct{}{}
	}
	return r
}

// with lends a connection to f. Readers hold one for a page at a time, never while they wait for a client.
func (r *readers) with(ctx context.Context, f func(*database) error) error {
	select {
	case <-r.free:
	case <-ctx.Done():
		return ctx.Err()
	}
	defer func() { r.free <- struct{}{} }()
	db := r.take()
	if db == nil {
		var err error
		if db, err = openDatabase(r.file, "query_only(1)", readerCache); err != nil {
			return err
		}
	}
	defer r.giveBack(db)
	return f(db)
}

// take is an opened connection, nil when there is none.
func (r *readers) take() (db *database) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if n := len(r.idle); n > 0 {
		db, r.idle = r.idle[n-1], r.idle[:n-1]
	}
	return db
}

func (r *readers) giveBack(db *database) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.idle = append(r.idle, db)
}

// close waits for every connection to come back.
func (r *readers) close(ctx context.Context) error {
	for range readerCount {
		select {
		case <-r.free:
			db := r.take()
			if db == nil {
				continue
			}
			if err := db.close(); err != nil {
				return fmt.Errorf("close a reader: %w", err)
			}
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}

// parseRow reads a row whose first two columns are pos and rec.
func parseRow(row []driver.Value) (Record, error) {
	blob, _ := row[1].([]byte)
	return parseRecord(uint64(row[0].(int64)), blob)
}

// page reads events until it is full. more tells whether it ended because it was full.
func page(db *database, limit int, query string, args ...driver.Value) (events []Record, more bool, err error) {
	size := 0
	err = db.each(func(row []driver.Value) (bool, error) {
		r, err := parseRow(row)
		if err != nil {
			return false, err
		}
		events = append(events, r)
		size += MemoryOf(&r)
		more = len(events) == limit || size >= pageBytes
		return !more, nil
	}, query, append(args, int64(limit))...)
	return events, more, err
}

// Signed turns a position or revision of the protocol into SQLite's; the largest of both mean "the end".
func Signed(n uint64) int64 { return int64(min(n, math.MaxInt64)) }

// AllForward reads $all from position from on, inclusive. after is the event read before, 0 if the
// caller does not know it: the chain of events must have no gap.
func (s *Store) AllForward(ctx context.Context, from, after uint64, limit int) (events []Record, more bool, err error) {
	reached := s.Last.Load()
	err = s.readers.with(ctx, func(db *database) error {
		events, more, err = page(db, limit, "SELECT pos, rec FROM events WHERE pos >= ? ORDER BY pos LIMIT ?", Signed(from))
		return err
	})
	if err != nil {
		return nil, false, err
	}
	for i := range events {
		if after != 0 && events[i].prev != after {
			return nil, false, damaged(&events[i],
				fmt.Sprintf("the event before it should be at position %d, but %d was found", events[i].prev, after))
		}
		after = events[i].Pos
	}
	if !more && from <= reached && after < reached {
		return nil, false, damaged(&Record{Pos: reached}, "it is missing at the end of the log")
	}
	return events, more, nil
}

// AllBackward reads $all downwards, starting strictly before position before.
func (s *Store) AllBackward(ctx context.Context, before uint64, limit int) (events []Record, more bool, err error) {
	reached := s.Last.Load()
	err = s.readers.with(ctx, func(db *database) error {
		events, more, err = page(db, limit, "SELECT pos, rec FROM events WHERE pos < ? ORDER BY pos DESC LIMIT ?",
			Signed(before))
		return err
	})
	if err != nil {
		return nil, false, err
	}
	if before > reached && reached > 0 && (len(events) == 0 || events[0].Pos < reached) {
		return nil, false, damaged(&Record{Pos: reached}, "it is missing at the end of the log")
	}
	for i := range events {
		found := uint64(0)
		if i+1 < len(events) {
			found = events[i+1].Pos
		} else if more {
			break
		}
		if events[i].prev != found {
			return nil, false, damaged(&events[i],
				fmt.Sprintf("the event before it should be at position %d, but %d was found", events[i].prev, found))
		}
	}
	return events, more, nil
}

// StreamEnd is what a reader needs to know of a stream before it reads.
type StreamEnd struct {
	Num  int64
	Last int64 // -1 without events
	Meta StreamMeta
}

// Missing is how a stream without events looks to readers, and a soft-deleted one.
func (e *StreamEnd) Missing() bool { return e.Last < 0 || e.Meta.softDeleted() }

// StreamEnd looks up a stream's last revision and its bounds. A tombstoned stream is an error.
func (s *Store) StreamEnd(ctx context.Context, stream string) (e StreamEnd, err error) {
	err = s.readers.with(ctx, func(db *database) error {
		e.Num, e.Last, err = streamLast(db, stream)
		if err != nil {
			return err
		}
		if original, ok := strings.CutPrefix(stream, MetadataPrefix); ok {
			e.Meta = StreamMeta{maxCount: 1} // readers see the newest only
			_, last, err := streamLast(db, original)
			if last == TombstoneRevision { // the metadata of a tombstoned stream is tombstoned with it
				e.Last = TombstoneRevision
			}
			return err
		}
		if !s.hasMeta.Load() {
			return nil
		}
		num, last, err := streamLast(db, MetadataPrefix+stream)
		if err != nil || last < 0 || last == TombstoneRevision {
			return err
		}
		r, err := recordAt(db, num, last)
		e.Meta = parseMeta(r.Data)
		return err
	})
	switch {
	case err != nil:
	case e.Last == TombstoneRevision:
		err = ErrStreamDeleted
	case e.Last < 0 && IsIndex(stream):
		return s.index.end(ctx, stream)
	}
	return e, err
}

// StreamsBegin says whether a stream that the log had up to a position, which it answers, has a name with one of the
// beginnings.
func (s *Store) StreamsBegin(ctx context.Context, beginnings [][]byte) (found bool, upTo uint64, err error) {
	upTo = s.Last.Load() // before the names: what is appended meanwhile comes behind it
	err = s.readers.with(ctx, func(db *database) error {
		for _, b := range beginnings {
			err := db.each(func(row []driver.Value) (bool, error) {
				name, _ := row[0].(string)
				found = found || strings.HasPrefix(name, string(b))
				return false, nil
			}, "SELECT name FROM streams WHERE name >= ? ORDER BY name LIMIT 1", string(b))
			if err != nil {
				return err
			}
		}
		return nil
	})
	return found, upTo, err
}

// streamLast answers last -1 for a stream that is not there.
func streamLast(db *database, stream string) (num, last int64, err error) {
	num, known, err := db.number("SELECT num FROM streams WHERE name = ?", stream)
	if err != nil || !known {
		return 0, -1, err
	}
	last, known, err = db.number("SELECT max(rev) FROM events WHERE stream = ?", num)
	if !known {
		last = -1
	}
	return num, last, err
}

// Span are the revisions from..to of a stream in the direction of step (+1 or -1), at most
// limit of them.
type Span struct {
	Stream   string
	Num      int64 // of the stream
	From, To int64
	Step     int
	Limit    int
}

// ordered are the bounds of the span and the direction, for a query.
func (s Span) ordered() (low, high int64, order string) {
	if s.Step < 0 {
		return s.To, s.From, "DESC"
	}
	return s.From, s.To, "ASC"
}

// StreamPage reads a span and verifies that every revision of it is there and belongs to the
// stream.
func (s *Store) StreamPage(ctx context.Context, of Span) (events []Record, more bool, err error) {
	if of.Num == indexNum {
		return s.index.page(ctx, of)
	}
	low, high, order := of.ordered()
	err = s.readers.with(ctx, func(db *database) error {
		events, more, err = page(db, of.Limit, "SELECT pos, rec FROM events WHERE stream = ? AND rev >= ? AND rev <= ? "+
			"ORDER BY rev "+order+" LIMIT ?", of.Num, low, high)
		return err
	})
	if err != nil {
		return nil, false, err
	}
	want, step := of.From, int64(of.Step)
	for i := range events {
		if string(events[i].Stream) != of.Stream || int64(events[i].Rev) != want {
			return nil, false, damaged(&events[i], fmt.Sprintf("revision %d of stream %q was expected here", want, of.Stream))
		}
		want += step
	}
	if !more && want != of.To+step {
		return nil, false, damaged(&Record{Stream: []byte(of.Stream), Rev: uint64(want)}, "it is missing in its stream")
	}
	return events, more, nil
}

// recordAt is for an event that must be there.
func recordAt(db *database, num, rev int64) (r Record, err error) {
	found := false
	err = db.each(func(row []driver.Value) (bool, error) {
		found = true
		r, err = parseRow(row)
		return false, err
	}, "SELECT pos, rec FROM events WHERE stream = ? AND rev = ?", num, rev)
	if err == nil && !found {
		err = damaged(&Record{Rev: uint64(rev)}, fmt.Sprintf("revision %d of stream number %d is missing", rev, num))
	}
	return r, err
}

func recordAtPosition(db *database, pos uint64) (r Record, found bool, err error) {
	err = db.each(func(row []driver.Value) (bool, error) {
		found = true
		r, err = parseRow(row)
		return false, err
	}, "SELECT pos, rec FROM events WHERE pos = ?", Signed(pos))
	return r, found, err
}

// lastRecord is the last event of the log, the zero record when the log is empty.
func lastRecord(db *database) (r Record, err error) {
	err = db.each(func(row []driver.Value) (bool, error) {
		r, err = parseRow(row)
		return false, err
	}, "SELECT pos, rec FROM events ORDER BY pos DESC LIMIT 1")
	return r, err
}
