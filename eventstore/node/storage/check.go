package storage

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
)

// Findings is what Check found. No problems means that every stored event was read, its checksum, its
// place in the log and its place in its stream agreed, and the log reaches its high-water mark.
type Findings struct {
	Events       uint64
	Streams      uint64
	LastPosition uint64
	Problems     []string // at most maxProblems; empty when all is well
}

const maxProblems = 100

// Check reads the whole log of a data folder and changes nothing in it but what SQLite does to recover
// after a crash. Beside a running node it looks at the log as it is when it starts; SQLite's own log grows
// meanwhile. progress, which may be nil, hears of the events read so far. Its error is for a check that
// could not be made; damage is a finding.
func Check(ctx context.Context, dir string, progress func(events uint64)) (f Findings, err error) {
	file := filepath.Join(dir, LogFile)
	if _, err := os.Stat(file); errors.Is(err, fs.ErrNotExist) {
		return f, fmt.Errorf("check %s: there is no event log in it", dir)
	}
	lock, err := LockFolder(dir)
	if err != nil && !errors.Is(err, ErrInUse) {
		return f, fmt.Errorf("check: %w", err)
	}
	if lock != nil {
		defer func() { err = errors.Join(err, lock.Close()) }()
	}
	c := &checker{ctx: ctx, Findings: &f, progress: progress, ends: map[int64]int64{}}
	// Before the log: the mark follows the commits, so a log read later reaches it.
	if err := c.readMark(dir); err != nil {
		return f, err
	}
	if c.db, err = openDatabase(file, "synchronous(FULL)", "wal_autocheckpoint(0)", checkerCache); err != nil {
		return f.damaged(err)
	}
	defer func() { err = errors.Join(err, c.db.close()) }()
	if err := c.db.exec("BEGIN"); err != nil {
		return f.damaged(err)
	}
	for _, part := range []func() error{c.structure, c.events, c.streams, c.checkMark} {
		if err := part(); err != nil {
			return f.damaged(err)
		}
	}
	return f, nil
}

// damaged turns an error that is a finding into one.
func (f Findings) damaged(err error) (Findings, error) {
	if errors.Is(err, ErrDamaged) {
		f.Problems = append(f.Problems, err.Error())
		return f, nil
	}
	return f, err
}

type checker struct {
	*Findings
	ctx      context.Context
	db       *database
	progress func(uint64)
	mark     *markFile
	ends     map[int64]int64 // last revision seen of each stream
}

// problem answers whether there is room for more.
func (c *checker) problem(format string, args ...any) bool {
	c.Problems = append(c.Problems, fmt.Sprintf(format, args...))
	return len(c.Problems) < maxProblems
}

// structure lets SQLite verify its trees and that each index agrees with its table.
func (c *checker) structure() error {
	return c.db.each(func(row []driver.Value) (bool, error) {
		if text, _ := row[0].(string); text != "ok" {
			return c.problem("the database: %s", text), nil
		}
		return true, c.ctx.Err()
	}, "PRAGMA integrity_check(20)")
}

// events reads the log in order, verifying each event, the chain of positions and every stream's count.
func (c *checker) events() error {
	prev := uint64(0)
	return c.db.each(func(row []driver.Value) (bool, error) {
		pos, num, rev := uint64(row[0].(int64)), row[2].(int64), row[3].(int64)
		r, err := parseRow(row)
		ok := true
		switch end, seen := c.end(num); {
		case err != nil:
			ok = c.problem("%v", err)
		case r.prev != prev:
			ok = c.problem("event at position %d should follow position %d, but %d was found", pos, r.prev, prev)
		case int64(r.Rev) != rev:
			ok = c.problem("event at position %d says revision %d, its row says %d", pos, r.Rev, rev)
		case rev != end+1 && (rev != TombstoneRevision || seen && end == TombstoneRevision):
			ok = c.problem("event at position %d: its stream %q goes from revision %d to %d", pos, r.Stream, end, rev)
		}
		prev = pos
		c.ends[num] = rev
		c.Events++
		c.LastPosition = pos
		if c.progress != nil && c.Events%10_000 == 0 {
			c.progress(c.Events)
		}
		return ok, c.ctx.Err()
	}, "SELECT pos, rec, stream, rev FROM events ORDER BY pos")
}

func (c *checker) end(num int64) (int64, bool) {
	end, seen := c.ends[num]
	if !seen {
		return -1, false
	}
	return end, true
}

// streams verifies that each name leads to events that carry it.
func (c *checker) streams() error {
	named := map[int64]string{}
	err := c.db.each(func(row []driver.Value) (bool, error) {
		named[row[1].(int64)] = row[0].(string)
		c.Streams++
		return true, c.ctx.Err()
	}, "SELECT name, num FROM streams")
	if err != nil {
		return err
	}
	for num, name := range named {
		last, ok := c.ends[num]
		if !ok {
			if !c.problem("stream %q has no events", name) {
				return nil
			}
			continue
		}
		r, err := recordAt(c.db, num, last)
		if err == nil && string(r.Stream) != name {
			err = fmt.Errorf("stream %q leads to events of stream %q", name, r.Stream)
		}
		if err != nil && !c.problem("%v", err) {
			return nil
		}
	}
	for num := range c.ends {
		if _, ok := named[num]; !ok && !c.problem("events of stream number %d have lost its name", num) {
			return nil
		}
	}
	return nil
}

// readMark remembers how far the log was acknowledged. A mark that is missing or unreadable is a finding.
func (c *checker) readMark(dir string) error {
	path := filepath.Join(dir, MarkName)
	file, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		c.problem("the high-water mark %s is missing: whether the end of the log is complete cannot be told", path)
		return nil
	}
	if err != nil {
		return fmt.Errorf("read the high-water mark: %w", err)
	}
	c.mark = &markFile{file: file}
	if err := c.mark.read(slog.New(slog.DiscardHandler)); err != nil {
		c.problem("%v", err)
		c.mark = nil
	}
	return file.Close()
}

// checkMark looks whether the log reaches what was acknowledged.
func (c *checker) checkMark() error {
	if c.mark == nil {
		return nil
	}
	last, err := lastRecord(c.db)
	if err != nil {
		return err
	}
	return c.mark.compare(c.db, last)
}
