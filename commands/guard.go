package commands

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"runtime/debug"
	"time"

	"folio/events"
	"folio/fault"
)

// Guard knows what operators decided about streams that cannot be read or folded on, and
// is told of those met; *quarantine.Room is one. It is asked for every event: be quick.
type Guard interface {
	// Skips says that an operator has everybody go on without the event.
	Skips(r events.Recorded) bool
	// Covers says that an operator has everybody go on without the missing revisions.
	Covers(t *events.Trouble) bool
	// Foreign is told of an entry that is not Folio's in a stream that is.
	Foreign(r events.Recorded)
	// Hold is told of trouble, and Sound that a stream was read to its end.
	Hold(t *events.Trouble)
	Sound(stream string)
}

// Guarded makes x ask g about streams in quarantine, and tell g of new trouble. Call it before x is used.
func (x *Executor) Guarded(g Guard) *Executor {
	x.guard = g
	return x
}

// unguarded is the guard of a program without a quarantine: trouble is an error.
type unguarded struct{}

func (unguarded) Skips(events.Recorded) bool  { return false }
func (unguarded) Covers(*events.Trouble) bool { return false }
func (unguarded) Foreign(events.Recorded)     {}
func (unguarded) Hold(*events.Trouble)        {}
func (unguarded) Sound(string)                {}

// history reads a stream, without what an operator has us go on without.
func (x *Executor) history(ctx context.Context, stream string, from uint64) iter.Seq2[events.Recorded, error] {
	return events.Beyond(func(from uint64) iter.Seq2[events.Recorded, error] { return x.log.Read(ctx, stream, from) },
		from, x.guard.Covers)
}

// evolve folds one event and returns it opened, or as it is when it does not count. What
// it cannot read or apply is a *events.Trouble.
func evolve[S, C any](g Guard, d Decider[S, C], v version[S], r events.Recorded) (version[S], events.Recorded, error) {
	next := version[S]{state: v.state, revision: int64(r.Revision), position: r.Position}
	opened, err := counted(g, r)
	if err != nil {
		return v, r, err
	}
	if opened.Event == nil {
		return next, r, nil
	}
	if next.state, err = evolved(d, v.state, r.Meta.At, opened.Event); err != nil {
		return v, r, r.About(events.Unappliable, err)
	}
	return next, opened, nil
}

// counted opens an event; one that does not count stays as it is.
func counted(g Guard, r events.Recorded) (events.Recorded, error) {
	if events.KinshipOf(r) == events.Foreign {
		g.Foreign(r)
		return r, nil
	}
	if g.Skips(r) {
		return r, nil
	}
	return events.Open(r)
}

// Read yields the events of a stream that count, opened, as deciders see them: without
// another application's, and without what an operator has everybody go on without. A
// stream that cannot be read on is an error that wraps a *events.Trouble.
func (x *Executor) Read(ctx context.Context, stream string, from uint64) iter.Seq2[events.Recorded, error] {
	return func(yield func(events.Recorded, error) bool) {
		for r, err := range x.history(ctx, stream, from) {
			if err == nil {
				r, err = counted(x.guard, r)
			}
			if err != nil {
				yield(r, x.unreadable(stream, err))
				return
			}
			if r.Event != nil && !yield(r, nil) {
				return
			}
		}
	}
}

// evolved folds facts recorded at the time, and makes a panic of the decider an error.
func evolved[S, C any](d Decider[S, C], s S, at time.Time, facts ...events.Event) (_ S, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
		}
	}()
	for _, e := range facts {
		s = d.Next(s, e, at)
	}
	return s, nil
}

// decideOn decides c, and makes a panic of the decider the error of this one decision.
func decideOn[S, C any](d Decider[S, C], stream string, s S, c C) (facts []events.Event, err error) {
	defer func() {
		if p := recover(); p != nil {
			facts, err = nil, fmt.Errorf("decide %T on %s: panic: %v\n%s", c, stream, p, debug.Stack())
		}
	}()
	return d.Decide(c, s)
}

// unreadable is the error of a stream that could not be read to its end. Trouble of the
// stream itself is a fault that says to come back: nothing is wrong with the request.
func (x *Executor) unreadable(stream string, err error) error {
	var t *events.Trouble
	if !errors.As(err, &t) {
		return unavailable(fmt.Errorf("load %s: %w", stream, err))
	}
	x.guard.Hold(t)
	return fmt.Errorf("load %s: %w: %w", stream, Held(), t)
}

// Held is the fault of a request that needs a stream which is held.
func Held() error {
	return &fault.Error{Code: fault.Unavailable, Constant: "RECORDS_HELD", RetryAfter: 60,
		Text: "A record of this company or document cannot be read in the event log, and nothing is decided on half of it. " +
			"Nothing was recorded; the operator of this service has been told and must look at it ('folio quarantine list')."}
}
