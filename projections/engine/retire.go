package engine

import (
	"context"

	"folio/clock"
)

// steppedBack tells readers that documents may lack what they had, until the feed has caught
// up again.
func (w *worker) steppedBack(ctx context.Context, l *holding) error {
	ctx, done := context.WithTimeout(context.WithoutCancel(ctx), w.o.Lease)
	defer done()
	b, err := loadBuild(ctx, w.o.Tables, w.p)
	if err != nil || !b.Ready || b.Behind {
		return err
	}
	b.Behind = true
	grant := l.Grant()
	return saveBuild(ctx, w.o.Tables, w.p, b, &grant)
}

// dropRetired waits until nobody can be reading the first of the retired generations and
// drops it; the feeds then start over with the next one. It returns nil when ctx ends first.
func (w *worker) dropRetired(ctx context.Context, l *holding, b build) error {
	first := b.Retired[0]
	if !clock.Sleep(ctx, first.Until.Sub(w.o.Now())) {
		return nil
	}
	for failures := 1; ctx.Err() == nil; failures++ {
		err := drop(ctx, w.o.Tables, w.p.table(first.Generation))
		if err == nil {
			w.change.Store(b.change + 1) // ahead of the write: it is not news to the lease's keeper
			grant := l.Grant()
			err = saveBuild(ctx, w.o.Tables, w.p, b.without(), &grant)
		}
		if err == nil {
			return errRestart
		}
		if permanent(err) {
			return err
		}
		w.pause(ctx, failures)
	}
	return nil
}
