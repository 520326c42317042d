package engine

import (
	"context"
	"errors"
	"fmt"
	"hash/maphash"
	"log/slog"
	"math"
	"sync"
	"sync/atomic"
	"time"

	"folio/clock"
	"folio/tables"
	"folio/tables/checkpoint"
)

// worker keeps one projection: it waits for the lease, folds while it holds it, and
// stands by otherwise.
type worker struct {
	p     Projection
	o     *Options
	gauge gauge
	poke  chan struct{} // look at the builds now
	// others pokes the other projections of this process.
	others func()
	state  state
	// change is the version of the build that the feeds work by.
	change  atomic.Uint64
	polling atomic.Bool // a poller runs
	// applying orders the writes of a serving and a rebuilding feed, so that the switch
	// happens between two of them.
	applying sync.Mutex
	heat     heat
	standsBy time.Duration // before the lease that another process has is asked for again
}

func NewWorker(p Projection, o *Options) *worker {
	w := &worker{p: p, o: o, poke: make(chan struct{}, 1)}
	w.state.set(o.Now(), Standby, nil)
	w.heat.seed = maphash.MakeSeed()
	return w
}

// errRestart: the feeds must start over because the build changed.
var errRestart = errors.New("the build changed")

func (w *worker) run(ctx context.Context) {
	for failures := 0; ctx.Err() == nil; {
		began := w.o.Now()
		err := w.turn(ctx)
		if w.o.Now().Sub(began) > w.o.Lease {
			failures = 0 // it worked for a while
		}
		var pause time.Duration
		switch {
		case ctx.Err() != nil:
			return
		case err == nil:
			w.state.set(w.o.Now(), Standby, nil)
			failures, pause = 0, w.standsBy
		case errors.Is(err, errRestart), errors.Is(err, errBuildChanged), errors.Is(err, tables.ErrNoTable):
			// A table that another process dropped in a rebuild ends up here again only
			// if the build does not explain it.
			failures++
			pause = w.o.Backoff(failures) / 8
		case errors.Is(err, tables.ErrCheckpointMoved):
			w.o.Log.Warn("read model goes on from what is stored, which is not what was saved last", "projection", w.p.name,
				"error", err)
			failures++
			pause = w.o.Backoff(failures) / 8
		case errors.Is(err, tables.ErrLeaseLost):
			w.state.set(w.o.Now(), Standby, err)
			if failures++; failures > 1 { // the first time it asks at once who has the lease: mostly this process slept
				pause = w.o.Lease / 3
			}
		case stops(err):
			if w.state.set(w.o.Now(), Stopped, err) {
				w.o.Log.Error("projection stopped", "projection", w.p.name, "error", err)
			}
			pause = w.o.Stopped
		default:
			failures++
			w.Retrying(err, failures)
			pause = w.o.Backoff(failures)
		}
		w.sleep(ctx, pause)
	}
}

func (w *worker) Retrying(err error, n int) {
	w.state.set(w.o.Now(), Retrying, err)
	level := slog.LevelWarn
	if n > 1 && errors.Is(err, tables.ErrUnavailable) {
		level = slog.LevelDebug // told once; whoever looks at the stores tells when they are back
	}
	w.o.Log.Log(context.Background(), level, "projection tries again", "projection", w.p.name, "try", n, "error", err)
}

// sleep ends early when a rebuild is asked for.
func (w *worker) sleep(ctx context.Context, d time.Duration) {
	clock.SleepUnless(ctx, d, w.poke)
}

// turn folds while it holds the lease; nil says that another process has it.
func (w *worker) turn(ctx context.Context) error {
	h := w.holding()
	w.change.Store(math.MaxUint64) // no build is news before fold has looked
	_, err := h.Hold(ctx, func(ctx context.Context) error { return w.fold(ctx, h) })
	w.standsBy = h.Pause(w.o.Lease / 3)
	return err
}

