package bus_test

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/ThreeDotsLabs/watermill/message"
	"github.com/google/uuid"
	"github.com/prometheus/client_golang/prometheus"

	"folio/bus"
	"folio/events"
	"folio/eventstore"
	"folio/eventstore/memory"
)

// world is a log in memory with a router over it.
type world struct {
	t           *testing.T
	log         *memory.Log
	checkpoints *memoryCheckpoints
	router      *bus.Router
	metrics     *prometheus.Registry
}

func newWorld(t *testing.T) *world {
	w := &world{t: t, log: memory.New(), checkpoints: &memoryCheckpoints{}, metrics: prometheus.NewRegistry()}
	var err error
	w.router, err = bus.NewRouter(bus.RouterConfig{Logger: slog.New(slog.DiscardHandler), Metrics: w.metrics,
		Namespace: "test"})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- w.router.Run(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	return w
}

func (w *world) put(stream string, revision int64, kind string) {
	w.t.Helper()
	p := eventstore.Pending{ID: uuid.New(), Type: kind, Data: []byte(`{}`), Meta: events.Meta{Schema: 1}}
	if _, err := w.log.Append(w.t.Context(), stream, revision, p); err != nil {
		w.t.Fatal(err)
	}
}

// consumer is one that runs.
type consumer struct {
	stop     func() error // and wait
	caughtUp <-chan struct{}
}

func (w *world) consume(name, topic string, handle func(*message.Message) error) consumer {
	w.t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	up := make(chan struct{}, 100)
	s, err := bus.NewSubscriber(bus.SubscriberConfig{Log: w.log, Checkpoints: w.checkpoints, Group: name,
		Redeliver: time.Millisecond,
		Grace:     5 * time.Second, CaughtUp: func() { up <- struct{}{} }})
	if err != nil {
		w.t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- w.router.Consume(ctx, name, topic, s, handle) }()
	stop := sync.OnceValue(func() error { cancel(); return <-ended })
	w.t.Cleanup(func() { _ = stop() })
	return consumer{stop: stop, caughtUp: up}
}

func (w *world) at(name, topic string) events.Position {
	at, _ := w.checkpoints.Load(w.t.Context(), name, topic)
	return at
}

var invoices = bus.Category("invoice")

func TestConsumersComeAndGoWhileTheRouterRuns(t *testing.T) {
	w := newWorld(t)
	w.put("invoice-1", -1, "Made")
	var mu sync.Mutex
	heard := map[string][]string{}
	hear := func(name string) func(*message.Message) error {
		return func(m *message.Message) error {
			mu.Lock()
			defer mu.Unlock()
			r, err := bus.Record(m)
			heard[name] = append(heard[name], r.Type)
			return err
		}
	}
	first := w.consume("first", invoices, hear("first"))
	second := w.consume("second", bus.Types("Paid", "Made"), hear("second"))
	<-first.caughtUp
	<-second.caughtUp
	if err := first.stop(); err != nil {
		t.Fatal(err)
	}
	w.put("invoice-1", 0, "Paid")
	<-second.caughtUp
	if err := second.stop(); err != nil {
		t.Fatal(err)
	}
	again := w.consume("first", invoices, hear("first")) // the router had none left
	<-again.caughtUp
	if err := again.stop(); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"first", "second"} {
		if want := []string{"Made", "Paid"}; !slices.Equal(heard[name], want) {
			t.Errorf("%s heard %v, want %v", name, heard[name], want)
		}
	}
}

func TestAMessageThatFailsIsHeardAgainInOrderAndNeverSkipped(t *testing.T) {
	w := newWorld(t)
	w.put("invoice-1", -1, "Made")
	w.put("invoice-1", 0, "Paid")
	var heard []string
	c := w.consume("c", invoices, func(m *message.Message) error {
		heard = append(heard, m.Metadata[bus.MetadataRevision])
		switch len(heard) {
		case 1:
			return errors.New("tables are away")
		case 2:
			panic("a bug")
		}
		return nil
	})
	<-c.caughtUp
	_ = c.stop()
	if want := []string{"0", "0", "0", "1"}; !slices.Equal(heard, want) {
		t.Errorf("heard %v, want %v", heard, want)
	}
	if at := w.at("c", invoices); at.Commit != 2 {
		t.Errorf("checkpoint %s, want that of the last message", at)
	}
}

func TestTheEndOfAConsumerWaitsForTheMessageInFlightAndDoesNotCountIt(t *testing.T) {
	w := newWorld(t)
	w.put("invoice-1", -1, "Made")
	started, over := make(chan struct{}), false
	c := w.consume("c", invoices, func(m *message.Message) error {
		close(started)
		<-m.Context().Done()
		over = true
		return m.Context().Err()
	})
	<-started
	if err := c.stop(); err != nil || !over {
		t.Errorf("ended with %v, handler over: %v", err, over)
	}
	if at := w.at("c", invoices); !at.IsZero() {
		t.Errorf("checkpoint %s, want it unmoved", at)
	}
}

func TestAConsumerThatCannotBeginHarmsNoOther(t *testing.T) {
	w := newWorld(t)
	w.put("invoice-1", -1, "Made")
	none := func(*message.Message) error { return nil }
	if err := w.consume("wrong", "invoices of today", none).stop(); err == nil {
		t.Error("a topic that is none was taken")
	}
	c := w.consume("c", invoices, none)
	<-c.caughtUp
	twice := w.consume("c", invoices, none)
	if err := twice.stop(); err == nil {
		t.Error("two handlers had one name")
	}
	w.put("invoice-1", 0, "Paid")
	<-c.caughtUp
}

func TestTheRoutersMetricsAreWatermills(t *testing.T) {
	w := newWorld(t)
	w.put("invoice-1", -1, "Made")
	failed := false
	c := w.consume("c", invoices, func(*message.Message) error {
		if !failed {
			failed = true
			panic("a bug")
		}
		return nil
	})
	<-c.caughtUp
	_ = c.stop()
	all, err := w.metrics.Gather()
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]uint64{}
	for _, family := range all {
		for _, m := range family.Metric {
			for _, l := range m.Label {
				if l.GetName() == "success" {
					got[l.GetValue()] += m.GetHistogram().GetSampleCount()
				}
			}
		}
	}
	if got["true"] != 1 || got["false"] != 1 {
		t.Errorf("handled %v, want one success and the panic as a failure", got)
	}
}
