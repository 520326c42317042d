package contingency_test

import (
	"testing"
	"time"

	"folio/commands"
	window "folio/commands/contingency"
	"folio/commands/invoice"
	"folio/commands/outage"
	"folio/events"
)

var arcaAway = outage.Place{Company: "C1", Environment: "Testing", Authority: "arca"}

func (w *world) outage(c outage.Command) {
	w.t.Helper()
	if _, err := commands.Bind(w.person(), outage.Decider).Execute(w.t.Context(), arcaAway.ID(), c, w.by()); err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) window() window.State {
	var s window.State
	for _, r := range w.log.Stream("contingency-" + shop.ID()) {
		opened, err := events.Open(r)
		if err != nil {
			w.t.Fatal(err)
		}
		s = window.Decider.Next(s, opened.Event, r.Meta.At)
	}
	return s
}

func TestAnOutageOpensAnAutomaticContingencyAndItsEndCloses(t *testing.T) {
	inWorld(t, morning, 1, func(w *world) {
		w.record("company-C1", events.ContingencyConfigured{PointOfSale: ordinary, Contingency: events.Contingency{
			PointOfSale: spare, Mode: events.ContingencyAutomatic, AfterMinutes: 30, MaxHours: 12}})
		w.start()
		w.pass(time.Minute)
		w.setAway(true)
		sale := w.sell("FCA")
		w.outage(outage.Open{Place: arcaAway, Outage: "O1", Reason: "seen", Since: w.Now()})
		w.pass(29 * time.Minute)
		if w.window().Open != nil {
			t.Error("it opened before its minutes were over")
		}
		w.pass(2 * time.Minute)
		if s := w.window(); s.Open == nil || s.Open.By != "contingency" || len(s.Open.Evidence) != 1 {
			t.Fatalf("%+v", s)
		}
		if s := w.invoice(sale); s.Status != invoice.Accepted || s.PointOfSale != spare {
			t.Errorf("%+v", s)
		}
		w.setAway(false)
		w.outage(outage.Close{Place: arcaAway, Outage: "O1", Reason: "seen", At: w.Now()})
		w.pass(time.Minute)
		if s := w.window(); s.Open != nil || s.Times != 1 {
			t.Errorf("%+v", s)
		}
	})
}

func TestWhatAPersonClosesStaysClosedForThatOutage(t *testing.T) {
	inWorld(t, morning, 1, func(w *world) {
		w.record("company-C1", events.ContingencyConfigured{PointOfSale: ordinary, Contingency: events.Contingency{
			PointOfSale: spare, Mode: events.ContingencyAutomatic, AfterMinutes: 30, MaxHours: 12}})
		w.start()
		w.outage(outage.Open{Place: arcaAway, Outage: "O1", Reason: "seen", Since: w.Now()})
		w.pass(31 * time.Minute)
		w.closeWindow()
		w.pass(time.Hour)
		if s := w.window(); s.Open != nil || s.Times != 1 {
			t.Errorf("%+v", s)
		}
	})
}

// While every document moves to the contingency point nothing else may call the authority: it is asked all the same, so
// that its return is seen.
func TestTheAuthorityIsAskedWhileAContingencyIsOpen(t *testing.T) {
	inWorld(t, morning, 1, func(w *world) {
		w.record("company-C1", events.ContingencyConfigured{PointOfSale: ordinary, Contingency: events.Contingency{
			PointOfSale: spare, Mode: events.ContingencyAutomatic, AfterMinutes: 1, MaxHours: 12}})
		w.start()
		w.pass(time.Minute)
		calls := func() int {
			w.mu.Lock()
			defer w.mu.Unlock()
			return w.call
		}
		w.setAway(true)
		tally := outage.Tally{}.With(events.FailingCall{At: w.Now(), Operation: "FECAESolicitar", Fault: "timeout"})
		w.outage(outage.Failed{Place: arcaAway, Outage: "O1", Tally: tally, Threshold: outage.Threshold{Calls: 1}})
		before := calls()
		w.pass(50 * time.Second)
		if n := calls() - before; n != 0 {
			t.Errorf("%d calls before the contingency is open", n)
		}
		w.pass(time.Hour)
		if n := calls() - before; n < 20 || n > 130 { // a login may come before each
			t.Errorf("%d calls in an hour", n)
		}
		w.setAway(false)
		w.pass(2 * time.Minute)
		w.outage(outage.Answered{Place: arcaAway, At: w.Now(), Operation: "FECompUltimoAutorizado"})
		w.pass(time.Minute)
		before = calls()
		w.pass(time.Hour)
		if n := calls() - before; n != 0 || w.window().Open != nil {
			t.Errorf("%d calls after the outage", n)
		}
	})
}
