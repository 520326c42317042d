package submission_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"folio/commands/invoice"
	"folio/events"
	"folio/waiting"
)

// voidOpen is what an operator records with `folio series release --void-open`.
func (w *world) voidOpen(reason string) {
	w.record("numbering-"+rangedSeries, events.SeriesReleased{Reason: reason,
		Voids: w.series(rangedSeries).Open[0].Submission})
}

func (w *world) held() bool { return w.waits(rangedSeries, waiting.SeriesHeld)() }

// reasons are those of a rejected invoice.
func (w *world) reasons(id string) []events.AuthorityMessage {
	for _, e := range w.log.facts("invoice-" + id) {
		if r, ok := e.(events.AuthorityRejected); ok {
			return r.Reasons
		}
	}
	return nil
}

// voids are the numbers that were voided, in order.
func (w *world) voids() (out []int64) {
	for _, e := range w.log.facts("numbering-" + rangedSeries) {
		if v, ok := e.(events.NumberVoided); ok {
			out = append(out, v.Number)
		}
	}
	return out
}

func TestAnOperatorGivesUpTheOpenNumbersOfARangedSeries(t *testing.T) {
	inRangedWorld(t, func(w *world, a *rangedAuthority) {
		a.decides = false
		w.issueSome(3)
		w.start()
		w.until("sent", time.Minute, w.waits(rangedSeries, waiting.AuthorityDeciding))
		a.change(func() { a.foreign["A2"], a.notYet["A3"] = true, true })
		w.until("held for a document that is not ours", time.Hour, w.held)
		w.record("numbering-"+rangedSeries, events.SeriesReleased{Reason: "it will be fine"})
		w.until("held again", time.Hour, func() bool { s := w.series(rangedSeries); return s.Held != "" && w.held() })

		w.voidOpen("another shop used the same file")
		w.until("what is not decided is waited for", time.Hour, w.waits(rangedSeries, waiting.AuthorityDeciding))
		if s := w.series(rangedSeries); s.Settled != nil {
			t.Fatalf("settled before the authority decided about A1: %+v", s.Settled)
		}
		a.change(func() { a.decides, a.verdicts["A1"] = true, events.Accepted })
		w.finish(time.Hour)

		if got, want := w.statuses(w.invoices...),
			[]invoice.Status{invoice.Accepted, invoice.Rejected, invoice.Rejected}; !slices.Equal(got, want) {
			t.Errorf("statuses %v, want %v: what the authority has keeps its verdict", got, want)
		}
		for i, code := range []string{"", events.CodeNumberTaken, events.CodeVoided} {
			said := w.reasons(w.invoices[i])
			if code != "" && (len(said) != 1 || said[0].Code != code ||
				!strings.Contains(said[0].Text, "another shop used the same file. Issue it again")) {
				t.Errorf("invoice %d: reasons %+v, want %s with the operator's words and what to do", i+1, said, code)
			}
		}
		if got := w.voids(); !slices.Equal(got, []int64{2, 3}) {
			t.Errorf("voided %v, want 2 and 3", got)
		}
		if len(a.calls()) != 1 {
			t.Errorf("sent %d times, want once: nothing is sent again after the numbers were given up", len(a.calls()))
		}
		w.issueSome(1)
		w.finish(time.Hour)
		if got, want := w.allAssigned(), "A1 A2 A3 B1"; got != want {
			t.Errorf("numbers %s, want %s: the series goes on behind, no number comes back", got, want)
		}
	})
}

func TestWhatTheAuthorityNeverShowsCanBeGivenUp(t *testing.T) {
	inRangedWorld(t, func(w *world, a *rangedAuthority) {
		a.hides = true
		w.issueSome(2)
		a.change(func() { a.notYet["A1"], a.notYet["A2"] = true, true })
		w.start()
		w.until("sent more than once", 3*time.Hour, func() bool { return len(a.calls()) > 3 })
		if r := w.reason(rangedSeries); r == nil || r.Code != waiting.AuthorityDisagree || !strings.Contains(r.Text, "S08") ||
			!strings.Contains(r.Text, "operator") {
			t.Errorf("it waits because of %+v, want the authority's code and who can end it", r)
		}
		w.record("numbering-"+rangedSeries, events.SeriesHeld{Reason: "looking"})
		w.until("held", time.Hour, w.held)
		sent := len(a.calls())
		w.voidOpen("DGI's page does not have them")
		w.finish(time.Hour)
		if got, want := w.statuses(w.invoices...),
			[]invoice.Status{invoice.Rejected, invoice.Rejected}; !slices.Equal(got, want) {
			t.Errorf("statuses %v, want %v", got, want)
		}
		if len(a.calls()) != sent {
			t.Errorf("sent %d times more after the numbers were given up", len(a.calls())-sent)
		}
	})
}

// What the authority conceals is asked about, and never sent again meanwhile.
func TestWhatTheAuthorityConcealsComesToLightOrIsGivenUp(t *testing.T) {
	for _, comes := range []bool{true, false} {
		inRangedWorld(t, func(w *world, a *rangedAuthority) {
			a.decides, a.conceals = false, true
			w.issueSome(2)
			w.start()
			w.until("concealed", time.Hour, w.waits(rangedSeries, waiting.AuthorityDisagree))
			time.Sleep(3 * time.Hour)
			sent, want := len(a.calls()), invoice.Accepted
			if sent != 1 {
				t.Errorf("sent %d times", sent)
			}
			if comes {
				a.change(func() {
					a.conceals, a.decides = false, true
					a.verdicts["A1"], a.verdicts["A2"] = events.Accepted, events.Accepted
				})
			} else {
				want = invoice.Rejected
				w.record("numbering-"+rangedSeries, events.SeriesHeld{Reason: "looking"})
				w.until("held", time.Hour, w.held)
				w.voidOpen("SII's page does not have them")
			}
			w.finish(2 * time.Hour)
			for i, s := range w.statuses(w.invoices...) {
				if s != want {
					t.Errorf("invoice %d is %v, want %v", i, s, want)
				}
			}
			if len(a.calls()) != sent {
				t.Errorf("sent %d times more", len(a.calls())-sent)
			}
		})
	}
}
