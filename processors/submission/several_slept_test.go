package submission_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"folio/authority"
	"folio/events"
	arcasandbox "folio/sandbox/arca"
	"folio/sandbox/desk"
	"folio/waiting"
)

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
					w.fault(arcasandbox.Fault{Operation: "FECAESolicitar", Effect: desk.Lose, Times: 1})
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
		w.fault(arcasandbox.Fault{Operation: "FECAESolicitar", Effect: desk.Lose, Times: 1})
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
