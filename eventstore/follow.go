package eventstore

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/EventStore/EventStore-Client-Go/v4/esdb"

	"folio/events"
)

// DefaultMaxBatch is the largest number of events that Follow hands over at once.
const DefaultMaxBatch = 512

// maxBatchBytes ends a batch early when its events are large.
const maxBatchBytes = 4 << 20

// Batch is what was at hand: events in log order, perhaps none.
type Batch struct {
	Events []events.Recorded
	// Position: everything up to here was delivered or is of no interest. Save it
	// with the effect of the events and pass it to the next Follow.
	Position events.Position
	// CaughtUp is true from the batch on with which the follower has reached the
	// present, and false again after a lost connection until it has caught up.
	// Position is then no earlier than the end of the log was when the follower
	// connected.
	CaughtUp bool
}

// FollowState is what a follower knows about its connection.
type FollowState struct {
	Connected bool
	CaughtUp  bool      // as in the last batch handed over
	Since     time.Time // of Connected's present value
	Err       error     // why it is not connected, nil while it is
}

// FollowOptions adjust Follow; the zero value is good.
type FollowOptions struct {
	// MaxBatch bounds the events of one batch. Zero is DefaultMaxBatch.
	MaxBatch int
	// CheckpointEvery is after how many events that the filter passes over the
	// position is handed over all the same, once the follower has caught up. Zero is
	// 32; 1 lets Position follow every event of the log, at the price of one message
	// each. In the past Position may lag by twice as many.
	CheckpointEvery int
	// OnState hears every change. It runs in the goroutine of Follow: be quick.
	OnState func(FollowState)
}

// Follow hands every event after a position (exclusive; zero is the beginning) that f
// selects to handle, in log order, each once per call of Follow, first the past and then
// as they happen. Batches take what is at hand and never wait to fill; a batch without
// events only moves Position or CaughtUp. When the connection is lost it goes on from
// the last position it received, with growing pauses. It returns handle's error as it
// is, ctx.Err() when ctx ends, ErrClosed after Close and ErrInvalid for a wrong filter,
// and nothing else ends it.
func (l *Log) Follow(ctx context.Context, after events.Position, f Filter, o FollowOptions, handle func(context.Context, Batch) error) error {
	if err := f.check(); err != nil {
		return fmt.Errorf("follow: %w", err)
	}
	if o.MaxBatch <= 0 {
		o.MaxBatch = DefaultMaxBatch
	}
	if o.CheckpointEvery <= 0 {
		o.CheckpointEvery = 32
	}
	fw := &follower{
		log: l, filter: f, wanted: f.matcher(), o: o, handle: handle,
		at: after, started: !after.IsZero(),
	}
	fw.report(FollowState{})
	for try := 0; ; try++ {
		before := fw.at
		err, final := fw.once(ctx)
		switch {
		case final:
			return err
		case ctx.Err() != nil:
			return ctx.Err()
		case l.ctx.Err() != nil:
			return fmt.Errorf("follow: %w", ErrClosed)
		case errors.Is(err, errMoved):
			fw.report(FollowState{})
			continue
		}
		fw.report(FollowState{Err: err})
		if fw.at != before {
			try = 0
		}
		within, cancel := l.bound(ctx, 0)
		pause(within, try)
		cancel()
	}
}

// errMoved: the session was retired, and the follower goes on through the next one.
var errMoved = errors.New("the connection was given up")

// follower is one call of Follow; only its own goroutine touches it.
type follower struct {
	log    *Log
	filter Filter
	wanted func(events.Recorded) bool
	o      FollowOptions
	handle func(context.Context, Batch) error

	at       events.Position // handled up to here
	started  bool            // at is a real place: the first event may have the zero position
	caughtUp bool
	state    FollowState
}

// report tells a change of state.
func (fw *follower) report(s FollowState) {
	changed := s.Connected != fw.state.Connected || fw.state.Since.IsZero()
	if !changed && s.CaughtUp == fw.state.CaughtUp && s.Err == nil {
		return
	}
	s.Since = fw.state.Since
	if changed {
		s.Since = time.Now()
	}
	fw.state = s
	if fw.o.OnState != nil {
		fw.o.OnState(s)
	}
}

// once follows through one connection. final says that Follow must return err.
func (fw *follower) once(ctx context.Context) (err error, final bool) {
	within, cancel := fw.log.bound(ctx, 0)
	defer cancel()
	signals, err := fw.log.subscribe(within, fw.at, fw.started, fw.filter, fw.o)
	if err != nil {
		return err, false
	}
	fw.caughtUp = false
	fw.report(FollowState{Connected: true})
	for {
		var s signal
		select {
		case s = <-signals:
		case <-within.Done():
			return within.Err(), false
		}
		b := Batch{Position: fw.at, CaughtUp: fw.caughtUp}
		dropped, moved := fw.gather(s, signals, &b)
		if moved {
			if err := fw.handle(ctx, b); err != nil {
				return err, true
			}
			fw.at, fw.caughtUp = b.Position, b.CaughtUp
			fw.report(FollowState{Connected: true, CaughtUp: b.CaughtUp})
		}
		if dropped != nil {
			return dropped, false
		}
	}
}

// gather adds s and what else is at hand to b. moved says that b is worth handling.
func (fw *follower) gather(s signal, more <-chan signal, b *Batch) (dropped error, moved bool) {
	size := 0
	for {
		switch {
		case s.err != nil:
			return s.err, moved
		case s.caughtUp:
			moved = moved || !b.CaughtUp
			b.CaughtUp = true
			if b.Position.Before(s.checkpoint) {
				b.Position, fw.started, moved = s.checkpoint, true, true
			}
		case fw.started && !b.Position.Before(s.position()):
			// Heard before: a subscription taken up again may repeat itself.
		default:
			b.Position, fw.started, moved = s.position(), true, true
			fw.log.saw(b.Position)
			if s.event != nil && fw.wanted(*s.event) {
				b.Events = append(b.Events, *s.event)
				size += len(s.event.Raw)
			}
		}
		if len(b.Events) >= fw.o.MaxBatch || size >= maxBatchBytes {
			return nil, moved
		}
		select {
		case s = <-more:
		default:
			return nil, moved
		}
	}
}

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
func (l *Log) subscribe(ctx context.Context, after events.Position, started bool, f Filter, o FollowOptions) (<-chan signal, error) {
	opts := esdb.SubscribeToAllOptions{
		From: esdb.Start{}, Filter: f.server(l.o.Prefix), MaxSearchWindow: o.CheckpointEvery, CheckpointInterval: 1,
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
		if s.moved.Err() != nil {
			err = errMoved
		} else if f := explain(err); f.broken {
			l.distrust(s)
			l.suspect()
			err = f
		}
		select {
		case out <- signal{err: err}:
		case <-ctx.Done():
		}
	}()
	return out, nil
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
