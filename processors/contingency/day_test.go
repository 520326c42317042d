package contingency_test

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"folio/commands/invoice"
	"folio/events"
	"folio/waiting"
)

// morning of a Thursday in the first fortnight of December, in Argentina.
var morning = time.Date(2026, 12, 3, 12, 0, 0, 0, time.UTC)

func TestWhatWasNeverSentIsIssuedByContingencyAndReported(t *testing.T) {
	inWorld(t, morning, 1, func(w *world) {
		w.configure(12)
		w.start()
		w.pass(time.Minute)
		if s := w.code("C1-Testing-202612-1"); s.Granted == nil || s.Granted.ReportUntil == "" {
			t.Fatalf("no code is held: %+v", s)
		}
		before := w.sell("FCA")
		w.pass(time.Minute)
		w.mu.Lock()
		w.lose, w.only = 1, "FECAESolicitar" // the next one is sent, and nobody knows what came of it
		w.mu.Unlock()
		limbo := w.sell("FCA")
		w.pass(time.Minute)
		w.mu.Lock()
		w.lose, w.only, w.away = 0, "", true
		w.mu.Unlock()
		first, second := w.sell("FCA"), w.sell("FCA")
		w.pass(time.Hour)
		if s := w.invoice(first); s.Status != invoice.Pending {
			t.Fatalf("nobody opened a contingency, and it is %s", s.Status)
		}
		w.openWindow()
		w.pass(time.Minute)
		third := w.sell("FCA")
		w.pass(time.Minute)
		for i, id := range []string{first, second, third} {
			s := w.invoice(id)
			if s.Status != invoice.Accepted || s.PointOfSale != spare || s.Number != int64(i+1) ||
				s.Report != events.ReportDue || s.DueBy != w.code("C1-Testing-202612-1").Granted.ReportUntil {
				t.Errorf("%s: %+v", id, s)
			}
		}
		if s := w.invoice(limbo); s.Status == invoice.Accepted && s.PointOfSale != ordinary {
			t.Errorf("the one in limbo: %+v", s)
		}
		w.setAway(false)
		w.closeWindow()
		last := w.sell("FCA")
		w.pass(24 * time.Hour)
		for _, id := range []string{before, limbo, last} {
			if s := w.invoice(id); s.Status != invoice.Accepted || s.PointOfSale != ordinary || s.Report != "" {
				t.Errorf("%s: %+v", id, s)
			}
		}
		for _, id := range []string{first, second, third} {
			if s := w.invoice(id); s.Report != events.ReportDone && s.Report != events.ReportObserved {
				t.Errorf("%s is %s, held: %s", id, s.Report, w.series(spareA).Held)
			}
		}
		w.pass(14 * 24 * time.Hour)
		if s := w.code("C1-Testing-202612-1"); !s.Closed {
			t.Errorf("the code is not closed: %+v", s)
		}
		if s := w.code("C1-Testing-202612-2"); s.Granted == nil || s.Closed {
			t.Errorf("the next code is not held: %+v", s)
		}
		w.check()
	})
}

