package writeapi

import (
	"fmt"
	"slices"

	"folio/country"
	"folio/events"
	"folio/fault"
	"folio/money"
)

// excess refuses a credit note of more than what it corrects: the total of the company's own
// invoices that it names by id, in the same currency. Where it names anything else too, or
// an invoice in another currency, the sum is not known here and nothing is refused. Notes
// that exceed an invoice only together are not looked for.
func (c *creation) excess(note events.Document) []fault.Violation {
	if !c.isCreditNote(note.OfficialCode) || len(note.BillingReference) == 0 {
		return nil
	}
	sum := money.Zero
	for _, ref := range note.BillingReference {
		original, ours := c.originals[ref.Invoice]
		if !ours || original.Currency.Code != note.Currency.Code {
			return nil
		}
		sum = sum.Add(original.Totals.Total)
	}
	if !sum.Less(note.Totals.Total) {
		return nil
	}
	return []fault.Violation{{Path: "totals.total", Code: "NOTE_EXCEEDS_ORIGINAL", Message: fmt.Sprintf(
		"The credit note gives back %s %s, and what it names has a total of %s: credit no more than that, or name the other documents that it corrects too.",
		note.Totals.Total, note.Currency.Code, sum)}}
}

func (c *creation) isCreditNote(officialCode int) bool {
	return slices.ContainsFunc(c.rules.DocumentTypes(), func(k country.DocumentType) bool {
		return k.Code == officialCode && k.Class == country.CreditNote
	})
}
