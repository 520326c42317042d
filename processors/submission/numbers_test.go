package submission_test

import (
	"strings"
	"testing"
	"time"

	"folio/commands/invoice"
	"folio/events"
	arcasandbox "folio/sandbox/arca"
	"folio/sandbox/desk"
	"folio/waiting"
)

// taken lets another system issue n documents in series A.
func (w *world) taken(n int) {
	w.t.Helper()
	if err := w.authority.TakeNumbers(w.t.Context(),
		arcasandbox.Series{Environment: arcasandbox.Testing, CUIT: holder, PointOfSale: 1, Type: 1}, n); err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) release(series string) {
	w.record("numbering-"+series, events.SeriesReleased{Reason: "looked"})
}

func (w *world) foreign() (out []events.ForeignNumbersNoticed) {
	for _, e := range w.log.facts("numbering-" + seriesA) {
		if f, ok := e.(events.ForeignNumbersNoticed); ok {
			out = append(out, f)
		}
	}
	return out
}

func TestNumbersOfAnotherSystemAreNoticed(t *testing.T) {
	inWorld(t, func(w *world) {
		w.company("C1", holder, false)
		w.taken(40)
		w.issue("FCA", nil)
		w.start()
		w.finish(time.Minute)
		w.taken(3)
		w.issue("FCA", nil)
		w.finish(time.Minute)
		w.check()
		f := w.foreign()
		if len(f) != 2 || f[0].From != 1 || f[0].To != 40 || f[1].From != 42 || f[1].To != 44 ||
			w.state("I00002").Number != 45 {
			t.Errorf("noticed %+v, number %d", f, w.state("I00002").Number)
		}
	})
}

// Between the last number and the call another system is faster: 10016, nothing was
// processed, and ours goes on behind it.
func TestAnotherSystemIsFaster(t *testing.T) {
	inWorld(t, func(w *world) {
		w.company("C1", holder, false)
		w.beforeSend = func() { w.taken(1) }
		w.issue("FCA", nil)
		w.issue("FCA", nil)
		w.start()
		w.finish(time.Minute)
		w.check()
		if f := w.foreign(); len(f) != 1 || f[0].From != 1 || f[0].To != 1 || w.series(seriesA).Last != 3 {
			t.Errorf("noticed %+v, last %d", f, w.series(seriesA).Last)
		}
	})
}

// The line breaks, and when it is back, our number is somebody else's.
func TestAForeignDocumentUnderAnOpenNumberHoldsTheSeries(t *testing.T) {
	inWorld(t, func(w *world) {
		w.company("C1", holder, false)
		w.fault(arcasandbox.Fault{Operation: "FECAESolicitar", Effect: desk.Reset, Times: 1})
		w.issue("FCA", nil)
		w.issue("FCA", nil)
		w.start()
		w.until("the call", time.Minute, func() bool { return w.sends() == 1 })
		w.taken(1)
		w.until("the hold", time.Minute, w.waits(seriesA, waiting.SeriesHeld))
		r := w.reason(seriesA)
		if !strings.Contains(r.Text, "number 1") || !strings.Contains(r.Text, "ImpTotal") || r.NextTry != nil {
			t.Errorf("%+v", r)
		}
		time.Sleep(3 * time.Hour)
		if w.sends() != 1 || w.state("I00001").Status != invoice.InProcess {
			t.Errorf("%d calls while held, %s", w.sends(), w.state("I00001").Status)
		}
		w.release(seriesA)
		w.finish(10 * time.Second)
		w.check()
		if f := w.foreign(); len(f) != 1 || f[0].From != 1 || f[0].To != 1 || w.series(seriesA).Last != 3 {
			t.Errorf("noticed %+v, last %d", f, w.series(seriesA).Last)
		}
	})
}

// forgets has the authority accept an invoice and forget everything; then another one is issued.
func (w *world) forgets() {
	w.company("C1", holder, false)
	w.issue("FCA", nil)
	w.start()
	w.finish(time.Minute)
	w.reopenAuthority() // with nothing in its memory
	w.issue("FCA", nil)
}

func TestAnAuthorityThatForgotOurNumbersHoldsTheSeriesEachTime(t *testing.T) {
	inWorld(t, func(w *world) {
		w.forgets()
		w.until("the hold", 10*time.Minute, w.waits(seriesA, waiting.SeriesHeld))
		if r := w.reason(seriesA); !strings.Contains(r.Text, "the last number is 0, but it accepted number 1 from us") {
			t.Errorf("%+v", r)
		}
		w.release(seriesA) // without having put it right
		time.Sleep(10 * time.Minute)
		if w.series(seriesA).Held == "" || w.sends() != 1 {
			t.Errorf("held %q, %d calls", w.series(seriesA).Held, w.sends())
		}
		w.taken(1) // the number is there again
		w.release(seriesA)
		w.until("the answer", time.Minute, w.done)
		if w.state("I00002").Number != 2 {
			t.Errorf("number %d", w.state("I00002").Number)
		}
	})
}

