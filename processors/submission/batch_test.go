package submission_test

import (
	"testing"
	"time"

	"folio/commands/invoice"
	"folio/events"
)

// ARCA processes nothing behind a document that it rejects, so what follows is opened, told and
// sent again. With every tenth at fault, batches shrink to what goes through.
func TestBatchesShrinkWhileTheyAreCutShort(t *testing.T) {
	const many = 200
	inWorld(t, func(w *world) {
		w.company("C1", holder, false)
		for i := range many {
			if i%10 == 9 {
				w.issue("FCA", w.dated(-4)) // older than the number before
			} else {
				w.issue("FCA", nil)
			}
		}
		w.start()
		w.finish(time.Hour)
		w.check()
		started, rejected := 0, 0
		for _, id := range w.invoices {
			for _, e := range w.log.facts("invoice-" + id) {
				if _, ok := e.(events.SubmissionStarted); ok {
					started++
				}
			}
			if w.state(id).Status == invoice.Rejected {
				rejected++
			}
		}
		if rejected != many/10 {
			t.Fatalf("%d are rejected, want every tenth", rejected)
		}
		// As many as the authority takes each time: 200 + 190 + … + 10, 2,100 facts. Halved after each cut and
		// doubled after what goes through: some two for each invoice, and the first batches.
		if started > 4*many {
			t.Errorf("%d invoices were told %d times that they are sent", many, started)
		}
		if w.sends() > many/2 {
			t.Errorf("%d invoices took %d calls", many, w.sends())
		}
		t.Logf("%d invoices, %d SubmissionStarted, %d calls", many, started, w.sends())
	})
}

// After a cut the size grows back with what goes through.
func TestBatchesGrowAgain(t *testing.T) {
	inWorld(t, func(w *world) {
		w.company("C1", holder, false)
		for i := range 60 {
			if i == 1 {
				w.issue("FCA", w.dated(-4))
			} else {
				w.issue("FCA", nil)
			}
		}
		w.start()
		w.finish(time.Hour)
		w.check()
		// 60, cut after the second; 30, the rest of 29.
		if w.sends() != 3 {
			t.Errorf("%d calls", w.sends())
		}
	})
}

// While the outcomes of a batch are recorded, the next last number is asked for: one call a batch as ever.
func TestTheNextNumberIsAskedForWhileOutcomesAreRecorded(t *testing.T) {
	inWorld(t, func(w *world) {
		w.company("C1", holder, false)
		for range 251 { // ARCA takes 250 a call
			w.issue("FCA", nil)
		}
		lasts, told := 0, 0
		w.losing = func(c call) bool {
			if c.operation != "FECompUltimoAutorizado" {
				return false
			}
			if lasts++; lasts == 2 {
				for _, s := range w.statuses(w.invoices[:250]...) {
					if s == invoice.Accepted {
						told++
					}
				}
			}
			return false
		}
		w.between = func() { time.Sleep(time.Second) } // each step takes its time: the outcomes of a batch some
		w.start()
		w.finish(time.Hour)
		w.check()
		if w.sends() != 2 || lasts != 2 {
			t.Errorf("%d batches and %d questions for the last number, want 2 and 2", w.sends(), lasts)
		}
		if told == 250 {
			t.Error("the last number was asked for when all outcomes were recorded")
		}
	})
}
