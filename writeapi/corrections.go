package writeapi

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"folio/commands"
	"folio/commands/invoice"
	"folio/country"
	"folio/events"
	"folio/fault"
	"folio/money"
)

// checkAmounts refuses amounts of references that do not add up to the note. Where a note
// names anything besides documents of our own, they may come to less.
func (c *creation) checkAmounts(note events.Document) []fault.Violation {
	sum, given, all := money.Zero, false, true
	for i, r := range note.BillingReference {
		switch {
		case r.Amount == nil:
			all = false
		case r.Amount.Sign() < 0:
			return []fault.Violation{{Path: country.ReferencePath(i, "amount"), Code: "NOTE_AMOUNTS",
				Message: "It is 0 or more: how much of the note's total corrects this document."}}
		default:
			sum, given = sum.Add(*r.Amount), true
		}
	}
	if !given || note.Totals.Total.Equal(sum) || !all && sum.Less(note.Totals.Total) {
		return nil
	}
	return []fault.Violation{{Path: "billing_reference", Code: "NOTE_AMOUNTS", Message: fmt.Sprintf(
		"The amounts come to %s and the note to %s: they add up to the note's total.", sum.In(note.Currency.Code),
		note.Totals.Total.In(note.Currency.Code))}}
}

// checkWhole refuses the reason "cancels it" (CodRef 1, Anula documento de referencia) of a
// note over a part of the documents of our own that it names: the authority and the recipient
// would be told that nothing of them is left.
func (c *creation) checkWhole(note events.Document) []fault.Violation {
	code, rest, last := note.Currency.Code, note.Totals.Total, -1
	var out []fault.Violation
	add := func(i int, whole, of money.Decimal) {
		out = append(out, fault.Violation{Path: country.ReferencePath(i, "reason_code"), Code: "REASON_CANCELS_WHOLE",
			Message: fmt.Sprintf("Reason 1 cancels the whole of %s, and the note corrects %s of it: use 3 (corrects amounts), "+
				"or issue the note over the whole.", whole.In(code), of.In(code))})
	}
	for i, r := range note.BillingReference {
		s, ours := c.originals[r.Invoice]
		switch {
		case r.ReasonCode != country.Cancels || !c.isCorrected(r):
		case !ours || s.Currency != code:
			return out // nobody knows how much of the note is for it
		case r.Amount == nil:
			rest, last = rest.Sub(s.Total), i
		case r.Amount.Less(s.Total):
			add(i, s.Total, *r.Amount)
			fallthrough
		default:
			rest = rest.Sub(*r.Amount)
		}
	}
	if last >= 0 && rest.Sign() < 0 {
		whole := c.originals[note.BillingReference[last].Invoice].Total
		add(last, whole, whole.Add(rest))
	}
	return out
}

// corrections are what a note changes of earlier documents of its company. Where it names
// several and does not say how much of it is for each, they get what is left of them, in
// the order that they are named in. What is not ours carries what its amount says, and
// without one nothing, unless all of ours have amounts: nobody knows its total. A refusal is
// told here already, before anything is recorded.
func (c *creation) corrections(ctx context.Context, note *events.Document) ([]events.Correction, error) {
	class := country.ClassOf(c.rules, note.OfficialCode)
	if !isNote(class) {
		return nil, nil
	}
	p := planned{creation: c, class: class}
	for i, share := range c.shares(note, class) {
		if share == nil {
			continue
		}
		s := c.originals[note.BillingReference[i].Invoice]
		p.add(s, events.Portion{Takes: country.Takes(class, c.classOf(s)), Amount: *share})
		if err := p.pass(ctx, s.Invoice, s, *share); err != nil {
			return nil, err
		}
	}
	slices.SortFunc(p.out, func(a, b events.Correction) int { return strings.Compare(a.Invoice, b.Invoice) })
	for _, k := range p.out {
		if _, err := invoice.Decider.Decide(c.reservation(k, note.Type, class), c.originals[k.Invoice].State); err != nil {
			return nil, c.advised(note, err)
		}
	}
	return p.out, nil
}

// advised adds to a refusal of what is too much how another document that the note names
// may carry a part.
func (c *creation) advised(note *events.Document, err error) error {
	i := slices.IndexFunc(note.BillingReference, func(r events.Reference) bool {
		return r.Amount == nil && c.isCorrected(r) && !c.isBounded(r, note)
	})
	var f *fault.Error
	if i < 0 || !errors.As(err, &f) || !errors.Is(err, invoice.ErrExceeds) {
		return err
	}
	return fault.New(f.Code, f.Constant, fmt.Sprintf(
		"%s If a part of it is for the document that is not yours, write how much in %s.",
		f.Text, country.ReferencePath(i, "amount")))
}

func (c *creation) classOf(s invoice.Full) country.Class {
	return country.ClassOf(c.rules, s.Created.Document.OfficialCode)
}

