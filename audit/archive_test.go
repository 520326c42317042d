package audit_test

import (
	"archive/zip"
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"
	"unicode"

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

// A small archive may unpack to what no memory holds, and to records that are read for hours.
func TestARecordThatDoesNotEnd(t *testing.T) {
	long := strings.Repeat("x", 17<<20)
	for name, begin := range map[string]string{"manifest.json": `{"legal_name":"`, "invoices.json": `[{"id":"`,
		"invoices.csv": `"`, "calls.csv": `"`} {
		e := newExport(t)
		e.put(name, begin+long)
		content := e.zip()
		_, err := audit.Verify(bytes.NewReader(content), int64(len(content)), e.key)
		if d := new(audit.Difference); !errors.As(err, &d) || d.File != name || !strings.Contains(d.What, "longer than") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Entries that lie over one another make a few bytes unpack to any number of them, so nothing is unpacked before they
// are found.
func TestEntriesThatLieOverOneAnother(t *testing.T) {
	e := newExport(t)
	e.change("README.txt", "read", "burn") // what would be found if the content was looked at
	content := slices.Concat([]byte("#!/bin/sh\n"), e.zip())
	_, err := audit.Verify(bytes.NewReader(content), int64(len(content)), e.key)
	if err == nil || !strings.Contains(err.Error(), "something else in its place") {
		t.Error(err)
	}
}

// A name in the archive could otherwise rub out the difference on a terminal and write that there is none.
func TestADifferenceIsShownOnATerminal(t *testing.T) {
	e := newExport(t)
	e.put("\x1b[2K\rnothing differs\x1b[8m\u202e", "x")
	content := e.zip()
	_, err := audit.Verify(bytes.NewReader(content), int64(len(content)), e.key)
	if err == nil || strings.ContainsFunc(err.Error(), func(r rune) bool { return !unicode.IsPrint(r) }) ||
		!strings.HasPrefix(err.Error(), `\x1b[2K\rnothing differs`) {
		t.Errorf("%q", err)
	}
}
