package delivery

import (
	"context"
	"maps"
	"sync"

	"folio/tables"
)

// writer brings what was folded into the tables behind the feed, so that nobody's call
// waits for the transaction of somebody else's. What has gathered goes together, in the
// order in which it was handed over; a checkpoint never comes before what it stands for.
// What is lost with the process is heard again.
type writer struct {
	apply func(context.Context, tables.Batch) error

	mu             sync.Mutex
	waiting        []handed
	items          int            // in what waits
	given, written int            // how many so far
	changed        map[string]int // by worklist: the last one that changes it, unless written
	moved          chan struct{}  // closed when the next ones are taken or written
	news           chan struct{}
}

// handed is a batch, and what is done once it is written.
type handed struct {
	batch tables.Batch
	then  func()
}

// maxAhead is how many changes of items may wait, some hundred bytes each: a feed that is
// further ahead of the tables waits for them.
const maxAhead = 4096

func newWriter(apply func(context.Context, tables.Batch) error) *writer {
	return &writer{apply: apply, changed: map[string]int{}, moved: make(chan struct{}), news: make(chan struct{}, 1)}
}

// room waits until another batch may be handed over. The error is ctx's.
func (w *writer) room(ctx context.Context) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.await(ctx, func() bool { return w.items < maxAhead })
}

// hand gives the writer a batch. then runs in the writer's goroutine: it must not wait
// for Processor.lists, which is held by some who wait for the writer.
func (w *writer) hand(b tables.Batch, then func()) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.waiting = append(w.waiting, handed{b, then})
	w.items += size(b)
	w.given++
	for _, c := range b.Work {
		w.changed[c.Worklist] = w.given
	}
	kick(w.news)
}

// flush waits until all that was handed over about a list is in the tables: whoever reads
// there for what only they know must do so first. The error is ctx's.
func (w *writer) flush(ctx context.Context, list string) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	given := w.changed[list]
	return w.await(ctx, func() bool { return w.written >= given })
}

// await waits until something is so. Hold mu.
func (w *writer) await(ctx context.Context, so func() bool) error {
	for !so() {
		moved := w.moved
		w.mu.Unlock()
		select {
		case <-moved:
		case <-ctx.Done():
		}
		w.mu.Lock()
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	return nil
}

// run writes until ctx ends. failed hears of every try, nil when it succeeded, and
// pauses after the others; when it says false the writer ends.
func (w *writer) run(ctx context.Context, failed func(error) bool) {
	for {
		select {
		case <-w.news:
		case <-ctx.Done():
			return
		}
		w.mu.Lock()
		some := w.waiting
		w.waiting, w.items = nil, 0
		w.move()
		w.mu.Unlock()
		if len(some) > 0 && !w.write(ctx, some, failed) {
			return
		}
		w.mu.Lock()
		w.written += len(some)
		maps.DeleteFunc(w.changed, func(_ string, n int) bool { return n <= w.written })
		w.move()
		w.mu.Unlock()
	}
}

// move wakes those who await something. Hold mu.
func (w *writer) move() {
	close(w.moved)
	w.moved = make(chan struct{})
}

// write tries until it succeeds, or failed says no.
func (w *writer) write(ctx context.Context, some []handed, failed func(error) bool) bool {
	b := together(some)
	for {
		err := w.apply(ctx, b)
		if !failed(err) {
			return false
		}
		if err == nil {
			break
		}
	}
	for _, h := range some {
		h.then()
	}
	return true
}

func size(b tables.Batch) int {
	n := 1
	for _, c := range b.Work {
		n += len(c.Put) + len(c.Remove) + len(c.Postpone)
	}
	return n
}

// together is what several batches do one after the other, as one that may be applied
// again when the answer was lost: a due time without a guard that comes before a change of
// the same item would undo it then.
func together(some []handed) (b tables.Batch) {
	d := newDraft()
	for _, h := range some {
		for _, c := range h.batch.Work {
			d.add(c)
		}
		if h.batch.Checkpoint != nil {
			b.Checkpoint = h.batch.Checkpoint
		}
	}
	b.Work = d.changes()
	return b
}

// kick wakes who waits on the channel, whose room for one is enough: it says "look again".
func kick(wake chan struct{}) {
	select {
	case wake <- struct{}{}:
	default:
	}
}
