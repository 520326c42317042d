package audit

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
)

// What a file has before and behind its content, and the list of them at the end.
const (
	headSize      = 30 // before the name
	listedSize    = 46 // of an entry of the list, before the name
	endSize       = 22
	longEndSize   = endSize + 20 + 56 // in a long archive
	hasDescriptor = 8                 // a flag: sizes and checksum stand behind the content
	shortest      = 1<<32 - 1         // from this size on a file's sizes are written in 8 bytes
)

// nothingElse sees that the archive is the files of its list, one behind another, and nothing more. This package reads
// the list at the archive's end, and other programs unpack what stands before it: without this they could be given
// other files than those that were verified here.
func nothingElse(content io.ReaderAt, size int64, archive *zip.Reader) error {
	at, listed := int64(0), int64(0)
	for _, f := range archive.File {
		data, err := f.DataOffset()
		if err != nil {
			return differs(f.Name, 0, "it cannot be read: %v", err)
		}
		behind := descriptor(f)
		found := make([]byte, max(data-at, 0))
		tail := make([]byte, len(behind))
		next := data + int64(f.CompressedSize64)
		if data-at > headSize+2<<16 || !filled(content, found, at) || !filled(content, tail, next) ||
			!isHead(f, found) || !bytes.Equal(tail, behind) || !knownExtra([]byte(f.Extra)) || f.Comment != "" {
			return differs(f.Name, 0, "the archive has something else in its place than its list says: "+
				"another program would unpack another file")
		}
		at = next + int64(len(behind))
		listed += listedSize + int64(len(f.Name)+len(f.Extra))
	}
	if rest := size - at - listed; rest != endSize && rest != longEndSize || archive.Comment != "" {
		return fmt.Errorf("this is no export, or more than one: the archive has bytes that belong to no file of it")
	}
	return nil
}

// isHead tells whether these bytes, all that stands between the file before and the content, say the same as the list.
func isHead(f *zip.File, found []byte) bool {
	if len(found) < headSize+len(f.Name) {
		return false
	}
	say := []byte{'P', 'K', 3, 4, found[4], found[5]} // the version that unpacks it
	say = binary.LittleEndian.AppendUint16(say, f.Flags)
	say = binary.LittleEndian.AppendUint16(say, f.Method)
	say = append(say, found[10:14]...) // its time, which nothing is proven of
	if f.Flags&hasDescriptor != 0 {
		say = append(say, make([]byte, 12)...)
	} else {
		say = binary.LittleEndian.AppendUint32(say, f.CRC32)
		say = binary.LittleEndian.AppendUint32(say, uint32(f.CompressedSize64))
		say = binary.LittleEndian.AppendUint32(say, uint32(f.UncompressedSize64))
	}
	extra := found[headSize+len(f.Name):]
	say = binary.LittleEndian.AppendUint16(say, uint16(len(f.Name)))
	say = binary.LittleEndian.AppendUint16(say, uint16(len(extra)))
	return bytes.Equal(append(say, f.Name...), found[:headSize+len(f.Name)]) && knownExtra(extra)
}

// descriptor is what stands behind the content.
func descriptor(f *zip.File) []byte {
	if f.Flags&hasDescriptor == 0 {
		return nil
	}
	out := binary.LittleEndian.AppendUint32([]byte{'P', 'K', 7, 8}, f.CRC32)
	if f.CompressedSize64 >= shortest || f.UncompressedSize64 >= shortest {
		out = binary.LittleEndian.AppendUint64(out, f.CompressedSize64)
		return binary.LittleEndian.AppendUint64(out, f.UncompressedSize64)
	}
	out = binary.LittleEndian.AppendUint32(out, uint32(f.CompressedSize64))
	return binary.LittleEndian.AppendUint32(out, uint32(f.UncompressedSize64))
}

// knownExtra allows a file's times and its sizes in 8 bytes. Others give it another name in some programs.
func knownExtra(extra []byte) bool {
	for len(extra) >= 4 {
		tag, size := binary.LittleEndian.Uint16(extra), int(binary.LittleEndian.Uint16(extra[2:]))
		if tag != 0x0001 && tag != 0x5455 || size > len(extra)-4 {
			return false
		}
		extra = extra[4+size:]
	}
	return len(extra) == 0
}

func filled(content io.ReaderAt, into []byte, at int64) bool {
	n, _ := content.ReadAt(into, at) // at the very end it says so, too
	return n == len(into)
}
