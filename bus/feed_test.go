package bus_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/ThreeDotsLabs/watermill/message"
	"github.com/ThreeDotsLabs/watermill/pubsub/tests"

	"folio/bus"
	"folio/events"
)

// memoryLog is a log of raw messages with topics, enough to be a Source and a
// Publisher for Watermill's own suite.
type memoryLog struct {
	mu     sync.Mutex
	all    []bus.Delivery
	topics []string
	wake   chan struct{}
}

func newMemoryLog() *memoryLog { return &memoryLog{wake: make(chan struct{})} }

func (l *memoryLog) Publish(topic string, ms ...*message.Message) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, m := range ms {
		headers := map[string]string{}
		for k, v := range m.Metadata {
			headers[k] = v
		}
		l.all = append(l.all, bus.Delivery{ID: m.UUID, Headers: headers, Payload: m.Payload})
		l.topics = append(l.topics, topic)
	}
	close(l.wake)
	l.wake = make(chan struct{})
	return nil
}

func (l *memoryLog) Close() error { return nil }

func (l *memoryLog) Follow(ctx context.Context, topic string, after events.Position, handle func(context.Context, bus.Batch) error) error {
	for at := after.Commit; ; {
		l.mu.Lock()
		all, topics, wake := l.all, l.topics, l.wake
		l.mu.Unlock()
		for ; at < uint64(len(all)); at++ {
			if topics[at] != topic {
				continue
			}
			b := bus.Batch{Deliveries: []bus.Delivery{all[at]}, Position: events.Position{Commit: at + 1, Prepare: at + 1}}
			if err := handle(ctx, b); err != nil {
				return err
			}
		}
		if err := handle(ctx, bus.Batch{Position: events.Position{Commit: at, Prepare: at}, CaughtUp: true}); err != nil {
			return err
		}
		select {
		case <-wake:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

type memoryCheckpoints struct {
	mu sync.Mutex
	m  map[string]events.Position
}

func (p *memoryCheckpoints) Load(_ context.Context, group string) (events.Position, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.m[group], nil
}

func (p *memoryCheckpoints) Save(_ context.Context, group string, at events.Position) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.m == nil {
		p.m = map[string]events.Position{}
	}
	p.m[group] = at
	return nil
}

// TestWatermillSuite runs the cases that Watermill asks of every Pub/Sub with
// persistence and order. Each test has its own checkpoints, one log serves them all.
func TestWatermillSuite(t *testing.T) {
	log, checkpoints := newMemoryLog(), &memoryCheckpoints{}
	build := func(_ *testing.T, group string) (message.Publisher, message.Subscriber) {
		return log, &topicFeed{log: log, checkpoints: checkpoints, group: group}
	}
	tests.TestPubSub(t,
		tests.Features{GuaranteedOrder: true, GuaranteedOrderWithSingleSubscriber: true, Persistent: true},
		func(t *testing.T) (message.Publisher, message.Subscriber) { return build(t, "default") },
		build,
	)
}

// topicFeed gives each topic a feed of its own, since our feeds have one topic and
// one checkpoint while the suite subscribes to many with one subscriber.
type topicFeed struct {
	log         *memoryLog
	checkpoints *memoryCheckpoints
	group       string
	mu          sync.Mutex
	feeds       []*bus.Feed
	closed      bool
}

func (s *topicFeed) Subscribe(ctx context.Context, topic string) (<-chan *message.Message, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	f := &bus.Feed{Source: s.log, Checkpoints: s.checkpoints, Group: s.group + "/" + topic, Redeliver: time.Millisecond}
	if s.closed {
		if err := f.Close(); err != nil {
			return nil, err
		}
	}
	s.feeds = append(s.feeds, f)
	return f.Subscribe(ctx, topic)
}

func (s *topicFeed) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	for _, f := range s.feeds {
		if err := f.Close(); err != nil {
			return err
		}
	}
	return nil
}
