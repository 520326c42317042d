package writeapi

import (
	"context"
	"fmt"
	"strings"
	"time"

	"folio/commands/invoice"
	"folio/country"
	"folio/events"
	"folio/fault"
)

// checkNote finds the documents of our own that a note names by coordinates, and says where
// it does not agree with what it corrects.
func (c *creation) checkNote(ctx context.Context, note *events.Document) ([]fault.Violation, error) {
	if !isNote(country.ClassOf(c.rules, note.OfficialCode)) {
		return nil, nil
	}
	var out []fault.Violation
	for i := range note.BillingReference {
		r := &note.BillingReference[i]
		if r.Invoice == "" {
			unknown, err := c.find(ctx, r, i)
			if err != nil {
				return nil, err
			}
			out = append(out, unknown...)
		}
		s, ours := c.originals[r.Invoice]
		switch {
		case ours && c.isCorrected(*r):
			out = append(out, c.differences(*note, i, s)...)
			c.complete(r, *note, s.Created.Document)
		case !ours:
			out = append(out, country.Untold(c.rules, *note, i)...)
			named, err := c.checkPeriod(ctx, *note, i)
			if err != nil {
				return nil, err
			}
			out = append(out, named...)
		}
	}
	return append(append(out, c.checkAmounts(*note)...), c.checkWhole(*note)...), nil
}

// complete tells a reference the rate of the document of our own that it names, and its total
// where the note's is more.
func (c *creation) complete(r *events.Reference, note, original events.Document) {
	if original.Currency.Code != c.rules.Currency() {
		r.Rate = &original.Currency.Rate
	}
	if original.Totals.Total.Less(note.Totals.Total) {
		r.Total = &original.Totals.Total
	}
}

// checkPeriod refuses a period in place of documents of our own that the country wants to be
// named. They are looked for as far as is shown.
func (c *creation) checkPeriod(ctx context.Context, note events.Document, i int) ([]fault.Violation, error) {
	r := note.BillingReference[i]
	wanted, ok := country.MustItemise(c.rules, note)
	if !ok || r.PeriodFrom == "" {
		return nil, nil
	}
	numbers, more, err := c.Index.FindInPeriod(ctx, c.company.Company, c.company.Environment(),
		events.Document{Type: wanted.Type, Recipient: note.Recipient}, r)
	if err != nil || len(numbers) == 0 {
		return nil, err
	}
	count := fmt.Sprint(len(numbers))
	if more {
		count = fault.Words("more than %s", count)
	}
	return []fault.Violation{{Path: country.ReferencePath(i, "period_from"), Code: "REFERENCE_PERIOD",
		Message: fmt.Sprintf(
			"The company issued %s %s to this recipient in the period, such as %s: "+
				"name them by invoice_id, in as many notes as it takes. %s",
			count, wanted.Type, numbers[0], wanted.Otherwise)}}, nil
}

func isNote(class country.Class) bool {
	return class == country.CreditNote || class == country.DebitNote
}

// differences are what a note has otherwise than the document that it corrects. The
// receiver is the same (Argentina: RG 4540, article 3); an unidentified consumer stays one.
// Chile's note that corrects a text may correct that of the receiver.
func (c *creation) differences(note events.Document, i int, s invoice.Full) []fault.Violation {
	original := s.Created.Document
	var out []fault.Violation
	add := func(path, code, text string, args ...any) {
		out = append(out, fault.Violation{Path: path, Code: code, Message: fmt.Sprintf(text, args...)})
	}
	if s.Status != invoice.Accepted {
		add(country.ReferencePath(i, "number"), "REFERENCE_NOT_ACCEPTED",
			"A note can only correct an accepted invoice; this one is %s.", s.Status)
	}
	if r := note.BillingReference[i]; r.Date != "" && r.Date != original.Date[:len(time.DateOnly)] {
		add(country.ReferencePath(i, "date"), "REFERENCE_DIFFERS", "The document is of %s: write that date, or leave it out.",
			original.Date[:len(time.DateOnly)])
	}
	if !sameCurrency(note.BillingReference[i], original.Currency) {
		add(country.ReferencePath(i, "currency"), "REFERENCE_DIFFERS",
			"The document is in %s at a rate of %s: write that, or leave it out.",
			original.Currency.Code, original.Currency.Rate)
	}
	if !country.OtherRecipient(c.rules, note.BillingReference[i]) && !sameParty(note.Recipient, original.Recipient) {
		add("recipient.document_number", "NOTE_OTHER_RECIPIENT", "The document that it corrects was issued to %s: a note "+
			"goes to the same recipient.", named(original.Recipient))
	}
	if note.Currency.Code != original.Currency.Code && !c.isExchangeDifference(note) {
		add("currency.code", "NOTE_OTHER_CURRENCY", "The document that it corrects is in %s: a note is in the same currency.",
			original.Currency.Code)
	}
	return append(out, country.Differences(c.rules, note, original)...)
}

// isExchangeDifference says that the operator lets notes in local currency correct documents
// in another one. They take nothing of the document's total, which is in another currency.
func (c *creation) isExchangeDifference(note events.Document) bool {
	return c.Rules.ExchangeDifferenceNotes && country.ExchangeDifferences(c.rules) &&
		note.Currency.Code == c.rules.Currency()
}

// sameParty compares who is told to the authority. Names are not compared: they are
// written in many ways.
func sameParty(a, b events.Party) bool {
	if country.Nobody(a.DocumentNumber) || country.Nobody(b.DocumentNumber) {
		return country.Nobody(a.DocumentNumber) && country.Nobody(b.DocumentNumber)
	}
	return a.DocumentNumber == b.DocumentNumber && strings.EqualFold(a.DocumentType, b.DocumentType)
}

func named(p events.Party) string {
	if country.Nobody(p.DocumentNumber) {
		return fault.Words("a consumer who is not identified")
	}
	return strings.TrimSpace(p.DocumentType + " " + p.DocumentNumber)
}
