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

// inRangedWorld has a company with the numbers 1 to 3 twice, under the letters A and B.
func inRangedWorld(t *testing.T, f func(*world, *rangedAuthority)) {
	t.Helper()
	inWorld(t, func(w *world) {
		w.ranged = newRangedAuthority()
		w.company("C1", holder, false)
		w.letters(3)
		f(w, w.ranged)
	})
}

func (w *world) letters(to int64) {
	series := fmt.Sprintf("C1-Testing-1-%d", w.branch)
	for _, letter := range []string{"A", "B"} {
		ref := "range/" + letter
		if err := w.tickets.Seal(w.t.Context(), ref, []byte("CAE "+letter)); err != nil {
			w.t.Fatal(err)
		}
		w.record("numbering-"+series, events.NumberingRangeUploaded{Range: "R" + letter, Company: "C1",
			Environment:  "Testing",
			OfficialCode: 1, Series: letter, From: 1, To: to, Authority: "9026000" + letter, Fingerprint: letter, Secret: ref})
	}
}

// assigned is the number that an invoice has, "" for none.
func (w *world) assigned(id string) string {
	out := ""
	for _, e := range w.log.facts("invoice-" + id) {
		if n, ok := e.(events.NumberAssigned); ok {
			out += fmt.Sprintf("%s%d", n.Series, n.Number)
		}
	}
	return out
}

func (w *world) allAssigned() string {
	var out []string
	for _, id := range w.invoices {
		out = append(out, w.assigned(id))
	}
	return strings.Join(out, " ")
}

func TestTwoSeriesWithTheSameNumbersNeverMix(t *testing.T) {
	inRangedWorld(t, func(w *world, a *rangedAuthority) {
		a.limit = 2
		w.issueSome(5)
		w.start()
		w.finish(time.Minute)
		if got, want := w.allAssigned(), "A1 A2 A3 B1 B2"; got != want {
			t.Errorf("numbers %s, want %s", got, want)
		}
		s := w.series(rangedSeries)
		if left, _ := s.Remaining("2026-12-15"); left != 1 {
			t.Errorf("%d numbers left, want B3 alone", left)
		}
	})
}

func TestVerdictsInPartsSettleOnceAndNothingIsSentAgain(t *testing.T) {
	inRangedWorld(t, func(w *world, a *rangedAuthority) {
		a.decides, a.askAt = false, w.Now().Add(3*time.Minute)
		w.issueSome(3)
		w.start()
		w.until("sent", time.Minute, w.waits(rangedSeries, waiting.AuthorityDeciding))
		w.record("invoice-"+w.invoices[0], events.ProcessingRequested{}) // wakes the series before the time to ask
		w.until("the time to ask", 2*time.Minute+30*time.Second,
			func() bool { return !w.Now().Before(a.askAt.Add(-time.Minute)) })
		if a.asked != 0 {
			t.Errorf("asked %d times before the authority wanted to be", a.asked)
		}
		a.change(func() { a.verdicts["A2"], a.notYet["A1"], a.notYet["A3"] = events.Accepted, true, true })
		w.until("one of three is known", 10*time.Minute, w.waits(rangedSeries, waiting.AuthorityDisagree))
		a.change(func() { delete(a.notYet, "A1"); delete(a.notYet, "A3"); a.verdicts["A3"] = events.Rejected })
		w.until("two of three are known", time.Hour, w.waits(rangedSeries, waiting.AuthorityDeciding))
		if got := w.series(rangedSeries).Settled; got != nil {
			t.Errorf("settled with a document that is not decided: %+v", got)
		}
		a.change(func() { a.verdicts["A1"] = events.Accepted })
		w.finish(time.Hour)
		if len(a.calls()) != 1 || a.early != 0 {
			t.Errorf("sent %d times, asked %d times too early, want once and never:\n%s", len(a.calls()), a.early, a.calls())
		}
		if got, want := w.statuses(w.invoices...),
			[]invoice.Status{invoice.Accepted, invoice.Accepted, invoice.Rejected}; !slices.Equal(got, want) {
			t.Errorf("statuses %v, want %v", got, want)
		}
		facts := w.log.facts("numbering-" + rangedSeries)
		if v, ok := facts[len(facts)-1].(events.NumberVoided); !ok || v.Series != "A" || v.Number != 3 {
			t.Errorf("the last fact is %+v, want number A3 voided", facts[len(facts)-1])
		}
	})
}

