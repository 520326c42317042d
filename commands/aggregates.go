package commands

import (
	"context"
	"time"

	"folio/events"
	"folio/eventstore"
)

// Aggregates are all aggregates of one kind in the log of an executor.
type Aggregates[S, C any] struct {
	x *Executor
	d Decider[S, C]
}

// Bind gives the aggregates that d decides about.
func Bind[S, C any](x *Executor, d Decider[S, C]) Aggregates[S, C] { return Aggregates[S, C]{x, d} }

// Execute decides c on the aggregate id and appends the result with the exact
// revision it was decided on. A conflict is decided again on fresh state, unless the
// stream already holds this request's own events: then its answer was lost and that
// result is returned.
//
// The first decision uses the cached state, if there is one; a refusal or "nothing
// to do" is believed only on fresh state.
func (a Aggregates[S, C]) Execute(ctx context.Context, id string, c C, r Request) (Executed[S], error) {
	stream := a.d.Stream(id)
	v, known := a.cached(stream)
	if !known || r.Again {
		known = false
		next, own, err := a.advance(ctx, stream, a.none(), r)
		if err != nil || own != nil {
			return executed(next, own), err
		}
		v = next
	}
	return a.decide(ctx, execution[C]{stream, c, r}, v, !known)
}

// ExecuteNew is Execute for an aggregate that nobody can have touched yet, since its
// id was made for this very request: it saves reading the stream first.
func (a Aggregates[S, C]) ExecuteNew(ctx context.Context, id string, c C, r Request) (Executed[S], error) {
	if r.Again {
		return a.Execute(ctx, id, c, r)
	}
	return a.decide(ctx, execution[C]{a.d.Stream(id), c, r}, a.none(), false)
}

// Load is the state of the aggregate id as the log has it now. found is false when nothing
// was ever recorded.
func (a Aggregates[S, C]) Load(ctx context.Context, id string) (state S, found bool, err error) {
	state, at, err := a.LoadAt(ctx, id)
	return state, !at.IsZero(), err
}

// LoadAt is Load with the position of the aggregate's last event, zero for none.
func (a Aggregates[S, C]) LoadAt(ctx context.Context, id string) (S, events.Position, error) {
	v, ok := a.cached(a.d.Stream(id))
	if !ok {
		v = a.none()
	}
	v, _, err := a.advance(ctx, a.d.Stream(id), v, Request{})
	return v.state, v.position, err
}

// Cached is the state of an aggregate of a followed category, from memory when the
// news of the log reach this process, and from the log otherwise. After a minute
// without news it is a fault Unavailable.
func (a Aggregates[S, C]) Cached(ctx context.Context, id string) (state S, found bool, err error) {
	silent := a.x.silent.Load()
	if silent > 0 && a.x.now().Sub(time.Unix(0, silent)) > staleAfter {
		return state, false, errSilent
	}
	if silent != -1 {
		if v, ok := a.cached(a.d.Stream(id)); ok {
			return v.state, true, nil
		}
	}
	return a.Load(ctx, id)
}

// LastKnown is the last state of an aggregate that this process has in memory, however old it
// is. See Silence: whoever believes it must say for how long.
func (a Aggregates[S, C]) LastKnown(id string) (state S, found bool) {
	v, ok := a.cached(a.d.Stream(id))
	return v.state, ok
}

func (a Aggregates[S, C]) none() version[S] {
	return version[S]{revision: eventstore.NoStream}
}
