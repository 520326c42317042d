package credits

import (
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"sync"
	"testing"

	"folio/clock"
	"folio/commands"
	"folio/commands/aggregates"
	"folio/commands/invoice"
	"folio/country"
	"folio/country/ar"
	"folio/events"
	"folio/money"
	"folio/processors/processortest"
	"folio/processors/reactor"
)

const whole = 242

// shop is some invoices of 242 each and the notes that correct them.
type shop struct {
	t         *testing.T
	x         *commands.Executor
	p         *Processor
	originals []string
}

func newShop(t *testing.T) *shop {
	x := commands.NewExecutor(processortest.NewLog(), clock.Real{}.Now)
	rules := func(string) (country.Rules, bool) { return ar.Rules{}, true }
	base := reactor.Base{Executor: x, Rules: rules, Logger: slog.New(slog.DiscardHandler)}
	s := &shop{t: t, x: x, p: &Processor{Reactor: &reactor.Reactor{Base: base}, log: aggregates.In(x),
		teller: Teller{Executor: x, Rules: rules, Clock: clock.Real{}}}}
	for n := range 3 {
		id := fmt.Sprint("I", n+1)
		s.originals = append(s.originals, id)
		s.do(id, invoice.Create{Invoice: document(id, 1, whole)})
		s.answer(id, true)
	}
	return s
}

func document(id string, code int, total int64) events.InvoiceCreated {
	return events.InvoiceCreated{Invoice: id, Company: "C1", Country: "AR",
		Document: events.Document{Type: "NCA", OfficialCode: code,
			Date: "2026-11-27 10:00:00", Currency: events.Currency{Code: "ARS"},
			Totals: events.Totals{Total: money.FromInt(total)}}}
}

func (s *shop) do(id string, c invoice.Command) error {
	_, err := commands.Bind(s.x, invoice.Decider).Execute(s.t.Context(), id, c,
		commands.Request{ID: commands.Derived(id, fmt.Sprintf("%T%+v", c, c))})
	return err
}

func (s *shop) answer(id string, accepted bool) {
	s.do(id, invoice.StartSubmission{Submission: "S" + id, Environment: "Testing", Number: 1})
	if accepted {
		s.do(id, invoice.RecordAcceptance{Submission: "S" + id,
			Outcome: events.Outcome{Invoice: id, Number: 1, Result: events.Accepted, Authorization: &events.Authorization{}}})
		return
	}
	s.do(id, invoice.RecordRejection{Submission: "S" + id})
}

func (s *shop) state(id string) invoice.Full {
	st, _, err := commands.Bind(s.x, invoice.FullDecider).Load(s.t.Context(), id)
	if err != nil {
		s.t.Error(err)
	}
	return st
}

// issue is the life of one note over the originals that want names; a crash may end it
// after every step, and whoever comes later goes on.
func (s *shop) issue(r *rand.Rand, id string, want []events.Correction) {
	note := document(id, 3, 0)
	note.Corrects = want
	for _, c := range want {
		note.Document.Totals.Total = note.Document.Totals.Total.Add(c.Portions[0].Amount)
	}
	for {
		attempt := s.state(id).Abandoned
		for i, c := range want {
			err := s.do(c.Invoice, invoice.ReserveNote{Company: "C1", Note: id, Type: "NCA", Credit: true, Attempt: attempt,
				Portions: c.Portions})
			if errors.Is(err, invoice.ErrExceeds) || errors.Is(err, invoice.ErrAlreadyCancelled) {
				for _, done := range want[:i] {
					if r.IntN(2) == 0 { // otherwise a crash; the processor gives back
						s.do(done.Invoice, invoice.ReleaseNote{Note: id, Attempt: attempt})
					}
				}
				return
			}
			if r.IntN(4) == 0 {
				s.finish(id) // a crash; the processor gives back
				if r.IntN(2) == 0 {
					return
				}
			}
		}
		if err := s.do(id, invoice.Create{Invoice: note, Attempt: attempt}); errors.Is(err, invoice.ErrAbandoned) {
			continue // the request is sent again
		}
		break
	}
	s.finish(id)
	accepted := r.IntN(3) > 0
	if r.IntN(2) == 0 { // otherwise a crash came before the originals were told
		if err := s.p.teller.Tell(s.t.Context(), s.state(id).State, accepted); err != nil {
			s.t.Error(err)
		}
	}
	s.answer(id, accepted)
	s.finish(id)
}

func (s *shop) finish(id string) {
	for _, original := range s.originals {
		if _, err := s.p.finish(s.t.Context(), reactor.Named{}, id, original); err != nil {
			s.t.Error(err)
		}
	}
}

// accepted is what the notes that the authority accepted take, by what they take it from.
func (s *shop) accepted(ids []string) map[string]money.Decimal {
	sums := map[string]money.Decimal{}
	for _, id := range ids {
		n := s.state(id)
		if n.Status != invoice.Accepted {
			continue
		}
		for _, c := range n.Created.Corrects {
			if sums[c.Invoice] = sums[c.Invoice].Add(c.Portions[0].Amount); sums[c.Invoice].Cmp(money.FromInt(whole)) > 0 {
				s.t.Errorf("%s of %d are accepted for %s", sums[c.Invoice], whole, c.Invoice)
			}
		}
	}
	return sums
}

// wanted is a note over one to all of the originals, in the order of the ids as always.
func (s *shop) wanted(r *rand.Rand) (out []events.Correction) {
	for len(out) == 0 {
		for _, id := range s.originals {
			if r.IntN(2) == 0 {
				amount := money.FromInt(1 + int64(r.IntN(4))*60 + int64(r.IntN(2)))
				out = append(out, events.Correction{Invoice: id, Portions: []events.Portion{{Takes: true, Amount: amount}}})
			}
		}
	}
	return out
}

// TestNoMoreThanTheWholeIsEverAccepted issues 64 random notes over three invoices at once,
// with crashes at random places.
func TestNoMoreThanTheWholeIsEverAccepted(t *testing.T) {
	for seed := range uint64(40) {
		s := newShop(t)
		var ids []string
		var wait sync.WaitGroup
		for i := range 64 {
			id, r := fmt.Sprintf("N%d", i), rand.New(rand.NewPCG(seed, uint64(i)))
			ids = append(ids, id)
			wait.Go(func() { s.issue(r, id, s.wanted(r)) })
		}
		stop := make(chan struct{})
		var watch sync.WaitGroup
		watch.Go(func() {
			for {
				s.accepted(ids)
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
		sums := s.accepted(ids)
		if len(sums) == 0 {
			t.Errorf("seed %d: no note was accepted", seed)
		}
		for _, id := range s.originals {
			o, sum := s.state(id).State, sums[id]
			if !o.Notes.Credited().Equal(sum) || !o.Left("").Equal(o.Balance()) {
				t.Errorf("seed %d, %s: %s accepted, %s credited, %s left of a balance of %s", seed, id, sum, o.Notes.Credited(),
					o.Left(""), o.Balance())
			}
			if cancelled := o.Cancelled != ""; cancelled != (o.Balance().Sign() == 0) {
				t.Errorf("seed %d, %s: cancelled by %q with a balance of %s", seed, id, o.Cancelled, o.Balance())
			}
		}
	}
}
