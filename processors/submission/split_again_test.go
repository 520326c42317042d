package submission_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"folio/authority"
	"folio/events"
	"folio/waiting"
)

func TestAHoldStopsDocumentsThatGoAlone(t *testing.T) {
	inSplitWorld(t, func(w *world, a *rangedAuthority) {
		a.onSend = func(name string) {
			if name == "A2" {
				w.record("numbering-"+rangedSeries, events.SeriesHeld{Reason: "looking"})
			}
		}
		w.start()
		w.until("held", time.Minute, w.held)
		if got := a.sentAlone(); got != "A1 A2" {
			t.Errorf("sent %s, want what was on its way when the series was held and nothing behind it", got)
		}
		a.onSend = func(string) {}
		w.release(rangedSeries)
		w.finish(time.Hour)
		w.oneRejected("after the release")
	})
}

// Whoever put it right with the authority has the document sent again.
func TestWhatIsHiddenIsSentAgainWhenAPersonAsks(t *testing.T) {
	inSplitWorld(t, func(w *world, a *rangedAuthority) {
		a.errs["A2"] = &authority.Message{Code: "108", Text: "repetido", Err: authority.ErrHidden}
		w.start()
		w.until("one is hidden", time.Hour, w.waits(rangedSeries, waiting.AuthorityDisagree))
		a.change(func() { delete(a.errs, "A2") })
		w.record("invoice-"+w.invoices[1], events.ProcessingRequested{})
		w.finish(time.Minute)
		w.oneRejected("after a person asked")
	})
}

// An authority that knows a part of what was sent together and has refused nothing
// contradicts itself, also to a process that knows the log alone.
func TestWithoutARefusalAPartIsNeverSentAgain(t *testing.T) {
	inSplitWorld(t, func(w *world, a *rangedAuthority) {
		delete(a.bad, "A3")
		a.decides = false
		w.start()
		w.until("sent", time.Minute, w.waits(rangedSeries, waiting.AuthorityDeciding))
		w.p.stop()
		a.change(func() {
			for _, name := range []string{"A1", "A2", "A4", "A5"} {
				a.verdicts[name] = events.Accepted
			}
			a.notYet["A3"] = true
		})
		w.start()
		w.until("it contradicts itself", time.Minute, w.waits(rangedSeries, waiting.AuthorityDisagree))
		time.Sleep(3 * time.Hour)
		if len(a.calls()) != 1 {
			t.Errorf("sent %d times", len(a.calls()))
		}
		a.change(func() { delete(a.notYet, "A3"); a.verdicts["A3"] = events.Accepted })
		w.finish(time.Hour)
	})
}

// TestACrashOfASplitSubmissionBetweenAnyTwoSteps kills the process before and after every
// effect, with the answer to a document that went alone lost besides.
func TestACrashOfASplitSubmissionBetweenAnyTwoSteps(t *testing.T) {
	inWorld(t, func(w *world) {
		for _, name := range []string{"append SubmissionSplit", "append NumberVoided"} {
			for _, after := range []bool{false, true} {
				if !w.splitCrash(plan{name: name, after: after}) {
					t.Errorf("no process died at %q", name)
				}
				w.renew()
			}
		}
		for k, died := int64(1), true; died; k++ {
			died = false
			for _, after := range sides {
				died = w.splitCrash(plan{step: k, after: after}) || died
				w.renew()
			}
		}
	})
}

func (w *world) splitCrash(at plan) (died bool) {
	w.t.Helper()
	w.splitSeries()
	w.ranged.errs["A4"] = errLost
	w.steps.Store(0)
	w.plan.Store(&at)
	p := w.start()
	w.until("dead or done", time.Hour, func() bool { return p.dead.Load() || w.done() })
	died = p.dead.Load()
	w.plan.Store(nil)
	p.stop()
	synctest.Wait()
	w.start()
	w.finish(time.Hour)
	where := fmt.Sprintf("step %d (%s), after it: %t", at.step, w.died, at.after)
	w.oneRejected(where)
	for _, b := range w.ranged.broken {
		w.t.Errorf("%s: %s", where, b)
	}
	bytes := map[string]string{}
	for _, content := range w.ranged.calls() {
		names, _, _ := strings.Cut(content, " at ")
		if before, sent := bytes[names]; sent && before != content {
			w.t.Errorf("%s: %s was sent as %q and as %q", where, names, before, content)
		}
		bytes[names] = content
	}
	return died
}
