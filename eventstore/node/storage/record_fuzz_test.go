package storage

import (
	"bytes"
	"testing"
)

// FuzzRecord: a row that parses is exactly what would be written again; any other is refused.
func FuzzRecord(f *testing.F) {
	r := Record{Pos: 77, prev: 7, Rev: 3, Created: 12345, ID: [16]byte{1}, JSON: true, Stream: []byte("s"),
		Kind: []byte("E"), Data: []byte("{}")}
	f.Add(uint64(77), appendRecord(nil, &r))
	f.Add(uint64(0), []byte{1, 2, 3})
	f.Fuzz(func(t *testing.T, pos uint64, row []byte) {
		got, err := parseRecord(pos, row)
		if err != nil {
			return
		}
		again, err := parseRecord(pos, appendRecord(nil, &got))
		if err != nil || again.Rev != got.Rev || !bytes.Equal(again.Data, got.Data) || again.ID != got.ID {
			t.Fatalf("%+v became %+v, %v", got, again, err)
		}
	})
}

// FuzzMetadata: no stream metadata can break a reader.
func FuzzMetadata(f *testing.F) {
	f.Add([]byte(`{"$maxAge":9223372036854775807,"$maxCount":1,"$tb":-5}`))
	f.Add([]byte(`null`))
	f.Add([]byte(`{"$tb":1,"$acl":{"$r":["a",null]}}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		m := parseMeta(b)
		if m.maxAge < 0 || m.maxCount < 0 || m.tb < 0 || m.First(10) < 0 {
			t.Fatalf("%+v", m)
		}
		data, ok := m.withTruncateBefore(5)
		if !ok {
			return
		}
		again := parseMeta(data)
		sound := m.maxAge > 0 || m.maxCount > 0 || m.tb > 0
		if sound && (again.tb != 5 || again.maxCount != m.maxCount || again.maxAge != m.maxAge) {
			t.Fatalf("%+v became %+v", m, again)
		}
	})
}
