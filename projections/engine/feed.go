package engine

import (
	"context"
	"errors"
	"sync"
	"time"

	"folio/clock"
	"folio/events"
	"folio/tables"
	"folio/tables/checkpoint"
)

// feed folds the log into one generation of a projection.
type feed struct {
	w        *worker
	lease    *holding
	build    build
	table    string                 // also the name of the checkpoint
	stored   *checkpoint.Checkpoint // under worker.applying
	folder   *folder
	replaces *feed // the feed that a rebuild takes over from

	// Under worker.applying:
	at       events.Position // everything up to here is in the tables
	heard    events.Position // the last event since the start
	retired  bool            // a rebuild took over
	servable bool            // Ready was recorded

	unsaved chan struct{} // at went beyond what is stored
	final   error         // why handle gave up
	reads   uint64        // how often was read when it wrote last
}

func newFeed(w *worker, l *holding, b build, generation int) *feed {
	table := w.p.table(generation)
	return &feed{w: w, lease: l, build: b, table: table, stored: w.checkpoint(table),
		folder: newFolder(w.p, table, w.o.Tables, w.o.shared, pastOf(w.o.Source)), unsaved: make(chan struct{}, 1),
		servable: b.Ready && !b.Behind && generation == b.Serving}
}

// flushEvery bounds how long replicas wait to hear that only events of other types passed.
const flushEvery = 200 * time.Millisecond

// run follows the log from the checkpoint until ctx ends or the feed must stop.
func (f *feed) run(ctx context.Context) error {
	if err := f.guarded(ctx); err != nil {
		return err
	}
	if err := f.begin(ctx); err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	var flusher sync.WaitGroup
	flusher.Go(func() { f.flush(ctx) })
	defer flusher.Wait()
	defer cancel()
	for failures := 0; ; {
		from := f.position()
		err := f.w.o.Source.Follow(ctx, from, f.w.p.types, f.handle)
		switch {
		case f.final != nil:
			return f.final
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case err == nil:
			err = errors.New("the log ended the subscription")
		}
		if f.position() != from {
			failures = 0
		}
		failures++
		f.w.Retrying(err, failures)
		f.w.pause(ctx, failures)
	}
}

func (f *feed) position() events.Position {
	f.w.applying.Lock()
	defer f.w.applying.Unlock()
	return f.at
}

// handle takes a batch of the source, in parts of BatchLimit.
func (f *feed) handle(ctx context.Context, b Batch) error {
	for rest := b.Events; len(rest) > 0; {
		began := f.w.o.Now()
		n := min(len(rest), f.w.o.BatchLimit)
		end := rest[n-1].Position
		if n == len(rest) && end.Before(b.Position) {
			end = b.Position
		}
		if f.final = f.write(ctx, rest[:n], end); f.final != nil {
			return f.final
		}
		rest = rest[n:]
		f.giveWay(ctx, began)
	}
	f.moved(b.Position)
	if b.CaughtUp {
		if f.final = f.retry(ctx, func() error { return f.caughtUp(ctx) }); f.final != nil {
			return f.final
		}
	}
	if f.replaces == nil {
		f.w.state.folded(f.w.o.Now(), b)
	}
	f.gather(ctx, b)
	return nil
}

// A rebuild that meets readers works a third of the time: it folds, and rests twice as long as
// that took, no longer than longestRest.
const (
	restPerWork = 2
	longestRest = 500 * time.Millisecond
)

// giveWay lets readers have the processor, the disk and the tables, if anybody read since the
// last batch. The documents that are read are never kept waiting.
func (f *feed) giveWay(ctx context.Context, began time.Time) {
	if f.replaces == nil || f.w.o.Reads == nil {
		return
	}
	reads := f.w.o.Reads()
	met := reads != f.reads
	if f.reads = reads; met {
		clock.Sleep(ctx, min(restPerWork*f.w.o.Now().Sub(began), longestRest))
	}
}

// idle takes worker.applying, unless the feed writes just now or writes no more.
func (f *feed) idle() bool {
	if !f.w.applying.TryLock() {
		return false
	}
	if !f.retired {
		return true
	}
	f.w.applying.Unlock()
	return false
}

