package bus

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/ThreeDotsLabs/watermill"
	"github.com/ThreeDotsLabs/watermill/message"
	"github.com/ThreeDotsLabs/watermill/message/router/middleware"

	"folio/events"
)

// Consumer is one named handler of events.
type Consumer struct {
	Name        string // group, checkpoint key and name in logs; never changes
	Topic       string // what Source understands
	Source      Source
	Checkpoints Checkpoints
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

// Guard stands between a feed and its handler. *quarantine.Feed is one.
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
	Checkpoints
	guard Guard
}

func (g guarded) Save(ctx context.Context, group string, at events.Position) error {
	if err := g.Checkpoints.Save(ctx, group, at); err != nil {
		return err
	}
	return g.guard.Saved(ctx)
}

// redeliver is the pause before an event that failed is tried again.
const redeliver = time.Second

// Run delivers to the consumers until ctx ends, then waits for what is in flight.
//
// There is no poison queue on purpose: a handler only folds facts into a worklist, so
// a parked event would be an effect that never happens. An event that fails is delivered
// until it succeeds, and Failed makes that visible; what is wrong with the event itself is
// the business of the Guard, which holds its stream.
func Run(ctx context.Context, log *slog.Logger, consumers ...Consumer) error {
	for i, c := range consumers {
		if c.Guard == nil {
			consumers[i].Guard = unguarded{}
		} else if err := c.Guard.Begin(ctx, c.Handle); err != nil {
			return fmt.Errorf("begin %s: %w", c.Name, err)
		}
	}
	// Whatever goes wrong here is tried again, so it is a warning: the service, or the log,
	// may have stood still for a moment.
	wlog := watermill.NewSlogLoggerWithLevelMapping(log, map[slog.Level]slog.Level{slog.LevelError: slog.LevelWarn})
	r, err := message.NewRouter(message.RouterConfig{CloseTimeout: 5 * time.Second}, wlog)
	if err != nil {
		return fmt.Errorf("make the router: %w", err)
	}
	// First is outermost: the correlation must be there before anything is logged,
	// and a panic must be an error before it decides between Ack and Nack.
	r.AddMiddleware(middleware.CorrelationID, middleware.Recoverer)
	for _, c := range consumers {
		feed := &Feed{Source: c.Source, Checkpoints: guarded{c.Checkpoints, c.Guard}, Group: c.Name,
			Redeliver: redeliver, CaughtUp: c.CaughtUp, Logger: wlog}
		r.AddConsumerHandler(c.Name, c.Topic, feed, c.message)
	}
	err = r.Run(ctx)
	if err == nil || errors.Is(err, context.Canceled) {
		return nil
	}
	// A router that could not subscribe keeps goroutines until it is closed.
	return errors.Join(fmt.Errorf("run the router: %w", err), r.Close())
}

func (c Consumer) message(m *message.Message) error {
	err := c.Guard.Deliver(m.Context(), recorded(m.Context()), c.Handle)
	if c.Failed != nil && (err == nil || m.Context().Err() == nil) {
		c.Failed(err)
	}
	return err
}
