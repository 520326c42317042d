package storage

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
	lock, err := LockFolder(dir)
	if err != nil {
		return 0, fmt.Errorf("import: %w", err)
	}
	s, err := Open(dir, WalReserve, time.Now, slog.New(slog.DiscardHandler))
	if err != nil {
		return 0, errors.Join(err, lock.Close())
	}
	n, err = s.importAll(ctx, events)
	return n, errors.Join(err, s.Close(context.WithoutCancel(ctx)), lock.Close())
}

func (s *Store) importAll(ctx context.Context, events iter.Seq2[Imported, error]) (n uint64, err error) {
	if s.Last.Load() > 0 {
		return 0, errors.New("import: the event log is not empty: choose another data folder")
	}
	const batch = 1000
	c := &Change{Kind: importEvents}
	flush := func() error {
		if len(c.Events) == 0 {
			return nil
		}
		out := s.Submit(ctx, c)
		n += uint64(len(c.Events))
		c = &Change{Kind: importEvents}
		return out.Err
	}
	for e, err := range events {
		if err != nil {
			return n, err
		}
		c.Events = append(c.Events, Record{Pos: e.Position, Rev: e.Revision, Created: Ticks(e.Created), ID: e.ID,
			JSON:   e.JSON,
			Stream: []byte(e.Stream), Kind: []byte(e.Type), Meta: e.Metadata, Data: e.Data})
		if len(c.Events) == batch {
			if err := flush(); err != nil {
				return n, err
			}
		}
	}
	return n, flush()
}

// applyImport writes events where they were. Its error undoes the batch.
func (w *writer) applyImport(c *Change) (Result, error) {
	for i := range c.Events {
		r := c.Events[i]
		h, err := w.head(string(r.Stream))
		if err != nil {
			return Result{}, err
		}
		switch {
		case r.Pos <= w.last || Signed(r.Pos) != int64(r.Pos):
			return Result{}, &importError{fmt.Sprintf("the event at position %d comes after one at position %d", r.Pos, w.last)}
		case r.Rev != uint64(h.last+1) && !r.IsTombstone():
			return Result{}, &importError{fmt.Sprintf("stream %q goes from revision %d to %d", r.Stream, h.last, r.Rev)}
		}
		if err := w.insert(h, r); err != nil {
			return Result{}, err
		}
		if len(r.Stream) > 2 && string(r.Stream[:2]) == MetadataPrefix {
			w.store.hasMeta.Store(true)
		}
	}
	return Result{Pos: w.last}, nil
}

// importError refuses a batch; the store is as it was before it.
type importError struct{ what string }

func (e *importError) Error() string { return "import: " + e.what }