// DGI's driver knows the documents of an envelope by what it kept when it sent it, and lets the oldest go. Where that
// falls between two questions, one document was known and the other is not: both are asked about anew, and sent again.
func TestWhatIsKnownInPartIsAskedAboutAsAWhole(t *testing.T) {
	inRangedWorld(t, func(w *world, a *rangedAuthority) {
		a.decides = false
		w.issueSome(2)
		w.start()
		w.until("sent", time.Minute, w.waits(rangedSeries, waiting.AuthorityDeciding))
		a.change(func() { a.verdicts["A1"], a.notYet["A2"] = events.Accepted, true })
		w.until("one of two is known", time.Hour, w.waits(rangedSeries, waiting.AuthorityDisagree))
		a.change(func() { a.notYet["A1"], a.decides = true, true })
		w.finish(time.Hour)
		if calls := a.calls(); len(calls) != 2 || calls[0] != calls[1] {
			t.Errorf("sent %q, want the same twice", calls)
		}
	})
}

func TestDocumentsThatMayNotShareACallDoNot(t *testing.T) {
	inRangedWorld(t, func(w *world, a *rangedAuthority) {
		w.issueSome(3)
		a.alone = w.state(w.invoices[1]).Created.Document.Totals.Total.String()
		w.start()
		w.finish(time.Minute)
		want := []string{"A1=I00001", "A2=I00002", "A3=I00003"}
		for i, content := range a.calls() {
			if got, _, _ := strings.Cut(content, " at "); i >= len(want) || got != want[i] {
				t.Errorf("call %d carries %s, want %v", i+1, got, want)
			}
		}
		if len(a.calls()) != 3 {
			t.Errorf("%d calls, want 3", len(a.calls()))
		}
	})
}

func TestWhatIsTooLargeForOneCallGoesInSeveral(t *testing.T) {
	inRangedWorld(t, func(w *world, a *rangedAuthority) {
		w.issueSome(3)
		a.fit = 2
		w.start()
		w.finish(time.Minute)
		var calls []string
		for _, content := range a.calls() {
			names, _, _ := strings.Cut(content, " at ")
			calls = append(calls, names)
		}
		if want := []string{"A1=I00001", "A2=I00002 A3=I00003"}; !slices.Equal(calls, want) {
			t.Errorf("calls %v, want %v", calls, want)
		}
	})
}

// TestACrashOfARangedSeriesBetweenAnyTwoSteps kills the process before and after every
// effect. Whatever is sent under a number is always the same bytes.
func TestACrashOfARangedSeriesBetweenAnyTwoSteps(t *testing.T) {
	inWorld(t, func(w *world) {
		for k, died := int64(1), true; died; k++ {
			died = false
			for _, after := range sides {
				died = w.rangedCrash(k, after) || died
				w.renew()
			}
			if !died && k < 20 {
				t.Errorf("the whole life had %d steps only", k)
			}
		}
	})
}

func (w *world) rangedCrash(k int64, after bool) (died bool) {
	w.t.Helper()
	w.ranged = newRangedAuthority()
	w.ranged.limit = 2
	w.company("C1", holder, false)
	w.letters(3)
	w.issueSome(4)
	w.steps.Store(0)
	w.plan.Store(&plan{step: k, after: after})
	p := w.start()
	w.until("dead or done", time.Minute, func() bool { return p.dead.Load() || w.done() })
	died = p.dead.Load()
	w.plan.Store(nil)
	p.stop()
	synctest.Wait()
	w.start()
	w.finish(time.Hour)
	where := fmt.Sprintf("step %d (%s), after it: %t", k, w.died, after)
	if got, want := w.allAssigned(), "A1 A2 A3 B1"; got != want {
		w.t.Errorf("%s: numbers %s, want %s", where, got, want)
	}
	bytes := map[string]string{}
	for _, content := range w.ranged.calls() {
		names, _, _ := strings.Cut(content, " at ")
		for _, name := range strings.Fields(names) {
			number, _, _ := strings.Cut(name, "=")
			if before, sent := bytes[number]; sent && before != content {
				w.t.Errorf("%s: %s was sent as %q and as %q", where, number, before, content)
			}
			bytes[number] = content
		}
	}
	return died
}
