package dailyreport_test

import (
	"strings"
	"testing"
	"time"

	"folio/authority"
	"folio/events"
	"folio/processors/processortest"
)

func at(date string) time.Time {
	t, err := time.ParseInLocation("2006-01-02 15:04", date, time.FixedZone("-03", -3*60*60))
	if err != nil {
		panic(err)
	}
	return t
}

func TestADayIsReportedOnceItIsOver(t *testing.T) {
	w := newWorld(t, at("2026-11-27 10:00"))
	w.issue("Production", 1, "ok", "E05", "ok")
	w.clock.Set(at("2026-11-27 23:59"))
	late := w.open("Production", 4, 1) // signed before midnight, decided after the report
	w.start(0, false)
	w.clock.Set(at("2026-11-28 01:59"))
	w.issue("Production", 5, "ok")
	w.log.AwaitHeard(t)
	w.clock.Set(at("2026-11-28 02:00"))
	w.accepted(1)
	w.wants("2026-11-27 #1 P1 P2!E05 P3 P4")
	w.settle("Production", late, 4, "ok") // what was expected: nothing to replace
	w.clock.Set(at("2026-11-29 02:00"))
	w.accepted(2)
	w.stop()
	w.wants("2026-11-27 #1 P1 P2!E05 P3 P4", "2026-11-28 #1 P5")
	sent := processortest.Facts[events.DailyReportSent](t, w.log)
	if s := sent[0]; s.Used != 4 || s.Annulled != 1 || s.Sequence != 1 || s.Date != "2026-11-27" {
		t.Errorf("sent %+v", s)
	}
	if calls := w.accepted(1)[0].Calls; len(calls) != 1 || string(w.files[calls[0].Answer]) != "AR" {
		t.Errorf("the call was not kept: %+v", calls)
	}
}

func TestARefusalAfterTheReportReplacesIt(t *testing.T) {
	w := newWorld(t, at("2026-11-27 10:00"))
	late := w.open("Production", 1, 2)
	w.start(0, false)
	w.clock.Set(at("2026-11-28 02:00"))
	w.accepted(1)
	w.settle("Production", late, 1, "ok", "E12")
	w.accepted(2)
	w.stop()
	w.wants("2026-11-27 #1 P1 P2", "2026-11-27 #2 P1 P2!E12")
}

func TestADocumentThatWasRefusedAloneIsAnnulled(t *testing.T) {
	w := newWorld(t, at("2026-11-27 10:00"))
	s := w.open("Production", 1, 3)
	w.record("numbering-C1-Production-111-0",
		events.SubmissionSplit{Submission: s, Messages: []events.AuthorityMessage{{Code: "S04", Text: "No"}}})
	w.settle("Production", s, 1, "ok", "S04", "ok")
	w.start(0, false)
	w.clock.Set(at("2026-11-28 02:00"))
	w.accepted(1)
	w.stop()
	w.wants("2026-11-27 #1 P1 P2!S04 P3")
	if sent := processortest.Facts[events.DailyReportSent](t, w.log)[0]; sent.Used != 3 || sent.Annulled != 1 {
		t.Errorf("sent %+v", sent)
	}
}

func TestAWeekOfDowntimeIsReportedOldestFirstWithItsEmptyDays(t *testing.T) {
	w := newWorld(t, at("2026-11-20 10:00"))
	w.issue("Production", 1, "ok")
	w.clock.Set(at("2026-11-23 10:00"))
	w.issue("Production", 2, "ok")
	w.clock.Set(at("2026-11-27 10:00"))
	w.start(0, false)
	w.accepted(7)
	w.stop()
	w.wants("2026-11-20 #1 P1", "2026-11-21 #1", "2026-11-22 #1", "2026-11-23 #1 P2", "2026-11-24 #1", "2026-11-25 #1",
		"2026-11-26 #1")
}

func TestEmptyDaysCanBeLeftOut(t *testing.T) {
	w := newWorld(t, at("2026-11-20 10:00"))
	w.skip = true
	w.issue("Production", 1, "ok")
	w.clock.Set(at("2026-11-23 10:00"))
	w.issue("Production", 2, "ok")
	w.clock.Set(at("2026-11-27 10:00"))
	w.start(0, false)
	w.accepted(2)
	w.stop()
	w.wants("2026-11-20 #1 P1", "2026-11-23 #1 P2")
}

func TestARefusedReportWaitsForAChangeOrForAnOperator(t *testing.T) {
	w := newWorld(t, at("2026-11-27 10:00"))
	w.wrong["2026-11-27"] = "R04"
	w.issue("Production", 1, "ok")
	late := w.open("Production", 2, 1)
	w.start(0, false)
	w.clock.Set(at("2026-11-28 02:00"))
	refused := processortest.Await[events.DailyReportRejected](t, w.log, 1)
	if got := refused[0].Reasons; len(got) != 1 || got[0].Code != "R04" {
		t.Errorf("reasons %+v", got)
	}
	w.clock.Set(at("2026-11-29 02:00")) // the next day is reported all the same
	w.accepted(1)
	w.settle("Production", late, 2, "E05")
	processortest.Await[events.DailyReportRejected](t, w.log, 2)
	w.change(func() { delete(w.wrong, "2026-11-27") })
	w.record("dailyreport-C1-Production-2026-11-27",
		events.DailyReportRequested{Company: "C1", Environment: "Production", Date: "2026-11-27"})
	w.accepted(2)
	w.stop()
	w.wants("2026-11-28 #1", "2026-11-27 #1 P1 P2!E05")
}