// begin goes on from what is stored.
func (f *feed) begin(ctx context.Context) error {
	f.w.applying.Lock()
	defer f.w.applying.Unlock()
	at, err := f.stored.Load(ctx)
	if err == nil {
		f.advance(at, events.Position{})
	}
	return err
}

// moved notes progress that changed no document.
func (f *feed) moved(at events.Position) {
	f.w.applying.Lock()
	defer f.w.applying.Unlock()
	f.advance(at, events.Position{})
	f.wakeFlush()
}

// wakeFlush has flush store the progress that is not stored yet. The caller holds worker.applying.
func (f *feed) wakeFlush() {
	if f.stored.Saved().Before(f.at) && !f.retired {
		select {
		case f.unsaved <- struct{}{}:
		default:
		}
	}
}

func (f *feed) advance(at, heard events.Position) {
	if f.at.Before(at) {
		f.at = at
	}
	if f.heard.Before(heard) {
		f.heard = heard
	}
	if f.replaces == nil && !f.retired {
		f.w.gauge.advance(f.at)
	}
}

// flush stores progress that no batch carried to the tables. It sleeps while there is none.
func (f *feed) flush(ctx context.Context) {
	for clock.Await(ctx, nil, f.unsaved) && clock.Sleep(ctx, flushEvery) {
		f.w.applying.Lock()
		if f.stored.Saved().Before(f.at) && !f.retired {
			// A failure shows again, and is told, with the next batch.
			_ = f.store(ctx, nil, f.at)
			f.wakeFlush()
		}
		f.w.applying.Unlock()
	}
}

// caughtUp records that the generation may be read, and lets a rebuilt one take over.
func (f *feed) caughtUp(ctx context.Context) error {
	f.w.applying.Lock()
	defer f.w.applying.Unlock()
	grant := f.lease.Grant()
	if f.replaces == nil {
		if f.servable || f.retired {
			return nil
		}
		b := f.build
		b.Ready, b.Behind = true, false
		f.w.change.Store(b.change + 1) // ahead of the write: it is not news to the lease's keeper
		if err := saveBuild(ctx, f.w.o.Tables, f.w.p, b, &grant); err != nil {
			return err
		}
		f.build.Ready, f.build.Behind, f.servable = true, false, true
		f.build.change++
		f.w.heat.set(true)
		return nil
	}
	old := f.replaces
	if f.build.Hold {
		return nil
	}
	if f.heard.Before(old.heard) {
		return nil // readers were promised more; it comes with the next batch
	}
	// Both have folded all there is, so what one has looked through, both have.
	if f.at.Before(old.at) {
		f.at = old.at
	}
	if !f.at.IsZero() {
		if err := f.store(ctx, nil, f.at); err != nil {
			return err
		}
	}
	b := f.build.replaced(f.w.o.Now().Add(f.w.o.Retire))
	f.w.change.Store(b.change + 1)
	if err := saveBuild(ctx, f.w.o.Tables, f.w.p, b, &grant); err != nil {
		return err
	}
	old.retired = true
	f.w.o.Log.Info("rebuilt projection is served", "projection", f.w.p.name, "table", f.table)
	return errRestart // which drops the documents of before once nobody reads them
}

// retry repeats what tables refuse for a while. It returns errors that waiting does
// not mend, and that of ctx.
func (f *feed) retry(ctx context.Context, do func() error) error {
	for failures := 1; ; failures++ {
		err := do()
		if err == nil || permanent(err) {
			return err
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		f.w.Retrying(err, failures)
		f.w.pause(ctx, failures)
	}
}

func permanent(err error) bool {
	return errors.Is(err, errRestart) || errors.Is(err, errBuildChanged) || errors.Is(err, tables.ErrNoTable) ||
		errors.Is(err, tables.ErrLeaseLost) || errors.Is(err, tables.ErrCheckpointMoved) || stops(err)
}

func (w *worker) pause(ctx context.Context, failures int) {
	clock.Sleep(ctx, w.o.Backoff(failures))
}
