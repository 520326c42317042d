package engine

import (
	"context"
	"errors"

	"folio/events"
	"folio/tables"
)

// write folds events and writes what they changed with the checkpoint. An event that cannot
// be folded holds its stream, and the others go on.
func (f *feed) write(ctx context.Context, batch []events.Recorded, end events.Position) error {
	for len(batch) > 0 {
		stop, err := f.writeSome(ctx, batch, end)
		if err != nil || stop == nil {
			return err
		}
		if err := f.hold(ctx, stop); err != nil {
			return err
		}
		for i, r := range batch {
			if r.Position == stop.Event.Position {
				batch = batch[i+1:]
				break
			}
		}
	}
	f.moved(end)
	return nil
}

// writeSome does it up to an event that cannot be folded, which it returns.
func (f *feed) writeSome(ctx context.Context, batch []events.Recorded, end events.Position) (*StoppedError, error) {
	var writes []tables.Write
	var stop *StoppedError
	heard := batch[len(batch)-1].Position
	err := f.retry(ctx, func() (err error) {
		var last events.Position
		writes, last, err = f.folder.fold(ctx, batch)
		if errors.As(err, &stop) {
			end, heard, err = last, last, nil
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	if !end.IsZero() {
		if err := f.retry(ctx, func() error { return f.apply(ctx, writes, end, heard) }); err != nil {
			return nil, err
		}
	}
	if f.replaces == nil {
		f.w.state.orphans(f.folder.orphans)
	}
	return stop, nil
}

// apply is safe to repeat: documents and checkpoint keep the later position. Progress past events that change no
// document is left to flush. Where they changed one when they were heard before, the checkpoint is still due at once:
// what is waited for must not lie beyond it.
func (f *feed) apply(ctx context.Context, writes []tables.Write, end, heard events.Position) error {
	f.w.applying.Lock()
	defer f.w.applying.Unlock()
	if f.retired {
		return errRestart
	}
	if len(writes) == 0 && !f.folder.aimed {
		f.advance(end, heard)
		f.wakeFlush()
		return nil
	}
	f.changed(writes)
	if err := f.store(ctx, writes, end); err != nil {
		return err
	}
	f.changed(writes)
	f.advance(end, heard)
	return nil
}

// changed forgets what was made of documents that this feed writes, when they are those that are read.
func (f *feed) changed(writes []tables.Write) {
	if f.replaces == nil {
		f.w.heat.changed(f.table, writes)
	}
}

func (f *feed) store(ctx context.Context, writes []tables.Write, at events.Position) error {
	grant := f.lease.Grant()
	return f.stored.Apply(ctx, tables.Batch{Writes: writes, Lease: &grant}, at)
}

// verify says tables.ErrCheckpointMoved when the tables no longer have what was saved.
// While the feed writes it need not ask: every write does.
func (f *feed) verify(ctx context.Context) error {
	if !f.idle() {
		return nil
	}
	defer f.w.applying.Unlock()
	return f.stored.Verify(ctx)
}
