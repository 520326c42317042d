package storage

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"time"
)

// Record is one stored event. Its byte slices alias the stored row and must not be changed.
type Record struct {
	Pos, prev uint64 // prev is the position of the event before it in the log, 0 for the first
	Rev       uint64
	Created   int64 // 100 ns ticks since the UNIX epoch
	ID        [16]byte
	JSON      bool
	Stream    []byte
	Kind      []byte
	Meta      []byte
	Data      []byte
	sum       uint32
}

const (
	recordFormat      = 1
	recordOverhead    = 64 // keeps positions apart the way the headers of a log file do
	TombstoneRevision = 1<<63 - 1
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// ErrDamaged marks every report of stored bytes that are not what was written.
var ErrDamaged = errors.New("the event log is damaged")

// Advice ends those reports where nothing better can be said.
const Advice = "stop the service and restore the last backup, or move the data folder away and ask for help"

// appendRecord adds the stored form of r to dst. The checksum covers the position and every field,
// so a row that was moved, cut or altered does not pass.
//
// Layout: format, checksum (4), flags, id (16), created (8), prev, rev, then stream, type, metadata
// and data, each preceded by its length.
func appendRecord(dst []byte, r *Record) []byte {
	start := len(dst)
	dst = append(dst, recordFormat, 0, 0, 0, 0)
	flags := byte(0)
	if r.JSON {
		flags = 1
	}
	dst = append(dst, flags)
	dst = append(dst, r.ID[:]...)
	dst = binary.LittleEndian.AppendUint64(dst, uint64(r.Created))
	dst = binary.AppendUvarint(dst, r.prev)
	dst = binary.AppendUvarint(dst, r.Rev)
	for _, field := range [...][]byte{r.Stream, r.Kind, r.Meta, r.Data} {
		dst = binary.AppendUvarint(dst, uint64(len(field)))
		dst = append(dst, field...)
	}
	r.sum = checksum(r.Pos, dst[start+5:])
	binary.LittleEndian.PutUint32(dst[start+1:], r.sum)
	return dst
}

func checksum(pos uint64, body []byte) uint32 {
	var head [9]byte
	head[0] = recordFormat
	binary.LittleEndian.PutUint64(head[1:], pos)
	return crc32.Update(crc32.Checksum(head[:], castagnoli), castagnoli, body)
}

// parseRecord reads the row stored at pos and verifies its checksum before anything else is believed.
func parseRecord(pos uint64, row []byte) (Record, error) {
	r := Record{Pos: pos}
	if len(row) < 30 {
		return r, damaged(&r, fmt.Sprintf("its row has %d bytes", len(row)))
	}
	if row[0] != recordFormat {
		return r, damaged(&r, fmt.Sprintf("its row has format %d, this program knows %d", row[0], recordFormat))
	}
	r.sum = binary.LittleEndian.Uint32(row[1:])
	valid := checksum(pos, row[5:]) == r.sum
	ok := r.parseFields(row[5:])
	switch {
	case !valid:
		return r, damaged(&r, "its checksum does not match its bytes")
	case !ok:
		return r, damaged(&r, "its fields do not fill its row")
	}
	return r, nil
}

func (r *Record) parseFields(b []byte) bool {
	r.JSON = b[0]&1 != 0
	copy(r.ID[:], b[1:17])
	r.Created = int64(binary.LittleEndian.Uint64(b[17:]))
	b = b[25:]
	for _, number := range [...]*uint64{&r.prev, &r.Rev} {
		v, n := binary.Uvarint(b)
		if n <= 0 {
			return false
		}
		*number, b = v, b[n:]
	}
	for _, field := range [...]*[]byte{&r.Stream, &r.Kind, &r.Meta, &r.Data} {
		size, n := binary.Uvarint(b)
		if n <= 0 || size > uint64(len(b)-n) {
			return false
		}
		end := n + int(size)
		*field, b = b[n:end:end], b[end:]
	}
	return len(b) == 0
}

// damaged names the event as far as it can still be read.
func damaged(r *Record, what string) error {
	where := fmt.Sprintf("event at position %d", r.Pos)
	if len(r.Stream) > 0 {
		where += fmt.Sprintf(" (as far as it can be read: stream %q, revision %d)", r.Stream, r.Rev)
	}
	return fmt.Errorf("%w: %s: %s; %s", ErrDamaged, where, what, Advice)
}

func Ticks(t time.Time) int64 { return t.UnixNano() / 100 }

func (r *Record) IsTombstone() bool { return r.Rev == TombstoneRevision }

// Hidden tells the server's own bookkeeping, which no read of $all shows.
func Hidden(r *Record) bool {
	if len(r.Stream) == 0 || r.Stream[0] != '$' {
		return false
	}
	if string(r.Stream) == "$epoch-information" {
		return true
	}
	return bytes.HasPrefix(r.Stream, []byte("$persistentsubscription-$all::")) &&
		(bytes.HasSuffix(r.Stream, []byte("-checkpoint")) || bytes.HasSuffix(r.Stream, []byte("-parked")))
}
