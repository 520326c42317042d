package pdf

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"hash/crc32"
	"slices"
	"testing"
)

// interlaced is an Adam7 PNG of 4 x 4 grey pixels, which Go does not write.
func interlaced(t testing.TB) []byte {
	t.Helper()
	// The passes of a 4 x 4 picture: 1, 4 (one pixel), 5 (2x1), 6 (2x2), 7 (4x2), each row after filter 0.
	raw := []byte{0, 10, 0, 20, 0, 30, 40, 0, 50, 60, 0, 70, 80, 0, 1, 2, 3, 4, 0, 5, 6, 7, 8}
	header := []byte{0, 0, 0, 4, 0, 0, 0, 4, 8, 0, 0, 0, 1}
	out := []byte("\x89PNG\r\n\x1a\n")
	out = appendChunk(out, "IHDR", header)
	out = appendChunk(out, "IDAT", deflated(t, raw))
	return appendChunk(out, "IEND", nil)
}

func appendChunk(b []byte, name string, data []byte) []byte {
	b = binary.BigEndian.AppendUint32(b, uint32(len(data)))
	from := len(b)
	b = append(append(b, name...), data...)
	return binary.BigEndian.AppendUint32(b, crc32.ChecksumIEEE(b[from:]))
}

// withSize changes the sides in the header of a PNG.
func withSize(t testing.TB, w, h uint32) []byte {
	t.Helper()
	b := slices.Clone(drawing(t, 16, 8))
	binary.BigEndian.PutUint32(b[16:], w)
	binary.BigEndian.PutUint32(b[20:], h)
	binary.BigEndian.PutUint32(b[29:], crc32.ChecksumIEEE(b[12:29]))
	return b
}

// withOrientation puts an EXIF segment into a JPEG.
func withOrientation(jpg []byte, orientation byte) []byte {
	exif := append([]byte("Exif\x00\x00MM\x00*\x00\x00\x00\x08\x00\x01\x01\x12\x00\x03\x00\x00\x00\x01\x00"), orientation,
		0, 0, 0, 0, 0, 0)
	segment := append([]byte{0xff, 0xe1, 0, byte(len(exif) + 2)}, exif...)
	return slices.Concat(jpg[:2], segment, jpg[2:])
}

func deflated(t testing.TB, raw []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zlib.NewWriter(&b)
	if _, err := z.Write(raw); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// cmykJPEG is a JPEG of 8 x 8 equal pixels in four colours, with or without the mark
// of Adobe that tells how they are stored.
func cmykJPEG(adobe bool) []byte {
	out := []byte{0xff, 0xd8}
	segment := func(marker byte, data []byte) {
		out = append(out, 0xff, marker, 0, byte(len(data)+2))
		out = append(out, data...)
	}
	if adobe {
		segment(0xee, []byte("Adobe\x00\x64\x00\x00\x00\x00\x00"))
	}
	segment(0xdb, append([]byte{0}, bytes.Repeat([]byte{1}, 64)...))
	segment(0xc0, []byte{8, 0, 8, 0, 8, 4, 1, 0x11, 0, 2, 0x11, 0, 3, 0x11, 0, 4, 0x11, 0})
	// One code of one bit in either table: no difference, end of block.
	code := append([]byte{1}, make([]byte, 16)...)
	segment(0xc4, append([]byte{0x00}, code...))
	segment(0xc4, append([]byte{0x10}, code...))
	segment(0xda, []byte{4, 1, 0, 2, 0, 3, 0, 4, 0, 0, 63, 0})
	return append(out, 0x00, 0xff, 0xd9)
}
