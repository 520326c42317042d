package submission_test

import (
	"testing"
	"time"

	"folio/commands/invoice"
	arcasandbox "folio/sandbox/arca"
)

// TestAnOwnerThatSlept lets a process fall asleep before and after each of its effects,
// another take over and do everything, and the first one wake up and go on as if nothing
// had happened: its word counts for nothing.
func TestAnOwnerThatSlept(t *testing.T) {
	for _, s := range scenarios {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			inWorld(t, func(w *world) {
				for k, fell := int64(1), true; fell; k++ {
					fell = false
					for _, after := range sides {
						fell = w.slept(s.run, k, after) || fell
					}
				}
			})
		})
	}
}

// slept runs a scenario with an owner that sleeps at a step; false when it never came
// that far.
func (w *world) slept(scenario func(*world), step int64, after bool) bool {
	w.t.Helper()
	scenario(w)
	w.steps.Store(0)
	wake := make(chan struct{})
	w.plan.Store(&plan{step: step, after: after, pause: wake})
	sleeper := w.start()
	w.until("sleep or the end", 48*time.Hour, func() bool { return sleeper.asleep.Load() || w.doneOrHeld() })
	w.plan.Store(nil)
	fell := sleeper.asleep.Load()
	owner := w.start()
	w.until("the other owner's end", 48*time.Hour, w.doneOrHeld)
	w.releaseHeld()
	w.finish(48 * time.Hour)
	w.stale = true
	close(wake)
	w.issue("FCA", nil)
	w.until("both at rest", 48*time.Hour, func() bool {
		return w.doneOrHeld() && (sleeper.p.Series() == 0)
	})
	sleeper.stop()
	w.finish(48 * time.Hour)
	w.stale = false
	w.check()
	w.checkCancelled()
	if w.t.Failed() {
		w.t.Fatalf("asleep at step %d, after %v: %q", step, after, w.died)
	}
	w.p = owner
	w.renew()
	return fell
}

// TestTheFirstWordAboutASubmissionCounts: an owner sleeps with a refusal in its hands.
// The next one asks, learns that nothing is under that number, and sends the document
// again. Then the first one wakes up.
func TestTheFirstWordAboutASubmissionCounts(t *testing.T) {
	inWorld(t, func(w *world) {
		w.company("C1", holder, false)
		w.fault(arcasandbox.Fault{Operation: "FECAESolicitar", Effect: arcasandbox.Reject, Code: "10015", Document: 1,
			Times: 1})
		w.issueSome(2)
		wake := make(chan struct{})
		w.sleepAfter("call FECAESolicitar", wake)
		sleeper := w.start()
		w.until("sleep", time.Minute, sleeper.asleep.Load)
		w.cutOff("FECAESolicitar") // the other owner settles, opens anew, and gets no further
		owner := w.start()
		w.until("the other owner's word", time.Hour, func() bool { return w.series(seriesA).Settled != nil })
		close(wake)
		time.Sleep(time.Minute)
		if got := w.state("I00002").Status; got != invoice.InProcess {
			t.Errorf("the document that goes again is %s", got)
		}
		w.cutOff()
		sleeper.stop()
		w.p = owner
		w.finish(time.Hour)
		w.check()
		if got := w.state("I00002").Status; got != invoice.Accepted {
			t.Errorf("%s", got)
		}
	})
}
