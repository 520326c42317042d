package submission_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"folio/commands/invoice"
	"folio/commands/numbering"
	"folio/events"
	arcasandbox "folio/sandbox/arca"
	"folio/sandbox/desk"
)

// TestEveryInvoiceIsIssuedOnceWhateverFails drives random invoices through random
// faults, outages, foreign numbers, releases and kills. The seeds are fixed.
func TestEveryInvoiceIsIssuedOnceWhateverFails(t *testing.T) {
	for seed := range uint64(4) {
		t.Run(fmt.Sprintf("seed %d", seed), func(t *testing.T) {
			t.Parallel()
			inWorld(t, func(w *world) { w.storm(seed, 90) })
		})
	}
}

// storm is a world in which nothing holds.
type storm struct {
	*world
	r         *rand.Rand
	outage    time.Time // until when nobody is reached
	corrected map[string]bool
}

func (w *world) storm(seed uint64, invoices int) {
	s := &storm{world: w, r: rand.New(rand.NewPCG(seed, 7)), corrected: map[string]bool{}}
	k := w.authority.Knobs()
	k.RegXReq = 2 + s.r.IntN(9)
	w.authority.SetKnobs(k)
	w.company("C1", holder, true)
	w.company("C2", second, false)
	w.start()
	for len(w.invoices) < invoices {
		s.burst(min(s.r.IntN(8), invoices-len(w.invoices)))
		s.trouble()
		time.Sleep(time.Duration(s.r.IntN(60_000)) * time.Millisecond)
		s.repair(false)
	}
	w.authority.ClearFaults("")
	w.plan.Store(nil)
	w.until("calm", 48*time.Hour, func() bool {
		s.repair(true)
		synctest.Wait()
		return w.done()
	})
	w.check()
	w.checkCancelled()
	w.t.Logf("seed %d: %d invoices, %d calls, %d lives of the process, %d steps", seed, invoices, len(w.calls),
		s.lives.Load(), w.steps.Load())
	if w.t.Failed() {
		w.t.FailNow()
	}
}

// burst creates n invoices at once.
func (s *storm) burst(n int) {
	for range n {
		kind := []string{"FCA", "FCA", "FCB", "NDA"}[s.r.IntN(4)]
		company := []string{"C1", "C2"}[s.r.IntN(2)]
		days := []int{0, 0, 0, 0, 0, 0, -1, -3}[s.r.IntN(8)]
		if company == "C1" && s.r.IntN(8) == 0 && s.note() {
			continue
		}
		s.issueOf(company, kind, func(d *events.Document) {
			s.dated(days)(d)
			d.BranchOffice = 1 + s.r.IntN(2)
			if kind == "NDA" {
				d.BillingReference = []events.Reference{{PeriodFrom: "2026-12-01", PeriodTo: d.Date[:10]}}
			}
		})
	}
}

// note corrects an accepted invoice of C1 that no note has corrected, if there is one.
func (s *storm) note() bool {
	for _, i := range s.r.Perm(len(s.invoices)) {
		id := s.invoices[i]
		st := s.state(id)
		if d := st.Created.Document; st.Company == "C1" && st.Status == invoice.Accepted && d.Type == "FCA" &&
			!s.corrected[id] {
			s.corrected[id] = true
			s.creditNote(id, func(note *events.Document) { note.BranchOffice = d.BranchOffice })
			return true
		}
	}
	return false
}

// trouble is one of the things that go wrong.
func (s *storm) trouble() {
	effects := []desk.Effect{desk.Lose, desk.Lose, desk.Reset, desk.Truncate,
		desk.HTTP500,
		desk.HTML, desk.Down, desk.Stall, desk.Hang}
	operations := []string{"FECAESolicitar", "FECAESolicitar", "FECAESolicitar", "FECompConsultar",
		"FECompUltimoAutorizado", "loginCms", ""}
	codes := strings.Fields("500 501 502 600 601 602 603 10000 10005 10013 10048 10192 11000")
	switch n := s.r.IntN(20); {
	case n < 7:
		s.fault(arcasandbox.Fault{Operation: operations[s.r.IntN(len(operations))], Effect: effects[s.r.IntN(len(effects))],
			Times: 1 + s.r.IntN(3)})
	case n < 9:
		s.fault(arcasandbox.Fault{Operation: "FECAESolicitar", Effect: arcasandbox.Reject, Code: "10015",
			Document: s.r.IntN(4), Times: 1})
	case n < 11:
		s.fault(arcasandbox.Fault{Operation: "FECAESolicitar", Effect: arcasandbox.Error, Code: codes[s.r.IntN(len(codes))],
			Times: 1 + s.r.IntN(2)})
	case n < 12:
		s.outage = time.Now().Add(time.Duration(s.r.IntN(120)) * time.Minute)
		s.cutOff("all")
	case n < 13:
		s.foreigner(s.r.IntN(2) == 0)
	case n < 18:
		s.plan.Store(&plan{step: s.steps.Load() + 1 + int64(s.r.IntN(40)), after: s.r.IntN(2) == 0})
	case n < 19:
		s.p.stop()
		s.loseTables()
		s.start()
	}
}

// foreigner is another system that issues in one of our series, now or at the worst moment.
func (s *storm) foreigner(now bool) {
	tipo, pto, n := []int{1, 2, 3, 6}[s.r.IntN(4)], 1+s.r.IntN(2), 1+s.r.IntN(3)
	take := func() {
		if err := s.authority.TakeNumbers(s.t.Context(),
			arcasandbox.Series{Environment: arcasandbox.Testing, CUIT: holder, PointOfSale: pto, Type: tipo}, n); err != nil {
			s.t.Error(err)
		}
	}
	if now {
		take()
		return
	}
	s.mu.Lock()
	s.beforeSend = take
	s.mu.Unlock()
}

// repair is what operators do sooner or later, or at last.
func (s *storm) repair(all bool) {
	synctest.Wait()
	if s.p.dead.Load() {
		s.p.stop()
		s.start()
	}
	if all || time.Now().After(s.outage) {
		s.cutOff()
	}
	if c1 := len(s.log.facts("company-C1")); c1 == 1 && (all || len(s.invoices) > 20) {
		s.upload("C1", "Testing", noon.AddDate(0, 0, -1), noon.AddDate(1, 0, 0))
	}
	for _, name := range s.log.named("numbering") {
		if id := name[len("numbering-"):]; (all || s.r.IntN(4) == 0) &&
			numbering.Decider.Fold(s.log.facts(name)...).Held != "" {
			s.release(id)
		}
	}
}
