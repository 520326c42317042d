package eventstore

import (
	"context"
	"errors"
	"io"
	"time"

	"github.com/EventStore/EventStore-Client-Go/v4/esdb"

	"folio/events"
)

// signal is one message of a subscription: an event, a checkpoint, the switch from
// past to present, or the drop.
type signal struct {
	event      *events.Recorded // nil for the others: most followers hear many more of those
	checkpoint events.Position  // with caughtUp: the end of the log when the subscription began
	caughtUp   bool
	err        error
}

func (s signal) position() events.Position {
	if s.event != nil {
		return s.event.Position
	}
	return s.checkpoint
}

// subscribe starts a subscription and reads it in a goroutine of its own until ctx
// ends or it drops; the drop is the last signal.
func (l *Log) subscribe(ctx context.Context, after events.Position, started bool, f Filter,
	o FollowOptions) (<-chan signal, error) {
	opts := esdb.SubscribeToAllOptions{
		From: esdb.Start{}, Filter: f.server(l.o.Prefix), MaxSearchWindow: o.CheckpointEvery, CheckpointInterval: 1,
	}
	if o.CheckpointEvery == 1 {
		opts.Filter = nil
	}
	if started {
		opts.From = esdb.Position{Commit: after.Commit, Prepare: after.Prepare}
	}
	s, err := l.acquire(ctx)
	if err != nil {
		return nil, err
	}
	// A server that accepts and never confirms must not hold us for ever.
	subCtx, cancel := context.WithCancel(ctx)
	detach := context.AfterFunc(s.moved, cancel)
	impatient := time.AfterFunc(l.o.CallTimeout, cancel)
	var end events.Position
	sub, err := guarded(subCtx, s, func() (*esdb.Subscription, error) {
		var err error
		if end, err = lastPosition(subCtx, s.client); err != nil {
			return nil, err
		}
		return s.client.SubscribeToAll(subCtx, opts)
	})
	if !impatient.Stop() && err == nil {
		err = context.DeadlineExceeded
	}
	if err != nil {
		detach()
		cancel()
		defer s.leave()
		if s.moved.Err() != nil && ctx.Err() == nil {
			return nil, errMoved
		}
		l.suspect()
		f := explain(err)
		if f.broken && ctx.Err() == nil {
			l.distrust(s)
		}
		return nil, f
	}
	out := make(chan signal, o.MaxBatch) // so that a slow handler finds full batches
	go func() {
		defer s.leave()
		defer cancel()
		defer detach()
		err := l.relay(ctx, sub, end, out)
		if ctx.Err() != nil {
			return
		}
		select {
		case out <- signal{err: l.dropped(s, err)}:
		case <-ctx.Done():
		}
	}()
	return out, nil
}

// dropped says why a subscription through s ended, and draws the consequence for s.
func (l *Log) dropped(s *session, err error) error {
	if s.moved.Err() != nil {
		return errMoved
	}
	f := explain(err)
	if f.broken {
		l.distrust(s)
		l.suspect()
	}
	return f
}

// lastPosition is the end of the log as this connection's node has it. A server sends no checkpoint at the end of the
// past: a subscription that caught up has passed this place, and nothing else says so.
func lastPosition(ctx context.Context, c *esdb.Client) (events.Position, error) {
	rs, err := c.ReadAll(ctx, esdb.ReadAllOptions{Direction: esdb.Backwards, From: esdb.End{}}, 1)
	if err != nil {
		return events.Position{}, err
	}
	defer rs.Close()
	e, err := rs.Recv()
	if errors.Is(err, io.EOF) {
		return events.Position{}, ctx.Err()
	}
	if err != nil {
		return events.Position{}, err
	}
	return position(e.OriginalEvent().Position), nil
}

// relay passes the messages of sub, which began when the log ended at end, on until it drops or ctx ends.
func (l *Log) relay(ctx context.Context, sub *esdb.Subscription, end events.Position, out chan<- signal) error {
	_, err := recovered(func() (struct{}, error) {
		for {
			m := sub.Recv()
			var s signal
			switch {
			case m.SubscriptionDropped != nil:
				return struct{}{}, m.SubscriptionDropped.Error
			case m.EventAppeared != nil:
				r, err := l.record(m.EventAppeared)
				if err != nil {
					return struct{}{}, err
				}
				s.event = &r
			case m.CheckPointReached != nil:
				if s.checkpoint = position(*m.CheckPointReached); s.checkpoint.IsZero() {
					continue // the first one of the past says nothing
				}
			case m.CaughtUp != nil:
				s.caughtUp, s.checkpoint = true, end
			default:
				continue
			}
			select {
			case out <- s:
			case <-ctx.Done():
				return struct{}{}, ctx.Err()
			}
		}
	})
	return err
}
