// Package past tells what the log says of one thing: the facts about it in their order, the
// life of the numbers of a series, and why an invoice has become what it is. It folds streams
// and decides nothing, so that the API and the operator's commands tell the same.
package past

import (
	"context"
	"fmt"
	"iter"

	"folio/events"
)

// Log is the event log as it is read here.
type Log interface {
	// Read yields the events of one stream from a revision on, in order; an error ends it.
	Read(ctx context.Context, stream string, from uint64) iter.Seq2[events.Recorded, error]
	// End is the position of the last event.
	End(ctx context.Context) (events.Position, error)
}

// Facts are events in the order of the log. An error is the last pair.
type Facts = iter.Seq2[events.Recorded, error]

// Since yields the events of a stream after a position. The place is found by halving, so
// that the end of a long stream costs no more than its beginning.
func Since(ctx context.Context, log Log, stream string, after events.Position) Facts {
	return func(yield func(events.Recorded, error) bool) {
		from, err := firstAfter(ctx, log, stream, after)
		if err != nil {
			yield(events.Recorded{}, err)
			return
		}
		for r, err := range log.Read(ctx, stream, from) {
			if err == nil && !after.Before(r.Position) {
				continue
			}
			if !yield(r, err) || err != nil {
				return
			}
		}
	}
}

// firstAfter is a revision at or before the first event after a position, with nothing but
// a few events in between.
func firstAfter(ctx context.Context, log Log, stream string, after events.Position) (uint64, error) {
	if after.IsZero() {
		return 0, nil
	}
	// Of the revisions below low all events are at the position or before it, of high and
	// above none is.
	low, high := uint64(0), uint64(1)
	for {
		beyond, err := isAfter(ctx, log, stream, high, after)
		if err != nil {
			return 0, err
		}
		if beyond {
			break
		}
		low, high = high, 2*high
	}
	for low+1 < high {
		middle := low + (high-low)/2
		beyond, err := isAfter(ctx, log, stream, middle, after)
		if err != nil {
			return 0, err
		}
		if beyond {
			high = middle
		} else {
			low = middle
		}
	}
	return low, nil
}

// isAfter says whether the first event from a revision on is after the position, or there
// is none.
func isAfter(ctx context.Context, log Log, stream string, revision uint64, after events.Position) (bool, error) {
	for r, err := range log.Read(ctx, stream, revision) {
		if err != nil {
			return false, fmt.Errorf("look for %s in %s: %w", after, stream, err)
		}
		return after.Before(r.Position), nil
	}
	return true, nil
}

// Until ends facts at a moment.
func Until(facts Facts, m events.Moment) Facts {
	return func(yield func(events.Recorded, error) bool) {
		for r, err := range facts {
			if err == nil && !m.Holds(r) || !yield(r, err) {
				return
			}
		}
	}
}

// of yields events that are at hand, those after a position.
func of(all []events.Recorded, after events.Position) Facts {
	return func(yield func(events.Recorded, error) bool) {
		for _, r := range all {
			if after.Before(r.Position) && !yield(r, nil) {
				return
			}
		}
	}
}

// Merge puts facts of several streams into the order of the log. The first error ends it.
func Merge(all ...Facts) Facts {
	return func(yield func(events.Recorded, error) bool) {
		var heads []*head
		for _, facts := range all {
			next, stop := iter.Pull2(facts)
			defer stop()
			h := &head{next: next}
			if h.step() {
				heads = append(heads, h)
			}
		}
		for len(heads) > 0 {
			first := 0
			for i, h := range heads {
				if h.err != nil || heads[first].err == nil && h.r.Position.Before(heads[first].r.Position) {
					first = i
				}
			}
			h := heads[first]
			if !yield(h.r, h.err) || h.err != nil {
				return
			}
			if !h.step() {
				heads = append(heads[:first], heads[first+1:]...)
			}
		}
	}
}

// head is the next event of facts that are being merged.
type head struct {
	next func() (events.Recorded, error, bool)
	r    events.Recorded
	err  error
}

func (h *head) step() (ok bool) {
	h.r, h.err, ok = h.next()
	return ok
}

// Collect reads facts to their end.
func Collect(facts Facts) ([]events.Recorded, error) {
	var all []events.Recorded
	for r, err := range facts {
		if err != nil {
			return nil, err
		}
		all = append(all, r)
	}
	return all, nil
}