// A company may name another contingency point at any time: what was issued at the earlier one is reported, and its
// code
// is not closed before.
func TestWhatWasIssuedAtAnEarlierContingencyPointIsReported(t *testing.T) {
	inWorld(t, morning, 1, func(w *world) {
		w.configure(12)
		w.start()
		w.pass(time.Minute)
		w.setAway(true)
		sale := w.sell("FCA")
		w.openWindow()
		w.pass(time.Minute)
		w.closeWindow()
		w.record("company-C1", events.ContingencyConfigured{PointOfSale: ordinary, Contingency: events.Contingency{
			PointOfSale: other, Mode: events.ContingencyManual, AfterMinutes: 30, MaxHours: 12}})
		w.mu.Lock()
		w.away, w.deaf = false, "FECAEARegInformativo"
		w.mu.Unlock()
		w.pass(14 * 24 * time.Hour)
		if s := w.code("C1-Testing-202612-1"); s.Closed || !s.Idle[other] || s.Idle[spare] {
			t.Errorf("before the report: %+v", s)
		}
		w.mu.Lock()
		w.deaf = ""
		w.mu.Unlock()
		w.pass(24 * time.Hour)
		if s := w.invoice(sale); s.PointOfSale != spare || s.Report != events.ReportDone {
			t.Errorf("%+v", s)
		}
		if s := w.code("C1-Testing-202612-1"); !s.Closed {
			t.Errorf("the code is not closed: %+v", s)
		}
		w.pass(14 * 24 * time.Hour) // nothing is told of the earlier point any more
		if s := w.code("C1-Testing-202612-2"); !s.Closed || s.Idle[spare] || len(s.Doubted) > 0 {
			t.Errorf("the next code: %+v", s)
		}
	})
}

// A process that died in the middle of a move leaves an invoice that must go back, since its day is over. Later ones of
// its series wait for it: ARCA takes dates in their order only.
func TestAnInvoiceThatGoesBackIsSentBeforeLaterOnes(t *testing.T) {
	inWorld(t, time.Date(2026, 12, 3, 23, 59, 0, 0, arcaZone), 1, func(w *world) {
		w.configure(12)
		late := w.sell("FCA")
		w.record("numbering-"+ordinaryA, events.InvoiceWithdrawn{Invoice: late, Point: spare, Move: 1})
		w.pass(2 * time.Minute)
		next := w.sell("FCA")
		w.start()
		w.pass(time.Hour)
		for n, id := range []string{late, next} {
			if s := w.invoice(id); s.Status != invoice.Accepted || s.PointOfSale != ordinary || s.Number != int64(n+1) {
				t.Errorf("%s: %+v", id, s)
			}
		}
	})
}

func TestACodeThatNothingWasIssuedByIsReportedSo(t *testing.T) {
	inWorld(t, morning, 1, func(w *world) {
		w.configure(12)
		w.start()
		w.pass(14 * 24 * time.Hour)
		if s := w.code("C1-Testing-202612-1"); !s.Closed || !s.Idle[spare] {
			t.Errorf("%+v", s)
		}
	})
}

// Each point that a setting named in the fortnight, since the code was given, is told; one that was given up before is
// not, and neither is any in the fortnights after.
func TestAnEarlierContingencyPointWithoutDocumentsIsToldOfItsFortnight(t *testing.T) {
	for _, c := range []struct {
		name          string
		before, after time.Duration // the code is given, the setting names the other point
		now, then     []int         // told of this fortnight, and of the next one
	}{
		{"while the code is held", 0, time.Hour, []int{spare, other}, []int{other}},
		{"on the fortnight's last day", 0, 12*24*time.Hour + 10*time.Hour, []int{spare, other}, []int{other}},
		{"on the first day of the next one", 0, 13 * 24 * time.Hour, []int{spare}, []int{spare, other}},
		{"before the code is given", time.Hour, 0, []int{other}, []int{other}},
	} {
		t.Run(c.name, func(t *testing.T) {
			inWorld(t, morning, 1, func(w *world) {
				w.configure(12)
				rename := func() {
					w.record("company-C1", events.ContingencyConfigured{PointOfSale: ordinary, Contingency: events.Contingency{
						PointOfSale: other, Mode: events.ContingencyManual, AfterMinutes: 30, MaxHours: 12}})
				}
				if c.before > 0 {
					rename()
					w.pass(c.before)
				}
				w.start()
				w.pass(c.after)
				if c.after > 0 {
					rename()
				}
				w.pass(15*24*time.Hour - c.after)
				told := func(fortnight string, want []int) {
					slices.Sort(want)
					s := w.code("C1-Testing-" + fortnight)
					if got := slices.Sorted(maps.Keys(s.Idle)); !s.Closed || !slices.Equal(got, want) {
						t.Errorf("%s: %v, want %v: %+v", fortnight, got, want, s)
					}
				}
				told("202612-1", c.now)
				w.pass(16 * 24 * time.Hour)
				told("202612-2", c.then)
			})
		})
	}
}

