package credits

import (
	"context"
	"fmt"

	"folio/commands"
	"folio/commands/invoice"
	"folio/country"
	"folio/events"
	"folio/money"
)

// named are the documents of our own that a note without reservations may correct: those
// that it names by id, and those whose id is to be found by their coordinates. Notes of before
// there were reservations have none.
func (t Teller) named(note *events.InvoiceCreated) (refs []events.Reference) {
	if note == nil || note.Document.Totals.Total.Sign() <= 0 {
		return nil
	}
	rules, ok := t.Rules(note.Country)
	if !ok {
		return nil
	}
	if class := country.ClassOf(rules, note.Document.OfficialCode); class != country.CreditNote &&
		class != country.DebitNote {
		return nil
	}
	for _, r := range note.Document.BillingReference {
		guide := country.ClassOf(rules, r.OfficialCode) == country.DispatchGuide
		if (r.Invoice != "" || coordinates(note, r)) && !guide && country.Corrected(rules, r) {
			refs = append(refs, r)
		}
	}
	return refs
}

// coordinates says that a note names a document of its own issuer by type, branch and number.
func coordinates(note *events.InvoiceCreated, r events.Reference) bool {
	return r.Invoice == "" && r.Number > 0 && r.OfficialCode > 0 &&
		(r.DocumentNumber == "" || r.DocumentNumber == note.Profile.TaxIdentifier)
}

// found is what is named with the id of each that is a document of our own.
func (t Teller) found(ctx context.Context, note *events.InvoiceCreated) ([]events.Reference, error) {
	var ours []events.Reference
	for _, r := range t.named(note) {
		if r.Invoice == "" && t.issued != nil {
			id, err := t.issued(ctx, note.Company, note.Environment, r)
			if err != nil {
				return nil, fmt.Errorf("find document %s %d that note %s names: %w", r.Type, r.Number, note.Invoice, err)
			}
			r.Invoice = id
		}
		if r.Invoice != "" && r.Invoice != note.Invoice {
			ours = append(ours, r)
		}
	}
	return ours, nil
}

// share is one of the documents that an old note corrects.
type share struct {
	id    string
	takes bool
	bound money.Decimal // the most that can be taken from it
}

// old is what a note without reservations changes. One that names a single document changes
// it by its whole total. Of several nobody wrote how much is for each: what the others cannot
// give is certain, and what this one could give at most is not left for other notes. What a
// note adds to several documents is added to none.
func (t Teller) old(ctx context.Context, note *events.InvoiceCreated) ([]events.Correction, error) {
	rules, _ := t.Rules(note.Country)
	class, total := country.ClassOf(rules, note.Document.OfficialCode), note.Document.Totals.Total
	var ours []share
	refs, err := t.found(ctx, note)
	if err != nil {
		return nil, err
	}
	for _, r := range refs {
		s, _, err := commands.Bind(t.Executor, invoice.Decider).Load(ctx, r.Invoice)
		if err != nil {
			return nil, fmt.Errorf("look up document %s that note %s corrects: %w", r.Invoice, note.Invoice, err)
		}
		if s.Status == invoice.Accepted && s.Company == note.Company && s.Currency == note.Document.Currency.Code {
			ours = append(ours, share{r.Invoice, country.Takes(class, country.ClassOf(rules, r.OfficialCode)), s.Ceiling()})
		}
	}
	alone := len(note.Document.BillingReference) == 1
	var out []events.Correction
	for i, s := range ours {
		rest, known := total, len(ours) == len(note.Document.BillingReference)
		for j, other := range ours {
			if j != i {
				rest, known = rest.Sub(other.bound), known && other.takes
			}
		}
		if portions := s.portions(total, rest, alone, known); len(portions) > 0 {
			out = append(out, events.Correction{Invoice: s.id, Portions: portions})
		}
	}
	return out, nil
}

// portions are what is certain of a document, and what is not. Rest is what the other
// documents cannot give, where that is known.
func (s share) portions(total, rest money.Decimal, alone, known bool) (out []events.Portion) {
	if alone {
		return []events.Portion{{Takes: s.takes, Amount: total}}
	}
	if !s.takes {
		return nil
	}
	most, certain := total, money.Zero
	if s.bound.Less(most) {
		most = s.bound
	}
	if known && rest.Sign() > 0 {
		certain = rest
	}
	if certain.Sign() > 0 {
		out = append(out, events.Portion{Takes: true, Amount: certain})
	}
	if certain.Less(most) {
		out = append(out, events.Portion{Takes: true, Amount: most.Sub(certain), AtMost: true})
	}
	return out
}
