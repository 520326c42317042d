package submission_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"folio/commands/invoice"
	"folio/events"
	"folio/money"
	arcasandbox "folio/sandbox/arca"
)

func TestInvoicesOfOneSeriesGoTogetherAndInOrder(t *testing.T) {
	inWorld(t, func(w *world) {
		w.company("C1", holder, false)
		for range 5 {
			w.issue("FCA", nil)
		}
		w.start()
		w.finish(time.Minute)
		w.check()
		if got, want := fmt.Sprint(w.operations()),
			"[loginCms FECompUltimoAutorizado FECompTotXRequest FECAESolicitar]"; got != want {
			t.Errorf("called %s, want %s: nothing is asked in steady state", got, want)
		}
		w.issue("FCA", nil)
		w.finish(time.Minute)
		w.check()
		if s := w.series(seriesA); s.Last != 6 || w.sends() != 2 {
			t.Errorf("last number %d after %d calls", s.Last, w.sends())
		}
	})
}

func TestABatchIsNoLargerThanTheAuthorityTakes(t *testing.T) {
	inWorld(t, func(w *world) {
		k := w.authority.Knobs()
		k.RegXReq = 2
		w.authority.SetKnobs(k)
		w.company("C1", holder, false)
		for range 5 {
			w.issue("FCA", nil)
		}
		w.start()
		w.finish(time.Minute)
		w.check()
		if w.sends() != 3 {
			t.Errorf("5 invoices, 2 a call, took %d calls", w.sends())
		}
	})
}

func TestKindsThatGoAloneGoAlone(t *testing.T) {
	inWorld(t, func(w *world) {
		w.company("C1", holder, false)
		fce := func(d *events.Document) {
			d.PaymentDueDate, d.HeaderInfo = "2027-01-15", []byte(`{"cbu":"2850590940090418135201","transfer_system":"SCA"}`)
		}
		w.issue("FMA", fce)
		w.issue("FMA", fce)
		w.start()
		w.finish(time.Minute)
		w.check()
		if w.sends() != 2 {
			t.Errorf("two FCE took %d calls", w.sends())
		}
	})
}

func TestARejectionInTheMiddleLeavesItsNeighboursTheirPlace(t *testing.T) {
	inWorld(t, func(w *world) {
		w.company("C1", holder, false)
		w.fault(arcasandbox.Fault{Operation: "FECAESolicitar", Effect: arcasandbox.Reject, Code: "10015", Document: 2,
			Times: 1})
		for range 5 {
			w.issue("FCA", nil)
		}
		w.start()
		w.finish(time.Minute)
		w.check()
		want := []invoice.Status{invoice.Accepted, invoice.Accepted, invoice.Rejected, invoice.Accepted, invoice.Accepted}
		if got := w.statuses(w.invoices...); !slices.Equal(got, want) {
			t.Errorf("%v, want %v", got, want)
		}
		if n := w.state("I00004").Number; n != 3 {
			t.Errorf("the one behind the rejected got number %d, want the freed 3", n)
		}
		for _, e := range w.log.facts("invoice-I00003") {
			if r, ok := e.(events.AuthorityRejected); ok &&
				(len(r.Reasons) != 1 || r.Reasons[0].Code != "10015" || r.Reasons[0].Text == "") {
				t.Errorf("%+v", r)
			}
		}
	})
}

func TestObservationsAreKeptAndNoFailure(t *testing.T) {
	inWorld(t, func(w *world) {
		w.company("C1", holder, false)
		w.fault(arcasandbox.Fault{Operation: "FECAESolicitar", Effect: arcasandbox.Observe, Code: "10217", Times: 1})
		w.issue("FCA", nil)
		w.start()
		w.finish(time.Minute)
		w.check()
		facts := w.log.facts("invoice-I00001")
		if a, ok := facts[len(facts)-1].(events.AuthorityAccepted); !ok || len(a.Observations) != 1 ||
			a.Observations[0].Code != "10217" || !a.Sandbox {
			t.Errorf("%+v", facts[len(facts)-1])
		}
	})
}

// creditNote corrects an invoice of ours: the whole of it, or more by extra lines.
func (w *world) creditNote(original string, change func(*events.Document)) string {
	o := w.state(original)
	return w.issue("NCA", func(d *events.Document) {
		d.Items = o.Created.Document.Items
		for i := range d.Items {
			d.Items[i].Taxes = []events.ItemTax{{Type: "iva21"}}
		}
		d.BillingReference = []events.Reference{{Invoice: original, Type: "FCA", OfficialCode: 1, BranchOffice: 1,
			Number: o.Number,
			Date:   o.Created.Document.Date[:10], DocumentNumber: fmt.Sprint(holder), ReasonCode: "1"}}
		if change != nil {
			change(d)
		}
	})
}

func TestAnAcceptedNoteOverTheWholeCancelsItsInvoice(t *testing.T) {
	inWorld(t, func(w *world) {
		w.company("C1", holder, false)
		whole, part := w.issue("FCA", nil), w.issue("FCA", nil)
		w.start()
		w.finish(time.Minute)
		note := w.creditNote(whole, nil)
		w.creditNote(part, func(d *events.Document) { d.Items[0].UnitPrice = money.FromInt(500) })
		w.finish(time.Minute)
		w.check()
		if w.state(whole).Cancelled != note || w.state(part).Cancelled != "" {
			t.Errorf("cancelled %q and %q", w.state(whole).Cancelled, w.state(part).Cancelled)
		}
	})
}

func TestARejectedNoteCancelsNothing(t *testing.T) {
	inWorld(t, func(w *world) {
		w.company("C1", holder, false)
		id := w.issue("FCA", nil)
		w.start()
		w.finish(time.Minute)
		w.fault(arcasandbox.Fault{Operation: "FECAESolicitar", Effect: arcasandbox.Reject, Code: "10040", Times: 1})
		w.creditNote(id, nil)
		w.finish(time.Minute)
		if w.state(id).Cancelled != "" {
			t.Errorf("cancelled by %q", w.state(id).Cancelled)
		}
	})
}

func TestSeriesDoNotShareNumbers(t *testing.T) {
	inWorld(t, func(w *world) {
		w.company("C1", holder, false)
		w.company("C2", second, false)
		point2 := func(d *events.Document) { d.BranchOffice = 2 }
		for range 3 {
			w.issue("FCA", nil)
			w.issue("FCB", nil)
			w.issue("FCA", point2)
			w.issueOf("C2", "FCA", nil)
		}
		w.start()
		w.finish(time.Minute)
		w.check()
		for _, id := range []string{seriesA, "C1-Testing-6-1", "C1-Testing-1-2", "C2-Testing-1-1"} {
			if s := w.series(id); s.Last != 3 {
				t.Errorf("%s ended at %d", id, s.Last)
			}
		}
	})
}
