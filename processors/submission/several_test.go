package submission_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"folio/authority"
	"folio/commands/invoice"
	"folio/events"
	arcasandbox "folio/sandbox/arca"
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

// While several are open an owner falls asleep at any step, another does everything, and the
// first one wakes up: each invoice has one number, one outcome and all its copies.
func TestAnOwnerThatSleptWithSeveralOpen(t *testing.T) {
	inWorld(t, func(w *world) {
		for k, fell := int64(1), true; fell && !t.Failed(); k++ {
			fell = w.severalSlept(k)
			w.renew()
		}
	})
}

func (w *world) severalSlept(k int64) bool {
	w.t.Helper()
	w.ranged = newRangedAuthority()
	a := w.ranged
	a.limit, a.errs["A1"], a.errs["A2"] = 1, errStuck, errLost
	w.company("C1", holder, false)
	w.letters(3)
	w.issueSome(4)
	w.steps.Store(0)
	wake := make(chan struct{})
	w.plan.Store(&plan{step: k, pause: wake})
	sleeper := w.start()
	w.until("sleep, or the others are done", time.Hour,
		func() bool { return sleeper.asleep.Load() || w.accepted(w.invoices[1:]...)() })
	w.plan.Store(nil)
	fell := sleeper.asleep.Load()
	owner := w.start()
	w.until("the others", time.Hour, w.accepted(w.invoices[1:]...))
	close(wake)
	w.issueSome(1)
	w.until("one more", time.Hour, w.accepted(w.invoices[4]))
	a.change(func() { delete(a.errs, "A1"); a.verdicts["A1"] = events.Accepted })
	w.until("all", time.Hour, w.accepted(w.invoices...))
	sleeper.stop()
	w.p = owner
	w.finish(time.Hour)
	if got, want := w.allAssigned(), "A1 A2 A3 B1 B2"; got != want {
		w.t.Errorf("step %d (%s): numbers %s, want %s", k, w.died, got, want)
	}
	for _, id := range w.invoices {
		if n := w.count(id, events.AuthorityAccepted{}); n != 1 {
			w.t.Errorf("step %d (%s): %s was accepted %d times", k, w.died, id, n)
		}
	}
	a.checkBytes(w.t)
	return fell
}

// Renew puts documents in another envelope: its name says which one.
func (d rangedDriver) Renew(_ authority.Credential, b authority.Batch, p authority.Prepared, n int) (authority.Prepared,
	error) {
	return authority.Prepare(fmt.Appendf(nil, "%s at %s, renewed %d", namesOf(b), d.p.w.Now(), n)), nil
}

// What the authority says it had, and denies for an hour, goes out in a new envelope, as a
// fact; a process may die at any step of that.
func TestWhatIsDeniedGoesOutInANewEnvelope(t *testing.T) {
	inWorld(t, func(w *world) {
		for k, died := int64(1), true; died && !t.Failed(); k++ {
			died = w.renewedCrash(k)
			w.renew()
		}
	})
}

func (w *world) renewedCrash(k int64) (died bool) {
	w.t.Helper()
	w.ranged = newRangedAuthority()
	a := w.ranged
	a.limit, a.hides = 2, true
	w.company("C1", holder, false)
	w.letters(3)
	w.issueSome(2)
	a.notYet["A1"], a.notYet["A2"] = true, true
	began := w.Now()
	w.start()
	series := fmt.Sprintf("C1-Testing-1-%d", w.branch)
	w.until("denied", time.Minute, w.waits(series, waiting.AuthorityDisagree))
	time.Sleep(30 * time.Minute)
	if n := w.series(series).Open[0].Renewals; n != 0 {
		w.t.Errorf("renewed %d times after half an hour", n)
	}
	w.p.stop() // how long it has been denied outlives the process
	w.steps.Store(0)
	w.plan.Store(&plan{step: k})
	p := w.start()
	renewed := func() bool { return len(w.series(series).Open) == 0 || w.series(series).Open[0].Renewals > 0 }
	w.until("dead or renewed", 2*time.Hour, func() bool {
		return p.dead.Load() || renewed() && w.Now().Sub(began) > 2*time.Hour
	})
	died = p.dead.Load()
	w.plan.Store(nil)
	p.stop()
	synctest.Wait()
	w.start()
	w.until("renewed", 3*time.Hour, renewed)
	a.change(func() { clear(a.notYet) })
	w.finish(2 * time.Hour)
	facts := 0
	for _, e := range w.log.facts("numbering-" + series) {
		if e, ok := e.(events.EnvelopeRenewed); ok {
			facts++
			if len(e.Messages) != 1 || e.Messages[0].Code != "S08" || len(e.Calls) == 0 {
				w.t.Errorf("renewed because of %+v, after %d calls", e.Messages, len(e.Calls))
			}
		}
	}
	if facts == 0 || !w.accepted(w.invoices...)() || w.allAssigned() != "A1 A2" {
		w.t.Errorf("step %d (%s): %d renewals, %v, numbers %s", k, w.died, facts, w.statuses(w.invoices...), w.allAssigned())
	}
	return died
}