func TestAContingencyClosesAfterItsHours(t *testing.T) {
	inWorld(t, morning, 1, func(w *world) {
		w.configure(2)
		w.start()
		w.pass(time.Minute)
		w.setAway(true)
		w.openWindow()
		w.pass(3 * time.Hour)
		late := w.sell("FCA")
		w.pass(time.Minute)
		if s := w.invoice(late); s.Status != invoice.Pending {
			t.Errorf("it is %s after the hours that the company allows", s.Status)
		}
	})
}

func TestWithoutASettingNothingIsAskedOrMoved(t *testing.T) {
	inWorld(t, morning, 1, func(w *world) {
		w.start()
		w.setAway(true)
		w.sell("FCA")
		w.pass(48 * time.Hour)
		if len(w.streams("caea"))+len(w.streams("contingency")) > 0 || len(w.series(ordinaryA).Withdrawn) > 0 {
			t.Error("something happened")
		}
	})
}

func TestTheCompanyIsToldThatItMayOpenAContingency(t *testing.T) {
	inWorld(t, morning, 1, func(w *world) {
		w.configure(12)
		w.start()
		w.pass(time.Minute)
		w.setAway(true)
		w.sell("FCA")
		w.pass(20 * time.Minute)
		if r := w.reason(ordinaryA); r == nil || r.Code != waiting.AuthorityDown {
			t.Errorf("after 20 of 30 minutes: %+v", r)
		}
		w.pass(40 * time.Minute)
		if r := w.reason(ordinaryA); r == nil || r.Code != waiting.ContingencyAvailable || r.NextTry == nil {
			t.Errorf("after an hour: %+v", r)
		}
	})
}

// An ordinary document at the contingency point, from before there was a setting, ends its use.
func TestTheCompanyIsToldThatItsContingencyPointIsOrdinary(t *testing.T) {
	inWorld(t, morning, 1, func(w *world) {
		w.record("numbering-"+spareA, events.SubmissionOpened{Submission: "S0", First: 1, Invoices: []string{"I0"}})
		w.record("numbering-"+spareA, events.SubmissionSettled{Submission: "S0", Outcomes: []events.Outcome{{Invoice: "I0",
			Number: 1, Result: events.Rejected}}})
		w.configure(12)
		w.start()
		w.pass(time.Minute)
		w.setAway(true)
		w.sell("FCA")
		w.openWindow()
		w.pass(time.Hour)
		if r := w.reason(ordinaryA); r == nil || r.Code != waiting.AuthorityDown ||
			!strings.Contains(r.Text, "Name another contingency point") {
			t.Errorf("%+v", r)
		}
	})
}

func TestNothingIsSentOneByOneAtAContingencyPoint(t *testing.T) {
	inWorld(t, morning, 1, func(w *world) {
		w.start()
		w.setAway(true)
		sale := w.sell("FCA") // at what becomes a contingency point while it waits
		w.pass(time.Second)
		w.record("company-C1", events.ContingencyConfigured{PointOfSale: 2, Contingency: events.Contingency{
			PointOfSale: ordinary, Mode: events.ContingencyManual, AfterMinutes: 30, MaxHours: 12}})
		w.setAway(false)
		w.pass(24 * time.Hour)
		if r := w.reason(ordinaryA); r == nil || r.Code != waiting.ContingencyPoint || r.NextTry == nil {
			t.Errorf("%+v", r)
		}
		if s := w.invoice(sale); s.Status != invoice.Pending || len(w.facts("numbering-"+ordinaryA)) > 0 {
			t.Errorf("it is %s", s.Status)
		}
	})
}
