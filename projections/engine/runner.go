package engine

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"folio/tables"
)

// Options are what a Runner needs. Tables, Source, Store and Owner must be given.
type Options struct {
	Tables tables.Store
	Source Source
	// Store is the id of the log that Source reads (StoreCreated).
	Store string
	// Owner is unique to the running process: leases are held in its name.
	Owner string
	// Quarantine keeps the trouble of one stream to that stream; nil: an event that cannot
	// be folded stops its projection.
	Quarantine Quarantine
	// Projections are those to fold.
	Projections []Projection
	// Reads counts what this process has read so far, so that a rebuild gives way to
	// them; nil: nobody reads.
	Reads func() uint64
	// BatchLimit is the most events that are folded and written at once; default 512. Less than what the log hands over
	// at once makes two transactions of most batches.
	BatchLimit int
	// Lease is how long a projection stays with a process that no longer answers;
	// default 9 s, so that with its beginning another takes over within 10. It is renewed three times in that span.
	Lease time.Duration
	// Retire is how long documents that a rebuild replaced stay for readers that had found
	// them; longer than any read lasts, and 30 s by default.
	Retire time.Duration
	// Poll is how often WaitFor looks when another process folds; default 5 ms.
	Poll time.Duration
	// Backoff is the pause before try n = 1, 2, ... after an error of tables or log;
	// default 50 ms, doubled up to 5 s.
	Backoff func(n int) time.Duration
	// Stopped is the pause before a feed that stopped is tried again, in case another
	// process mended it; default 30 s.
	Stopped time.Duration
	Now     func() time.Time
	Log     *slog.Logger

	shared *evolution
}

func (o *Options) defaults() {
	if o.BatchLimit <= 0 {
		o.BatchLimit = 512
	}
	if o.Lease <= 0 {
		o.Lease = 9 * time.Second
	}
	if o.Retire <= 0 {
		o.Retire = 30 * time.Second
	}
	if o.Poll <= 0 {
		o.Poll = 5 * time.Millisecond
	}
	if o.Backoff == nil {
		o.Backoff = func(n int) time.Duration { return min(25*time.Millisecond<<min(n, 8), 5*time.Second) }
	}
	if o.Stopped <= 0 {
		o.Stopped = 30 * time.Second
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	o.shared = newEvolution(keptJoined)
}

// Runner keeps projections up to date. Its methods are safe for concurrent use; those
// other than Run work in a process that never calls Run, too.
type Runner struct {
	o       Options
	workers map[string]*worker
}

// NewRunner refuses options that cannot work.
func NewRunner(o Options) (*Runner, error) {
	if o.Tables == nil || o.Source == nil || o.Store == "" || o.Owner == "" {
		return nil, errors.New("projections: a runner needs tables, a source, the id of the log and an owner")
	}
	o.defaults()
	r := &Runner{o: o, workers: map[string]*worker{}}
	for _, p := range o.Projections {
		if _, dup := r.workers[p.name]; dup {
			return nil, fmt.Errorf("projections: %s is listed twice", p.name)
		}
		w := NewWorker(p, &r.o)
		w.others = func() { r.poke(w) }
		r.workers[p.name] = w
	}
	return r, nil
}

// poke has all projections but one look at their builds now.
func (r *Runner) poke(but *worker) {
	for _, w := range r.workers {
		if w != but {
			w.look()
		}
	}
}

// Check refuses to work with tables that were built from another log: the error is an
// *checkpoint.OtherLogError and says what to do.
func (r *Runner) Check(ctx context.Context) error {
	for _, p := range r.o.Projections {
		b, err := loadBuild(ctx, r.o.Tables, p)
		if err != nil {
			return err
		}
		if _, err := r.workers[p.name].checkpoint(p.table(b.Serving)).Read(ctx); err != nil {
			return err
		}
	}
	return nil
}

// Run folds until ctx ends, and then returns nil. It returns an error only when Check
// does; what goes wrong later with one projection shows in Status and stops no other.
func (r *Runner) Run(ctx context.Context) error {
	if err := r.Check(ctx); err != nil && ctx.Err() == nil {
		return err
	}
	if err := r.newcomers(ctx); err != nil && ctx.Err() == nil {
		return err
	}
	var all sync.WaitGroup
	for _, w := range r.workers {
		all.Go(func() { w.run(ctx) })
	}
	all.Wait()
	return nil
}

func (r *Runner) worker(name string) (*worker, error) {
	if w, ok := r.workers[name]; ok {
		return w, nil
	}
	names := make([]string, 0, len(r.o.Projections))
	for _, p := range r.o.Projections {
		names = append(names, p.name)
	}
	return nil, fmt.Errorf("no projection %.60q: this program has %v", name, names)
}
