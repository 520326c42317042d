package processors

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"

	"folio/events"
	"folio/tables"
)

// Checkpoints are a processor's checkpoints in the tables, for bus.Feed. They are good for
// one run: see Run.
type Checkpoints struct {
	Store tables.Store
	Log   string // id of the log that the positions belong to
	// End is the position of the log's last event, and Forget empties what was folded:
	// both are for a log that is shorter than it was (restored from a backup).
	End    func(ctx context.Context) (events.Position, error)
	Forget func(ctx context.Context) error
	// Traces are worklists whose traces of removals are pruned up to what was saved.
	Traces []tables.Worklist

	mu    sync.Mutex
	group string // once it was loaded
	saved events.Position
	saves int
	lost  func(error) // ends the run
}

// Load is the position a group reached; zero when it never ran. A checkpoint of
// another log is an error that says what to do; one beyond the end of the log starts
// over, with everything folded so far forgotten, and so does one that a rebuild was asked for.
func (c *Checkpoints) Load(ctx context.Context, group string) (events.Position, error) {
	at, err := c.load(ctx, group)
	if err != nil {
		return events.Position{}, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.group, c.saved = group, at
	return at, nil
}

func (c *Checkpoints) load(ctx context.Context, group string) (events.Position, error) {
	if err := c.startOver(ctx, group); err != nil {
		return events.Position{}, err
	}
	at, err := c.stored(ctx, group)
	if err != nil || at.IsZero() || c.End == nil {
		return at, err
	}
	end, err := c.End(ctx)
	if err != nil {
		return events.Position{}, fmt.Errorf("find the end of the log: %w", err)
	}
	if !end.Before(at) {
		return at, nil
	}
	if err := errors.Join(c.Forget(ctx), c.Store.ResetCheckpoint(ctx, group)); err != nil {
		return events.Position{}, fmt.Errorf("start %s over, whose checkpoint is beyond the end of the log: %w", group, err)
	}
	return events.Position{}, nil
}

// stored reads a checkpoint, zero for none.
func (c *Checkpoints) stored(ctx context.Context, group string) (events.Position, error) {
	cp, err := c.Store.Checkpoint(ctx, group)
	if errors.Is(err, tables.ErrNotFound) {
		return events.Position{}, nil
	}
	if err != nil {
		return events.Position{}, fmt.Errorf("read the checkpoint of %s: %w", group, err)
	}
	if cp.Store != c.Log {
		return events.Position{}, fmt.Errorf("the worklist of %s belongs to the event log %s, this is %s: run 'folio projections rebuild' to make it anew: %w",
			group, cp.Store, c.Log, tables.ErrOtherLog)
	}
	return cp.At, nil
}

// Save remembers the position.
func (c *Checkpoints) Save(ctx context.Context, group string, at events.Position) error {
	return c.Apply(ctx, tables.Batch{Checkpoint: &tables.Checkpoint{Name: group, At: at}})
}

// pruneEvery is how many saves lie between two prunings of traces.
const pruneEvery = 256

// Apply writes a batch whose checkpoint, if it has one, follows on the last one saved; it
// fills in the log. One that does not is tables.ErrCheckpointMoved, and ends the run.
func (c *Checkpoints) Apply(ctx context.Context, b tables.Batch) error {
	if b.Checkpoint == nil {
		return c.Store.Apply(ctx, b)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	next := *b.Checkpoint
	next.Store, next.After = c.Log, c.saved
	b.Checkpoint = &next
	if err := c.Store.Apply(ctx, b); err != nil {
		c.moved(err)
		return err
	}
	c.saved = next.At
	if c.saves++; c.saves > pruneEvery || c.saves == 1 {
		c.prune(ctx)
	}
	return nil
}

// prune forgets what is not heard again. What fails is tried again with a later save.
func (c *Checkpoints) prune(ctx context.Context) {
	for _, list := range c.Traces {
		if _, err := list.PruneBefore(ctx, c.saved); err != nil {
			return
		}
	}
	c.saves = 1
}

func (c *Checkpoints) moved(err error) {
	if c.lost != nil && errors.Is(err, tables.ErrCheckpointMoved) {
		c.lost(err)
	}
}

// ownedKey finds owned in the context of a run.
type ownedKey struct{}

// owned is what a run tells the keeper of its lease, through its context.
type owned struct {
	verify atomic.Pointer[func(context.Context)] // compares the tables with what was saved
}

// Run runs a processor under a context that ends when the tables turn out to have another
// checkpoint than the one that was saved: they stepped back, and what was folded may be gone
// from them, or another process writes. The run must then begin anew with what is stored,
// remembering nothing; Run returns tables.ErrCheckpointMoved for it. Under Own the tables
// are looked at with each renewal of the lease, besides.
func (c *Checkpoints) Run(ctx context.Context, run func(context.Context) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	c.mu.Lock()
	c.lost = cancel
	c.mu.Unlock()
	if o, ok := ctx.Value(ownedKey{}).(*owned); ok {
		verify := c.verify
		o.verify.Store(&verify)
		defer o.verify.Store(nil)
	}
	err := run(ctx)
	if cause := context.Cause(ctx); errors.Is(cause, tables.ErrCheckpointMoved) {
		return cause
	}
	return err
}

// verify compares what is stored with what was saved, for a log in which nothing happens. A
// save that is under way compares them itself.
func (c *Checkpoints) verify(ctx context.Context) {
	if !c.mu.TryLock() {
		return
	}
	defer c.mu.Unlock()
	if c.group == "" {
		return
	}
	at, err := c.stored(ctx, c.group)
	if err == nil && at != c.saved {
		c.moved(fmt.Errorf("the checkpoint of %s is at %s, not at %s: %w", c.group, at, c.saved, tables.ErrCheckpointMoved))
	}
}
