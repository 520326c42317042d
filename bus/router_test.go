package bus_test

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"sync/atomic"
	"testing"
	"time"

	"folio/bus"
	"folio/events"
)

func disabled(position uint64) bus.Delivery {
	at := events.Position{Commit: position, Prepare: position}
	return bus.Delivery{ID: at.String(), Event: events.Recorded{ID: at.String(), Stream: "account-a",
		Position: at, Type: "AccountDisabled", Meta: events.Meta{Schema: 1}, Raw: json.RawMessage(`{}`)}}
}

// run starts one consumer over the deliveries and returns what stops it.
func run(t *testing.T, l *memoryLog, c bus.Consumer) (stop func() time.Duration) {
	t.Helper()
	c.Name, c.Topic, c.Source = "p", "t", l
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- bus.Run(ctx, slog.New(slog.DiscardHandler), c) }()
	return func() time.Duration {
		start := time.Now()
		cancel()
		if err := <-ended; err != nil {
			t.Fatal(err)
		}
		return time.Since(start)
	}
}

func logOf(ds ...bus.Delivery) *memoryLog {
	l := newMemoryLog()
	for _, d := range ds {
		l.all, l.topics = append(l.all, d), append(l.topics, "t")
	}
	return l
}

func TestAnEventIsOpenedHandledAndCheckpointed(t *testing.T) {
	checkpoints, caughtUp := &memoryCheckpoints{}, make(chan struct{}, 9)
	var got events.Event
	stop := run(t, logOf(disabled(1)), bus.Consumer{Checkpoints: checkpoints,
		Handle:   func(_ context.Context, r events.Recorded) error { got = r.Event; return nil },
		CaughtUp: func() { caughtUp <- struct{}{} }})
	<-caughtUp
	stop()
	if _, ok := got.(events.AccountDisabled); !ok {
		t.Fatalf("handled %T, want AccountDisabled", got)
	}
	if at, _ := checkpoints.Load(t.Context(), "p"); at.Commit != 1 {
		t.Fatalf("checkpoint %s, want that of the event", at)
	}
}

func TestAFailingEventIsHeardAgainAndNeverSkipped(t *testing.T) {
	checkpoints, caughtUp := &memoryCheckpoints{}, make(chan struct{}, 9)
	var order []uint64
	var failures []error
	stop := run(t, logOf(disabled(1), disabled(2)), bus.Consumer{Checkpoints: checkpoints,
		Handle: func(_ context.Context, r events.Recorded) error {
			order = append(order, r.Position.Commit)
			switch len(order) {
			case 1:
				return errors.New("tables are away")
			case 2:
				panic("a bug")
			}
			return nil
		},
		Failed:   func(err error) { failures = append(failures, err) },
		CaughtUp: func() { caughtUp <- struct{}{} }})
	<-caughtUp
	stop()
	if want := []uint64{1, 1, 1, 2}; len(order) != 4 || order[0] != 1 || order[1] != 1 || order[2] != 1 || order[3] != 2 {
		t.Fatalf("heard %v, want %v", order, want)
	}
	if len(failures) < 2 || failures[0] == nil || failures[len(failures)-1] != nil {
		t.Fatalf("told %v, want the failure and then that it is over", failures)
	}
}

func TestAnUndecodableEventStopsItsConsumerWithoutBeingSkipped(t *testing.T) {
	bad := disabled(1)
	bad.Event.Meta.Schema = 99
	told := make(chan error, 9)
	checkpoints := &memoryCheckpoints{}
	var handled atomic.Int32
	stop := run(t, logOf(bad, disabled(2)), bus.Consumer{Checkpoints: checkpoints,
		Handle: func(context.Context, events.Recorded) error { handled.Add(1); return nil },
		Failed: func(err error) { told <- err }})
	if err := <-told; err == nil {
		t.Fatal("a schema of the future was taken")
	}
	stop()
	if at, _ := checkpoints.Load(t.Context(), "p"); handled.Load() != 0 || !at.IsZero() {
		t.Fatalf("handled %d, checkpoint %s: want neither to move", handled.Load(), at)
	}
}

func TestShutdownNeitherSkipsNorWaitsForTheMessageInFlight(t *testing.T) {
	checkpoints, started := &memoryCheckpoints{}, make(chan struct{})
	stop := run(t, logOf(disabled(1)), bus.Consumer{Checkpoints: checkpoints,
		Handle: func(ctx context.Context, _ events.Recorded) error {
			close(started)
			<-ctx.Done()
			return ctx.Err()
		}})
	<-started
	if took := stop(); took > 3*time.Second {
		t.Fatalf("shutdown took %s", took)
	}
	if at, _ := checkpoints.Load(t.Context(), "p"); !at.IsZero() {
		t.Fatalf("checkpoint %s, want it unmoved", at)
	}
}
