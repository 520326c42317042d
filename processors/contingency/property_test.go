package contingency_test

import (
	"fmt"
	"testing"
	"time"

	"folio/commands/outage"
	"folio/events"
)

// edges are moments shortly before the end of a fortnight, of a year, of February, and of a day
// within a fortnight, in Argentina.
var edges = []time.Time{
	time.Date(2026, 12, 15, 21, 0, 0, 0, arcaZone),
	time.Date(2026, 12, 31, 21, 0, 0, 0, arcaZone),
	time.Date(2026, 11, 30, 22, 0, 0, 0, arcaZone),
	time.Date(2026, 12, 5, 23, 0, 0, 0, arcaZone),
	time.Date(2027, 2, 28, 22, 30, 0, 0, arcaZone),
}

// Whatever outages, hands, settings, lost answers and deaths there are, every sale has one
// document, no number is left out or used twice, and everything is reported.
func TestAnyOutage(t *testing.T) {
	issued := 0 // codes that something was issued by
	for seed := range uint64(seeds) {
		edge := edges[seed%uint64(len(edges))]
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			inWorld(t, edge.Add(-26*time.Hour), seed, func(w *world) {
				w.configure(1 + w.random(12))
				w.start()
				w.pass(24 * time.Hour) // the codes are held
				for range 40 {
					w.something()
					w.restart()
				}
				w.calm()
				w.check()
				issued += len(w.series(spareA).Contingent.Issued) + len(w.series("C1-Testing-1-9002").Contingent.Issued)
			})
		})
	}
	if issued == 0 {
		t.Error("nothing was issued by contingency in any of them")
	}
}

// something is one thing that may happen on such a day.
func (w *world) something() {
	switch w.random(10) {
	case 0, 1, 2, 3:
		w.sell([]string{"FCA", "FCA", "FCB"}[w.random(3)])
	case 4:
		w.setAway(w.random(3) > 0)
		w.told()
	case 5:
		w.openWindow()
	case 6:
		w.closeWindow()
	case 7:
		w.mu.Lock()
		w.die = 1 + w.rnd.IntN(12)
		w.mu.Unlock()
	case 8:
		w.mu.Lock()
		w.lose = []float64{0, 0.2, 0.6}[w.rnd.IntN(3)]
		w.mu.Unlock()
	default:
		w.record("company-C1", events.ContingencyConfigured{PointOfSale: ordinary, Contingency: events.Contingency{
			PointOfSale: []int{spare, spare, other}[w.random(3)], Mode: modes[w.random(3)], AfterMinutes: 1 + w.random(20),
			MaxHours: 1 + w.random(12)}})
	}
	if w.random(3) == 0 {
		w.pass(time.Duration(1+w.random(25)) * time.Minute)
		return
	}
	w.pass(time.Duration(w.random(2000)) * time.Millisecond)
}

var modes = []string{events.ContingencyOff, events.ContingencyManual, events.ContingencyAutomatic}

// told records what a watch says of the authority.
func (w *world) told() {
	w.mu.Lock()
	away := w.away
	w.mu.Unlock()
	s := outage.Decider.Fold(w.facts("outage-" + arcaAway.ID())...)
	switch {
	case away && !s.Open():
		w.outage(outage.Open{Place: arcaAway, Outage: fmt.Sprintf("O%d", w.ids.Add(1)), Reason: "seen", Since: w.Now()})
	case !away && s.Open():
		w.outage(outage.Close{Place: arcaAway, Outage: s.Outage, Reason: "seen", At: w.Now()})
	}
}

func (w *world) random(n int) int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.rnd.IntN(n)
}

// calm lets the authority come back and everything come to its end, within the days that
// invoices of the outage may still be sent.
func (w *world) calm() {
	w.mu.Lock()
	w.away, w.lose, w.die = false, 0, 0
	w.mu.Unlock()
	w.restart()
	w.told()
	w.closeWindow()
	w.pass(24 * time.Hour)
	w.pass(18 * 24 * time.Hour) // both fortnights are over
}
