package storage

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"syscall"

	sqlite3 "modernc.org/sqlite/lib"
)

const (
	sqliteBusy   = sqlite3.SQLITE_BUSY
	sqliteLocked = sqlite3.SQLITE_LOCKED

	MarkName = "events.mark"
	MarkSlot = 512 // one sector a slot: a torn write spoils one of the two
	markSize = 24
)

var markMagic = [4]byte{'F', 'M', 'K', '1'}

// markFile remembers how far the log reached, in a file that SQLite knows nothing of. SQLite ends its
// log at the first frame that is not valid, without a word: events that were acknowledged would be
// gone. The mark is written behind the commits, so what it can miss is the last second.
//
// Two slots are written in turn: magic, position, checksum of the event, checksum of the slot.
type markFile struct {
	file *os.File
	slot int64

	mu       sync.Mutex
	pos      uint64
	sum      uint32
	unsynced bool
}

// openMark opens the mark of the log that ends with last and compares the two.
func openMark(dir string, db *database, last Record, log *slog.Logger) (*markFile, error) {
	path := filepath.Join(dir, MarkName)
	_, statErr := os.Stat(path)
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, fmt.Errorf("open the high-water mark: %w", err)
	}
	m := &markFile{file: file}
	if errors.Is(statErr, os.ErrNotExist) {
		if last.Pos > 0 {
			log.Warn("the high-water mark was missing and is made anew: the end of the event log could not be verified", "file",
				path, "last", last.Pos)
		}
		err = errors.Join(m.write(last.Pos, last.sum), m.write(last.Pos, last.sum), syncFolder(dir))
	} else {
		err = m.verify(db, last, log)
	}
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return m, nil
}

// verify reads the mark and holds the log against it.
func (m *markFile) verify(db *database, last Record, log *slog.Logger) error {
	if err := m.read(log); err != nil {
		return fmt.Errorf("%w: %w: %s", ErrDamaged, err, m.wayOut())
	}
	return m.compare(db, last)
}

func (m *markFile) wayOut() string {
	return fmt.Sprintf("restore the last backup; or, to go on with what is left and accept the loss, delete %s and "+
		"start again", m.file.Name())
}

// compare wants the log to reach the mark, with the same event there.
func (m *markFile) compare(db *database, last Record) error {
	if last.Pos < m.pos {
		return fmt.Errorf("%w: it ends at position %d, but events up to position %d were acknowledged: %s", ErrDamaged,
			last.Pos, m.pos, m.wayOut())
	}
	if m.pos == 0 {
		return nil
	}
	at, found, err := recordAtPosition(db, m.pos)
	if err != nil {
		return err
	}
	if !found || at.sum != m.sum {
		return fmt.Errorf("%w: the event at position %d is not the one that was acknowledged: %s", ErrDamaged, m.pos,
			m.wayOut())
	}
	return nil
}

// read takes the valid slot that reached further.
func (m *markFile) read(log *slog.Logger) error {
	valid := 0
	for slot := int64(0); slot < 2; slot++ {
		var b [markSize]byte
		if _, err := m.file.ReadAt(b[:], slot*MarkSlot); err != nil && err != io.EOF {
			return fmt.Errorf("read the high-water mark: %w", err)
		}
		if [4]byte(b[:4]) != markMagic || binary.LittleEndian.Uint32(b[16:]) != crc32.Checksum(b[:16], castagnoli) {
			log.Warn("a slot of the high-water mark is not valid; the other one is used", "file", m.file.Name(), "slot", slot)
			continue
		}
		valid++
		if pos := binary.LittleEndian.Uint64(b[4:]); valid == 1 || pos > m.pos {
			m.pos, m.sum, m.slot = pos, binary.LittleEndian.Uint32(b[12:]), 1-slot
		}
	}
	if valid == 0 {
		return fmt.Errorf("neither slot of the high-water mark %s is valid", m.file.Name())
	}
	return nil
}

// note remembers a committed event; sync writes it.
func (m *markFile) note(pos uint64, sum uint32) {
	m.mu.Lock()
	m.pos, m.sum, m.unsynced = pos, sum, true
	m.mu.Unlock()
}

// sync writes what was noted since the last time. It has one caller at a time.
func (m *markFile) sync() error {
	m.mu.Lock()
	pos, sum, unsynced := m.pos, m.sum, m.unsynced
	m.unsynced = false
	m.mu.Unlock()
	if !unsynced {
		return nil
	}
	err := m.write(pos, sum)
	if err != nil {
		m.mu.Lock()
		m.unsynced = true
		m.mu.Unlock()
	}
	return err
}

// write fills one slot and syncs it before the other is ever touched.
func (m *markFile) write(pos uint64, sum uint32) error {
	var b [MarkSlot]byte
	copy(b[:], markMagic[:])
	binary.LittleEndian.PutUint64(b[4:], pos)
	binary.LittleEndian.PutUint32(b[12:], sum)
	binary.LittleEndian.PutUint32(b[16:], crc32.Checksum(b[:16], castagnoli))
	if _, err := m.file.WriteAt(b[:], m.slot*MarkSlot); err != nil {
		return fmt.Errorf("write the high-water mark: %w", err)
	}
	if err := m.file.Sync(); err != nil {
		return fmt.Errorf("sync the high-water mark: %w", err)
	}
	m.slot = 1 - m.slot
	return nil
}

func (m *markFile) close() error { return m.file.Close() }

// isNoSpace tells a full disk, or a used-up quota, from a broken one.
func isNoSpace(err error) bool {
	return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT)
}

// syncFolder makes new names in dir durable.
func syncFolder(dir string) error {
	f, err := os.Open(dir)
	if err != nil {
		return fmt.Errorf("open the data folder: %w", err)
	}
	return errors.Join(f.Sync(), f.Close())
}
