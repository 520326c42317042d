package submission_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"folio/events"
	arcasandbox "folio/sandbox/arca"
	"folio/sandbox/desk"
	"folio/waiting"
)

// contents are the bodies of calls as the vault has them.
func (w *world) contents(calls []events.Call) string {
	var out strings.Builder
	for _, c := range calls {
		out.WriteString(c.Operation + " ")
		for _, sha := range []string{c.Request, c.Answer} {
			if sha == "" {
				continue
			}
			b, err := w.files.File(context.Background(), sha)
			if err != nil {
				w.t.Error(err)
			}
			out.Write(b)
		}
	}
	return out.String()
}

func TestWhatWasSaidToAnAuthorityWithoutAnAnswerIsShownBeforeTheEnd(t *testing.T) {
	inWorld(t, func(w *world) {
		w.company("C1", holder, false)
		w.issue("FCA", nil)
		w.fault(arcasandbox.Fault{Operation: "FECAESolicitar", Effect: desk.HTML, Times: 1})
		w.start()
		w.until("an answer that says nothing", time.Minute,
			func() bool { r := w.reason(seriesA); return r != nil && r.Tried != nil })
		w.fault(arcasandbox.Fault{Operation: "FECompConsultar", Effect: desk.HTML})
		w.until("a week of tries", 7*24*time.Hour, func() bool { return w.reason(seriesA).Tried.Turns > 900 })
		tried := w.reason(seriesA).Tried
		if got := w.contents(tried.First.Calls); tried.First.Turn != 1 || !strings.Contains(got, "FECAESolicitar") ||
			!strings.Contains(got, "<html") {
			t.Errorf("turn %d: %s, want the page that was the first answer", tried.First.Turn, got)
		}
		if tried.Last.Turn != 512 || len(tried.Last.Calls) == 0 {
			t.Errorf("the last kept turn of %d is %d with %d calls, want 512", tried.Turns, tried.Last.Turn,
				len(tried.Last.Calls))
		}
		w.p.stop()
		w.start()
		before := tried.Turns
		w.until("another try of the next life", time.Hour, func() bool { return w.reason(seriesA).Tried.Turns > before })
		w.authority.ClearFaults("")
		w.finish(time.Hour)
		if r := w.reason(seriesA); r != nil {
			t.Errorf("the series goes on, and says %+v", r)
		}
	})
}

func TestAHoldTellsOfTheCallsThatLedToIt(t *testing.T) {
	inRangedWorld(t, func(w *world, a *rangedAuthority) {
		a.decides = false
		w.issueSome(1)
		w.start()
		w.until("sent", time.Minute, w.waits(rangedSeries, waiting.AuthorityDeciding))
		a.change(func() { a.foreign["A1"] = true })
		w.until("held", time.Hour, w.held)
		for _, e := range w.log.facts("numbering-" + rangedSeries) {
			if h, ok := e.(events.SeriesHeld); ok {
				if got := w.contents(h.Calls); !strings.Contains(got, "send ") || !strings.Contains(got, "find ") {
					t.Errorf("the hold tells of %q, want what was sent and the question", got)
				}
			}
		}
	})
}
