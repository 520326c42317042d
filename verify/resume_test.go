package verify_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"folio/events"
	"folio/verify"
)

// An interrupted run goes on from where it was saved, comes to the same end, and finds what lies behind that place.
func TestAnInterruptedRunGoesOn(t *testing.T) {
	facts := slices.Collect(many(25_000))
	facts = append(facts, fact{facts[1].stream, events.AuthorityRejected{Submission: "S0000000"}})
	w := newWorld(t, all(facts...))
	c := w.config()
	c.State = filepath.Join(t.TempDir(), "state")
	interrupted(t, c, 22_000)
	first := int64(0)
	c.Progress = func(n int64) {
		if first == 0 {
			first = n
		}
	}
	report, err := verify.Run(t.Context(), c)
	var d *verify.Difference
	if !errors.As(err, &d) || d.Stream != facts[1].stream || !strings.Contains(d.What, "final") {
		t.Errorf("the second run ends with %v", err)
	}
	if first <= 20_000 || report.Events != int64(len(facts))-1 || report.Files == 0 {
		t.Errorf("it begins at %d and reads %d of %d events", first, report.Events, len(facts))
	}
	if _, err := os.Stat(c.State); err != nil {
		t.Errorf("a run that found something forgets where it was: %v", err)
	}
}

// interrupted begins a run and interrupts it after so many thousands of events.
func interrupted(t *testing.T, c verify.Config, after int64) {
	t.Helper()
	ctx, interrupt := context.WithCancel(t.Context())
	defer interrupt()
	c.Progress = func(n int64) {
		if n == after {
			interrupt()
		}
	}
	if _, err := verify.Run(ctx, c); !errors.Is(err, context.Canceled) {
		t.Fatalf("the first run ends with %v", err)
	}
}