// shares are how much of a note is for each document that it names, nil for those that are
// not bounded: periods, documents that are not ours, those in another currency.
func (c *creation) shares(note *events.Document, class country.Class) []*money.Decimal {
	refs := note.BillingReference
	shares := make([]*money.Decimal, len(refs))
	rest, last := note.Totals.Total, -1
	for i, r := range refs {
		switch {
		case !c.isCorrected(r):
		case r.Amount != nil:
			rest = rest.Sub(*r.Amount)
			if c.isBounded(r, note) {
				shares[i] = r.Amount
			}
		case c.isBounded(r, note):
			last = i
		}
	}
	for i := range refs {
		if shares[i] != nil || refs[i].Amount != nil || !c.isCorrected(refs[i]) || !c.isBounded(refs[i], note) {
			continue
		}
		s, share := c.originals[refs[i].Invoice], rest
		if left := s.Left(c.invoice); country.Takes(class, c.classOf(s)) && i != last && left.Less(rest) {
			share = left
		}
		rest, shares[i] = rest.Sub(share), &share
		if len(refs) > 1 {
			refs[i].Amount = &share
		}
	}
	return shares
}

// isBounded says that a reference is to a document of our own whose total the note changes.
func (c *creation) isBounded(r events.Reference, note *events.Document) bool {
	s, ours := c.originals[r.Invoice]
	return ours && s.Currency == note.Currency.Code
}

// isCorrected says that a note corrects what it names here: orders, guías and remitos are
// only told of.
func (c *creation) isCorrected(r events.Reference) bool {
	s, ours := c.originals[r.Invoice]
	return (!ours || c.classOf(s) != country.DispatchGuide) && country.Corrected(c.rules, r)
}

// planned collects what a note changes.
type planned struct {
	*creation
	class  country.Class
	out    []events.Correction
	passed int
}

func (p *planned) add(s invoice.Full, portion events.Portion) {
	id := s.Invoice
	i := slices.IndexFunc(p.out, func(k events.Correction) bool { return k.Invoice == id })
	if i < 0 {
		i = len(p.out)
		p.out = append(p.out, events.Correction{Invoice: id})
	}
	p.out[i].Portions = append(p.out[i].Portions, portion)
}

// maxPassed bounds how many documents one note may change through the notes that it names.
const maxPassed = 100

// pass hands what a note changes of the note via on to what that one changed: a debit note
// gives back what a credit note took, a credit note takes what a debit note added, however
// many notes stand between. From is via, or one of those.
func (p *planned) pass(ctx context.Context, via string, from invoice.Full, share money.Decimal) error {
	if !isNote(p.classOf(from)) {
		return nil
	}
	for _, r := range from.Created.Document.BillingReference {
		if r.Invoice == "" || share.Sign() <= 0 {
			continue
		}
		if p.passed++; p.passed > maxPassed {
			return errPassed
		}
		s, err := p.load(ctx, r.Invoice)
		if err != nil {
			return err
		}
		if s.Created == nil || s.Currency != from.Currency {
			continue
		}
		takes, before := country.Takes(p.class, p.classOf(s)), p.through(via, s)
		part := s.Notes.Reach(via, p.invoice, takes, before.Add(share)).Sub(before)
		if part.Sign() <= 0 {
			continue
		}
		share = share.Sub(part)
		p.add(s, events.Portion{Takes: takes, Amount: part, Via: via})
		if err := p.pass(ctx, via, s, part); err != nil {
			return err
		}
	}
	return nil
}

var errPassed = fault.Violated([]fault.Violation{{Path: "billing_reference", Code: "REFERENCE_CHAIN",
	Message: fmt.Sprintf("Through the notes that it names, the note would change more than %d documents: name "+
		"documents that stand nearer to the invoice, in several notes.", maxPassed)}})

// through is what is planned of a document by way of the note via.
func (p *planned) through(via string, s invoice.Full) (sum money.Decimal) {
	for _, k := range p.out {
		for _, portion := range k.Portions {
			if k.Invoice == s.Invoice && portion.Via == via {
				sum = sum.Add(portion.Amount)
			}
		}
	}
	return sum
}

func (p *planned) load(ctx context.Context, id string) (invoice.Full, error) {
	if s, known := p.originals[id]; known {
		return s, nil
	}
	s, _, err := p.log.Documents.Load(ctx, id)
	if err != nil {
		return s, fmt.Errorf("look up what the note corrects: %w", err)
	}
	if s.Created != nil {
		p.remember(s)
	}
	return s, nil
}

func (c *creation) reservation(k events.Correction, kind string, class country.Class) invoice.ReserveNote {
	return invoice.ReserveNote{Company: c.company.Company, Note: c.invoice, Type: kind,
		Credit:  class == country.CreditNote,
		Attempt: c.attempt, Portions: k.Portions}
}

// reserve keeps what the note will take in each document, before the note is recorded. What
// a crash leaves reserved is given back by the credits processor.
func (c *creation) reserve(ctx context.Context, e events.InvoiceCreated) error {
	class := country.ClassOf(c.rules, e.Document.OfficialCode)
	for i, k := range e.Corrects {
		if err := c.change(ctx, k.Invoice, c.reservation(k, e.Document.Type, class), "reserve"); err != nil {
			for _, done := range e.Corrects[:i] {
				// One that fails is given back by the credits processor.
				_ = c.change(ctx, done.Invoice, invoice.ReleaseNote{Note: c.invoice, Attempt: c.attempt}, "release")
			}
			return err
		}
	}
	return nil
}

func (c *creation) change(ctx context.Context, id string, command invoice.Command, step string) error {
	q := c.request
	q.ID = commands.Derived(step, c.request.ID.String(), id, fmt.Sprint(c.attempt))
	_, err := c.log.Invoices.Execute(ctx, id, command, q)
	return err
}
