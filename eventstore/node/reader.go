package node

import (
	"context"
	"database/sql/driver"
	"fmt"
	"math"
	"strings"
)

const (
	pageEvents = 128
	pageBytes  = 256 << 10
)

// readers is a pool of read-only connections, opened when first needed.
type readers struct {
	file string
	idle chan *database // nil entries are connections not opened yet
}

func newReaders(file string) *readers {
	r := &readers{file: file, idle: make(chan *database, readerCount)}
	for range readerCount {
		r.idle <- nil
	}
	return r
}

// with lends a connection to f. Readers hold one for a page at a time, never while they wait for a client.
func (r *readers) with(ctx context.Context, f func(*database) error) error {
	var db *database
	select {
	case db = <-r.idle:
	case <-ctx.Done():
		return ctx.Err()
	}
	defer func() { r.idle <- db }()
	if db == nil {
		opened, err := openDatabase(r.file, "query_only(1)", readerCache)
		if err != nil {
			return err
		}
		db = opened
	}
	return f(db)
}

// close waits for every connection to come back.
func (r *readers) close(ctx context.Context) error {
	for range readerCount {
		select {
		case db := <-r.idle:
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
func parseRow(row []driver.Value) (record, error) {
	blob, _ := row[1].([]byte)
	return parseRecord(uint64(row[0].(int64)), blob)
}

// page reads events until it is full. more tells whether it ended because it was full.
func page(db *database, limit int, query string, args ...driver.Value) (events []record, more bool, err error) {
	size := 0
	err = db.each(func(row []driver.Value) (bool, error) {
		r, err := parseRow(row)
		if err != nil {
			return false, err
		}
		events = append(events, r)
		size += memory(&r)
		more = len(events) == limit || size >= pageBytes
		return !more, nil
	}, query, append(args, int64(limit))...)
	return events, more, err
}

// signed turns a position or revision of the protocol into SQLite's; the largest of both mean "the end".
func signed(n uint64) int64 { return int64(min(n, math.MaxInt64)) }

// allForward reads $all from position from on, inclusive. after is the event read before, 0 if the
// caller does not know it: the chain of events must have no gap.
func (s *store) allForward(ctx context.Context, from, after uint64, limit int) (events []record, more bool, err error) {
	reached := s.last.Load()
	err = s.readers.with(ctx, func(db *database) error {
		events, more, err = page(db, limit, "SELECT pos, rec FROM events WHERE pos >= ? ORDER BY pos LIMIT ?", signed(from))
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
		after = events[i].pos
	}
	if !more && from <= reached && after < reached {
		return nil, false, damaged(&record{pos: reached}, "it is missing at the end of the log")
	}
	return events, more, nil
}

// allBackward reads $all downwards, starting strictly before position before.
func (s *store) allBackward(ctx context.Context, before uint64, limit int) (events []record, more bool, err error) {
	reached := s.last.Load()
	err = s.readers.with(ctx, func(db *database) error {
		events, more, err = page(db, limit, "SELECT pos, rec FROM events WHERE pos < ? ORDER BY pos DESC LIMIT ?",
			signed(before))
		return err
	})
	if err != nil {
		return nil, false, err
	}
	if before > reached && reached > 0 && (len(events) == 0 || events[0].pos < reached) {
		return nil, false, damaged(&record{pos: reached}, "it is missing at the end of the log")
	}
	for i := range events {
		found := uint64(0)
		if i+1 < len(events) {
			found = events[i+1].pos
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

// streamEnd is what a reader needs to know of a stream before it reads.
type streamEnd struct {
	num  int64
	last int64 // -1 without events
	meta streamMeta
}

// missing is how a stream without events looks to readers, and a soft-deleted one.
func (e *streamEnd) missing() bool { return e.last < 0 || e.meta.softDeleted() }

// streamEnd looks up a stream's last revision and its bounds. A tombstoned stream is an error.
func (s *store) streamEnd(ctx context.Context, stream string) (e streamEnd, err error) {
	err = s.readers.with(ctx, func(db *database) error {
		e.num, e.last, err = streamLast(db, stream)
		if err != nil {
			return err
		}
		if original, ok := strings.CutPrefix(stream, metadataPrefix); ok {
			e.meta = streamMeta{maxCount: 1} // readers see the newest only
			_, last, err := streamLast(db, original)
			if last == tombstoneRev { // the metadata of a tombstoned stream is tombstoned with it
				e.last = tombstoneRev
			}
			return err
		}
		if !s.hasMeta.Load() {
			return nil
		}
		num, last, err := streamLast(db, metadataPrefix+stream)
		if err != nil || last < 0 || last == tombstoneRev {
			return err
		}
		r, err := recordAt(db, num, last)
		e.meta = parseMeta(r.data)
		return err
	})
	switch {
	case err != nil:
	case e.last == tombstoneRev:
		err = errStreamDeleted
	case e.last < 0 && isIndex(stream):
		return s.index.end(ctx, stream)
	}
	return e, err
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

// span are the revisions from..to of a stream in the direction of step (+1 or -1), at most
// limit of them.
type span struct {
	stream   string
	num      int64 // of the stream
	from, to int64
	step     int
	limit    int
}

// ordered are the bounds of the span and the direction, for a query.
func (s span) ordered() (low, high int64, order string) {
	if s.step < 0 {
		return s.to, s.from, "DESC"
	}
	return s.from, s.to, "ASC"
}

// streamPage reads a span and verifies that every revision of it is there and belongs to the
// stream.
func (s *store) streamPage(ctx context.Context, of span) (events []record, more bool, err error) {
	if of.num == indexNum {
		return s.index.page(ctx, of)
	}
	low, high, order := of.ordered()
	err = s.readers.with(ctx, func(db *database) error {
		events, more, err = page(db, of.limit, "SELECT pos, rec FROM events WHERE stream = ? AND rev >= ? AND rev <= ? "+
			"ORDER BY rev "+order+" LIMIT ?", of.num, low, high)
		return err
	})
	if err != nil {
		return nil, false, err
	}
	want, step := of.from, int64(of.step)
	for i := range events {
		if string(events[i].stream) != of.stream || int64(events[i].rev) != want {
			return nil, false, damaged(&events[i], fmt.Sprintf("revision %d of stream %q was expected here", want, of.stream))
		}
		want += step
	}
	if !more && want != of.to+step {
		return nil, false, damaged(&record{stream: []byte(of.stream), rev: uint64(want)}, "it is missing in its stream")
	}
	return events, more, nil
}

// recordAt is for an event that must be there.
func recordAt(db *database, num, rev int64) (r record, err error) {
	found := false
	err = db.each(func(row []driver.Value) (bool, error) {
		found = true
		r, err = parseRow(row)
		return false, err
	}, "SELECT pos, rec FROM events WHERE stream = ? AND rev = ?", num, rev)
	if err == nil && !found {
		err = damaged(&record{rev: uint64(rev)}, fmt.Sprintf("revision %d of stream number %d is missing", rev, num))
	}
	return r, err
}

func recordAtPosition(db *database, pos uint64) (r record, found bool, err error) {
	err = db.each(func(row []driver.Value) (bool, error) {
		found = true
		r, err = parseRow(row)
		return false, err
	}, "SELECT pos, rec FROM events WHERE pos = ?", signed(pos))
	return r, found, err
}

// lastRecord is the last event of the log, the zero record when the log is empty.
func lastRecord(db *database) (r record, err error) {
	err = db.each(func(row []driver.Value) (bool, error) {
		r, err = parseRow(row)
		return false, err
	}, "SELECT pos, rec FROM events ORDER BY pos DESC LIMIT 1")
	return r, err
}
