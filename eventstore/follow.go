package eventstore

import (
	"context"
	"errors"
	"fmt"
	"time"

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
	// 32. In the past Position may lag by twice as many, and a server reads that many at
	// once. 1 lets Position follow every event of the log: the server then sends the whole
	// log, and the filter is applied here.
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
func (l *Log) Follow(ctx context.Context, after events.Position, f Filter, o FollowOptions,
	handle func(context.Context, Batch) error) error {
	wanted, err := f.Matcher()
	if err != nil {
		return fmt.Errorf("follow: %w", err)
	}
	if o.MaxBatch <= 0 {
		o.MaxBatch = DefaultMaxBatch
	}
	if o.CheckpointEvery <= 0 {
		o.CheckpointEvery = 32
	}
	fw := &follower{
		log: l, filter: f, wanted: wanted, o: o, handle: handle,
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
