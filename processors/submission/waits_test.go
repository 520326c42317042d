package submission_test

import (
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"folio/authority"
	"folio/commands/invoice"
	"folio/events"
	arcasandbox "folio/sandbox/arca"
	"folio/sandbox/desk"
	"folio/waiting"
)

func TestInvoicesFromBeforeTheFirstCertificateKeepTheirOrder(t *testing.T) {
	inWorld(t, func(w *world) {
		w.company("C1", holder, true)
		w.start()
		w.issue("FCA", nil)
		w.issue("FCB", nil)
		w.issue("FCA", nil)
		w.until("a reason", time.Minute, w.waits(waiting.Unassigned("C1"), waiting.NoCertificate))
		if r := w.reason(waiting.Unassigned("C1")); !strings.Contains(r.Text, "POST /api/companies/C1/certificates") ||
			r.NextTry != nil {
			t.Errorf("%+v", r)
		}
		time.Sleep(2 * time.Hour)
		w.upload("C1", "Testing", noon.AddDate(0, 0, -1), noon.AddDate(1, 0, 0))
		w.issue("FCA", nil) // knows its environment from the start, and comes last all the same
		w.finish(5 * time.Second)
		w.check()
		if n := w.state("I00004").Number; n != 3 {
			t.Errorf("the last invoice has number %d", n)
		}
		if r := w.reason(waiting.Unassigned("C1")); r != nil {
			t.Errorf("the waiting room still tells %+v", r)
		}
	})
}

// Two replicas make invoices while the first certificate is uploaded: the one that had
// not heard of it comes first, and its invoice is heard in the middle of a turn.
func TestALateGuestOfTheWaitingRoomKeepsItsPlace(t *testing.T) {
	inWorld(t, func(w *world) {
		w.company("C1", holder, false)
		wake := make(chan struct{})
		w.issue("FCA", nil)
		w.sleepAfter("call FECompTotXRequest", wake)
		p := w.start()
		w.until("the turn", time.Minute, p.asleep.Load)
		w.unaware = true
		w.issue("FCA", nil)
		w.unaware = false
		w.issue("FCA", nil)
		synctest.Wait()
		close(wake)
		w.finish(time.Minute)
		w.check()
	})
}

func TestTheWaitingRoomSurvivesRestartsAndTheLossOfTheTables(t *testing.T) {
	inWorld(t, func(w *world) {
		w.company("C1", holder, true)
		w.start()
		w.issue("FCA", nil)
		w.issue("FCA", nil)
		w.until("a reason", time.Minute, w.waits(waiting.Unassigned("C1"), waiting.NoCertificate))
		w.p.stop()
		w.upload("C1", "Testing", noon.AddDate(0, 0, -1), noon.AddDate(1, 0, 0))
		w.start()
		w.finish(time.Minute)
		w.p.stop()
		sends := w.sends()
		w.loseTables()
		w.start()
		w.issue("FCA", nil)
		w.finish(time.Minute)
		w.check()
		if w.sends() != sends+1 {
			t.Errorf("%d calls after the worklist was made anew, want one more than %d", w.sends(), sends)
		}
	})
}

// loseTables forgets worklist and checkpoint: the log says it all again.
func (w *world) loseTables() {
	w.t.Helper()
	if err := w.store.Worklist("submission").Clear(w.t.Context()); err != nil {
		w.t.Fatal(err)
	}
	if err := w.store.ResetCheckpoint(w.t.Context(), "submission"); err != nil {
		w.t.Fatal(err)
	}
}

func TestAnExpiredCertificateIsWaitedOut(t *testing.T) {
	inWorld(t, func(w *world) {
		w.company("C1", holder, true)
		w.upload("C1", "Testing", noon.AddDate(-1, 0, 0), noon.AddDate(0, 0, -1))
		w.start()
		w.issue("FCA", nil)
		w.until("a reason", time.Minute, w.waits(seriesA, waiting.NoCertificate))
		if len(w.operations()) > 0 || w.state("I00001").Status != invoice.Pending {
			t.Errorf("%s, called %v", w.state("I00001").Status, w.operations())
		}
		w.upload("C1", "Testing", noon.AddDate(0, 0, -1), noon.AddDate(1, 0, 0))
		w.finish(5 * time.Second)
		w.check()
	})
}

func TestACertificateThatEndsWhileAnAnswerIsOutstanding(t *testing.T) {
	inWorld(t, func(w *world) {
		w.company("C1", holder, true)
		w.upload("C1", "Testing", noon.AddDate(0, 0, -1), noon.Add(time.Minute))
		w.cutOff("FECAESolicitar")
		w.start()
		w.issue("FCA", nil)
		w.until("a reason", 10*time.Minute, w.waits(seriesA, waiting.NoCertificate))
		if got := w.state("I00001").Status; got != invoice.InProcess {
			t.Errorf("%s", got)
		}
		w.cutOff()
		w.upload("C1", "Testing", noon.AddDate(0, 0, -1), noon.AddDate(1, 0, 0))
		w.finish(time.Minute)
		w.check()
	})
}

