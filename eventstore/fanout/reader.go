// Package fanout reads the event log once for a whole process and hands each event to
// every follower that wants it.
//
// A pass is one reading of the log. It keeps its latest events in a window of bounded
// size, from which its followers take them at their own speed, each with a position of
// its own. The pass that has reached the present is one subscription, and it never waits:
// a follower that the window has left behind takes part in another pass, through the past,
// until that one meets the first. A pass through the past is shared by all who begin it at
// about the same time and place, so that read models that are built together cost one
// reading.
package fanout

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"folio/clock"
	"folio/events"
	"folio/eventstore"
)

// Log is what a Reader reads; *eventstore.Log is one.
type Log interface {
	Follow(ctx context.Context, after events.Position, f eventstore.Filter, o eventstore.FollowOptions,
		handle func(context.Context, eventstore.Batch) error) error
	End(ctx context.Context) (events.Position, error)
}

// Options adjust a Reader; zero values are good.
type Options struct {
	// Window is how many events a pass keeps for its followers; default 4096.
	Window int
	// WindowBytes ends the window earlier when events are large; default 2 MiB, since what is decoded of them takes
	// several times as much.
	WindowBytes int
	// Gather is for how long a pass through the past keeps its beginning after each new
	// follower, so that those who start together share it, even if the first ones are
	// through by then; default 1 s, six times as long at most.
	Gather time.Duration
	// Patience bounds how long a pass through the past waits for followers that are
	// slower than most: for this long in all and for three quarters of the time that it
	// has read; default 1 s. One that takes nothing is waited for five times as long.
	Patience time.Duration
}

// Reader reads the log for all followers of one process. It is safe for concurrent use.
// It reads only while there are followers, and keeps nothing running otherwise.
type Reader struct {
	log Log
	o   Options

	mu     sync.Mutex      // of everything below, passes and followers included
	types  map[string]bool // that anybody wants
	whole  bool            // somebody wants every event
	wants  int             // changes of types and whole
	passes []*pass         // in the order of their opening
	opened uint64
	read   uint64
}

// New makes a reader of log.
func New(log Log, o Options) *Reader {
	if o.Window <= 0 {
		o.Window = 4096
	}
	if o.WindowBytes <= 0 {
		o.WindowBytes = 2 << 20
	}
	if o.Gather <= 0 {
		o.Gather = time.Second
	}
	if o.Patience <= 0 {
		o.Patience = time.Second
	}
	return &Reader{log: log, o: o, types: map[string]bool{}}
}

// Want adds types to those that every later pass reads. Follow does it for its own; whoever
// knows before the first Follow what will be wanted spares the log a pass.
func (r *Reader) Want(types ...string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.want(types)
}

// WantAll is Want for whoever will FollowAll.
func (r *Reader) WantAll() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.wantAll()
}

func (r *Reader) wantAll() {
	if !r.whole {
		r.whole = true
		r.wants++
	}
}

func (r *Reader) want(types []string) {
	before := len(r.types)
	for _, t := range types {
		r.types[t] = true
	}
	if len(r.types) > before {
		r.wants++
	}
}

func set(names []string) map[string]bool {
	out := make(map[string]bool, len(names))
	for _, n := range names {
		out[n] = true
	}
	return out
}

// Stats count what was read since the start.
type Stats struct {
	Passes uint64 // readings of the log that were begun
	Events uint64 // events received, in all passes
	Open   int    // passes that are read now
}

// Stats are the counts now.
func (r *Reader) Stats() Stats {
	r.mu.Lock()
	defer r.mu.Unlock()
	return Stats{Passes: r.opened, Events: r.read, Open: len(r.passes)}
}

// Follow is that of the log, for a filter of types: it hands every event of the types after a
// position (exclusive; zero is the beginning) to handle, in log order, each once per call,
// first the past, then what happens. A batch without events moves Position, after at least
// CheckpointEvery events of other types, or CaughtUp; OnState is not told of connections.
// Another filter is eventstore.ErrInvalid.
func (r *Reader) Follow(ctx context.Context, after events.Position, f eventstore.Filter, o eventstore.FollowOptions,
	handle func(context.Context, eventstore.Batch) error) error {
	if _, err := f.Matcher(); err != nil {
		return fmt.Errorf("follow: %w", err)
	}
	if len(f.Types) == 0 {
		return fmt.Errorf("follow what is not named by its types: %w", eventstore.ErrInvalid)
	}
	return r.follow(ctx, after, f.Types, o, handle)
}

