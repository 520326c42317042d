package bus

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"

	"github.com/ThreeDotsLabs/watermill/message"

	"folio/events"
	"folio/eventstore"
)

// AppendLog is a log that takes events. *eventstore.Log is one.
type AppendLog interface {
	Append(ctx context.Context, stream string, expected int64, ps ...eventstore.Pending) (eventstore.Appended, error)
	ReadLast(ctx context.Context, stream string) (events.Recorded, bool, error)
}

// PublisherConfig is what a Publisher is made of. Log must be given.
type PublisherConfig struct {
	Log       AppendLog
	Marshaler Marshaler // nil: DefaultMarshaler
}

// Publisher appends messages to streams. It is safe for concurrent use.
type Publisher struct {
	c      PublisherConfig
	closed atomic.Bool
}

var _ message.Publisher = (*Publisher)(nil)

var errClosed = errors.New("bus: closed")

// NewPublisher makes a publisher.
func NewPublisher(c PublisherConfig) (*Publisher, error) {
	if c.Log == nil {
		return nil, errors.New("bus: a publisher needs a log")
	}
	if c.Marshaler == nil {
		c.Marshaler = DefaultMarshaler{}
	}
	return &Publisher{c: c}, nil
}

// Publish appends the messages one after the other, each under the context that it carries,
// and returns when they are on disk. It stops at the first that fails; those before it are
// in the log.
func (p *Publisher) Publish(topic string, messages ...*message.Message) error {
	for _, m := range messages {
		if p.closed.Load() {
			return errClosed
		}
		a, err := p.c.Marshaler.Marshal(topic, m)
		if err == nil {
			err = p.append(m.Context(), a)
		}
		if err != nil {
			return fmt.Errorf("publish message %.100s to %.100s: %w", m.UUID, topic, err)
		}
	}
	return nil
}

// append writes a, at the end of its stream unless it says where.
func (p *Publisher) append(ctx context.Context, a Append) error {
	if a.Expected != AnyRevision {
		_, err := p.c.Log.Append(ctx, a.Stream, a.Expected, a.Event)
		return err
	}
	for {
		last, found, err := p.c.Log.ReadLast(ctx, a.Stream)
		if err != nil {
			return err
		}
		expected := eventstore.NoStream
		if found {
			expected = int64(last.Revision)
		}
		// Whoever was faster made progress, so this ends.
		if _, err = p.c.Log.Append(ctx, a.Stream, expected, a.Event); !errors.Is(err, eventstore.ErrConflict) {
			return err
		}
	}
}

// Close refuses what is published from now on. The log stays open.
func (p *Publisher) Close() error {
	p.closed.Store(true)
	return nil
}
