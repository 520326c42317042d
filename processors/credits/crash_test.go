package credits

import (
	"path/filepath"
	"testing"
	"time"

	"folio/commands/invoice"
	"folio/events"
	"folio/money"
	"folio/processors/processortest"
	"folio/tables/sqlite"
)

// TestAReservationWithoutItsNoteIsGivenBackAfterAMinute folds what a crash left, as the log
// tells it, and takes turns before and after the minute.
func TestAReservationWithoutItsNoteIsGivenBackAfterAMinute(t *testing.T) {
	s := newShop(t)
	store, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "tables.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	noon := time.Date(2026, 11, 27, 15, 0, 0, 0, time.UTC)
	clock := processortest.At(noon)
	portions := []events.Portion{{Takes: true, Amount: money.FromInt(whole)}}
	if err := s.do("I1", invoice.ReserveNote{Company: "C1", Note: "N1", Type: "NCA", Credit: true,
		Portions: portions}); err != nil {
		t.Fatal(err)
	}
	base := processortest.NewLog().Base(s.x, store, clock)
	base.Rules = s.p.Rules
	p := New(base)
	at := events.Position{Commit: 9, Prepare: 9}
	reserved := events.NoteReserved{Note: "N1", Type: "NCA", Portions: portions}
	heard := events.Recorded{Stream: "invoice-I1", Position: at, Meta: events.Meta{At: noon}}
	if err := p.reserved(t.Context(), heard, reserved); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		after time.Duration
		left  string
	}{{0, "0"}, {59 * time.Second, "0"}, {time.Minute, "242"}} {
		clock.Set(noon.Add(c.after))
		if err := p.items.Due(t.Context()); err != nil {
			t.Fatal(err)
		}
		if o := s.state("I1"); o.Left("").String() != c.left {
			t.Errorf("after %s %s are left, want %s", c.after, o.Left(""), c.left)
		}
	}
	if n, err := p.List.Count(t.Context()); err != nil || n != 0 {
		t.Errorf("%d items are left: %v", n, err)
	}
	if err := s.do("N1", invoice.Create{Invoice: document("N1", 3, whole)}); err == nil {
		t.Error("the note was recorded on a reservation that was given back")
	}
}
