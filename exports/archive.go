package exports

import (
	"archive/zip"
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"folio/audit"
	"folio/fault"
)

// What an export may have at most. Its list of files is in memory until the end.
const (
	MaxFiles = 200_000
	MaxBytes = 8 << 30
)

// ErrTooLarge: the period has more than an export takes.
var ErrTooLarge = fault.New(fault.Conflict, "EXPORT_TOO_LARGE", fmt.Sprintf(
	"An export takes %d files and %d GiB at most, and this would be more: ask for a shorter period.", MaxFiles,
	MaxBytes>>30))

// archive is the ZIP that is written, with the list of what is in it.
type archive struct {
	out   *bounded
	zip   *zip.Writer
	list  *spool // of the manifest
	at    time.Time
	files int
}

// bounded refuses to become larger than an export may be.
type bounded struct {
	to io.Writer
	n  int64
}

func (b *bounded) Write(p []byte) (int, error) {
	if b.n += int64(len(p)); b.n > MaxBytes {
		return 0, ErrTooLarge
	}
	return b.to.Write(p)
}

func newArchive(to io.Writer, scratch string, at time.Time) (*archive, error) {
	list, err := newSpool(scratch)
	if err != nil {
		return nil, err
	}
	out := &bounded{to: to}
	return &archive{out: out, zip: zip.NewWriter(out), list: list, at: at.UTC()}, nil
}

// add writes a file that the manifest lists.
func (a *archive) add(name string, write func(io.Writer) error) error {
	hash := sha256.New()
	size := int64(0)
	if err := a.put(name, func(w io.Writer) error {
		counted := &counter{to: io.MultiWriter(w, hash)}
		err := write(counted)
		size = counted.n
		return err
	}); err != nil {
		return err
	}
	return a.list.line(audit.Entry{Name: name, Size: size, SHA256: hex.EncodeToString(hash.Sum(nil))})
}

type counter struct {
	to io.Writer
	n  int64
}

func (c *counter) Write(p []byte) (int, error) {
	c.n += int64(len(p))
	return c.to.Write(p)
}

// put writes a file. PDFs and pictures are compressed already.
func (a *archive) put(name string, write func(io.Writer) error) error {
	if a.files++; a.files > MaxFiles {
		return ErrTooLarge
	}
	w, err := a.zip.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Deflate, Modified: a.at})
	if err != nil {
		return fmt.Errorf("begin %s: %w", name, err)
	}
	if err := write(w); err != nil {
		return fmt.Errorf("write %s: %w", name, err)
	}
	return nil
}

// bytes adds a file that is at hand.
func (a *archive) bytes(name string, content []byte) error {
	return a.add(name, func(w io.Writer) error {
		_, err := w.Write(content)
		return err
	})
}

// spooled adds a file that was written aside, and removes that.
func (a *archive) spooled(name string, s *spool) error {
	return a.add(name, s.copyTo)
}

// close writes the manifest, has it signed, and ends the archive.
func (a *archive) close(m audit.Manifest, sign func(manifestSHA256 string) (string, error)) error {
	hash := sha256.New()
	if err := a.put(audit.ManifestName, func(w io.Writer) error {
		return a.manifest(io.MultiWriter(w, hash), m)
	}); err != nil {
		return err
	}
	signed, err := sign(hex.EncodeToString(hash.Sum(nil)))
	if err != nil {
		return err
	}
	if err := a.put(audit.SignatureName, func(w io.Writer) error {
		_, err := io.WriteString(w, signed)
		return err
	}); err != nil {
		return err
	}
	return a.zip.Close()
}

// manifest writes the members of m and the list of files, each on a line.
func (a *archive) manifest(w io.Writer, m audit.Manifest) error {
	head, err := json.MarshalIndent(m, "", " ")
	if err != nil {
		return err
	}
	if _, err := fmt.Fprintf(w, "%s,\n \"files\": [\n", head[:len(head)-2]); err != nil { // without "\n}"
		return err
	}
	if err := a.list.separated(w); err != nil {
		return err
	}
	_, err = io.WriteString(w, "]}\n")
	return err
}

// spool is a file aside, which is removed when it was read or given up.
type spool struct {
	f *os.File
	w *bufio.Writer
}

func newSpool(dir string) (*spool, error) {
	f, err := os.CreateTemp(dir, "spool-*")
	if err != nil {
		return nil, fmt.Errorf("make a file aside: %w", err)
	}
	// Nobody else opens it: without a name it ends with the process, however that ends.
	if err := os.Remove(f.Name()); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return &spool{f, bufio.NewWriterSize(f, 64<<10)}, nil
}

// line writes a value on a line of its own.
func (s *spool) line(v any) error {
	e := json.NewEncoder(s.w)
	e.SetEscapeHTML(false)
	return e.Encode(v)
}

// rewound is what was written, from its beginning.
func (s *spool) rewound() (io.Reader, error) {
	if err := s.w.Flush(); err != nil {
		return nil, err
	}
	_, err := s.f.Seek(0, io.SeekStart)
	return s.f, err
}

func (s *spool) copyTo(w io.Writer) error {
	in, err := s.rewound()
	if err == nil {
		_, err = io.Copy(w, in)
	}
	return err
}

// separated writes the lines with commas between.
func (s *spool) separated(w io.Writer) error {
	in, err := s.rewound()
	if err != nil {
		return err
	}
	lines := bufio.NewScanner(in)
	lines.Buffer(make([]byte, 64<<10), MaxLine)
	for n := 0; lines.Scan(); n++ {
		before := ""
		if n > 0 {
			before = ",\n"
		}
		if _, err := fmt.Fprintf(w, "%s%s", before, lines.Bytes()); err != nil {
			return err
		}
	}
	_, err = io.WriteString(w, "\n")
	return errors.Join(err, lines.Err())
}

// MaxLine bounds a line that is read back.
const MaxLine = 16 << 20

func (s *spool) close() error { return s.f.Close() }
