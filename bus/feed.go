// Package bus is the only place that knows Watermill: it turns the event log into a
// Watermill subscriber and runs handlers behind a router.
package bus

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/ThreeDotsLabs/watermill"
	"github.com/ThreeDotsLabs/watermill/message"

	"folio/clock"
	"folio/events"
)

// Delivery is one entry of the log on its way to a handler.
type Delivery struct {
	ID      string
	Headers map[string]string
	Payload []byte
	Event   events.Recorded // what the log gave, not opened
}

// Batch is what a source has at hand. Position is how far the log was looked through
// with it; CaughtUp says that nothing more waits.
type Batch struct {
	Deliveries []Delivery
	Position   events.Position
	CaughtUp   bool
}

// Source is what a feed reads. It delivers what comes after a position, in order,
// for ever; it comes back with the error of handle, or when ctx ends. Losing the
// connection is its own business.
type Source interface {
	Follow(ctx context.Context, topic string, after events.Position, handle func(context.Context, Batch) error) error
}

// Checkpoints remember how far each group came.
type Checkpoints interface {
	Load(ctx context.Context, group string) (events.Position, error)
	Save(ctx context.Context, group string, at events.Position) error
}

// Feed is a Watermill Subscriber over a log: one message in flight, in order, the
// same message again after a Nack, the checkpoint saved when a batch is acked. An
// event is never skipped, and after a crash at most one batch is heard again: its
// handlers must take an event twice.
type Feed struct {
	Source      Source
	Checkpoints Checkpoints
	Group       string
	Redeliver   time.Duration // pause after a Nack or a failed checkpoint
	CaughtUp    func()        // called each time everything present was acked; may be nil
	Logger      watermill.LoggerAdapter

	mu      sync.Mutex
	closing chan struct{}
	closed  bool
	running sync.WaitGroup
}

var _ message.Subscriber = (*Feed)(nil)

var (
	errClosed   = errors.New("bus: the feed is closed")
	errStopping = errors.New("bus: the feed is stopping")
)

// Subscribe starts one delivery of topic from the group's checkpoint. The channel
// closes when ctx ends or the feed is closed.
func (f *Feed) Subscribe(ctx context.Context, topic string) (<-chan *message.Message, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.closed {
		return nil, errClosed
	}
	if f.closing == nil {
		f.closing = make(chan struct{})
	}
	if f.Logger == nil {
		f.Logger = watermill.NopLogger{}
	}
	at, err := f.Checkpoints.Load(ctx, f.Group)
	if err != nil {
		return nil, fmt.Errorf("load the checkpoint of %s: %w", f.Group, err)
	}
	ctx, cancel := context.WithCancel(ctx)
	out := make(chan *message.Message)
	f.running.Go(func() {
		select {
		case <-f.closing:
			cancel()
		case <-ctx.Done():
		}
	})
	f.running.Go(func() {
		defer close(out)
		defer cancel()
		f.run(ctx, topic, at, out)
	})
	return out, nil
}

// run follows the log until ctx ends; after an error it goes on from the last
// checkpoint.
func (f *Feed) run(ctx context.Context, topic string, at events.Position, out chan<- *message.Message) {
	for ctx.Err() == nil {
		err := f.Source.Follow(ctx, topic, at, func(ctx context.Context, b Batch) error {
			for _, d := range b.Deliveries {
				if !f.deliver(ctx, d, out) {
					return errStopping
				}
			}
			if at.Before(b.Position) {
				if err := f.Checkpoints.Save(ctx, f.Group, b.Position); err != nil {
					return fmt.Errorf("save the checkpoint: %w", err)
				}
				at = b.Position
			}
			if b.CaughtUp && f.CaughtUp != nil {
				f.CaughtUp()
			}
			return nil
		})
		if ctx.Err() != nil || errors.Is(err, errStopping) {
			return
		}
		f.Logger.Error("feed interrupted, going on from the checkpoint", err, watermill.LogFields{"group": f.Group, "position": at.String()})
		clock.Sleep(ctx, f.Redeliver)
	}
}

// deliver offers d until it is acked; false means that the feed is stopping and the
// checkpoint must stay where it is.
func (f *Feed) deliver(ctx context.Context, d Delivery, out chan<- *message.Message) bool {
	for {
		m := message.NewMessage(d.ID, d.Payload)
		for k, v := range d.Headers {
			m.Metadata.Set(k, v)
		}
		mctx, cancel := context.WithCancel(context.WithValue(ctx, recordedKey{}, d.Event))
		m.SetContext(mctx)
		acked, ok := f.offer(ctx, m, out)
		cancel()
		if !ok {
			return false
		}
		if acked {
			return true
		}
		if !clock.Sleep(ctx, f.Redeliver) {
			return false
		}
	}
}

func (f *Feed) offer(ctx context.Context, m *message.Message, out chan<- *message.Message) (acked, ok bool) {
	select {
	case out <- m:
	case <-ctx.Done():
		return false, false
	}
	select {
	case <-m.Acked():
		return true, true
	case <-m.Nacked():
		return false, true
	case <-ctx.Done():
		return false, false
	}
}

// Close stops all deliveries and waits for them. A message in flight is neither
// skipped nor counted as done.
func (f *Feed) Close() error {
	f.mu.Lock()
	if !f.closed {
		f.closed = true
		if f.closing != nil {
			close(f.closing)
		}
	}
	f.mu.Unlock()
	f.running.Wait()
	return nil
}

type recordedKey struct{}

// recorded is the log's entry behind a message that a Feed delivered.
func recorded(ctx context.Context) events.Recorded {
	r, _ := ctx.Value(recordedKey{}).(events.Recorded)
	return r
}
