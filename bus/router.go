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
	// CaughtUp is called when everything present was handled; may be nil.
	CaughtUp func()
	// Failed is told of each failure of Handle, nil once it succeeds again; may be nil.
	Failed func(error)
}

// redeliver is the pause before an event that failed is tried again.
const redeliver = time.Second

// Run delivers to the consumers until ctx ends, then waits for what is in flight.
//
// There is no poison queue on purpose: a handler only folds facts into a worklist, so
// a parked event would be an effect that never happens. An event that fails stops its
// own consumer until it succeeds, and Failed makes that visible.
func Run(ctx context.Context, log *slog.Logger, consumers ...Consumer) error {
	wlog := watermill.NewSlogLogger(log)
	r, err := message.NewRouter(message.RouterConfig{CloseTimeout: 5 * time.Second}, wlog)
	if err != nil {
		return fmt.Errorf("make the router: %w", err)
	}
	// First is outermost: the correlation must be there before anything is logged,
	// and a panic must be an error before it decides between Ack and Nack.
	r.AddMiddleware(middleware.CorrelationID, middleware.Recoverer)
	for _, c := range consumers {
		feed := &Feed{Source: c.Source, Checkpoints: c.Checkpoints, Group: c.Name,
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
	r, err := events.Open(recorded(m.Context()))
	if err == nil {
		err = c.Handle(m.Context(), r)
	}
	if c.Failed != nil && (err == nil || m.Context().Err() == nil) {
		c.Failed(err)
	}
	return err
}
