package verify

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"

	"folio/cache"
	"folio/commands/caea"
	"folio/commands/contingency"
	"folio/commands/taxpayer"
	"folio/events"
)

// keptStreams bounds the states that are remembered, in bytes. A stream that is gone on with after it was forgotten is
// read again from its beginning.
const keptStreams = 16 << 20

// What a state takes is about twice what its events take, and no more than a company or a series that has long lived.
const (
	statePerByte = 2
	largestState = 256 << 10
)

// streams are the states of streams as far as the log was read.
type streams struct {
	log  Log
	kept *cache.Cache[*stream]
}

// stream is one stream up to a revision.
type stream struct {
	name  string
	next  uint64
	holed bool // operators decided to do without some of it
	bytes int  // about what the state takes
	aggregate
}

// aggregate is the state that a stream's events make. Next says what is wrong with one more event, which is opened,
// and folds it.
type aggregate interface {
	next(r events.Recorded) string
}

// plain is an aggregate without rules of its own.
type plain struct{}

func (plain) next(events.Recorded) string { return "" }

func newStreams(log Log) *streams {
	return &streams{log, cache.New(keptStreams, func(st *stream) int { return min(st.bytes, largestState) })}
}

func begin(name string) *stream { return &stream{name: name, aggregate: aggregateOf(name)} }

func aggregateOf(name string) aggregate {
	switch events.Category(name) {
	case "invoice":
		return &invoiceLife{}
	case "numbering":
		return &seriesLife{}
	case "webhook":
		return &webhookLife{}
	case "company":
		return &companyLife{}
	case caea.Decider.Category:
		return &caeaLife{}
	case contingency.Decider.Category:
		return &windowLife{}
	case taxpayer.Decider.Category:
		return &taxpayerLife{}
	}
	return plain{}
}

// of is a stream as it was before an event.
func (s *streams) of(ctx context.Context, r *run, name string, before uint64) (*stream, error) {
	if st, ok := s.kept.Get(name); ok {
		return st, nil
	}
	st := begin(name)
	if err := s.again(ctx, r, name, st, before); err != nil {
		return nil, err
	}
	s.kept.Add(name, st)
	return st, nil
}

// again reads what a stream had before a revision.
func (s *streams) again(ctx context.Context, r *run, name string, st *stream, before uint64) error {
	for st.next < before {
		from := st.next
		for e, err := range s.log.Read(ctx, name, from) {
			if err != nil {
				return r.cut(st, err, events.Recorded{Stream: name, Revision: from})
			}
			if e.Revision >= before {
				return nil
			}
			if opened, err := r.open(e); err != nil {
				return err
			} else if opened.Event == nil {
				st.holed = true
			} else {
				if wrong := folded(st, opened); wrong != "" {
					return differs(e, "%s", wrong)
				}
			}
			st.next = e.Revision + 1
		}
		if st.next == from {
			return nil
		}
	}
	return nil
}

// cut goes on behind revisions that operators decided to do without.
func (r *run) cut(st *stream, err error, at events.Recorded) error {
	var t *events.Trouble
	if errors.As(err, &t) && t.Kind == events.Cut && r.Decisions.Covers(t) {
		r.report.note("revisions %d to %d of %s are left out by a decision of an operator", t.Revision, t.Next-1, t.Stream)
		st.next, st.holed = t.Next, true
		return nil
	}
	return troubled(err, at)
}

// troubled is a stream that cannot be read on as a difference; any other error as it is.
func troubled(err error, at events.Recorded) error {
	var t *events.Trouble
	if errors.As(err, &t) {
		return &Difference{Stream: t.Stream, Revision: t.Revision, Position: at.Position, What: t.Error()}
	}
	return err
}

// follows holds an event against its stream: the revision before it, and what may happen.
func (r *run) follows(ctx context.Context, e events.Recorded) error {
	st, err := r.streams.of(ctx, r, e.Stream, e.Revision)
	if err != nil {
		var d *Difference
		if errors.As(err, &d) && d.Position.IsZero() {
			d.Position = e.Position
		}
		return err
	}
	if e.Revision != st.next {
		if err := r.streams.again(ctx, r, e.Stream, st, e.Revision); err != nil {
			return err
		}
	}
	if e.Revision != st.next {
		return differs(e, "revision %d of the stream should come here", st.next)
	}
	st.next++
	if e.Event == nil {
		st.holed = true
		return nil
	}
	if wrong := folded(st, e); wrong != "" {
		return differs(e, "%s", wrong)
	}
	r.streams.kept.Add(e.Stream, st) // it has grown
	if err := r.told(ctx, e, st); err != nil {
		return err
	}
	return r.once(ctx, e, st)
}

// folded folds an event and says what is wrong with it. A panic is.
func folded(st *stream, e events.Recorded) (wrong string) {
	defer func() {
		if p := recover(); p != nil {
			wrong = fmt.Sprintf("%s cannot be applied: panic: %v\n%s", e.Type, p, debug.Stack())
		}
	}()
	st.bytes += statePerByte * len(e.Raw)
	return st.aggregate.next(e)
}
