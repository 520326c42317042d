package reactor

import (
	"context"
	"errors"
	"fmt"

	"folio/bus"
	"folio/events"
	"folio/tables"
)

// Run implements Processor. Nothing is done before the worklists are as new as the log was at the start: until then
// what is due on them may have been done already.
func (r *Reactor) Run(owner context.Context) (err error) {
	ctx, cancel := context.WithCancel(owner)
	defer cancel()
	if r.life.Begin != nil {
		r.life.Begin(ctx)
	}
	c := &Checkpoints{Store: r.Tables, Log: r.Log, End: r.End, Forget: r.life.Forget, Traces: []tables.Worklist{r.List}}
	if c.Forget == nil {
		c.Forget = r.List.Clear
	}
	r.mu.Lock()
	r.points = c
	r.mu.Unlock()
	r.Health.begin(r.Clock.Now())
	defer func() { r.Health.end(owner, r.Clock.Now(), err) }()
	follow := r.follow
	if r.life.Follow != nil {
		follow = r.life.Follow
	}
	err = c.Run(ctx, func(ctx context.Context) error { return follow(ctx, c) })
	cancel()
	for _, l := range r.life.Lanes {
		l.Close()
	}
	if r.life.End != nil {
		r.life.End()
	}
	return err
}

// follow is the one place where processors call bus: it delivers the log to r until ctx ends. What the checkpoint
// refuses is refused before anything is made.
func (r *Reactor) follow(ctx context.Context, c *Checkpoints) error {
	if _, err := c.Load(ctx, r.name); err != nil {
		return err
	}
	open := false
	consumer := bus.Consumer{
		Name: r.name, Topic: r.name, Source: r.Source(r.reactions.types), Checkpoints: saver{c, r.life.Save},
		Handle: r.reactions.fold,
		CaughtUp: func() {
			if !open {
				open = r.open(ctx)
			}
		},
		Failed: func(err error) { r.Health.Failed(r.Clock.Now(), Folding, err) },
	}
	if r.guard != nil {
		consumer.Guard = r.guard
	}
	return bus.Run(ctx, r.Logger, consumer)
}

// open opens the lanes; false when the first look at the worklists failed.
func (r *Reactor) open(ctx context.Context) bool {
	begin := func() {}
	if r.life.Ready != nil {
		var err error
		if begin, err = r.life.Ready(ctx); err != nil {
			r.Health.Failed(r.Clock.Now(), Listing, fmt.Errorf("list what is to be done: %w", err))
			return false
		}
	}
	r.Health.Failed(r.Clock.Now(), Listing, nil)
	for _, l := range r.life.Lanes {
		l.Open(ctx)
	}
	begin()
	r.CaughtUp()
	return true
}

// CaughtUp says that all that was in the log at the start was heard.
func (r *Reactor) CaughtUp() { r.Health.caughtUp(r.Clock.Now()) }

// Apply writes b with the checkpoint at a position.
func (r *Reactor) Apply(ctx context.Context, b tables.Batch, at events.Position) error {
	r.mu.Lock()
	c := r.points
	r.mu.Unlock()
	return c.Apply(ctx, b, at)
}

// verify looks whether the tables still hold what was saved.
func (r *Reactor) verify(ctx context.Context) error {
	r.mu.Lock()
	c := r.points
	r.mu.Unlock()
	if c == nil {
		return nil
	}
	err := c.verify(ctx)
	if !errors.Is(err, tables.ErrCheckpointMoved) {
		return nil // an error of the tables shows elsewhere
	}
	return err
}

// saver saves checkpoints as the processor does.
type saver struct {
	*Checkpoints
	save func(ctx context.Context, at events.Position) error
}

// Save implements bus.Checkpoints.
func (s saver) Save(ctx context.Context, group string, at events.Position) error {
	if s.save != nil {
		return s.save(ctx, at)
	}
	return s.Checkpoints.Save(ctx, group, at)
}
