// Package audit verifies an export of a company's data without the program that made it: it needs Go's standard
// library and golang.org/x/mod/sumdb, works offline, and is short enough to be read in one sitting.
//
// What an export is, and what each check is worth, is told in README.md beside this file.
package audit

import (
	"archive/zip"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// Difference is something in an export that is not as it was said to be.
type Difference struct {
	File string // of the archive
	Line int    // of that file, from 1; 0: the file as a whole
	What string
}

// Error names the place. Names and words of the export stand in it, so what a terminal would obey is spelled out: it
// could hide the difference and write that there is none.
func (d *Difference) Error() string {
	if d.Line > 0 {
		return spelled(fmt.Sprintf("%s, line %d: %s", d.File, d.Line, d.What))
	}
	return spelled(d.File + ": " + d.What)
}

func spelled(text string) string {
	var out strings.Builder
	for _, r := range text {
		if unicode.IsPrint(r) {
			out.WriteRune(r)
		} else {
			out.WriteString(strings.Trim(strconv.QuoteRune(r), "'"))
		}
	}
	return out.String()
}

func differs(file string, line int, format string, args ...any) error {
	return &Difference{file, line, fmt.Sprintf(format, args...)}
}

// Report is what was verified.
type Report struct {
	Manifest   Manifest
	Origin     string // of the checkpoint
	Size       int64  // of its tree, in leaves
	Root       string
	Key        string // that signed it
	Events     int
	Invoices   int
	Documents  int // PDFs and signed XML
	Files      int // what events name by their hashes
	Rotations  int // of the key, from the one that was given to the one that signed
	LastLogged string
}

// ReadKey is a verifier key as it was given: itself, or the file that holds it.
func ReadKey(text string) (string, error) {
	if strings.Contains(text, "+") {
		return strings.TrimSpace(text), nil
	}
	content, err := os.ReadFile(text)
	if err != nil {
		return "", fmt.Errorf("the key is neither a verifier key, such as folio.example.com/log/…+18cbc8ff+AQnT…, nor a file "+
			"that holds one; the log shows it at /log/key: %w", err)
	}
	return strings.TrimSpace(string(content)), nil
}

// VerifyFile verifies the export in a file with the log's verifier key, which the auditor has from elsewhere: a key
// that came with the export proves nothing. A *Difference is the first one; any other error is that it could not be
// read.
func VerifyFile(path, key string) (r Report, err error) {
	f, err := os.Open(path)
	if err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	info, err := f.Stat()
	if err != nil {
		return r, err
	}
	return Verify(f, info.Size(), key)
}

// Verify is VerifyFile of what is at hand.
func Verify(content io.ReaderAt, size int64, key string) (Report, error) {
	archive, err := zip.NewReader(content, size)
	if err != nil {
		return Report{}, fmt.Errorf("this is no export, or a part of one: %w", err)
	}
	v := &verifier{files: map[string]*zip.File{}}
	err = v.list(archive)
	if err == nil { // before anything is unpacked: entries that lie over one another would unpack without an end
		err = nothingElse(content, size, archive)
	}
	if err == nil {
		err = v.run(key)
	}
	return v.report, err
}

// verifier is one verification.
type verifier struct {
	report Report
	files  map[string]*zip.File
	trust  trust
	facts  facts
	// damaged is the first file that is not the one which the manifest lists. What it holds is looked at all the
	// same, since that may tell the line.
	damaged error
}

func (v *verifier) run(key string) error {
	if err := v.checkpoint(key); err != nil {
		return err
	}
	unsigned, err := v.manifest()
	if err != nil {
		return err
	}
	for _, check := range []func() error{v.events, v.attachments, v.invoices, v.table, v.documents, v.calls} {
		if err := check(); err != nil {
			return err
		}
	}
	if v.damaged != nil {
		return v.damaged
	}
	return unsigned
}

// list takes the archive's names: those that an export has, each once.
func (v *verifier) list(archive *zip.Reader) error {
	for _, f := range archive.File {
		if v.files[f.Name] != nil {
			return differs(f.Name, 0, "the archive has it twice")
		}
		v.files[f.Name] = f
	}
	for _, name := range Parts {
		if v.files[name] == nil {
			return differs(name, 0, "it is missing")
		}
	}
	return nil
}

// Parts are the files that every export has.
var Parts = []string{"README.txt", ManifestName, SignatureName, CheckpointName, RotationsName, EventsName, ProofsName,
	InvoicesName, TableName, CallsName}

// The names of files and folders in an export.
const (
	ManifestName   = "manifest.json"
	SignatureName  = "manifest.sig"
	CheckpointName = "checkpoint.txt"
	RotationsName  = "rotations.txt"
	EventsName     = "events.ndjson"
	ProofsName     = "proofs.ndjson"
	InvoicesName   = "invoices.json"
	TableName      = "invoices.csv"
	CallsName      = "calls.csv"
	Documents      = "documents/" // PDFs and signed XML
	Attachments    = "files/"     // what events name by its hash
)

// read opens a file of the archive and gives it to use. What the archive itself finds wrong with it is a difference.
func (v *verifier) read(name string, use func(io.Reader) error) error {
	in, err := v.files[name].Open()
	if err != nil {
		return differs(name, 0, "it cannot be read: %v", err)
	}
	defer func() { _ = in.Close() }() // it was only read
	err = use(in)
	if errors.Is(err, zip.ErrChecksum) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, zip.ErrFormat) {
		return differs(name, 0, "it is damaged: %v", err)
	}
	return err
}

// maxPart bounds a file that is read as a whole.
const maxPart = 64 << 20

// all reads a whole file.
func (v *verifier) all(name string) (content []byte, err error) {
	err = v.read(name, func(in io.Reader) error {
		content, err = io.ReadAll(io.LimitReader(in, maxPart+1))
		if len(content) > maxPart {
			return differs(name, 0, "it is longer than %d bytes", maxPart)
		}
		return err
	})
	return content, err
}

// names are those of the archive in order.
func (v *verifier) names() []string {
	out := make([]string, 0, len(v.files))
	for name := range v.files {
		out = append(out, name)
	}
	slices.Sort(out)
	return out
}

// String tells what was verified.
func (r Report) String() string {
	m, of := r.Manifest, "its whole history"
	if !m.Whole() {
		of = fmt.Sprintf("documents from %q to %q", m.From, m.To)
	}
	text := fmt.Sprintf("%s, %s (%s): %s, made at %s\n%d facts are in the tree %s at size %d; %d invoices, %d "+
		"documents "+
		"and %d files are what they say\nnothing differs",
		m.LegalName, m.TaxIdentifier, m.Company, of, m.MadeAt, r.Events, r.Origin, r.Size, r.Invoices,
		r.Documents, r.Files)
	if r.Rotations > 0 {
		text += fmt.Sprintf("\nthe key that you gave handed over to the one that signed, in %d steps", r.Rotations)
	}
	return text
}
