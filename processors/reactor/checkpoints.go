package reactor

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"folio/events"
	"folio/tables"
	"folio/tables/checkpoint"
)

// Checkpoints are a processor's checkpoint in the tables, for bus. They are good for
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
	at    *checkpoint.Checkpoint // once it was loaded
	saves int
	lost  func(error) // ends the run
}

// Load is the position a group reached; zero when it never ran. A checkpoint of
// another log is an error that says what to do; one beyond the end of the log starts
// over, with everything folded so far forgotten, and so does one that a rebuild was asked for.
func (c *Checkpoints) Load(ctx context.Context, group string) (events.Position, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := c.startOver(ctx, group); err != nil {
		return events.Position{}, err
	}
	at := &checkpoint.Checkpoint{Store: c.Store, Log: c.Log, Name: group, Of: "the worklist of " + group}
	found, err := at.Load(ctx)
	if err != nil {
		return events.Position{}, err
	}
	c.at = at
	if found.IsZero() || c.End == nil {
		return found, nil
	}
	end, err := c.End(ctx)
	if err != nil {
		return events.Position{}, fmt.Errorf("find the end of the log: %w", err)
	}
	if !end.Before(found) {
		return found, nil
	}
	if err := errors.Join(c.Forget(ctx), c.Store.ResetCheckpoint(ctx, group)); err != nil {
		return events.Position{}, fmt.Errorf("start %s over, whose checkpoint is beyond the end of the log: %w", group, err)
	}
	return at.Load(ctx)
}

// Save remembers the position.
func (c *Checkpoints) Save(ctx context.Context, _ string, at events.Position) error {
	return c.Apply(ctx, tables.Batch{}, at)
}

// pruneEvery is how many saves lie between two prunings of traces.
const pruneEvery = 256

// Apply writes a batch with the checkpoint at a position, which follows on the one saved last. When the tables hold
// another one it is tables.ErrCheckpointMoved, and ends the run.
func (c *Checkpoints) Apply(ctx context.Context, b tables.Batch, at events.Position) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := c.at.Apply(ctx, b, at); err != nil {
		if c.lost != nil && errors.Is(err, tables.ErrCheckpointMoved) {
			c.lost(err)
		}
		return err
	}
	if c.saves++; c.saves > pruneEvery || c.saves == 1 {
		c.prune(ctx)
	}
	return nil
}

// prune forgets what is not heard again. What fails is tried again with a later save.
func (c *Checkpoints) prune(ctx context.Context) {
	for _, list := range c.Traces {
		if _, err := list.PruneBefore(ctx, c.at.Saved()); err != nil {
			return
		}
	}
	c.saves = 1
}

// Run runs a processor under a context that ends when the tables turn out to have another
// checkpoint than the one that was saved: they stepped back, and what was folded may be gone
// from them, or another process writes. The run must then begin anew with what is stored,
// remembering nothing; Run returns tables.ErrCheckpointMoved for it.
func (c *Checkpoints) Run(ctx context.Context, run func(context.Context) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	c.mu.Lock()
	c.lost = cancel
	c.mu.Unlock()
	err := run(ctx)
	if cause := context.Cause(ctx); errors.Is(cause, tables.ErrCheckpointMoved) {
		return cause
	}
	return err
}

// verify compares what is stored with what was saved, for a log in which nothing happens. A
// save that is under way compares them itself.
func (c *Checkpoints) verify(ctx context.Context) error {
	if !c.mu.TryLock() {
		return nil
	}
	defer c.mu.Unlock()
	if c.at == nil {
		return nil
	}
	return c.at.Verify(ctx)
}
