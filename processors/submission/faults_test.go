package submission_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"folio/commands/invoice"
	arcasandbox "folio/sandbox/arca"
	"folio/sandbox/desk"
	"folio/waiting"
)

// Whatever becomes of the answer, the invoice is issued once, by asking first.
func TestAnswersThatAreNotDefinitive(t *testing.T) {
	for _, c := range []struct {
		name  string
		fault arcasandbox.Fault
		sends int
	}{
		{"the answer is lost after acceptance", arcasandbox.Fault{Effect: desk.Lose}, 1},
		{"the answer comes too late", arcasandbox.Fault{Effect: desk.Stall}, 1},
		{"the answer is cut off", arcasandbox.Fault{Effect: desk.Truncate}, 1},
		{"the connection is cut before anything happens", arcasandbox.Fault{Effect: desk.Reset}, 2},
		{"nothing is heard until the time-out", arcasandbox.Fault{Effect: desk.Hang}, 2},
		{"HTTP 500", arcasandbox.Fault{Effect: desk.HTTP500}, 2},
		{"HTTP 503", arcasandbox.Fault{Effect: desk.Down}, 2},
		{"a page instead of an answer", arcasandbox.Fault{Effect: desk.HTML}, 2},
		{"501, a database error", arcasandbox.Fault{Effect: arcasandbox.Error, Code: "501"}, 2},
		{"502, another transaction", arcasandbox.Fault{Effect: arcasandbox.Error, Code: "502"}, 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			inWorld(t, func(w *world) {
				w.company("C1", holder, false)
				c.fault.Operation, c.fault.Times = "FECAESolicitar", 1
				w.fault(c.fault)
				for range 3 {
					w.issue("FCA", nil)
				}
				w.start()
				w.finish(10 * time.Minute)
				w.check()
				if w.sends() != c.sends || w.series(seriesA).Last != 3 {
					t.Errorf("%d calls up to number %d, want %d up to 3", w.sends(), w.series(seriesA).Last, c.sends)
				}
				w.checkFound(c.sends)
			})
		})
	}
}

// checkFound: what was learnt by asking says so, and every call that sent the documents
// is in the settlement, also the one whose answer was lost.
func (w *world) checkFound(sends int) {
	w.t.Helper()
	settled := w.series(seriesA).Settled
	for _, o := range settled.Outcomes {
		if o.Found != (sends == 1) {
			w.t.Errorf("%s: found %v after %d calls", o.Invoice, o.Found, sends)
		}
	}
	kept := 0
	for _, c := range settled.Calls {
		if c.Operation == "FECAESolicitar" {
			kept++
		}
	}
	if kept != sends {
		w.t.Errorf("%d calls sent the documents, kept are %d: %+v", sends, kept, settled.Calls)
	}
}

func TestALostAnswerOfAPartialBatchAdoptsWhatWasIssued(t *testing.T) {
	inWorld(t, func(w *world) {
		w.company("C1", holder, false)
		w.fault(arcasandbox.Fault{Operation: "FECAESolicitar", Effect: arcasandbox.Reject, Code: "10015", Document: 2,
			Times: 1},
			arcasandbox.Fault{Operation: "FECAESolicitar", Effect: desk.Lose, Times: 1})
		for range 5 {
			w.issue("FCA", nil)
		}
		w.start()
		w.finish(10 * time.Minute)
		w.check()
		// The fault was the call's, not the document's: sent again it is taken. What was cut off goes in
		// smaller calls.
		if got := w.series(seriesA).Last; got != 5 || w.sends() > 3 {
			t.Errorf("up to number %d in %d calls", got, w.sends())
		}
	})
}

func TestTickets(t *testing.T) {
	for _, c := range []struct {
		name  string
		fault arcasandbox.Fault
		said  string
	}{
		{"one that ended is replaced without a word",
			arcasandbox.Fault{Operation: "FECAESolicitar", Effect: arcasandbox.Error, Code: "600", Times: 1}, ""},
		{"one refused twice is asked for later",
			arcasandbox.Fault{Operation: "FECAESolicitar", Effect: arcasandbox.Error, Code: "600", Times: 2}, "600"},
		{"refused for the last number", arcasandbox.Fault{Operation: "FECompUltimoAutorizado", Effect: arcasandbox.Error,
			Code: "600", Times: 2}, "600"},
		{"the log-in is down", arcasandbox.Fault{Operation: "loginCms", Effect: desk.Down, Times: 1}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			inWorld(t, func(w *world) {
				w.company("C1", holder, false)
				w.fault(c.fault)
				w.issue("FCA", nil)
				w.start()
				if c.said != "" {
					w.until("a reason", time.Minute, w.waits(seriesA, waiting.AuthorityDown))
					if r := w.reason(seriesA); !strings.Contains(r.Text, c.said) {
						t.Errorf("%+v", r)
					}
				}
				w.finish(10 * time.Minute)
				w.check()
			})
		})
	}
}

