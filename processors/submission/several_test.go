package submission_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"folio/commands/invoice"
	"folio/events"
	"folio/waiting"
)

// alone makes a world whose calls carry one document, as Chile's do.
func inRangedWorldAlone(t *testing.T, f func(*world, *rangedAuthority)) {
	t.Helper()
	inRangedWorld(t, func(w *world, a *rangedAuthority) {
		a.limit = 1
		f(w, a)
	})
}

// accepted says that these invoices are.
func (w *world) accepted(ids ...string) func() bool {
	return func() bool {
		return !slices.ContainsFunc(w.statuses(ids...), func(s invoice.Status) bool { return s != invoice.Accepted })
	}
}

// One document that never gets an answer, whatever is the matter with it, holds up no other
// of its type, and numbers are those of the order of creation.
func TestOneDocumentDoesNotBlockItsType(t *testing.T) {
	for name, c := range map[string]struct {
		trouble func(*rangedAuthority)
		cure    func(*rangedAuthority)
		code    waiting.Code
	}{
		"the authority never decides": {
			func(a *rangedAuthority) { a.errs["A1"] = errStuck },
			func(a *rangedAuthority) { delete(a.errs, "A1"); a.verdicts["A1"] = events.Accepted }, waiting.AuthorityDeciding},
		"no answer ever comes back": {
			func(a *rangedAuthority) { a.errs["A1"] = errAway }, func(a *rangedAuthority) { delete(a.errs, "A1") },
			waiting.AuthorityDown},
		"it cannot be asked about": {
			func(a *rangedAuthority) { a.errs["A1"] = errLost; a.mute["A1"] = true },
			func(a *rangedAuthority) { delete(a.errs, "A1"); delete(a.mute, "A1") }, waiting.AuthorityDown},
	} {
		t.Run(name, func(t *testing.T) {
			inRangedWorldAlone(t, func(w *world, a *rangedAuthority) {
				c.trouble(a)
				w.issueSome(1)
				w.start()
				w.until("the first waits", time.Minute, w.waits(rangedSeries, c.code))
				w.issueSome(3)
				w.until("the others", 3*time.Minute, w.accepted(w.invoices[1:]...))
				if r := w.reason(rangedSeries); r.About(w.invoices[0]) == nil || r.About(w.invoices[0]).Code != c.code {
					t.Errorf("the first one waits because of %+v", r)
				}
				time.Sleep(5 * time.Hour)
				w.issueSome(1)
				w.until("one more, hours later", time.Minute, w.accepted(w.invoices[4]))
				if got := w.p.p.Standing(); len(got) != 1 || got[0].Series != rangedSeries || got[0].Code != c.code {
					t.Errorf("standing: %+v", got)
				}
				a.change(func() { c.cure(a) })
				w.finish(time.Hour)
				if got, want := w.allAssigned(), "A1 A2 A3 B1 B2"; got != want {
					t.Errorf("numbers %s, want %s", got, want)
				}
				if got := w.p.p.Standing(); len(got) != 0 {
					t.Errorf("still standing: %+v", got)
				}
			})
		})
	}
}

// An authority that answers nobody is not given number after number.
func TestAnAuthorityThatIsAwayTakesFewNumbers(t *testing.T) {
	inRangedWorldAlone(t, func(w *world, a *rangedAuthority) {
		w.branch = 2
		w.letters(40)
		const series = "C1-Testing-1-2"
		for n := range 40 {
			name := fmt.Sprint("A", n+1)
			a.errs[name], a.mute[name] = errAway, true
		}
		w.issueSome(40)
		w.start()
		time.Sleep(24 * time.Hour)
		if n := len(w.series(series).Open); n < 3 || n > 10 {
			t.Errorf("%d submissions are open after a day", n)
		}
		for _, id := range w.invoices {
			if r := w.reason(series).About(id); r == nil || r.Code != waiting.AuthorityDown {
				t.Errorf("%s waits because of %+v", id, r)
			}
		}
		a.change(func() { clear(a.errs); clear(a.mute) })
		w.finish(time.Hour)
		var want []string
		for n := range w.invoices {
			want = append(want, fmt.Sprint("A", n+1))
		}
		if got := w.allAssigned(); got != strings.Join(want, " ") {
			t.Errorf("numbers %s", got)
		}
	})
}

// What is open in a series is bounded.
func TestNoMoreIsOpenThanTheSeriesMayHave(t *testing.T) {
	inRangedWorldAlone(t, func(w *world, a *rangedAuthority) {
		a.decides = false
		w.branch = 2
		w.letters(300)
		const series = "C1-Testing-1-2"
		w.issueSome(205)
		w.start()
		w.until("many are open", time.Hour, func() bool { return len(w.series(series).Open) >= 200 })
		time.Sleep(time.Hour)
		if n := len(w.series(series).Open); n != 200 {
			t.Errorf("%d submissions are open", n)
		}
		a.change(func() {
			a.decides = true
			for name := range a.arrived {
				a.verdicts[name] = events.Accepted
			}
		})
		w.finish(2 * time.Hour)
	})
}

