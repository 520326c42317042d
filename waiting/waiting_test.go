package waiting_test

import (
	"errors"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"folio/tables"
	"folio/tables/sqlite"
	"folio/waiting"
)

func open(t *testing.T, now func() time.Time) *waiting.Notes {
	t.Helper()
	store, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "tables.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := store.Close(); err != nil {
			t.Error(err)
		}
	})
	n, err := waiting.Open(t.Context(), store, now)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := waiting.Open(t.Context(), store, now); err != nil {
		t.Fatalf("opened twice: %v", err)
	}
	return n
}

func TestALaterNoteWinsWhateverTheClockDoes(t *testing.T) {
	now := time.Date(2026, 12, 15, 15, 0, 0, 0, time.UTC)
	n := open(t, func() time.Time { return now })
	get := func() *waiting.Reason {
		t.Helper()
		r, err := n.Get(t.Context(), "C1-Testing-1-1")
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	if r := get(); r != nil {
		t.Errorf("a series that never waited: %+v", r)
	}
	next := now.Add(time.Minute)
	down := &waiting.Reason{Code: waiting.AuthorityDown, Text: "down", NextTry: &next, Attempts: 2, Since: now}
	held := &waiting.Reason{Code: waiting.SeriesHeld, Text: "held", Since: now}
	for i, step := range []struct {
		clock time.Duration
		note  *waiting.Reason
	}{{0, down}, {0, held}, {0, nil}, {-time.Hour, down}, {-2 * time.Hour, nil}, {time.Hour, held}} {
		now = now.Add(step.clock)
		if err := n.Put(t.Context(), "C1-Testing-1-1", step.note, nil); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(step.note, get()); diff != "" {
			t.Errorf("step %d (-put +got):\n%s", i, diff)
		}
	}
}

func TestSeriesAndWaitingRoomsHaveNotesOfTheirOwn(t *testing.T) {
	n := open(t, time.Now)
	room := waiting.Unassigned("C1")
	if err := n.Put(t.Context(), room, &waiting.Reason{Code: waiting.NoCertificate}, nil); err != nil {
		t.Fatal(err)
	}
	for series, want := range map[string]bool{room: true, waiting.Unassigned("C2"): false, "C1-Testing-1-1": false} {
		if r, err := n.Get(t.Context(), series); err != nil || (r != nil) != want {
			t.Errorf("%s: %+v, %v", series, r, err)
		}
	}
}

func TestWhatWaitsIsListed(t *testing.T) {
	now := time.Date(2026, 12, 15, 15, 0, 0, 0, time.UTC)
	n := open(t, func() time.Time { return now })
	held := &waiting.Reason{Code: waiting.SeriesHeld, Text: "held", Since: now}
	for _, s := range []string{"C3-Testing-1-1", "C1-Testing-1-1", "C2-Testing-1-1"} {
		if err := n.Put(t.Context(), s, held, nil); err != nil {
			t.Fatal(err)
		}
	}
	if err := n.Put(t.Context(), "C2-Testing-1-1", nil, nil); err != nil {
		t.Fatal(err)
	}
	some, all, err := n.List(t.Context(), 1)
	if err != nil || all != 2 || len(some) != 1 || some[0].Series != "C1-Testing-1-1" || some[0].Text != "held" {
		t.Errorf("%+v of %d, %v", some, all, err)
	}
}

// An owner that slept through the end of its lease wakes up with a failure in its hands. The one who took over has
// ended the wait since.
func TestAnOwnerThatSleptLeavesTheNoteAsItIs(t *testing.T) {
	store, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "tables.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	n, err := waiting.Open(t.Context(), store, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	slept, mine, err := store.Acquire(t.Context(), "submission", "A", time.Millisecond)
	if err != nil || !mine {
		t.Fatal(mine, err)
	}
	for mine = false; !mine && err == nil; {
		_, mine, err = store.Acquire(t.Context(), "submission", "B", time.Minute)
	}
	if err != nil {
		t.Fatal(err)
	}
	err = n.Put(t.Context(), "C1-Testing-1-1", &waiting.Reason{Code: waiting.AuthorityDown}, &slept)
	if !errors.Is(err, tables.ErrLeaseLost) {
		t.Errorf("it was noted, or failed with %v", err)
	}
	if r, err := n.Get(t.Context(), "C1-Testing-1-1"); r != nil || err != nil {
		t.Errorf("the note is %+v, %v", r, err)
	}
}
