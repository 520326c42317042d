package projections

import (
	"context"
	"errors"
	"sync"

	"folio/tables"
)

// lease is the worker's right to write.
type lease struct {
	w     *worker
	mu    sync.Mutex
	grant tables.Grant
	feeds []*feed // that write under it
}

// verifies has the feeds compared with the tables each time the lease is renewed.
func (l *lease) verifies(feeds []*feed) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.feeds = feeds
}

// verify is tables.ErrCheckpointMoved when the tables lost what a feed had saved. An error
// of the tables shows elsewhere.
func (l *lease) verify(ctx context.Context) error {
	l.mu.Lock()
	feeds := l.feeds
	l.mu.Unlock()
	for _, f := range feeds {
		if err := f.verify(ctx); errors.Is(err, tables.ErrCheckpointMoved) {
			return err
		}
	}
	return nil
}

func (l *lease) current() tables.Grant {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.grant
}

// keep renews until ctx ends, and cancels when the lease is gone or can no longer be
// trusted, or when the build changed under the feeds. Then the other projections look at
// theirs, too: what is built anew together reads the log together.
func (l *lease) keep(ctx context.Context, cancel context.CancelCauseFunc) {
	pause := l.w.o.Lease / 3
	for {
		l.w.sleep(ctx, pause)
		if ctx.Err() != nil {
			return
		}
		g := l.current()
		call, done := context.WithDeadline(ctx, g.Until)
		// Looking comes first: unlike the renewal it waits for nobody who writes.
		if b, err := loadBuild(call, l.w.o.Tables, l.w.p); err == nil && b.change > l.w.change.Load() {
			done()
			cancel(errBuildChanged)
			l.w.others()
			return
		}
		next, ok, err := l.w.o.Tables.Renew(call, g, l.w.o.Lease)
		done()
		switch {
		case err == nil && !ok, err != nil && !l.w.o.Now().Before(g.Until):
			cancel(tables.ErrLeaseLost)
			return
		case err != nil:
			pause = l.w.o.Lease / 12
			continue
		}
		l.mu.Lock()
		l.grant, pause = next, l.w.o.Lease/3
		l.mu.Unlock()
		if err := l.verify(ctx); err != nil {
			cancel(err)
			return
		}
	}
}
