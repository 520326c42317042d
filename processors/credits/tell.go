package credits

import (
	"context"
	"errors"
	"fmt"

	"folio/commands"
	"folio/commands/invoice"
	"folio/country"
	"folio/events"
	"folio/money"
	"folio/processors"
)

// Teller tells documents what became of the notes that correct them.
type Teller struct {
	Executor *commands.Executor
	Rules    func(code string) (country.Rules, bool)
	Clock    processors.Clock
}

// Tell says to every document that the note s corrects that it was accepted, or that it
// was rejected. Telling it again changes nothing.
func (t Teller) Tell(ctx context.Context, s invoice.State, accepted bool) error {
	for _, c := range t.corrections(s.First()) {
		if err := t.tell(ctx, s, c, accepted); err != nil {
			return err
		}
	}
	return nil
}

func (t Teller) tell(ctx context.Context, s invoice.State, c events.Correction, accepted bool) error {
	note := s.First()
	step := "release"
	var command invoice.Command = invoice.ReleaseNote{Note: note.Invoice, Attempt: s.Abandoned}
	if accepted {
		step = "count"
		command = invoice.CountNote{Note: note.Invoice, Type: note.Document.Type,
			Date: note.Document.Date[:len("2006-01-02")], ReasonCode: reason(note.Document), Portions: c.Portions}
	}
	err := t.execute(ctx, c.Invoice, command, step, note.Invoice)
	if errors.Is(err, invoice.ErrUnknown) || errors.Is(err, invoice.ErrNotOpen) {
		return nil // only notes of before there were reservations name what was never accepted
	}
	if err != nil {
		return fmt.Errorf("%s note %s in %s: %w", step, note.Invoice, c.Invoice, err)
	}
	return nil
}

func (t Teller) execute(ctx context.Context, id string, c invoice.Command, step ...string) error {
	_, err := commands.Bind(t.Executor, invoice.Decider).Execute(ctx, id, c, commands.Request{
		ID:          commands.Derived(append([]string{Name, id}, step...)...),
		Correlation: step[len(step)-1], Actor: Name, At: t.Clock.Now(),
	})
	return err
}

// corrections are what a note reserved. One of before there were reservations corrects the
// invoice of ours that it names, when it names nothing else: then its whole total is what
// it takes or adds.
func (t Teller) corrections(note *events.InvoiceCreated) []events.Correction {
	if note == nil || len(note.Corrects) > 0 {
		return corrects(note)
	}
	refs := note.Document.BillingReference
	if len(refs) != 1 || refs[0].Invoice == "" || note.Document.Totals.Total.Cmp(money.Zero) <= 0 {
		return nil
	}
	rules, ok := t.Rules(note.Country)
	if !ok {
		return nil
	}
	mine, original := country.ClassOf(rules, note.Document.OfficialCode), country.ClassOf(rules, refs[0].OfficialCode)
	if mine != country.CreditNote && mine != country.DebitNote {
		return nil
	}
	return []events.Correction{{Invoice: refs[0].Invoice,
		Portions: []events.Portion{{Takes: country.Takes(mine, original), Amount: note.Document.Totals.Total}}}}
}

func corrects(note *events.InvoiceCreated) []events.Correction {
	if note == nil {
		return nil
	}
	return note.Corrects
}

// reason is the note's code for why it corrects; a note has one.
func reason(d events.Document) string {
	for _, r := range d.BillingReference {
		if r.ReasonCode != "" {
			return r.ReasonCode
		}
	}
	return ""
}
