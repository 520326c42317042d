package reactor

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/ThreeDotsLabs/watermill/message"

	"folio/bus"
	"folio/events"
	"folio/tables"
)

// Run implements Processor. Nothing is done before the worklists are as new as the log was at the start: until then
// what is due on them may have been done already.
func (r *Reactor) Run(owner context.Context) (err error) {
	ctx, cancel := context.WithCancel(owner)
	defer cancel()
	stored := r.Tables.Worklist(r.name) // r.List may be a cache that waits for these checkpoints
	c := &Checkpoints{Store: r.Tables, Log: r.Log, End: r.End, Forget: r.life.Forget, Traces: []tables.Worklist{stored}}
	if c.Forget == nil {
		c.Forget = stored.Clear
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
	if owner.Err() != nil && errors.Is(err, context.Canceled) {
		return nil // it ended before it had begun, as it was told
	}
	return err
}

// grace is how long the end of a run waits for the message in flight.
const grace = 5 * time.Second

// follow is the one place where processors call bus: it delivers the log to r until ctx ends. What the checkpoint
// refuses is refused before anything is made.
//
// There is no poison queue on purpose: r only folds facts into worklists, so a message that is put aside would be an
// effect that never happens. One that fails is delivered until it succeeds, and the health says so; what is wrong with
// the event itself is the business of the guard, which holds its stream.
func (r *Reactor) follow(ctx context.Context, c *Checkpoints) error {
	after, err := c.Load(ctx, r.name)
	if err != nil {
		return err
	}
	if r.life.Begin != nil {
		r.life.Begin(ctx, after)
	}
	if err := r.guard.Begin(ctx, r.reactions.fold); err != nil {
		return fmt.Errorf("begin %s: %w", r.name, err)
	}
	open := false
	s, err := bus.NewSubscriber(bus.SubscriberConfig{
		Log: r.Source, Checkpoints: saver{c, r}, Group: r.name, Grace: grace, Logger: bus.Logger(r.Logger),
		CaughtUp: func() {
			if !open {
				open = r.open(ctx)
			}
		},
	})
	if err != nil {
		return err
	}
	topic := bus.Types(slices.Concat(r.reactions.types, r.guard.Types())...)
	consume := func(router *bus.Router) error { return router.Consume(ctx, r.name, topic, s, r.message) }
	if r.Router != nil {
		return consume(r.Router)
	}
	return bus.Routed(ctx, bus.RouterConfig{Logger: r.Logger}, consume)
}

// message takes an event of the log.
func (r *Reactor) message(m *message.Message) error {
	e, err := bus.Record(m)
	if err == nil {
		err = r.guard.Deliver(m.Context(), e, r.reactions.fold)
	}
	if err == nil || m.Context().Err() == nil {
		r.Health.Failed(r.Clock.Now(), Folding, err)
	}
	return err
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

// saver saves checkpoints as the processor does, and tells its guard.
type saver struct {
	points *Checkpoints
	r      *Reactor
}

// Load implements bus.Checkpoints. A processor has one topic.
func (s saver) Load(ctx context.Context, group, _ string) (events.Position, error) {
	return s.points.Load(ctx, group)
}

// Save implements bus.Checkpoints.
func (s saver) Save(ctx context.Context, group, _ string, at events.Position) error {
	save := s.r.life.Save
	if save == nil {
		save = func(ctx context.Context, at events.Position) error { return s.points.Save(ctx, group, at) }
	}
	if err := save(ctx, at); err != nil {
		return err
	}
	return s.r.guard.Saved(ctx)
}