func TestTwoEnvironmentsAreReportedApart(t *testing.T) {
	w := newWorld(t, at("2026-11-27 10:00"))
	w.only = []authority.Environment{authority.Testing} // the other one waits and stops nothing
	w.issue("Production", 1, "ok")
	w.issue("Testing", 1, "ok", "ok")
	w.clock.Set(at("2026-11-28 03:00"))
	w.start(0, false)
	w.accepted(1)
	w.wants("2026-11-27 #1 T1 T2")
	w.stop()
	w.only = nil
	w.clock.Set(at("2026-11-28 09:00"))
	w.start(0, false)
	w.accepted(2)
	w.stop()
	w.wants("2026-11-27 #1 T1 T2", "2026-11-27 #1 P1")
}

func TestAnAuthorityThatIsAwayIsTriedAgain(t *testing.T) {
	w := newWorld(t, at("2026-11-27 10:00"))
	w.away = true
	w.issue("Production", 1, "ok")
	w.clock.Set(at("2026-11-30 02:00")) // three days are owed
	w.start(0, false)
	w.clock.AwaitWaiter(t)
	w.change(func() {
		if w.away = false; w.calls != 1 {
			t.Errorf("%d calls while the authority was away", w.calls)
		}
	})
	w.clock.Set(at("2026-11-30 02:40"))
	w.accepted(3)
	w.stop()
	w.wants("2026-11-27 #1 P1", "2026-11-28 #1", "2026-11-29 #1")
}

func TestALostAnswerIsLearntByTheSameBytes(t *testing.T) {
	w := newWorld(t, at("2026-11-27 10:00"))
	w.lose = true
	w.issue("Production", 1, "ok")
	w.clock.Set(at("2026-11-28 02:00"))
	w.start(0, false)
	w.clock.AwaitWaiter(t)
	w.clock.Set(at("2026-11-28 03:00"))
	w.accepted(1)
	w.stop()
	w.wants("2026-11-27 #1 P1")
	if got := w.accepted(1)[0]; !got.Repeated || got.Receipt != "4711" {
		t.Errorf("the verdict is %+v, want one of a repetition", got)
	}
}

// TestARestartInEveryGap kills the process before and after each effect, in two lives,
// and wants each report at the office once, under its sequence, with one set of bytes.
func TestARestartInEveryGap(t *testing.T) {
	for step, died := 1, true; died; step++ {
		died = false
		for _, after := range []bool{false, true} {
			died = cutShort(t, step, after) || died
		}
		if !died && step < 8 {
			t.Errorf("a report had %d steps only", step)
		}
	}
}

func cutShort(t *testing.T, step int, after bool) bool {
	t.Helper()
	w := newWorld(t, at("2026-11-27 10:00"))
	w.issue("Production", 1, "ok", "E05")
	late := w.open("Production", 3, 1)
	w.clock.Set(at("2026-11-28 02:00"))
	w.start(step, after)
	died := w.lives
	w.live(step, after, func() bool { return len(processortest.Facts[events.DailyReportAccepted](t, w.log)) > 0 })
	w.settle("Production", late, 3, "E12")
	const day = "217111220014 2026-11-27 #"
	w.live(step, after, func() bool {
		got := w.has()
		return strings.HasSuffix(got[len(got)-1], " P1 P2!E05 P3!E12") && w.lastAccepted()
	})
	died = w.lives - died
	w.stop()
	seen := map[string]bool{}
	for _, said := range w.has() {
		if head := said[:len(day)+1]; seen[head] {
			t.Errorf("step %d, after it %t: a sequence went to the office with two contents: %q", step, after, w.has())
		} else {
			seen[head] = true
		}
	}
	w.replayed(step, after)
	return died > 0
}

// live lets the process live on until something holds, and starts another one when it
// dies: the second one dies too.
func (w *world) live(step int, after bool, until func() bool) {
	w.t.Helper()
	for deadline := time.Now().Add(2 * time.Minute); !until(); time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			w.t.Fatalf("step %d, after it %t: the office has %q", step, after, w.has())
		}
		if !w.life.isDead() {
			w.clock.Set(w.clock.Now().Add(30 * time.Second))
			continue
		}
		w.stop()
		if w.lives == 1 {
			w.start((step+1)/2, !after)
		} else {
			w.start(0, false)
		}
	}
}

// lastAccepted says whether the last report that was sent has its verdict in the log.
func (w *world) lastAccepted() bool {
	sent := processortest.Facts[events.DailyReportSent](w.t, w.log)
	accepted := processortest.Facts[events.DailyReportAccepted](w.t, w.log)
	return len(sent) == len(accepted)
}

// replayed loses the tables and lets another day end: nothing is sent but that day.
func (w *world) replayed(step int, after bool) {
	w.t.Helper()
	sent, calls := len(processortest.Facts[events.DailyReportSent](w.t, w.log)), w.calls
	w.loseTables()
	w.start(0, false)
	w.clock.Set(at("2026-11-29 02:00"))
	w.accepted(sent + 1)
	w.stop()
	if w.calls != calls+1 {
		w.t.Errorf("step %d, after it %t: the replay made %d calls, want that of the new day alone", step, after,
			w.calls-calls)
	}
}

// The clock stands still, so that no pause ends by itself. An outage of the log is no failure
// of the authority, after which the pauses grow.
func TestAReportGoesOnAtOnceWhenTheLogIsBack(t *testing.T) {
	w := newWorld(t, at("2026-11-27 10:00"))
	w.issue("Production", 1, "ok")
	w.clock.Set(at("2026-11-28 02:00"))
	w.outage = processortest.NewOutage()
	w.start(0, false)
	<-w.outage.Met
	w.outage.End()
	w.p.WakeAll()
	w.accepted(1)
	w.stop()
	w.wants("2026-11-27 #1 P1")
}