// With one answer in five lost, thirty invoices are far from an hour at the default pauses:
// each turn learns something, so none is waited out for long.
func TestPausesBeginAnewWithEachVerdict(t *testing.T) {
	for _, together := range []int{30, 1} {
		for seed := range uint64(5) {
			inWorld(t, func(w *world) {
				k := w.authority.Knobs()
				k.RegXReq = together
				w.authority.SetKnobs(k)
				w.company("C1", holder, false)
				w.issueSome(30)
				r := rand.New(rand.NewPCG(seed, 1))
				lost := 0
				w.losing = func(c call) bool { // a lost ticket is WSAA's to replace, in its own time
					loses := r.IntN(5) == 0 && c.operation != "loginCms"
					if loses {
						lost++
					}
					return loses
				}
				if together > 1 { // the answer to the only call is lost as well
					w.fault(arcasandbox.Fault{Operation: "FECAESolicitar", Effect: arcasandbox.Lose, Times: 1})
				}
				began := time.Now()
				w.start()
				w.finish(2 * time.Hour)
				took := time.Since(began)
				t.Logf("%d in a call, seed %d: %s with %d answers lost", together, seed, took, lost)
				if took > 6*time.Minute || lost < 3 {
					t.Errorf("thirty invoices took %s", took)
				}
				w.losing = nil
				w.check()
			})
		}
	}
}

// A look-up that fails is no reason to leave the numbers behind it unasked.
func TestALookUpThatFailsDoesNotEndTheTurn(t *testing.T) {
	inWorld(t, func(w *world) {
		w.company("C1", holder, false)
		w.fault(arcasandbox.Fault{Operation: "FECAESolicitar", Effect: arcasandbox.Lose, Times: 1})
		w.issueSome(5)
		w.losing = func(c call) bool {
			return c.operation == "FECompConsultar" && c.number == 2 && w.sends() == 1 && w.lookUps(2) < 1
		}
		w.start()
		w.finish(time.Minute)
		for number, want := range map[int64]int{1: 1, 3: 1, 4: 1, 5: 1} {
			if got := w.lookUps(number); got != want {
				t.Errorf("number %d was asked about %d times, want %d", number, got, want)
			}
		}
		w.check()
	})
}

// lookUps is how often a number was asked about.
func (w *world) lookUps(number int64) int {
	n := 0
	for _, c := range w.calls {
		if c.operation == "FECompConsultar" && c.number == number {
			n++
		}
	}
	return n
}

var (
	errAway  = errors.New("connection refused")
	errStuck = errors.New("it is never decided")
)

func (d *rangedAuthority) check(t *testing.T) {
	t.Helper()
	for _, b := range d.broken {
		t.Error(b)
	}
	d.checkBytes(t)
}

// checkBytes: whatever is sent under a number is always the same.
func (d *rangedAuthority) checkBytes(t *testing.T) {
	t.Helper()
	d.mu.Lock()
	defer d.mu.Unlock()
	bytes := map[string]string{}
	for _, content := range d.sent {
		names, _, _ := strings.Cut(content, " at ")
		for _, name := range strings.Fields(names) {
			number, _, _ := strings.Cut(name, "=")
			if before, sent := bytes[number]; sent && before != content {
				t.Errorf("%s was sent as %q and as %q", number, before, content)
			}
			bytes[number] = content
		}
	}
}
