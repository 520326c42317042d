package projections_test

import (
	"testing"
	"time"

	"folio/events"
	"folio/projections"
	"folio/projections/engine"
)

// A number that a document got later is not what somebody named before.
func TestADocumentIsFoundByItsNumberOnceItWasAccepted(t *testing.T) {
	store := openTables(t)
	src := newSource(created("C1", "I1", 1), started("I1", 7), numbered("I1", 7), accepted("I1"),
		created("C1", "I2", 1), started("I2", 8), numbered("I2", 8),
		created("C1", "I3", 1), started("I3", 9), numbered("I3", 9), rejected("I3"))
	r, stop := start(t, options(store, src, "A", projections.Invoices))
	defer stop()
	awaitStatus(t, r, "invoices", func(s engine.Status) bool { return s.CaughtUp })
	reader := projections.NewReader(store, nil)
	at := src.log[3].Meta.At
	for _, c := range []struct {
		number int64
		by     time.Time
		want   string
	}{{7, at, "I1"}, {7, at.Add(time.Hour), "I1"}, {7, at.Add(-time.Second), ""}, {7, time.Time{}, "I1"},
		{8, at.Add(time.Hour), ""}, {8, time.Time{}, "I2"}, {9, time.Time{}, "I3"},
		{9, at.Add(time.Hour), ""}, {10, at, ""}} {
		ref := events.Reference{OfficialCode: 1, BranchOffice: 5, Number: c.number}
		if id, err := reader.FindIssuedBy(within(t), "C1", "Testing", ref, c.by); err != nil || id != c.want {
			t.Errorf("%d by %s is %q, %v; want %q", c.number, c.by, id, err, c.want)
		}
	}
}
