package past_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"slices"
	"testing"

	"folio/events"
	"folio/past"
	"folio/projections/projectiontest"
)

// log is a log in memory.
type log struct {
	all   []events.Recorded
	reads int
	err   error // of any read
}

func (l *log) Read(_ context.Context, stream string, from uint64) iter.Seq2[events.Recorded, error] {
	return func(yield func(events.Recorded, error) bool) {
		l.reads++
		if l.err != nil {
			yield(events.Recorded{}, l.err)
			return
		}
		for _, r := range l.all {
			if r.Stream != stream || r.Revision < from {
				continue
			}
			if r, err := events.Open(r); !yield(r, err) || err != nil {
				return
			}
		}
	}
}

func (l *log) End(context.Context) (events.Position, error) {
	return l.all[len(l.all)-1].Position, l.err
}

type given = projectiontest.Given

// streams is a log of three streams that were written to at random.
func streams(r *rand.Rand, n int) *log {
	var all []given
	for range n {
		all = append(all, given{Stream: fmt.Sprint("company-", r.IntN(3)), Event: events.CompanyMoved{}})
	}
	return &log{all: projectiontest.Log(all...)}
}

func TestFactsAfterAPositionAreFoundWithoutReadingThoseBefore(t *testing.T) {
	for seed := range uint64(50) {
		r := rand.New(rand.NewPCG(seed, 2))
		l := streams(r, 1+r.IntN(300))
		for _, at := range []int{0, r.IntN(len(l.all)), len(l.all) - 1} {
			after := l.all[at].Position
			if r.IntN(2) == 0 {
				after.Commit += 3 // between two events
			}
			var want []events.Position
			for _, e := range l.all {
				if e.Stream == "company-1" && after.Before(e.Position) {
					want = append(want, e.Position)
				}
			}
			l.reads = 0
			got, err := past.Collect(past.Company(t.Context(), l, "1", after))
			if err != nil || !slices.Equal(positions(got), want) {
				t.Fatalf("seed %d: after %s: %v %v, want %v", seed, after, positions(got), err, want)
			}
			if l.reads > 20 {
				t.Errorf("seed %d: %d reads of %d events", seed, l.reads, len(l.all))
			}
		}
	}
}

func positions(all []events.Recorded) (out []events.Position) {
	for _, r := range all {
		out = append(out, r.Position)
	}
	return out
}

func TestMergedFactsAreInTheOrderOfTheLog(t *testing.T) {
	for seed := range uint64(50) {
		l := streams(rand.New(rand.NewPCG(seed, 3)), 60)
		var all []past.Facts
		for i := range 3 {
			all = append(all, past.Company(t.Context(), l, fmt.Sprint(i), events.Position{}))
		}
		got, err := past.Collect(past.Merge(all...))
		if err != nil || !slices.Equal(positions(got), positions(l.all)) {
			t.Fatalf("seed %d: %v %v", seed, positions(got), err)
		}
		for range past.Merge(all...) {
			break // whoever has enough leaves nothing open
		}
	}
}

func TestAnErrorOfOneStreamEndsTheFacts(t *testing.T) {
	broken := errors.New("broken")
	l := &log{err: broken}
	for name, facts := range map[string]past.Facts{
		"a stream":   past.Company(t.Context(), l, "1", events.Position{}),
		"a search":   past.Company(t.Context(), l, "1", events.Position{Commit: 7}),
		"an invoice": past.Invoice(t.Context(), l, "I1", events.Position{}, events.Moment{}),
		"a webhook":  past.Webhook(t.Context(), l, "C1", 7, events.Position{}),
		"a merge": past.Merge(past.Company(t.Context(), streams(rand.New(rand.NewPCG(1, 1)), 9), "1", events.Position{}),
			past.Series(t.Context(), l, "S", events.Position{})),
	} {
		if _, err := past.Collect(facts); !errors.Is(err, broken) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
