package contingency_test

import (
	"testing"
	"time"

	"folio/commands"
	"folio/commands/invoice"
	"folio/commands/taxpayer"
	"folio/events"
)

// A setting may be older than claims: whoever issues first at the point has it.
func TestAPointOfAnotherCompanyOfTheTaxpayerIssuesNothing(t *testing.T) {
	inWorld(t, morning, 1, func(w *world) {
		w.configure(12)
		w.start()
		w.pass(time.Minute)
		id := taxpayer.ID("AR", "30500010912")
		theirs := events.ContingencyPointClaimed{Company: "C2", Environment: "Testing", PointOfSale: spare}
		if _, err := commands.Bind(w.person(), taxpayer.Decider).Execute(t.Context(), id,
			taxpayer.ClaimPoint{Claim: theirs}, w.by()); err != nil {
			t.Fatal(err)
		}
		w.setAway(true)
		sale := w.sell("FCA")
		w.openWindow()
		w.pass(time.Hour)
		if s := w.invoice(sale); s.Status != invoice.Pending || len(w.facts("numbering-"+spareA)) > 0 {
			t.Errorf("it is %s at point %d", s.Status, s.PointOfSale)
		}
		w.setAway(false)
		w.pass(time.Hour)
		if s := w.invoice(sale); s.Status != invoice.Accepted || s.PointOfSale != ordinary {
			t.Errorf("it is %s at point %d", s.Status, s.PointOfSale)
		}
	})
}

func TestWhoIssuesAtAPointHasIt(t *testing.T) {
	inWorld(t, morning, 1, func(w *world) {
		w.configure(12)
		w.start()
		w.pass(time.Minute)
		w.setAway(true)
		w.openWindow()
		w.sell("FCA")
		w.sell("FCA")
		w.pass(time.Minute)
		claims := w.facts("taxpayer-" + taxpayer.ID("AR", "30500010912"))
		want := events.ContingencyPointClaimed{Company: "C1", Environment: "Testing", PointOfSale: spare}
		if len(claims) != 1 || claims[0] != want || w.series(spareA).Contingent.Last != 2 {
			t.Errorf("%+v", claims)
		}
	})
}