func TestACertificateThatTheAuthorityRefusesNamesItsCode(t *testing.T) {
	inWorld(t, func(w *world) {
		w.company("C1", holder, false)
		w.company("C2", second, false)
		k := w.authority.Knobs()
		k.Represents = nil // the holder acts for itself only
		w.authority.SetKnobs(k)
		w.start()
		w.issueOf("C2", "FCA", nil)
		w.issue("FCA", nil)
		w.until("a reason", time.Minute, w.waits("C2-Testing-1-1", waiting.CertificateFault))
		if r := w.reason("C2-Testing-1-1"); !strings.Contains(r.Text, "600") || !strings.Contains(r.Text, "relaciones") {
			t.Errorf("%+v", r)
		}
		if got := w.statuses("I00001", "I00002"); !slices.Equal(got, []invoice.Status{invoice.Pending, invoice.Accepted}) {
			t.Errorf("%v: another company's trouble is not ours", got)
		}
		k.Represents = map[int64][]int64{holder: {second}}
		w.authority.SetKnobs(k)
		w.finish(2 * time.Hour)
		w.check()
	})
}

func TestAnEnvironmentThatThisServiceDoesNotServe(t *testing.T) {
	inWorld(t, func(w *world) {
		w.company("C1", holder, false)
		w.only = authority.Production
		w.start()
		w.issue("FCA", nil)
		w.until("a reason", time.Minute, w.waits(seriesA, waiting.OtherEnvironment))
		w.only = ""
		w.record("invoice-I00001", events.ProcessingRequested{})
		w.finish(5 * time.Second)
		w.check()
	})
}

func TestAskingForAnInvoiceEndsThePause(t *testing.T) {
	inWorld(t, func(w *world) {
		w.company("C1", holder, false)
		w.cutOff("all")
		w.start()
		w.issue("FCA", nil)
		w.until("long pauses", 3*time.Hour, func() bool { r := w.reason(seriesA); return r != nil && r.Attempts >= 5 })
		w.cutOff()
		w.record("invoice-I00001", events.ProcessingRequested{})
		w.finish(5 * time.Second)
		w.check()
		w.record("invoice-I00001", events.ProcessingRequested{}) // about one that is final: nothing to do
		w.finish(5 * time.Second)
		w.check()
	})
}

// A refusal of WSAA is believed for a minute; who asks for an invoice has mostly put it
// right just now and is not told an old answer.
func TestAskingForAnInvoiceAsksWSAAAgain(t *testing.T) {
	inWorld(t, func(w *world) {
		w.company("C1", holder, false)
		w.authority.AddFaults(arcasandbox.Fault{Operation: "loginCms", Effect: arcasandbox.Error, Text: "cms.cert.untrusted",
			Times: 1})
		w.start()
		w.issue("FCA", nil)
		w.until("a reason", time.Minute, w.waits(seriesA, waiting.CertificateFault))
		time.Sleep(10 * time.Second)
		w.record("invoice-I00001", events.ProcessingRequested{})
		w.finish(5 * time.Second)
		w.check()
	})
}

func TestAStuckSeriesSlowsNoOther(t *testing.T) {
	inWorld(t, func(w *world) {
		w.company("C1", holder, false)
		w.cutOff(seriesA)
		w.start()
		for range 3 {
			w.issue("FCA", nil)
		}
		for p := range 10 {
			w.issue("FCA", func(d *events.Document) { d.BranchOffice = p + 2 })
		}
		w.until("the others", 2*time.Second, func() bool {
			for _, id := range w.invoices[3:] {
				if w.state(id).Status != invoice.Accepted {
					return false
				}
			}
			return true
		})
		if got := w.statuses(w.invoices[:3]...); !slices.Equal(got,
			[]invoice.Status{invoice.Pending, invoice.Pending, invoice.Pending}) {
			t.Errorf("%v", got)
		}
		w.cutOff()
		w.finish(time.Hour)
		w.check()
	})
}

// A process that is told to end in the middle of a call leaves at once, and the next
// one asks.
func TestEndingWhileTheAuthorityIsSlow(t *testing.T) {
	inWorld(t, func(w *world) {
		w.company("C1", holder, false)
		k := w.authority.Knobs()
		k.Latency = desk.Duration(20 * time.Second)
		w.authority.SetKnobs(k)
		w.start()
		w.issue("FCA", nil)
		w.until("the call", 5*time.Minute, func() bool { return w.state("I00001").Status == invoice.InProcess })
		began := time.Now()
		w.p.cancel()
		<-w.p.ended
		if took := time.Since(began); took > 5*time.Second {
			t.Errorf("ending took %s", took)
		}
		w.p = nil
		w.start()
		w.finish(10 * time.Minute)
		w.check()
	})
}

// What is behind a move to a contingency point waits for its end, and says so.
func TestInvoicesBehindAMoveToAContingencyPointSayThatTheyWait(t *testing.T) {
	inWorld(t, func(w *world) {
		w.company("C1", holder, false)
		first := w.issue("FCA", nil)
		w.record("numbering-"+seriesA, events.InvoiceWithdrawn{Invoice: first, Point: 12, Move: 1})
		w.issue("FCA", nil)
		w.start()
		w.until("a reason", time.Minute, w.waits(seriesA, waiting.ContingencyMove))
		since := w.reason(seriesA).Since
		time.Sleep(30 * time.Minute)
		r := w.reason(seriesA)
		if !strings.Contains(r.Text, "contingency point 12") || r.NextTry == nil || r.NextTry.Before(time.Now()) ||
			!r.Since.Equal(since) || len(w.operations()) > 0 {
			t.Errorf("%+v, after %v", r, w.operations())
		}
		w.record("numbering-"+seriesA, events.InvoiceReturned{Invoice: first, Move: 1})
		w.finish(time.Minute)
		w.check()
		if r := w.reason(seriesA); r != nil {
			t.Errorf("it goes on and still says %+v", r)
		}
	})
}