// FollowAll is Follow for every event of the log, the server's own included. A pass that is read
// for it has them all, so that a live event is still one message for everybody.
func (r *Reader) FollowAll(ctx context.Context, after events.Position, o eventstore.FollowOptions,
	handle func(context.Context, eventstore.Batch) error) error {
	return r.follow(ctx, after, nil, o, handle)
}

// follow follows types; nil: every event.
func (r *Reader) follow(ctx context.Context, after events.Position, types []string, o eventstore.FollowOptions,
	handle func(context.Context, eventstore.Batch) error) error {
	if o.CheckpointEvery <= 0 {
		o.CheckpointEvery = 32
	}
	if o.MaxBatch <= 0 {
		o.MaxBatch = eventstore.DefaultMaxBatch
	}
	fl := &follower{o: o, wanted: set(types), all: types == nil, at: after, told: after, started: !after.IsZero()}
	if err := r.end(ctx, fl); err != nil {
		return err
	}
	r.mu.Lock()
	if r.want(types); fl.all {
		r.wantAll()
	}
	fl.wants = r.wants
	r.mu.Unlock()
	for {
		p := r.join(fl)
		err := r.serve(ctx, p, fl, handle)
		r.leave(p, fl)
		if !errors.Is(err, errElsewhere) {
			return err
		}
	}
}

// endPause is the pause before the end of a log that is away is asked for again.
const endPause = time.Second

// end tells f where the log ends now. A pass in the present may not have come there yet, and
// then f, which begins now, has not caught up.
func (r *Reader) end(ctx context.Context, f *follower) error {
	for {
		end, err := r.log.End(ctx)
		if err == nil {
			f.end = end
			return nil
		}
		if errors.Is(err, eventstore.ErrClosed) {
			return fmt.Errorf("follow: %w", err)
		}
		if !clock.Sleep(ctx, endPause) {
			return ctx.Err()
		}
	}
}

// errElsewhere: the follower goes on with another pass.
var errElsewhere = errors.New("another pass has what comes next")

// join gives f the pass that has what comes next for it, a new one if there is none.
func (r *Reader) join(f *follower) *pass {
	r.mu.Lock()
	defer r.mu.Unlock()
	p := r.best(f)
	if p == nil {
		p = r.open(f)
	}
	p.admit(f)
	return p
}

// best is the pass that f should take its events from: one in the present if it can, the
// one that reads most, the oldest. The order is the same for everybody, so that passes meet.
func (r *Reader) best(f *follower) *pass {
	var found *pass
	for _, p := range r.passes {
		if p.covers(f) && (found == nil || p.rank() > found.rank()) {
			found = p
		}
	}
	return found
}

// better says whether f should leave p for another pass: not for one that is about to
// leave it behind.
func (r *Reader) better(f *follower, p *pass) bool {
	other := r.best(f)
	return other != nil && other != p && other.behind(f) <= r.o.Window/2
}

func (r *Reader) open(f *follower) *pass {
	ctx, cancel := context.WithCancel(context.Background())
	now := time.Now()
	p := &pass{r: r, cancel: cancel, from: f.at, low: f.at, high: f.at, whole: !f.started, opened: now,
		changed: make(chan struct{}), moved: make(chan struct{}, 1), followers: map[*follower]bool{}}
	r.opened++
	r.passes = append(r.passes, p)
	go p.run(ctx)
	return p
}

// leave ends the pass that nobody follows any more, or will.
func (r *Reader) leave(p *pass, f *follower) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(p.followers, f)
	p.notify()
	r.retire(p)
}

// retire drops p if nobody follows it, once its beginning is kept no longer.
func (r *Reader) retire(p *pass) {
	if len(p.followers) > 0 || p.err != nil {
		return
	}
	if left := time.Until(p.gathers()); left > 0 && p.low == p.from && r.others(p) {
		time.AfterFunc(left, func() {
			r.mu.Lock()
			defer r.mu.Unlock()
			r.retire(p)
		})
		return
	}
	r.drop(p, nil)
}

// others says whether anybody follows another pass.
func (r *Reader) others(p *pass) bool {
	return slices.ContainsFunc(r.passes, func(other *pass) bool { return other != p && len(other.followers) > 0 })
}

// drop forgets a pass; err is what its followers are told.
func (r *Reader) drop(p *pass, err error) {
	p.cancel()
	p.err = err
	r.passes = slices.DeleteFunc(r.passes, func(other *pass) bool { return other == p })
	p.tell()
}
