package projections

import (
	"context"
	"fmt"
	"time"

	"folio/events"
)

// WaitFor returns when the documents of the projection hold everything up to p, so
// that a read sees what a write recorded. In the process that folds it is woken by the
// batch; elsewhere it looks at the stored checkpoint every few milliseconds. It ends
// with ctx: give it a deadline. During a rebuild it waits for the documents that are
// read, which stay up to date.
func (r *Runner) WaitFor(ctx context.Context, name string, p events.Position) error {
	w, err := r.worker(name)
	if err != nil || p.IsZero() {
		return err
	}
	for {
		changed, owned := w.gauge.watch(p)
		if changed == nil {
			return nil
		}
		reached, err := w.await(ctx, p, changed, owned)
		w.gauge.leave(changed)
		if reached || err != nil {
			return err
		}
	}
}

// await waits for one sign of progress.
func (w *worker) await(ctx context.Context, p events.Position, changed <-chan struct{}, owned bool) (bool, error) {
	var poll <-chan time.Time
	if !owned {
		reached, err := w.stored(ctx, p)
		if reached || (err != nil && ctx.Err() == nil) {
			return reached, err
		}
		t := time.NewTimer(w.o.Poll)
		defer t.Stop()
		poll = t.C
	}
	select {
	case <-changed:
	case <-poll:
	case <-ctx.Done():
		return false, fmt.Errorf("projection %s has not come to %s yet: %w", w.p.name, p, ctx.Err())
	}
	return false, nil
}

// stored says whether the checkpoint of the generation that is read has come to p.
func (w *worker) stored(ctx context.Context, p events.Position) (bool, error) {
	b, err := loadBuild(ctx, w.o.Tables, w.p)
	if err != nil {
		return false, err
	}
	at, err := w.checkpoint(ctx, w.p.table(b.Serving))
	return err == nil && !at.Before(p), err
}
