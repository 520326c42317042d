package commands

import (
	"context"
	"errors"
	"fmt"
	"iter"

	"github.com/google/uuid"

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

// Execute decides c on the aggregate id and appends the result with the exact
// revision it was decided on. A conflict is decided again on fresh state, unless the
// stream already holds this request's own events: then its answer was lost and that
// outcome is returned.
//
// The first decision uses the cached state, if there is one; a refusal or "nothing
// to do" is believed only on fresh state.
func Execute[S, C any](ctx context.Context, x *Executor, d Decider[S, C], id string, c C, r Request) (Outcome[S], error) {
	stream := d.Stream(id)
	v, known := cached[S](x, stream)
	if !known {
		next, own, err := advance(ctx, x, d, stream, none(d), r)
		if err != nil || own != nil {
			return outcome(next, own), err
		}
		v = next
	}
	return decide(ctx, x, d, stream, c, r, v, !known)
}

// ExecuteNew is Execute for an aggregate that nobody can have touched yet, since its
// id was made for this very request: it saves the look into the stream.
func ExecuteNew[S, C any](ctx context.Context, x *Executor, d Decider[S, C], id string, c C, r Request) (Outcome[S], error) {
	return decide(ctx, x, d, d.Stream(id), c, r, none(d), false)
}

func decide[S, C any](ctx context.Context, x *Executor, d Decider[S, C], stream string, c C, r Request, v version[S], fresh bool) (Outcome[S], error) {
	var leave func()
	defer func() {
		if leave != nil {
			leave()
		}
	}()
	for range maxTries {
		facts, err := decideOn(d, stream, v.state, c)
		if err != nil || len(facts) == 0 {
			if fresh {
				return Outcome[S]{State: v.state}, err
			}
			next, own, err := advance(ctx, x, d, stream, v, r)
			if err != nil || own != nil {
				return outcome(next, own), err
			}
			v, fresh = next, true
			continue
		}
		generation := x.generation()
		done, err := appendFacts(ctx, x, stream, v.revision, facts, r)
		if err == nil {
			// What is recorded is recorded: a state that cannot follow is not remembered, and
			// the next to read the stream is told of the trouble.
			if next, err := evolved(d, v.state, r.At.UTC(), facts...); err == nil {
				v = version[S]{state: next, revision: int64(done.Revision), position: done.Position}
				rememberSince(x, stream, v, generation)
			}
			return Outcome[S]{State: v.state, Events: facts, Position: done.Position}, nil
		}
		if !errors.Is(err, eventstore.ErrConflict) {
			return Outcome[S]{}, unavailable(err)
		}
		if leave == nil {
			if leave, err = x.queue(ctx, stream); err != nil {
				return Outcome[S]{}, err
			}
		}
		next, own, err := advance(ctx, x, d, stream, v, r)
		if err != nil || own != nil {
			return outcome(next, own), err
		}
		v, fresh = next, true
	}
	return Outcome[S]{}, &fault.Error{Code: fault.Unavailable, Constant: "STREAM_BUSY", RetryAfter: 1,
		Text: "Too many requests change the same thing at once; nothing was recorded, send it again."}
}

// Load folds the aggregate id from the log as it is now. found is false when nothing
// was ever recorded.
func Load[S, C any](ctx context.Context, x *Executor, d Decider[S, C], id string) (state S, found bool, err error) {
	state, at, err := Look(ctx, x, d, id)
	return state, !at.IsZero(), err
}

// Look is Load with the position of the aggregate's last event, zero for none.
func Look[S, C any](ctx context.Context, x *Executor, d Decider[S, C], id string) (S, events.Position, error) {
	v, ok := cached[S](x, d.Stream(id))
	if !ok {
		v = none(d)
	}
	v, _, err := advance(ctx, x, d, d.Stream(id), v, Request{})
	return v.state, v.position, err
}

func none[S, C any](d Decider[S, C]) version[S] {
	return version[S]{state: d.Initial(), revision: eventstore.NoStream}
}

// advance folds what the stream holds beyond v. If r recorded any of it, own holds
// those events. A stream that cannot be read or folded on is held: see Guard.
func advance[S, C any](ctx context.Context, x *Executor, d Decider[S, C], stream string, v version[S], r Request) (version[S], []events.Recorded, error) {
	var own []events.Recorded
	generation := x.generation()
	for rec, err := range x.history(ctx, stream, uint64(v.revision+1)) {
		if err == nil {
			v, rec, err = evolve(x.guard, d, v, rec)
		}
		if err != nil {
			return v, nil, x.unreadable(stream, err)
		}
		if r.ID != uuid.Nil && rec.ID == r.eventID(len(own)).String() && rec.Event != nil {
			own = append(own, rec)
		}
	}
	x.guard.Sound(stream)
	if v.revision != eventstore.NoStream {
		rememberSince(x, stream, v, generation)
	}
	return v, own, nil
}

func outcome[S any](v version[S], own []events.Recorded) Outcome[S] {
	o := Outcome[S]{State: v.state}
	for _, rec := range own {
		o.Events, o.Position = append(o.Events, rec.Event), rec.Position
	}
	return o
}

func appendFacts(ctx context.Context, x *Executor, stream string, expected int64, facts []events.Event, r Request) (eventstore.Appended, error) {
	ps := make([]eventstore.Pending, len(facts))
	for i, e := range facts {
		name, schema, data, err := events.Encode(e)
		if err != nil {
			return eventstore.Appended{}, err
		}
		ps[i] = eventstore.Pending{ID: r.eventID(i), Type: name, Data: data, Meta: events.Meta{
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
		return fmt.Errorf("%w: %w", &fault.Error{Code: fault.Unavailable, Constant: "LOG_UNAVAILABLE", RetryAfter: 2, Unsure: true,
			Text: "The event log does not answer. Send the request again."}, err)
	case errors.Is(err, eventstore.ErrTooLarge):
		return fmt.Errorf("%w: %w", &fault.Error{Code: fault.TooLarge, Constant: "RECORD_TOO_LARGE",
			Text: "What would be recorded is larger than the event log takes at once; send less in one request. Nothing was recorded."}, err)
	}
	return err
}

// LogAway says that err came of an event log that gave no answer: nothing is wrong with what
// was asked, and asking again later helps.
func LogAway(err error) bool {
	return errors.Is(err, eventstore.ErrUnavailable) || errors.Is(err, errSilent)
}
