package writeapi

import (
	"context"
	"fmt"
	"time"

	"folio/commands/invoice"
	"folio/events"
	"folio/strict"

	"github.com/oklog/ulid/v2"
)

// resolve completes a reference to an invoice of our own with its coordinates, from our
// own record (WSFEv1 wants type, number, date and issuer).
func (c *creation) resolve(ctx context.Context, o strict.Object, ref *events.Reference) {
	given := *ref
	code, message := c.named(ctx, ref)
	switch {
	case code != "":
		o.Fail("invoice_id", code, message)
	case c.away == nil && (!agrees(given, *ref) ||
		!sameCurrency(given, c.originals[ref.Invoice].Created.Document.Currency)):
		o.Fail("", "REFERENCE_DIFFERS", "The coordinates are not those of the invoice that invoice_id names: leave them out.")
	}
}

// named completes a reference to an invoice of our own, or says why a note made now cannot
// name it.
func (c *creation) named(ctx context.Context, ref *events.Reference) (code, message string) {
	if _, err := ulid.ParseStrict(ref.Invoice); err != nil {
		return "REFERENCE_UNKNOWN", "This company has no such invoice."
	}
	s, found, err := c.log.Documents.Load(ctx, ref.Invoice)
	switch {
	case err != nil:
		c.away = fmt.Errorf("look up what the note corrects: %w", err)
	case !found || s.Company != c.company.Company && !c.isTwin(ctx, s.Company):
		return "REFERENCE_UNKNOWN", "This company has no such invoice."
	case s.Company != c.company.Company:
		return "REFERENCE_OTHER_COMPANY", fmt.Sprintf(elsewhere, s.Company)
	case s.Status != invoice.Accepted:
		return "REFERENCE_NOT_ACCEPTED", "A note can only correct an accepted invoice; this one is " + string(s.Status) + "."
	case c.company.Environment() != "" && s.Environment != c.company.Environment():
		return "REFERENCE_OTHER_ENVIRONMENT", "The invoice belongs to the environment " + s.Environment +
			"; a note made now would not."
	default:
		original := s.Created.Document
		c.remember(s)
		ref.Type, ref.OfficialCode, ref.BranchOffice = original.Type, original.OfficialCode, original.BranchOffice
		ref.Series, ref.Number, ref.Date, ref.DocumentNumber = s.Letter, s.Number, original.Date[:len(time.DateOnly)],
			c.company.TaxIdentifier
	}
	return "", ""
}

// agrees says whether the coordinates that came with an invoice's id, as a read returns
// them, are those of our record.
func agrees(given, ours events.Reference) bool {
	same := func(a, b string) bool { return a == "" || a == b }
	return same(given.Type, ours.Type) && same(given.Date, ours.Date) && same(given.DocumentNumber, ours.DocumentNumber) &&
		same(given.Series, ours.Series) &&
		(given.Number == 0 || given.Number == ours.Number && given.BranchOffice == ours.BranchOffice)
}

// sameCurrency says whether the currency and rate that came with a reference are those of
// the document of our own.
func sameCurrency(given events.Reference, ours events.Currency) bool {
	return (given.Currency == "" || given.Currency == ours.Code) && (given.Rate == nil || given.Rate.Equal(ours.Rate))
}

func (c *creation) remember(s invoice.Full) {
	if c.originals == nil {
		c.originals = map[string]invoice.Full{}
	}
	c.originals[s.Invoice] = s
}