func TestAnotherLoginHoldsTheTicket(t *testing.T) {
	inWorld(t, func(w *world) {
		w.company("C1", holder, false)
		w.issue("FCA", nil)
		w.start()
		w.finish(time.Minute)
		k := w.authority.Knobs()
		k.GuardWindow = desk.Duration(10 * time.Minute)
		w.authority.SetKnobs(k)
		clear(w.tickets.m) // lost, minutes after the log-in
		w.p.stop()
		w.issue("FCA", nil)
		w.start()
		w.until("a reason", time.Minute, w.waits(seriesA, waiting.AuthorityDown))
		if r := w.reason(seriesA); !strings.Contains(r.Text, "alreadyAuthenticated") || r.NextTry == nil {
			t.Errorf("%+v", r)
		}
		w.finish(time.Hour)
		w.check()
		logins := 0
		for _, op := range w.operations() {
			if op == "loginCms" {
				logins++
			}
		}
		if logins > 12 {
			t.Errorf("%d log-ins in ten minutes: at least 60 s between tries", logins)
		}
	})
}

func TestTheAuthorityIsDownForHours(t *testing.T) {
	inWorld(t, func(w *world) {
		w.company("C1", holder, false)
		w.cutOff("all")
		for range 4 {
			w.issue("FCA", nil)
		}
		w.start()
		w.until("a reason", time.Minute, w.waits(seriesA, waiting.AuthorityDown))
		began := w.reason(seriesA).Since
		time.Sleep(5 * time.Hour)
		w.issue("FCA", nil)
		time.Sleep(time.Hour)
		r := w.reason(seriesA)
		if r == nil || r.NextTry == nil || !r.NextTry.After(w.Now().Add(-time.Second)) ||
			r.NextTry.After(w.Now().Add(15*time.Minute)) || !r.Since.Equal(began) || r.Attempts > 60 {
			t.Errorf("%+v at %s, began %s", r, w.Now(), began)
		}
		if got := w.statuses("I00001", "I00005"); got[0] != invoice.Pending || got[1] != invoice.Pending {
			t.Errorf("%v, want both Pending", got)
		}
		w.cutOff()
		w.finish(time.Hour)
		w.check()
	})
}

func TestTheAuthorityFallsSilentInTheMiddle(t *testing.T) {
	inWorld(t, func(w *world) {
		w.company("C1", holder, false)
		w.fault(arcasandbox.Fault{Operation: "FECAESolicitar", Effect: desk.Lose, Times: 1})
		w.cutOff("FECompConsultar")
		w.issue("FCA", nil)
		w.start()
		w.until("a reason", time.Minute, w.waits(seriesA, waiting.AuthorityDown))
		time.Sleep(3 * time.Hour)
		if got := w.state("I00001").Status; got != invoice.InProcess || w.sends() != 1 {
			t.Errorf("%s after %d calls: nothing is sent while nobody can be asked", got, w.sends())
		}
		w.cutOff()
		w.finish(time.Hour)
		w.check()
	})
}

// A large batch is looked up one by one: failures in between must not start it over for
// ever.
func TestAskingGoesOnWhereItBroke(t *testing.T) {
	inWorld(t, func(w *world) {
		w.company("C1", holder, false)
		w.fault(arcasandbox.Fault{Operation: "FECAESolicitar", Effect: desk.Lose, Times: 1})
		for i := range 40 {
			w.issue("FCA", nil)
			_ = i
		}
		w.start()
		asked := 0
		for range 12 { // every fourth question fails
			w.until("questions", time.Hour, func() bool { return w.asked() >= asked+3 || w.done() })
			w.fault(arcasandbox.Fault{Operation: "FECompConsultar", Effect: desk.Reset, Times: 1})
			asked = w.asked()
		}
		w.finish(3 * time.Hour)
		w.check()
		if w.asked() > 80 {
			t.Errorf("%d questions about 40 documents", w.asked())
		}
	})
}

func (w *world) asked() int {
	n := 0
	for _, op := range w.operations() {
		if op == "FECompConsultar" {
			n++
		}
	}
	return n
}

// A refusal of the issuer or the point of sale says nothing against a document: they
// wait until the issuer has put it right.
func TestARefusalOfTheSeriesRejectsNothing(t *testing.T) {
	inWorld(t, func(w *world) {
		w.company("C1", holder, false)
		w.fault(arcasandbox.Fault{Operation: "FECAESolicitar", Effect: arcasandbox.Error, Code: "10000",
			Text: "no habilitado", Times: 1})
		w.issue("FCA", nil)
		w.issue("FCA", nil)
		w.start()
		w.until("a reason", time.Minute, w.waits(seriesA, waiting.AuthorityRefuses))
		if r := w.reason(seriesA); !strings.Contains(r.Text, "10000") || !strings.Contains(r.Text, "no habilitado") {
			t.Errorf("%+v", r)
		}
		w.finish(time.Minute)
		w.check()
		if got := fmt.Sprint(w.statuses(w.invoices...)); got != "[Accepted Accepted]" {
			t.Error(got)
		}
	})
}

// A refusal that names no document is asked about one by one: only the one at fault is
// rejected.
func TestARefusalWithoutADocumentIsTracedToTheOneAtFault(t *testing.T) {
	inWorld(t, func(w *world) {
		w.company("C1", holder, false)
		w.fault(arcasandbox.Fault{Operation: "FECAESolicitar", Effect: arcasandbox.Error, Code: "10099", Text: "uno solo",
			Times: 2})
		w.issue("FCA", nil)
		w.issue("FCA", nil)
		w.issue("FCA", nil)
		w.start()
		w.finish(time.Minute)
		w.check()
		if got := fmt.Sprint(w.statuses(w.invoices...)); got != "[Rejected Accepted Accepted]" {
			t.Error(got)
		}
	})
}
