package commands

import (
	"context"
	"errors"
	"fmt"
	"iter"

	"folio/events"
	"folio/eventstore"
	"folio/fault"
)

// Log is what executing commands needs of the event log; *eventstore.Log has it.
type Log interface {
	Append(ctx context.Context, stream string, expected int64, ps ...eventstore.Pending) (eventstore.Appended, error)
	Read(ctx context.Context, stream string, from uint64) iter.Seq2[events.Recorded, error]
}

// maxTries bounds deciding again after conflicts. A stream so busy that this does
// not suffice answers 503.
const maxTries = 50

// version is a state of an aggregate with the revision it was folded up to.
type version[S any] struct {
	state    S
	revision int64 // of the last event folded, eventstore.NoStream for none
	position events.Position
}

// execution is a command on its way into a stream.
type execution[C any] struct {
	stream  string
	command C
	request Request
}

func (a Aggregates[S, C]) decide(ctx context.Context, e execution[C], v version[S], fresh bool) (Executed[S], error) {
	var leave func()
	defer func() {
		if leave != nil {
			leave()
		}
	}()
	for range maxTries {
		facts, err := decideOn(a.d, e.stream, v.state, e.command)
		if err != nil || len(facts) == 0 {
			if fresh {
				return Executed[S]{State: v.state}, err
			}
			next, own, err := a.advance(ctx, e.stream, v, e.request)
			if err != nil || own != nil {
				return executed(next, own), err
			}
			v, fresh = next, true
			continue
		}
		if e.request.Before != nil {
			if err := e.request.Before(ctx); err != nil {
				return Executed[S]{}, err
			}
		}
		generation := a.x.generation()
		done, err := a.x.appendFacts(ctx, e.stream, v.revision, facts, e.request)
		if err == nil {
			// What is recorded is recorded: a state that cannot follow is not remembered, and
			// the next to read the stream is told of the trouble.
			if next, err := evolved(a.d, v.state, e.request.At.UTC(), facts...); err == nil {
				v = version[S]{state: next, revision: int64(done.Revision), position: done.Position}
				a.remember(e.stream, v, generation)
				if a.x.told != nil {
					a.x.told(Told{Stream: e.stream, State: next, Facts: facts, Request: e.request})
				}
			}
			if a.d.Uncached {
				a.x.Forget(e.stream) // what another decider knows of it is old
			}
			return Executed[S]{State: v.state, Events: facts, Position: done.Position}, nil
		}
		if !errors.Is(err, eventstore.ErrConflict) {
			return Executed[S]{}, unavailable(err)
		}
		if leave == nil {
			if leave, err = a.x.queue(ctx, e.stream); err != nil {
				return Executed[S]{}, err
			}
		}
		next, own, err := a.advance(ctx, e.stream, v, e.request)
		if err != nil || own != nil {
			return executed(next, own), err
		}
		v, fresh = next, true
	}
	return Executed[S]{}, &fault.Error{Code: fault.Unavailable, Constant: "STREAM_BUSY", RetryAfter: 1,
		Text: "Too many requests change the same thing at once; nothing was recorded, send it again."}
}

// advance folds what the stream holds beyond v. If r recorded any of it, own holds
// those events. A stream that cannot be read or folded on is held: see Guard.
func (a Aggregates[S, C]) advance(
	ctx context.Context, stream string, v version[S], r Request,
) (version[S], []events.Recorded, error) {
	var own []events.Recorded
	generation := a.x.generation()
	for rec, err := range a.x.history(ctx, stream, uint64(v.revision+1)) {
		if err == nil {
			v, rec, err = evolve(a.x.guard, a.d, v, rec)
		}
		if err != nil {
			return v, nil, a.x.unreadable(stream, err)
		}
		if r.recorded(rec) {
			own = append(own, rec)
		}
	}
	a.x.guard.Sound(stream)
	if v.revision != eventstore.NoStream {
		a.remember(stream, v, generation)
	}
	return v, own, nil
}

func executed[S any](v version[S], own []events.Recorded) Executed[S] {
	o := Executed[S]{State: v.state}
	for _, rec := range own {
		o.Events, o.Position = append(o.Events, rec.Event), rec.Position
	}
	return o
}

func (x *Executor) appendFacts(
	ctx context.Context, stream string, expected int64, facts []events.Event, r Request,
) (eventstore.Appended, error) {
	ps := make([]eventstore.Pending, len(facts))
	for i, e := range facts {
		name, schema, data, err := events.Encode(e)
		if err != nil {
			return eventstore.Appended{}, err
		}
		ps[i] = eventstore.Pending{ID: r.eventID(i, data), Type: name, Data: data, Meta: events.Meta{
			Schema: schema, Correlation: r.Correlation, Causation: r.Causation, Actor: r.Actor,
			Request: r.ID.String(), At: r.At.UTC(),
		}}
	}
	done, err := x.log.Append(ctx, stream, expected, ps...)
	if err != nil {
		return done, fmt.Errorf("append to %s: %w", stream, err)
	}
	return done, nil
}

// unavailable turns a log that is away into a fault that tells the caller to come
// back, and an append over its limit into one that tells to send less; every other error
// passes.
func unavailable(err error) error {
	switch {
	case errors.Is(err, eventstore.ErrUnavailable):
		return fmt.Errorf("%w: %w", &fault.Error{Code: fault.Unavailable, Constant: "LOG_UNAVAILABLE", RetryAfter: 2,
			Unsure: true,
			Text:   "The event log does not answer. Send the request again."}, err)
	case errors.Is(err, eventstore.ErrTooLarge):
		return fmt.Errorf("%w: %w", &fault.Error{Code: fault.TooLarge, Constant: "RECORD_TOO_LARGE",
			Text: "What would be recorded is larger than the event log takes at once; send less in one request. Nothing was " +
				"recorded."}, err)
	}
	return err
}

// LogAway says that err came of an event log that gave no answer: nothing is wrong with what
// was asked, and asking again later helps.
func LogAway(err error) bool {
	return errors.Is(err, eventstore.ErrUnavailable) || errors.Is(err, errSilent)
}
