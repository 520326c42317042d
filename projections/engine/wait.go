package engine

import (
	"context"
	"fmt"
	"time"

	"folio/events"
)

// WaitFor returns when the documents of the projection hold everything up to p, so
// that a read sees what a write recorded. In the process that folds it is woken by the
// batch; elsewhere one poller looks at the stored checkpoint for all who wait, every few
// milliseconds at first. It ends with ctx: give it a deadline. During a rebuild it waits
// for the documents that are read, which stay up to date.
func (r *Runner) WaitFor(ctx context.Context, name string, p events.Position) error {
	_, err := r.Reached(ctx, name, p)
	return err
}

// Reached is WaitFor that says how far the projection came by then: at least to p. The stored documents may show an
// earlier position, because progress that changes none of them is stored a moment later.
func (r *Runner) Reached(ctx context.Context, name string, p events.Position) (events.Position, error) {
	w, err := r.worker(name)
	if err != nil || p.IsZero() {
		return p, err
	}
	for {
		waiting, owned := w.gauge.watch(p)
		if !owned {
			w.poll()
		}
		select {
		case <-waiting.woken:
			if !waiting.reached.IsZero() || waiting.err != nil {
				return waiting.reached, waiting.err
			}
		case <-ctx.Done():
			w.gauge.leave(waiting)
			return p, fmt.Errorf("projection %s has not come to %s yet: %w", w.p.name, p, ctx.Err())
		}
	}
}

// slowest is how many times the first pause the last ones are, while nothing moves.
const slowest = 16

// poll looks at the stored checkpoint until nobody waits for it any more, or this process
// folds itself. There is one poller however many wait, and it looks less often the longer
// nothing moves.
func (w *worker) poll() {
	if !w.polling.CompareAndSwap(false, true) {
		return
	}
	go func() {
		var l poller
		for pause := w.o.Poll; ; pause = min(2*pause, slowest*w.o.Poll) {
			if l.look(w) {
				pause = w.o.Poll
			}
			if w.gauge.idle(func() { w.polling.Store(false) }) {
				return
			}
			time.Sleep(pause)
		}
	}()
}

// poller remembers what a look found.
type poller struct {
	table string // whose checkpoint it is
	found time.Time
	last  events.Position
}

// look says whether the checkpoint moved. Tables that are away end nothing:
// whoever waits has a deadline.
func (l *poller) look(w *worker) bool {
	ctx, done := context.WithTimeout(context.Background(), pollLimit)
	defer done()
	if l.table == "" || w.o.Now().Sub(l.found) > pollLimit/2 {
		b, err := loadBuild(ctx, w.o.Tables, w.p)
		if err != nil {
			return false
		}
		l.table, l.found = w.p.table(b.Serving), w.o.Now()
	}
	at, err := w.checkpoint(l.table).Read(ctx)
	if err != nil {
		if stops(err) {
			w.gauge.fail(err)
		}
		return false
	}
	moved := at != l.last
	l.last = at
	w.gauge.stored(at)
	return moved
}

// pollLimit is how long one look may take; half of it, how long the poller believes which
// generation is served. One that was replaced stays for longer (Options.Retire).
const pollLimit = 2 * time.Second