// A hold stops all that is open, a void ends one submission, and both in one append race
// with nothing.
func TestOneOfSeveralIsGivenUpInOneStep(t *testing.T) {
	inRangedWorldAlone(t, func(w *world, a *rangedAuthority) {
		a.decides = false
		w.issueSome(3)
		w.start()
		w.until("three are open", time.Minute, func() bool { return len(w.series(rangedSeries).Open) == 3 })
		a.change(func() { a.notYet["A2"] = true })
		second := w.series(rangedSeries).Open[1].Submission
		w.record("numbering-"+rangedSeries, events.SeriesHeld{Reason: "number 2 is lost"})
		w.record("numbering-"+rangedSeries, events.SeriesReleased{Reason: "number 2 is lost", Voids: second})
		w.until("the second is rejected", time.Hour, func() bool { return w.state(w.invoices[1]).Status == invoice.Rejected })
		if open := w.series(rangedSeries).Open; len(open) != 2 || open[0].First != 1 || open[1].First != 3 {
			t.Errorf("open: %+v", open)
		}
		sent := len(a.calls())
		a.change(func() { a.verdicts["A1"], a.verdicts["A3"] = events.Accepted, events.Accepted })
		w.finish(time.Hour)
		if got, want := w.statuses(w.invoices...),
			[]invoice.Status{invoice.Accepted, invoice.Rejected, invoice.Accepted}; !slices.Equal(got, want) {
			t.Errorf("%v, want %v", got, want)
		}
		if len(a.calls()) != sent || !slices.Equal(w.voids(), []int64{2}) {
			t.Errorf("sent %d times, then %d; voided %v", sent, len(a.calls()), w.voids())
		}
	})
}

// A document that comes to light right before it is given up keeps its verdict, and the
// series goes on: nothing is left held.
func TestWhatEndsWhileItIsGivenUpLeavesNothingHeld(t *testing.T) {
	inRangedWorldAlone(t, func(w *world, a *rangedAuthority) {
		a.decides = false
		w.issueSome(1)
		w.start()
		w.until("open", time.Minute, w.waits(rangedSeries, waiting.AuthorityDeciding))
		a.change(func() { a.decides, a.verdicts["A1"] = true, events.Accepted })
		w.record("numbering-"+rangedSeries, events.SeriesHeld{Reason: "lost"})
		w.record("numbering-"+rangedSeries, events.SeriesReleased{Reason: "lost",
			Voids: w.series(rangedSeries).Open[0].Submission})
		w.issueSome(1)
		w.finish(time.Hour)
		if !w.accepted(w.invoices...)() || w.series(rangedSeries).Held != "" {
			t.Errorf("%v, held %q", w.statuses(w.invoices...), w.series(rangedSeries).Held)
		}
	})
}

// While one waits and others go on, the process dies between any two steps.
func TestACrashWithSeveralOpenBetweenAnyTwoSteps(t *testing.T) {
	inWorld(t, func(w *world) {
		for k, died := int64(1), true; died; k++ {
			died = false
			for _, after := range sides {
				died = w.severalCrash(k, after) || died
				w.renew()
			}
		}
	})
}

func (w *world) severalCrash(k int64, after bool) (died bool) {
	w.t.Helper()
	w.ranged = newRangedAuthority()
	a := w.ranged
	a.limit, a.errs["A1"], a.errs["A2"] = 1, errStuck, errLost
	w.company("C1", holder, false)
	w.letters(3)
	w.issueSome(4)
	series := fmt.Sprintf("C1-Testing-1-%d", w.branch)
	w.steps.Store(0)
	w.plan.Store(&plan{step: k, after: after})
	p := w.start()
	w.until("dead, or the others are done", time.Hour,
		func() bool { return p.dead.Load() || w.accepted(w.invoices[1:]...)() })
	died = p.dead.Load()
	w.plan.Store(nil)
	p.stop()
	synctest.Wait()
	w.start()
	w.until("the others", time.Hour, w.accepted(w.invoices[1:]...))
	if open := w.series(series).Open; len(open) != 1 || open[0].First != 1 {
		w.t.Errorf("step %d (%s): open %+v", k, w.died, open)
	}
	a.change(func() { delete(a.errs, "A1"); a.verdicts["A1"] = events.Accepted })
	w.finish(time.Hour)
	if got, want := w.allAssigned(), "A1 A2 A3 B1"; got != want {
		w.t.Errorf("step %d (%s), after it: %t: numbers %s, want %s", k, w.died, after, got, want)
	}
	a.check(w.t)
	return died
}