// fold runs the feed of the documents that are read and, during a rebuild, that of
// the next generation beside it.
func (w *worker) fold(ctx context.Context, l *holding) error {
	b, err := w.current(ctx, l)
	if err != nil {
		return err
	}
	if err := w.forgetHeld(ctx, b); err != nil {
		return err
	}
	w.change.Store(b.change)
	w.state.rebuilding(b.Building > 0, nil)
	serving := newFeed(w, l, b, b.Serving)
	feeds := []*feed{serving}
	if b.Building > 0 && !b.Paused {
		next := newFeed(w, l, b, b.Building)
		next.replaces = serving
		feeds = append(feeds, next)
	}
	w.gauge.own(true)
	defer w.gauge.own(false)
	w.heat.set(serving.servable)
	defer w.heat.set(false)
	l.verifies(feeds)
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	left := make(chan struct{}, len(feeds))
	var all sync.WaitGroup
	for _, f := range feeds {
		all.Go(func() {
			err := f.run(ctx)
			left <- struct{}{}
			// A feed that stops leaves the other alone: a rebuild may be the cure of what
			// stopped the present documents, and must not harm them when it stops itself.
			if !stops(err) || len(left) == cap(left) {
				cancel(err)
				return
			}
			w.stopped(f, err)
		})
	}
	if len(b.Retired) > 0 {
		all.Go(func() { cancel(w.dropRetired(ctx, l, b)) })
	}
	all.Wait()
	err = context.Cause(ctx)
	if errors.Is(err, tables.ErrCheckpointMoved) {
		err = errors.Join(err, w.steppedBack(ctx, l))
	}
	return err
}

// stopped tells that one of two feeds stopped.
func (w *worker) stopped(f *feed, err error) {
	news := f.replaces != nil
	if news {
		w.state.rebuilding(true, err)
	} else {
		news = w.state.set(w.o.Now(), Stopped, err)
	}
	if news {
		w.o.Log.Error("projection stopped", "projection", w.p.name, "table", f.table, "error", err)
	}
}

// stops says whether an error ends the feed, because a new try would meet it again.
func stops(err error) bool {
	for _, e := range []error{tables.ErrOtherLog, ErrInconsistent, tables.ErrSchemaChanged, tables.ErrInvalid} {
		if errors.Is(err, e) {
			return true
		}
	}
	var stopped *StoppedError
	return errors.As(err, &stopped)
}

// current prepares the tables of the present build. A checkpoint beyond the end of the
// log means that the log lost its tail (a restored copy): all is built anew.
func (w *worker) current(ctx context.Context, l *holding) (build, error) {
	b, err := loadBuild(ctx, w.o.Tables, w.p)
	if err != nil {
		return b, err
	}
	if err := dropLeftovers(ctx, w.o.Tables, w.p, b); err != nil {
		return b, err
	}
	for _, g := range b.generations() {
		gone, err := lacking(ctx, w.o.Tables, w.p, g)
		if err != nil {
			return b, err
		}
		if gone {
			return b, errors.Join(w.restore(ctx, l, b, g), errRestart)
		}
		if err := w.o.Tables.Define(ctx, w.p.schemas(g)...); err != nil {
			return b, err
		}
		// The checkpoint is read before the head: another process may write both later.
		at, err := w.checkpoint(w.p.table(g)).Read(ctx)
		if err != nil {
			return b, err
		}
		head, err := w.o.Source.Head(ctx)
		if err != nil {
			return b, fmt.Errorf("read head of the log: %w", err)
		}
		if head.Before(at) {
			w.o.Log.Warn("read model is ahead of the log: building it anew", "projection", w.p.name,
				"checkpoint", at.String(), "head", head.String())
			grant := l.Grant()
			return b, errors.Join(startOver(ctx, w.o.Tables, w.p, &grant), errRestart)
		}
	}
	return b, nil
}

// checkpoint is that of a table.
func (w *worker) checkpoint(table string) *checkpoint.Checkpoint {
	return &checkpoint.Checkpoint{Store: w.o.Tables, Log: w.o.Store, Name: table, Of: "read model " + w.p.name}
}
