package bus

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/ThreeDotsLabs/watermill"
	"github.com/ThreeDotsLabs/watermill/message"

	"folio/events"
	"folio/eventstore"
)

// Log is a log that can be followed. *eventstore.Log is one, and *fanout.Reader another, for
// many subscribers of types in one process.
type Log interface {
	Follow(ctx context.Context, after events.Position, f eventstore.Filter, o eventstore.FollowOptions,
		handle func(context.Context, eventstore.Batch) error) error
}

// Checkpoints remember how far each group came in each topic. Load is the zero position for
// one that never ran.
type Checkpoints interface {
	Load(ctx context.Context, group, topic string) (events.Position, error)
	Save(ctx context.Context, group, topic string, at events.Position) error
}

// SubscriberConfig is what a Subscriber is made of. Log, Checkpoints and Group must be given.
type SubscriberConfig struct {
	Log         Log
	Checkpoints Checkpoints
	// Group hears each message of a topic once, and has one subscription of a topic at a
	// time: several go on from the same checkpoint and hear the same.
	Group     string
	Marshaler Marshaler // nil: DefaultMarshaler
	// Redeliver is the pause after a Nack or a checkpoint that cannot be saved; default 1 s.
	Redeliver time.Duration
	// Grace is how long the end of a subscription waits for its message in flight.
	Grace time.Duration
	// CaughtUp is called each time that everything present was acked; may be nil.
	CaughtUp func()
	Logger   watermill.LoggerAdapter // nil: silence
}

// Subscriber delivers the events of a topic as messages: in the order of the log, one in
// flight at a time, the same again after a Nack, and the checkpoint saved when what was at
// hand is acked. No message is skipped. After a crash the last batch is heard again, so
// handlers must take a message twice.
type Subscriber struct {
	c SubscriberConfig

	mu      sync.Mutex
	closing chan struct{}
	closed  bool
	running sync.WaitGroup
}

var _ message.Subscriber = (*Subscriber)(nil)

// NewSubscriber makes a subscriber.
func NewSubscriber(c SubscriberConfig) (*Subscriber, error) {
	if c.Log == nil || c.Checkpoints == nil || c.Group == "" {
		return nil, errors.New("bus: a subscriber needs a log, checkpoints and a group")
	}
	if c.Marshaler == nil {
		c.Marshaler = DefaultMarshaler{}
	}
	if c.Redeliver <= 0 {
		c.Redeliver = time.Second
	}
	if c.Logger == nil {
		c.Logger = watermill.NopLogger{}
	}
	return &Subscriber{c: c, closing: make(chan struct{})}, nil
}

// Subscribe starts to deliver topic from the group's checkpoint. The channel closes when ctx
// ends or the subscriber is closed.
func (s *Subscriber) Subscribe(ctx context.Context, topic string) (<-chan *message.Message, error) {
	filter, err := Filter(topic)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return nil, errClosed
	}
	at, err := s.c.Checkpoints.Load(ctx, s.c.Group, topic)
	if err != nil {
		return nil, fmt.Errorf("load the checkpoint of %s: %w", s.c.Group, err)
	}
	ctx, cancel := context.WithCancel(ctx)
	d := &delivery{s: s, topic: topic, filter: filter, at: at, out: make(chan *message.Message)}
	s.running.Go(func() {
		select {
		case <-s.closing:
			cancel()
		case <-ctx.Done():
		}
	})
	s.running.Go(func() {
		defer close(d.out)
		defer cancel()
		d.run(ctx)
	})
	return d.out, nil
}

// Close ends all subscriptions and waits for them. A message in flight is neither skipped
// nor counted as done.
func (s *Subscriber) Close() error {
	s.mu.Lock()
	if !s.closed {
		s.closed = true
		close(s.closing)
	}
	s.mu.Unlock()
	s.running.Wait()
	return nil
}
