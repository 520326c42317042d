package projections_test

import (
	"testing"

	"folio/projections"
	"folio/projections/engine"
)

func TestAProjectionThatIsAddedLaterIsNewUntilItHasCaughtUp(t *testing.T) {
	store, src := openTables(t), newSource(history(10)...)
	r, stop := start(t, options(store, src, "before", projections.Invoices))
	if awaitStatus(t, r, "invoices", func(s engine.Status) bool { return s.CaughtUp }).New {
		t.Error("the first projection of all is no newcomer")
	}
	stop()
	src.change(func() { src.broken = errBroken })
	r, _ = start(t, options(store, src, "after", projections.Invoices, projections.VATBook))
	if !awaitStatus(t, r, "vat_book", func(s engine.Status) bool { return s.Condition == engine.Retrying }).New {
		t.Error("a projection that is added later is new")
	}
	if awaitStatus(t, r, "invoices", func(s engine.Status) bool { return s.Condition == engine.Retrying }).New {
		t.Error("one that was served before is not new")
	}
	src.change(func() { src.broken = nil })
	if awaitStatus(t, r, "vat_book", func(s engine.Status) bool { return s.CaughtUp }).New {
		t.Error("it has caught up")
	}
}
