package credits

import (
	"context"
	"errors"
	"fmt"

	"folio/clock"
	"folio/commands"
	"folio/commands/invoice"
	"folio/country"
	"folio/events"
	"folio/processors/reactor"
)

// Teller tells documents what became of the notes that correct them.
type Teller struct {
	Executor *commands.Executor
	Rules    func(code string) (country.Rules, bool)
	Clock    clock.Clock

	issued func(ctx context.Context, company, environment string, ref events.Reference) (string, error)
}

// Tell says to every document that s corrects, if it is a note, that it was accepted, or that it
// was rejected. Telling it again changes nothing.
func (t Teller) Tell(ctx context.Context, s invoice.State, accepted bool) error {
	if !s.Corrects {
		return nil
	}
	return t.all(ctx, s, accepted)
}

// all tells every document that a note corrects, also those that it names by coordinates.
func (t Teller) all(ctx context.Context, s invoice.State, accepted bool) error {
	full, _, err := commands.Bind(t.Executor, invoice.FullDecider).Load(ctx, s.Invoice)
	if err != nil {
		return err
	}
	all, err := t.corrections(ctx, full.First())
	if err != nil {
		return err
	}
	for _, c := range all {
		if err := t.tell(ctx, full, c, accepted); err != nil {
			return err
		}
	}
	return nil
}

func (t Teller) tell(ctx context.Context, s invoice.Full, c events.Correction, accepted bool) error {
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
	q := reactor.Request(t.Clock, Name, id, step...)
	q.Correlation = step[len(step)-1]
	_, err := commands.Bind(t.Executor, invoice.Decider).Execute(ctx, id, c, q)
	return err
}

// corrections are what a note reserved, or what one of before there were reservations changes.
func (t Teller) corrections(ctx context.Context, note *events.InvoiceCreated) ([]events.Correction, error) {
	switch {
	case note == nil:
		return nil, nil
	case len(note.Corrects) > 0:
		return note.Corrects, nil
	}
	return t.old(ctx, note)
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
