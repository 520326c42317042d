package projections_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"folio/events"
	"folio/projections/engine"
)

// open holds nothing, and tells for which tables what was held is kept.
type open struct{ kept chan []string }

func (open) Table(context.Context, string, ...string) (engine.Guard, error) { return open{}, nil }

func (q open) Keep(_ context.Context, _ string, tables ...string) error {
	select {
	case q.kept <- tables:
	default:
	}
	return nil
}

func (open) Admits(events.Recorded) bool { return true }

func (open) Hold(context.Context, events.Recorded, *events.Trouble) error { return nil }

// The documents of before stay a while for readers that had found them. What was held in them is told no longer.
func TestWhatARebuildReplacedHoldsNothing(t *testing.T) {
	src := newSource(company("C1", "one"))
	o := options(openTables(t), src, "one", tally(1))
	q := open{make(chan []string, 100)}
	o.Quarantine, o.Retire = q, time.Hour
	r, _ := start(t, o)
	waitFor(t, r, "tally", src.append())
	if err := r.Rebuild(t.Context(), "tally"); err != nil {
		t.Fatal(err)
	}
	limit := within(t)
	for tables := []string(nil); !slices.Equal(tables, []string{"tally_v1_g2"}); {
		select {
		case tables = <-q.kept:
		case <-limit.Done():
			t.Fatalf("what is held in %v is kept", tables)
		}
	}
}
