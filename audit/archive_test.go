package audit_test

import (
	"archive/zip"
	"bytes"
	"slices"
	"testing"

	"folio/audit"
)

// Programs that unpack do not all go by the list at an archive's end. None of them finds anything else in an export.
func TestAnArchiveWithMoreInIt(t *testing.T) {
	e := newExport(t)
	good := e.zip()
	other := newExport(t)
	other.change("invoices.csv", "Otro", "Nadie")
	behind := bytes.Index(good, []byte("PK\x07\x08")) + 16 // the first file
	deflated := []byte("PK\x03\x04\x14\x00\x08\x00\x08")   // how each file begins
	named := func(name string, set func(*zip.FileHeader)) []byte {
		var out bytes.Buffer
		w := zip.NewWriter(&out)
		for _, p := range e.parts {
			h := &zip.FileHeader{Name: p.name, Method: zip.Deflate}
			if p.name == name {
				set(h)
			}
			f, err := w.CreateHeader(h)
			e.must(err)
			_, err = f.Write([]byte(p.content))
			e.must(err)
		}
		e.must(w.Close())
		return out.Bytes()
	}
	for name, content := range map[string][]byte{
		"another export before it":       slices.Concat(other.zip(), good),
		"a program before it":            slices.Concat([]byte("#!/bin/sh\n"), good),
		"bytes behind it":                slices.Concat(good, []byte("PK\x03\x04 more")),
		"a file between two of the list": slices.Insert(slices.Clone(good), behind, other.zip()[:behind]...),
		"another name before a file":     bytes.Replace(good, []byte("calls.csv"), []byte("sales.csv"), 1),
		"another way to unpack a file":   bytes.Replace(good, deflated, append(slices.Clone(deflated[:8]), 0), 1),
		"another name in Unicode": named("calls.csv", func(h *zip.FileHeader) {
			h.Extra = []byte("up\x0e\x00\x01\x00\x00\x00\x00sales.csv")
		}),
		"a remark of a file": named("calls.csv", func(h *zip.FileHeader) { h.Comment = "Rejected since" }),
	} {
		if bytes.Equal(content, good) {
			t.Fatalf("%s: nothing was changed", name)
		}
		if r, err := audit.Verify(bytes.NewReader(content), int64(len(content)), e.key); err == nil {
			t.Errorf("%s: %v", name, r)
		}
	}
	stored := named("calls.csv", func(h *zip.FileHeader) { h.Method = zip.Store })
	if _, err := audit.Verify(bytes.NewReader(stored), int64(len(stored)), e.key); err != nil {
		t.Errorf("packed by somebody else: %v", err)
	}
}
