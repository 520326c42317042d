package bus

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/ThreeDotsLabs/watermill"
	"github.com/ThreeDotsLabs/watermill/message"

	"folio/clock"
	"folio/events"
	"folio/eventstore"
)

// delivery is one subscription.
type delivery struct {
	s      *Subscriber
	topic  string
	filter eventstore.Filter
	at     events.Position // of the saved checkpoint
	out    chan *message.Message
}

var errStopping = errors.New("bus: the subscription is ending")

// run follows the log until ctx ends; after an error it goes on from the last checkpoint.
func (d *delivery) run(ctx context.Context) {
	for ctx.Err() == nil {
		err := d.s.c.Log.Follow(ctx, d.at, d.filter, eventstore.FollowOptions{}, d.batch)
		if ctx.Err() != nil || errors.Is(err, errStopping) {
			return
		}
		d.s.c.Logger.Error("subscription interrupted, going on from the checkpoint", err,
			watermill.LogFields{"group": d.s.c.Group, "position": d.at.String()})
		clock.Sleep(ctx, d.s.c.Redeliver)
	}
}

func (d *delivery) batch(ctx context.Context, b eventstore.Batch) error {
	for _, r := range b.Events {
		if err := d.deliver(ctx, r); err != nil {
			return err
		}
	}
	if d.at.Before(b.Position) {
		if err := d.s.c.Checkpoints.Save(ctx, d.s.c.Group, d.topic, b.Position); err != nil {
			return fmt.Errorf("save the checkpoint: %w", err)
		}
		d.at = b.Position
	}
	if b.CaughtUp && d.s.c.CaughtUp != nil {
		d.s.c.CaughtUp()
	}
	return nil
}

// deliver offers r until it is acked. After errStopping the checkpoint must stay where it is.
func (d *delivery) deliver(ctx context.Context, r events.Recorded) error {
	for {
		m, err := d.s.c.Marshaler.Unmarshal(r)
		if err != nil {
			return fmt.Errorf("make a message of event %s: %w", r.ID, err)
		}
		of, cancel := context.WithCancel(ctx)
		m.SetContext(of)
		acked := d.offer(ctx, m)
		cancel()
		switch {
		case acked:
			return nil
		case ctx.Err() != nil || !clock.Sleep(ctx, d.s.c.Redeliver):
			return errStopping
		}
	}
}

// offer says whether m was acked.
func (d *delivery) offer(ctx context.Context, m *message.Message) bool {
	select {
	case d.out <- m:
	case <-ctx.Done():
		return false
	}
	select {
	case <-m.Acked():
		return true
	case <-m.Nacked():
		return false
	case <-ctx.Done():
	}
	select { // its handler knows by its context, and may still be at work
	case <-m.Acked():
	case <-m.Nacked():
	case <-time.After(d.s.c.Grace):
	}
	return false
}
