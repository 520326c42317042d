package flat

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"os"
	"path/filepath"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress/zstd"

	"folio/events"
	"folio/eventstore"
)

// Log is what the tables are made from.
type Log interface {
	All(context.Context, events.Position, eventstore.Filter) iter.Seq2[events.Recorded, error]
	Read(ctx context.Context, stream string, from uint64) iter.Seq2[events.Recorded, error]
	End(context.Context) (events.Position, error)
}

// Counts are the rows that were written.
type Counts struct {
	Events, Invoices, Lines int64
	UpTo                    events.Moment // what all three tables have
}

// The tables are held in memory up to so many rows or bytes, and then written as one row
// group: an export needs the same memory for a thousand events and for a hundred million.
const (
	groupRows  = 50_000
	groupBytes = 16 << 20
)

// Write makes events.parquet, invoices.parquet and lines.parquet in a folder, of what the log
// had at a moment; of the zero moment, when it began. Earlier tables there are replaced when
// all three are whole. Skips names what an operator has everybody go on without.
func Write(ctx context.Context, log Log, dir string, until events.Moment,
	skips func(events.Recorded) bool) (c Counts, err error) {
	if c.UpTo = until; until.IsZero() {
		if c.UpTo.Position, err = log.End(ctx); err != nil {
			return c, err
		}
	}
	e := &export{log: log, upTo: c.UpTo, skips: skips}
	defer func() { err = errors.Join(err, e.each(file.abandon)) }()
	if err := e.create(dir); err != nil {
		return c, err
	}
	if !c.UpTo.IsZero() { // the log is not empty
		if err := e.run(ctx); err != nil {
			return c, err
		}
	}
	c.Events, c.Invoices, c.Lines = e.events.rows, e.invoices.rows, e.lines.rows
	if err := e.each(file.close); err != nil {
		return c, err
	}
	return c, e.each(file.rename)
}

// file is a table of any type.
type file interface {
	close() error
	rename() error
	abandon() error
}

type export struct {
	log      Log
	upTo     events.Moment
	skips    func(events.Recorded) bool
	events   *table[Event]
	invoices *table[Invoice]
	lines    *table[Line]
	files    []file // those three, as far as they were created
}

func (e *export) create(dir string) (err error) {
	if err := os.MkdirAll(dir, 0o750); err != nil {
		return err
	}
	if e.events, err = create[Event](dir, "events.parquet", e.upTo); err != nil {
		return err
	}
	e.files = append(e.files, e.events)
	if e.invoices, err = create[Invoice](dir, "invoices.parquet", e.upTo); err != nil {
		return err
	}
	e.files = append(e.files, e.invoices)
	if e.lines, err = create[Line](dir, "lines.parquet", e.upTo); err != nil {
		return err
	}
	e.files = append(e.files, e.lines)
	return nil
}

func (e *export) each(do func(file) error) (err error) {
	for _, f := range e.files {
		err = errors.Join(err, do(f))
	}
	return err
}

// run goes through the log once. An invoice's rows are made where it was created, from its
// own stream: so what happened to it later is in them, and none is held in memory.
func (e *export) run(ctx context.Context) error {
	created := events.Name[events.InvoiceCreated]()
	for r, err := range e.log.All(ctx, events.Position{}, eventstore.Filter{}) {
		if err != nil {
			return fmt.Errorf("export: %w", err)
		}
		if !e.upTo.Holds(r) {
			break
		}
		if events.KinshipOf(r) == events.Foreign || e.skips(r) {
			continue
		}
		if err := e.events.write(len(r.Raw), eventRow(r)); err != nil {
			return err
		}
		if r.Type == created {
			if err := e.invoice(ctx, r.Stream); err != nil {
				return fmt.Errorf("export %s: %w", r.Stream, err)
			}
		}
	}
	return nil
}

func eventRow(r events.Recorded) Event {
	return Event{ID: r.ID, Type: r.Type, Schema: int32(r.Meta.Schema), Time: r.Meta.At.UTC(),
		Logged: r.When().UTC(), Actor: r.Meta.Actor, Category: events.Category(r.Stream),
		Aggregate: events.Aggregate(r.Stream), Revision: int64(r.Revision),
		Commit: int64(r.Position.Commit), Prepare: int64(r.Position.Prepare), Data: r.Raw}
}

func (e *export) invoice(ctx context.Context, stream string) error {
	var d document
	for r, err := range e.log.Read(ctx, stream, 0) {
		if err != nil {
			return err
		}
		if !e.upTo.Holds(r) {
			break
		}
		if events.KinshipOf(r) == events.Foreign || e.skips(r) {
			continue
		}
		if r, err = events.Open(r); err != nil {
			return err
		}
		d.add(r)
	}
	if d.summary.Company == "" {
		return nil // an attempt to create an invoice that was given up
	}
	row, err := d.row()
	if err != nil {
		return err
	}
	lines, err := d.lines()
	if err != nil {
		return err
	}
	return errors.Join(e.invoices.write(0, row), e.lines.write(0, lines...))
}

// table is a file that is being written.
type table[T any] struct {
	path  string
	file  *os.File
	to    *parquet.GenericWriter[T]
	rows  int64
	group int // rows and bytes of the present row group
	bytes int
}

func create[T any](dir, name string, upTo events.Moment) (*table[T], error) {
	t := &table[T]{path: filepath.Join(dir, name)}
	f, err := os.Create(t.path + ".part")
	if err != nil {
		return nil, err
	}
	t.file = f
	t.to = parquet.NewGenericWriter[T](f, parquet.Compression(&zstd.Codec{}),
		parquet.KeyValueMetadata("folio.up_to", upTo.String()))
	return t, nil
}

func (t *table[T]) write(size int, rows ...T) error {
	if _, err := t.to.Write(rows); err != nil {
		return fmt.Errorf("%s: %w", t.path, err)
	}
	t.rows += int64(len(rows))
	t.group, t.bytes = t.group+len(rows), t.bytes+size
	if t.group < groupRows && t.bytes < groupBytes {
		return nil
	}
	t.group, t.bytes = 0, 0
	if err := t.to.Flush(); err != nil {
		return fmt.Errorf("%s: %w", t.path, err)
	}
	return nil
}

// close ends the file: without its end nobody can read it.
func (t *table[T]) close() error {
	err := errors.Join(t.to.Close(), t.file.Sync(), t.file.Close())
	t.file = nil
	return err
}

func (t *table[T]) rename() error { return os.Rename(t.path+".part", t.path) }

// abandon removes what was not ended.
func (t *table[T]) abandon() error {
	if t.file == nil {
		return nil
	}
	return errors.Join(t.file.Close(), os.Remove(t.path+".part"))
}
