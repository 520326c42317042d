package exports

import (
	"archive/zip"
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/google/uuid"

	"folio/audit"
	"folio/eventstore"
)

// Into is what an export is imported into.
type Into struct {
	Append func(ctx context.Context, stream string, expected int64,
		ps ...eventstore.Pending) (eventstore.Appended, error)
	// StoreFile keeps what facts name by its hash.
	StoreFile func(ctx context.Context, content []byte) (sha256 string, err error)
	// Progress hears of facts that were appended; may be nil.
	Progress func(events int)
}

// atOnce is how many events of one stream are appended together, and appendBytes how large they may be.
const (
	atOnce      = 100
	appendBytes = 512 << 10
)

// Import appends the events of an export, which was verified, in their order: stream, revision, id, type, data and
// metadata are as they were, byte for byte. It stores the files first, since facts name them. An interrupted one is
// begun
// again on another empty log.
func Import(ctx context.Context, path string, into Into) (n int, err error) {
	archive, err := zip.OpenReader(path)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, archive.Close()) }()
	for _, f := range archive.File {
		if !strings.HasPrefix(f.Name, audit.Attachments) {
			continue
		}
		content, err := read(f)
		if err == nil {
			_, err = into.StoreFile(ctx, content)
		}
		if err != nil {
			return 0, fmt.Errorf("import %s: %w", f.Name, err)
		}
	}
	in, err := archive.Open(audit.EventsName)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, in.Close()) }()
	batch := &batch{into: into}
	lines := bufio.NewScanner(in)
	lines.Buffer(make([]byte, 64<<10), MaxLine)
	for lines.Scan() {
		var e audit.Event
		if err := json.Unmarshal(lines.Bytes(), &e); err != nil {
			return n, err
		}
		if err := batch.add(ctx, e); err != nil {
			return n, fmt.Errorf("import %s revision %d: %w", e.Stream, e.Revision, err)
		}
		if n++; into.Progress != nil && n%500 == 0 {
			into.Progress(n)
		}
	}
	return n, errors.Join(lines.Err(), batch.flush(ctx))
}

func read(f *zip.File) (content []byte, err error) {
	in, err := f.Open()
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, in.Close()) }()
	return io.ReadAll(in)
}

// batch collects events that follow on one another in one stream.
type batch struct {
	into     Into
	stream   string
	expected int64
	pending  []eventstore.Pending
	bytes    int
}

func (b *batch) add(ctx context.Context, e audit.Event) error {
	if err := e.Plain(); err != nil {
		return err
	}
	id, err := uuid.Parse(e.ID)
	if err != nil {
		return fmt.Errorf("id %q: %w", e.ID, err)
	}
	size := len(e.Data) + len(e.Metadata)
	if e.Stream != b.stream || len(b.pending) == atOnce || b.bytes+size > appendBytes {
		if err := b.flush(ctx); err != nil {
			return err
		}
		b.stream, b.expected = e.Stream, int64(e.Revision)-1
	}
	b.bytes += size
	b.pending = append(b.pending, eventstore.Pending{ID: id, Type: e.Type, Data: json.RawMessage(e.Data),
		RawMeta: []byte(e.Metadata), Binary: !json.Valid([]byte(e.Data))})
	return nil
}

func (b *batch) flush(ctx context.Context) error {
	if len(b.pending) == 0 {
		return nil
	}
	_, err := b.into.Append(ctx, b.stream, b.expected, b.pending...)
	b.pending, b.bytes, b.stream = nil, 0, ""
	return err
}
