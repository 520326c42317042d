package bus

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/ThreeDotsLabs/watermill/message"

	"folio/events"
	"folio/eventstore"
)

// Delivery is one entry of the log on its way to a handler.
type Delivery struct {
	ID      string
	Headers map[string]string
	Payload []byte
	Event   events.Recorded // what the log gave, not opened
}

// Batch is what a source has at hand.
type Batch struct {
	Deliveries []Delivery
	Position   events.Position
	CaughtUp   bool
}

// Source is what a consumer reads.
type Source interface {
	Follow(ctx context.Context, topic string, after events.Position, handle func(context.Context, Batch) error) error
}

// Points remember how far each group came.
type Points interface {
	Load(ctx context.Context, group string) (events.Position, error)
	Save(ctx context.Context, group string, at events.Position) error
}

// Consumer is one named handler of events.
type Consumer struct {
	Name        string // group, checkpoint key and name in logs; never changes
	Topic       string // what Source understands
	Source      Source
	Checkpoints Points
	// Handle folds one event into durable tables. It must be quick, do no I/O towards
	// the world, and take the same event twice.
	Handle func(context.Context, events.Recorded) error
	// Guard keeps the trouble of one stream to that stream; nil: it stops the consumer.
	Guard Guard
	// CaughtUp is called when everything present was handled; may be nil.
	CaughtUp func()
	// Failed is told of each failure of Handle, nil once it succeeds again; may be nil.
	Failed func(error)
}

// Guard stands between the log and a handler. *quarantine.Feed is one.
type Guard interface {
	// Begin is called before anything is delivered; it may deliver what was held back.
	Begin(ctx context.Context, handle func(context.Context, events.Recorded) error) error
	// Deliver opens r and hands it to handle, or holds its stream. An error means: again.
	Deliver(ctx context.Context, r events.Recorded, handle func(context.Context, events.Recorded) error) error
	// Saved is called when a checkpoint was saved.
	Saved(ctx context.Context) error
}

// unguarded delivers everything.
type unguarded struct{}

func (unguarded) Begin(context.Context, func(context.Context, events.Recorded) error) error {
	return nil
}
func (unguarded) Saved(context.Context) error { return nil }

func (unguarded) Deliver(ctx context.Context, r events.Recorded, handle func(context.Context, events.Recorded) error) error {
	r, err := events.Open(r)
	if err != nil {
		return err
	}
	return handle(ctx, r)
}

// guarded tells a guard of each checkpoint.
type guarded struct {
	Points
	guard Guard
}

func (g guarded) Load(ctx context.Context, group, _ string) (events.Position, error) {
	return g.Points.Load(ctx, group)
}

func (g guarded) Save(ctx context.Context, group, _ string, at events.Position) error {
	if err := g.Points.Save(ctx, group, at); err != nil {
		return err
	}
	return g.guard.Saved(ctx)
}

// sourceLog is a source as a Log.
type sourceLog struct {
	Source
	topic string
}

func (s sourceLog) Follow(ctx context.Context, after events.Position, _ eventstore.Filter, _ eventstore.FollowOptions,
	handle func(context.Context, eventstore.Batch) error) error {
	return s.Source.Follow(ctx, s.topic, after, func(ctx context.Context, b Batch) error {
		out := eventstore.Batch{Position: b.Position, CaughtUp: b.CaughtUp}
		for _, d := range b.Deliveries {
			out.Events = append(out.Events, d.Event)
		}
		return handle(ctx, out)
	})
}

// Run delivers to a consumer until ctx ends, then waits for what is in flight.
func Run(ctx context.Context, log *slog.Logger, c Consumer) error {
	if c.Guard == nil {
		c.Guard = unguarded{}
	} else if err := c.Guard.Begin(ctx, c.Handle); err != nil {
		return fmt.Errorf("begin %s: %w", c.Name, err)
	}
	r, err := NewRouter(RouterConfig{Logger: log})
	if err != nil {
		return err
	}
	s, err := NewSubscriber(SubscriberConfig{Log: sourceLog{c.Source, c.Topic}, Checkpoints: guarded{c.Checkpoints, c.Guard}, Group: c.Name,
		Grace: closeTimeout, Redeliver: time.Second, CaughtUp: c.CaughtUp, Logger: r.logger})
	if err != nil {
		return err
	}
	routing, stop := context.WithCancel(context.WithoutCancel(ctx))
	ended := make(chan error, 1)
	go func() { ended <- r.Run(routing) }()
	err = r.Consume(ctx, c.Name, All, s, c.message)
	stop()
	if err != nil && errors.Is(err, ctx.Err()) {
		err = nil
	}
	return errors.Join(err, <-ended)
}

func (c Consumer) message(m *message.Message) error {
	r, err := Record(m)
	if err == nil {
		err = c.Guard.Deliver(m.Context(), r, c.Handle)
	}
	if c.Failed != nil && (err == nil || m.Context().Err() == nil) {
		c.Failed(err)
	}
	return err
}
