package bus_test

import (
	"context"
	"fmt"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/ThreeDotsLabs/watermill/message"
	"github.com/ThreeDotsLabs/watermill/pubsub/tests"

	"folio/bus"
	"folio/events"
	"folio/eventstore"
	"folio/eventstore/node"
)

func openLog(t testing.TB) *eventstore.Log {
	t.Helper()
	l, _ := openRestartable(t)
	return l
}

// openRestartable opens the embedded log and a client of it; restart restarts the log alone.
func openRestartable(t testing.TB) (l *eventstore.Log, restart func()) {
	t.Helper()
	dir, err := os.MkdirTemp("", "folio-node-")
	if err != nil {
		t.Fatal(err)
	}
	var n *node.Node
	start := func() {
		if n, err = node.Open(context.Background(), node.Options{Dir: dir}); err != nil {
			t.Error(err)
		}
	}
	stop := func() {
		if err := n.Close(context.Background()); err != nil {
			t.Error(err)
		}
	}
	start()
	if l, err = eventstore.Open(context.Background(), eventstore.Options{Address: n.Address()}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		l.Close()
		stop()
		os.RemoveAll(dir)
	})
	return l, func() { stop(); start() }
}

// memoryCheckpoints keep checkpoints for one process.
type memoryCheckpoints struct {
	mu sync.Mutex
	m  map[string]events.Position
}

func (p *memoryCheckpoints) Load(_ context.Context, group, topic string) (events.Position, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.m[group+"/"+topic], nil
}

func (p *memoryCheckpoints) Save(_ context.Context, group, topic string, at events.Position) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.m == nil {
		p.m = map[string]events.Position{}
	}
	p.m[group+"/"+topic] = at
	return nil
}

// pubSub is what Watermill's suite tests: this package over a log.
type pubSub struct {
	log         *eventstore.Log
	checkpoints memoryCheckpoints
}

func (p *pubSub) build(t *testing.T, group string) (message.Publisher, message.Subscriber) {
	t.Helper()
	publisher, err := bus.NewPublisher(bus.PublisherConfig{Log: p.log, Marshaler: bus.DefaultMarshaler{Type: "tested"}})
	if err != nil {
		t.Fatal(err)
	}
	subscriber, err := bus.NewSubscriber(bus.SubscriberConfig{Log: p.log, Checkpoints: &p.checkpoints, Group: group,
		Redeliver: time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	return publisher, subscriber
}

var features = tests.Features{ConsumerGroups: true, GuaranteedOrder: true, GuaranteedOrderWithSingleSubscriber: true,
	Persistent:        true,
	ForceShort:        !exhaustive,
	GenerateTopicFunc: func(c tests.TestContext) string { return bus.Category("t" + c.TestID.String()) }}

// TestWatermillSuite runs the cases that Watermill asks of every Pub/Sub against the
// publisher and the subscriber of this package, over the embedded log. The two that it leaves
// out follow: one needs other groups, and the other, about a restart, compares what was
// received with the messages whose publishers have heard of it by then.
func TestWatermillSuite(t *testing.T) {
	p := &pubSub{log: openLog(t)}
	tests.TestPubSub(t, features, func(t *testing.T) (message.Publisher, message.Subscriber) {
		return p.build(t, "default")
	}, p.build)
}

// A group that is new hears what was published before it.
func TestNewGroupsReceiveOldMessages(t *testing.T) {
	p, groups := &pubSub{log: openLog(t)}, 0
	with := features
	with.NewSubscriberReceivesOldMessages = true
	tests.TestNewSubscriberReceivesOldMessages(t, tests.TestContext{TestID: tests.NewTestID(), Features: with},
		func(t *testing.T) (message.Publisher, message.Subscriber) {
			groups++
			return p.build(t, fmt.Sprint("group ", groups))
		})
}

// What is published while the log restarts arrives, once acknowledged, in any case.
func TestARestartOfTheLogLosesNothing(t *testing.T) {
	const publishers, each = 20, 100
	log, restart := openRestartable(t)
	publisher, subscriber := (&pubSub{log: log}).build(t, "g")
	topic := bus.Category("order")
	messages, err := subscriber.Subscribe(t.Context(), topic)
	if err != nil {
		t.Fatal(err)
	}
	var publishing sync.WaitGroup
	third := make(chan struct{}, publishers)
	for i := range publishers {
		publishing.Go(func() {
			for n := range each {
				m := message.NewMessage(fmt.Sprint(i, "/", n), message.Payload(`{}`))
				for publisher.Publish(topic, m) != nil && t.Context().Err() == nil {
				}
				if n == each/3 {
					third <- struct{}{}
				}
			}
		})
	}
	publishing.Go(func() {
		for range 2 {
			<-third
			restart()
		}
	})
	received := map[string]bool{}
	for len(received) < publishers*each {
		select {
		case m := <-messages:
			received[m.UUID] = true
			m.Ack()
		case <-time.After(2 * time.Minute):
			t.Fatalf("%d messages arrived, want %d", len(received), publishers*each)
		}
	}
	publishing.Wait()
	if err := subscriber.Close(); err != nil {
		t.Error(err)
	}
}