// A part of the authority that lags gives an older number once: nobody has to look at that.
func TestALastNumberThatIsLowerForAMomentHoldsNothing(t *testing.T) {
	inWorld(t, func(w *world) {
		w.forgets()
		w.until("a lower number", time.Minute, w.waits(seriesA, waiting.AuthorityDisagree))
		if r := w.reason(seriesA); !strings.Contains(r.Text, "number 0 was the last one, and it accepted number 1 from us") ||
			r.NextTry == nil {
			t.Errorf("%+v", r)
		}
		w.taken(1)
		w.finish(time.Minute)
		if w.state("I00002").Number != 2 {
			t.Errorf("number %d", w.state("I00002").Number)
		}
		for _, e := range w.log.facts("numbering-" + seriesA) {
			if held, ok := e.(events.SeriesHeld); ok {
				t.Errorf("held: %+v", held)
			}
		}
	})
}

// The authority forgets between a call and the question about it.
func TestAnAuthorityThatForgotWhileASubmissionIsOpen(t *testing.T) {
	inWorld(t, func(w *world) {
		w.company("C1", holder, false)
		w.issue("FCA", nil)
		w.start()
		w.finish(time.Minute)
		w.fault(arcasandbox.Fault{Operation: "FECAESolicitar", Effect: desk.Lose, Times: 1})
		w.cutOff("FECompConsultar")
		w.issue("FCA", nil)
		w.until("the call", time.Minute, func() bool { return w.sends() == 2 })
		w.reopenAuthority()
		w.cutOff()
		w.until("the hold", time.Hour, w.waits(seriesA, waiting.SeriesHeld))
		for range 2 { // the same reason comes back after a release, and is held again
			w.release(seriesA)
			time.Sleep(time.Minute)
			if w.series(seriesA).Held == "" || w.sends() != 2 {
				t.Fatalf("held %q, %d calls", w.series(seriesA).Held, w.sends())
			}
		}
	})
}

func TestAnOlderDateRejectsThatInvoiceAlone(t *testing.T) {
	inWorld(t, func(w *world) {
		w.company("C1", holder, false)
		w.issue("FCA", nil)
		w.start()
		w.finish(time.Minute)
		w.p.stop()
		w.issue("FCA", w.dated(-2))
		w.issue("FCA", nil)
		w.issue("FCA", w.dated(-1)) // behind one that the same call accepts
		w.issue("FCA", nil)
		w.start()
		w.finish(time.Minute)
		w.check()
		want := map[string]invoice.Status{"I00002": invoice.Rejected, "I00003": invoice.Accepted, "I00004": invoice.Rejected,
			"I00005": invoice.Accepted}
		for id, s := range want {
			if got := w.state(id).Status; got != s {
				t.Errorf("%s is %s, want %s", id, got, s)
			}
		}
		for _, id := range []string{"I00002", "I00004"} {
			facts := w.log.facts("invoice-" + id)
			r, ok := facts[len(facts)-1].(events.AuthorityRejected)
			if !ok || len(r.Reasons) != 2 || r.Reasons[0].Code != "10016" ||
				!strings.Contains(r.Reasons[1].Text, "dated "+w.state(id).Created.Document.Date[:10]) ||
				!strings.Contains(r.Reasons[1].Text, "dated 2026-12-15:") ||
				!strings.Contains(r.Reasons[1].Text, "Issue it again, dated 2026-12-15 or later") {
				t.Errorf("%s: %+v: the authority's words, both dates, and what to do", id, facts[len(facts)-1])
			}
		}
	})
}

// Number and date are right and it refuses all the same: that must not go on for ever.
func TestAnEndless10016HoldsTheSeries(t *testing.T) {
	inWorld(t, func(w *world) {
		w.company("C1", holder, false)
		w.fault(arcasandbox.Fault{Operation: "FECAESolicitar", Effect: arcasandbox.Error, Code: "10016"})
		w.issue("FCA", nil)
		w.start()
		w.until("the hold", 24*time.Hour, w.waits(seriesA, waiting.SeriesHeld))
		if w.sends() > 8 {
			t.Errorf("%d calls before somebody was told", w.sends())
		}
		w.authority.ClearFaults("")
		w.release(seriesA)
		w.finish(time.Hour)
		w.check()
	})
}

// FECompUltimoAutorizado knows a number that FECompConsultar does not: nothing is sent
// until they agree.
func TestAnAuthorityThatContradictsItself(t *testing.T) {
	inWorld(t, func(w *world) {
		w.company("C1", holder, false)
		w.fault(arcasandbox.Fault{Operation: "FECAESolicitar", Effect: desk.Lose, Times: 1},
			arcasandbox.Fault{Operation: "FECompConsultar", Effect: arcasandbox.Error, Code: "602", Times: 3})
		w.issue("FCA", nil)
		w.start()
		w.until("a reason", time.Minute, w.waits(seriesA, waiting.AuthorityDisagree))
		w.finish(time.Hour)
		w.check()
		if w.sends() != 1 {
			t.Errorf("%d calls", w.sends())
		}
	})
}
