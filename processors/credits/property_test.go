package credits

import (
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"sync"
	"testing"

	"folio/commands"
	"folio/commands/invoice"
	"folio/country"
	"folio/country/ar"
	"folio/events"
	"folio/money"
	"folio/processors"
	"folio/processors/processortest"
)

const whole = 242

// shop is one invoice of 242 and the notes that correct it.
type shop struct {
	t *testing.T
	x *commands.Executor
	p *Processor
}

func newShop(t *testing.T) *shop {
	x := commands.NewExecutor(processortest.NewLog(), processors.RealClock{}.Now)
	rules := func(string) (country.Rules, bool) { return ar.Rules{}, true }
	s := &shop{t: t, x: x, p: &Processor{c: Config{Executor: x, Rules: rules, Logger: slog.New(slog.DiscardHandler)}, teller: Teller{x, rules, processors.RealClock{}}}}
	s.do("I1", invoice.Create{Invoice: document("I1", 1, whole)})
	s.answer("I1", true)
	return s
}

func document(id string, code int, total int64) events.InvoiceCreated {
	return events.InvoiceCreated{Invoice: id, Company: "C1", Country: "AR", Document: events.Document{Type: "NCA", OfficialCode: code,
		Date: "2026-11-27 10:00:00", Currency: events.Currency{Code: "ARS"}, Totals: events.Totals{Total: money.FromInt(total)}}}
}

func (s *shop) do(id string, c invoice.Command) error {
	_, err := commands.Execute(s.t.Context(), s.x, invoice.Decider, id, c, commands.Request{ID: commands.Derived(id, fmt.Sprintf("%T%+v", c, c))})
	return err
}

func (s *shop) answer(id string, accepted bool) {
	s.do(id, invoice.StartSubmission{Submission: "S" + id, Environment: "Testing", Number: 1})
	if accepted {
		s.do(id, invoice.RecordAcceptance{Submission: "S" + id, Outcome: events.Outcome{Invoice: id, Number: 1, Result: events.Accepted, Authorization: &events.Authorization{}}})
		return
	}
	s.do(id, invoice.RecordRejection{Submission: "S" + id})
}

func (s *shop) state(id string) invoice.State {
	st, _, err := commands.Load(s.t.Context(), s.x, invoice.Decider, id)
	if err != nil {
		s.t.Error(err)
	}
	return st
}

// issue is the life of one note; a crash may end it after every step, and whoever comes
// later goes on.
func (s *shop) issue(r *rand.Rand, id string, total int64) {
	portions := []events.Portion{{Takes: true, Amount: money.FromInt(total)}}
	for {
		attempt := s.state(id).Abandoned
		err := s.do("I1", invoice.ReserveNote{Company: "C1", Note: id, Type: "NCA", Credit: true, Attempt: attempt, Portions: portions})
		if errors.Is(err, invoice.ErrExceeds) || errors.Is(err, invoice.ErrAlreadyCancelled) {
			return
		}
		if r.IntN(3) == 0 {
			s.finish(id) // a crash; the processor gives back
			if r.IntN(2) == 0 {
				return
			}
		}
		note := document(id, 3, total)
		note.Corrects = []events.Correction{{Invoice: "I1", Portions: portions}}
		if err := s.do(id, invoice.Create{Invoice: note, Attempt: attempt}); errors.Is(err, invoice.ErrAbandoned) {
			continue // the request is sent again
		}
		break
	}
	s.finish(id)
	accepted := r.IntN(3) > 0
	if r.IntN(2) == 0 { // otherwise a crash came before the original was told
		if err := s.p.teller.Tell(s.t.Context(), s.state(id), accepted); err != nil {
			s.t.Error(err)
		}
	}
	s.answer(id, accepted)
	s.finish(id)
}

func (s *shop) finish(id string) {
	if _, err := s.p.finish(s.t.Context(), id, "I1"); err != nil {
		s.t.Error(err)
	}
}

// accepted is the total of the notes that the authority accepted.
func (s *shop) accepted(ids []string) money.Decimal {
	sum := money.Zero
	for _, id := range ids {
		if n := s.state(id); n.Status == invoice.Accepted {
			sum = sum.Add(n.Created.Document.Totals.Total)
		}
	}
	return sum
}

// TestNoMoreThanTheWholeIsEverAccepted issues random notes at once, with crashes at random
// places.
func TestNoMoreThanTheWholeIsEverAccepted(t *testing.T) {
	for seed := range uint64(40) {
		s := newShop(t)
		var ids []string
		var wait sync.WaitGroup
		for i := range 24 {
			id, r := fmt.Sprintf("N%d", i), rand.New(rand.NewPCG(seed, uint64(i)))
			ids = append(ids, id)
			wait.Go(func() { s.issue(r, id, 1+int64(r.IntN(4))*60+int64(r.IntN(2))) })
		}
		stop := make(chan struct{})
		var watch sync.WaitGroup
		watch.Go(func() {
			for {
				if sum := s.accepted(ids); sum.Cmp(money.FromInt(whole)) > 0 {
					t.Errorf("seed %d: %s accepted of %d", seed, sum, whole)
				}
				select {
				case <-stop:
					return
				default:
				}
			}
		})
		wait.Wait()
		close(stop)
		watch.Wait()
		for _, id := range ids {
			s.finish(id) // whatever a crash left
		}
		o, sum := s.state("I1"), s.accepted(ids)
		if sum.Sign() == 0 {
			t.Errorf("seed %d: no note was accepted", seed)
		}
		if sum.Cmp(money.FromInt(whole)) > 0 || !o.Notes.Credited().Equal(sum) || !o.Left("").Equal(o.Balance()) {
			t.Errorf("seed %d: %s accepted, %s credited, %s left of a balance of %s", seed, sum, o.Notes.Credited(), o.Left(""), o.Balance())
		}
		if cancelled := o.Cancelled != ""; cancelled != (o.Balance().Sign() == 0) {
			t.Errorf("seed %d: cancelled by %q with a balance of %s", seed, o.Cancelled, o.Balance())
		}
	}
}

// TestAnOldNoteCountsOnceItIsHeardOf has a note of before there were reservations.
func TestAnOldNoteCountsOnceItIsHeardOf(t *testing.T) {
	s := newShop(t)
	old := document("N1", 3, 100)
	old.Document.BillingReference = []events.Reference{{Invoice: "I1", Type: "FCA", OfficialCode: 1, Number: 1}}
	s.do("N1", invoice.Create{Invoice: old})
	s.answer("N1", true)
	for range 2 {
		s.finish("N1")
	}
	if o := s.state("I1"); o.Balance().String() != "142" || len(o.Notes) != 1 {
		t.Errorf("balance %s, notes %+v", o.Balance(), o.Notes)
	}
}
