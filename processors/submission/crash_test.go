package submission_test

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"folio/commands/invoice"
	arcasandbox "folio/sandbox/arca"
	"folio/sandbox/desk"
)

// scenarios are short histories that go through every step of a submission.
var scenarios = []struct {
	name string
	run  func(*world)
}{
	{"a batch that is accepted", func(w *world) {
		w.company("C1", holder, false)
		w.issueSome(2)
	}},
	{"a refusal that would not come twice", func(w *world) {
		w.company("C1", holder, false)
		w.fault(arcasandbox.Fault{Operation: "FECAESolicitar", Effect: arcasandbox.Reject, Code: "10015", Document: 1,
			Times: 1})
		w.issueSome(2)
	}},
	{"a rejection in the middle", func(w *world) {
		w.company("C1", holder, false)
		w.issueSome(1)
		w.issue("FCA", w.dated(-4)) // older than the number before: rejected whenever it is sent
		w.issueSome(1)
	}},
	{"an answer that is lost", func(w *world) {
		w.company("C1", holder, false)
		w.fault(arcasandbox.Fault{Operation: "FECAESolicitar", Effect: desk.Lose, Times: 1})
		w.issueSome(2)
	}},
	{"a call that arrives nowhere", func(w *world) {
		w.company("C1", holder, false)
		w.fault(arcasandbox.Fault{Operation: "FECAESolicitar", Effect: desk.Reset, Times: 1})
		w.issueSome(2)
	}},
	{"another system that is faster", func(w *world) {
		w.company("C1", holder, false)
		branch := w.branch
		w.beforeSend = func() {
			if err := w.authority.TakeNumbers(w.t.Context(),
				arcasandbox.Series{Environment: arcasandbox.Testing, CUIT: holder, PointOfSale: branch, Type: 1}, 1); err != nil {
				w.t.Error(err)
			}
		}
		w.issueSome(2)
	}},
	{"invoices from before the first certificate", func(w *world) {
		w.company("C1", holder, true)
		w.issueSome(2)
		w.upload("C1", "Testing", noon.AddDate(0, 0, -1), noon.AddDate(1, 0, 0))
		w.issue("FCA", nil)
	}},
	{"a note that cancels", func(w *world) {
		w.company("C1", holder, false)
		w.issuedBefore()
		w.creditNote(w.invoices[0], nil)
	}},
}

func (w *world) issueSome(n int) {
	for range n {
		w.issue("FCA", nil)
	}
}

// issuedBefore is an accepted invoice that this process did not submit.
func (w *world) issuedBefore() {
	id := w.issue("FCA", nil)
	w.start()
	w.finish(time.Minute)
	w.p.stop()
	w.steps.Store(0)
	_ = id
}

// TestACrashBetweenAnyTwoSteps kills the process before and after every effect it has on
// the world, now and then in the next life too, and wants the same end each time.
func TestACrashBetweenAnyTwoSteps(t *testing.T) {
	for _, s := range scenarios {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			inWorld(t, func(w *world) {
				for k, died := int64(1), true; died; k++ {
					died = false
					for _, after := range sides {
						plans := []plan{{step: k, after: after}}
						if k%4 == 0 { // and in the next life too
							plans = append(plans, plan{step: k / 2, after: !after})
						}
						died = w.crashed(s.run, plans...) || died
					}
					if !died {
						t.Logf("%d steps", k-1)
					}
				}
			})
		})
	}
}

// crashed runs a scenario whose process dies by the plans, one life each, and then lives
// on. It says whether the first plan came to pass.
func (w *world) crashed(scenario func(*world), plans ...plan) bool {
	w.t.Helper()
	scenario(w)
	name := fmt.Sprintf("%+v", plans)
	died := false
	for i, p := range plans {
		w.steps.Store(0)
		w.plan.Store(&p)
		life := w.start()
		w.until("the crash or the end", 48*time.Hour, func() bool { return life.dead.Load() || w.doneOrHeld() })
		died = died || i == 0 && life.dead.Load()
		life.stop()
		w.plan.Store(nil)
	}
	w.start()
	w.until(name, 48*time.Hour, w.doneOrHeld)
	w.releaseHeld()
	w.finish(48 * time.Hour)
	w.check()
	w.checkCancelled()
	if w.t.Failed() {
		w.t.Fatalf("%s, died at %q", name, w.died)
	}
	w.renew()
	return died
}

// doneOrHeld: an open number that another system took meanwhile is for an operator.
func (w *world) doneOrHeld() bool {
	for _, name := range w.log.named("numbering") {
		if w.series(name[len("numbering-"):]).Held != "" {
			return true
		}
	}
	return w.done()
}

func (w *world) releaseHeld() {
	for _, name := range w.log.named("numbering") {
		if id := name[len("numbering-"):]; w.series(id).Held != "" {
			w.release(id)
		}
	}
	synctest.Wait()
}

// checkCancelled: an accepted note over the whole has cancelled, whenever the crash came.
func (w *world) checkCancelled() {
	w.t.Helper()
	for _, id := range w.invoices {
		s := w.state(id)
		if refs := s.Created.Document.BillingReference; s.Status == invoice.Accepted && len(refs) == 1 &&
			refs[0].Invoice != "" {
			if got := w.state(refs[0].Invoice).Cancelled; got != id {
				w.t.Errorf("%s is cancelled by %q, want %s", refs[0].Invoice, got, id)
			}
		}
	}
}

// TestALifeCutShortAgainAndAgain lets each life do a little more than the one before.
func TestALifeCutShortAgainAndAgain(t *testing.T) {
	for _, s := range scenarios {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			inWorld(t, func(w *world) {
				for _, after := range sides {
					var plans []plan
					for k := int64(1); k < 25; k += 2 {
						plans = append(plans, plan{step: k, after: after})
					}
					w.crashed(s.run, plans...)
				}
			})
		})
	}
}
