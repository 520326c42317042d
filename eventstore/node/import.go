package node

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"github.com/google/uuid"
)

// Imported is one event of another store. It keeps its place: positions ascend, and the revisions of a
// stream go up by one from 0.
type Imported struct {
	Position uint64
	Stream   string
	Revision uint64
	ID       uuid.UUID
	Type     string
	JSON     bool
	Metadata []byte
	Data     []byte
	Created  time.Time
}

// Import fills a data folder that holds no event yet with the log of another store, in order, and answers
// how many events it took. It refuses positions and revisions that are out of order; what came before stays
// imported then, and the folder should be thrown away.
func Import(ctx context.Context, dir string, events iter.Seq2[Imported, error]) (n uint64, err error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return 0, fmt.Errorf("make the data folder: %w", err)
	}
	if dir, err = filepath.Abs(dir); err != nil {
		return 0, fmt.Errorf("find the data folder: %w", err)
	}
	lock, err := lockFolder(dir)
	if err != nil {
		return 0, fmt.Errorf("import: %w", err)
	}
	s, err := openStore(dir, walReserve, time.Now, slog.New(slog.DiscardHandler))
	if err != nil {
		return 0, errors.Join(err, lock.Close())
	}
	n, err = s.importAll(ctx, events)
	return n, errors.Join(err, s.close(context.WithoutCancel(ctx)), lock.Close())
}

func (s *store) importAll(ctx context.Context, events iter.Seq2[Imported, error]) (n uint64, err error) {
	if s.last.Load() > 0 {
		return 0, errors.New("import: the event log is not empty: choose another data folder")
	}
	const batch = 1000
	c := &change{kind: importEvents}
	flush := func() error {
		if len(c.events) == 0 {
			return nil
		}
		out := s.submit(ctx, c)
		n += uint64(len(c.events))
		c = &change{kind: importEvents}
		return out.err
	}
	for e, err := range events {
		if err != nil {
			return n, err
		}
		c.events = append(c.events, record{pos: e.Position, rev: e.Revision, created: ticks(e.Created), id: e.ID,
			json:   e.JSON,
			stream: []byte(e.Stream), kind: []byte(e.Type), meta: e.Metadata, data: e.Data})
		if len(c.events) == batch {
			if err := flush(); err != nil {
				return n, err
			}
		}
	}
	return n, flush()
}

// applyImport writes events where they were. Its error undoes the batch.
func (w *writer) applyImport(c *change) (outcome, error) {
	for i := range c.events {
		r := c.events[i]
		h, err := w.head(string(r.stream))
		if err != nil {
			return outcome{}, err
		}
		switch {
		case r.pos <= w.last || signed(r.pos) != int64(r.pos):
			return outcome{}, &importError{fmt.Sprintf("the event at position %d comes after one at position %d", r.pos, w.last)}
		case r.rev != uint64(h.last+1) && !r.isTombstone():
			return outcome{}, &importError{fmt.Sprintf("stream %q goes from revision %d to %d", r.stream, h.last, r.rev)}
		}
		if err := w.insert(h, r); err != nil {
			return outcome{}, err
		}
		if len(r.stream) > 2 && string(r.stream[:2]) == metadataPrefix {
			w.store.hasMeta.Store(true)
		}
	}
	return outcome{pos: w.last}, nil
}

// importError refuses a batch; the store is as it was before it.
type importError struct{ what string }

func (e *importError) Error() string { return "import: " + e.what }
