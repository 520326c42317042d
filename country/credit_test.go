package country_test

import (
	"strings"
	"testing"

	"folio/country"
	"folio/country/cl"
	"folio/country/uy"
	"folio/events"
	"folio/money"
)

// Where rounding lets no note come to an amount, the refusal says what to send instead, and that does it: a first note
// of the next lower amount, a second one of what is then left.
func TestAnAmountThatNoNoteComesToIsCreditedInTwo(t *testing.T) {
	for _, c := range []struct {
		rules                        country.Rules
		example, amount, first, rest string
	}{
		{uy.Rules{}, "gross_prices", "1600.00", "1599.99", "0.01"},
		{uy.Rules{}, "foreign_currency", "0.08", "0.07", "0.01"},
		{cl.Rules{}, "FAC", "103", "102", "1"},
		{cl.Rules{}, "additional_tax", "11", "9", "2"},
	} {
		var original events.Document
		for _, x := range c.rules.Examples(friday) {
			if x.Name == c.example {
				original = x.Document
			}
		}
		fill := func(text string) (events.Document, string) {
			amount := money.MustParse(text)
			form, _ := c.rules.CreditForm(original, false)
			form.Note.Date, form.Note.Currency, form.Note.Recipient = original.Date, original.Currency, original.Recipient
			ref := events.Reference{Type: original.Type, Number: 7, Date: original.Date[:10],
				ReasonCode: country.CorrectsAmount}
			if c.rules.Code() == "UY" {
				ref.Series = "A"
			}
			note, wrong := country.Credit{Amount: &amount, Text: "Crédito parcial", Fits: func(d events.Document) bool {
				d.BillingReference = []events.Reference{ref}
				return len(checked(c.rules, d)) == 0
			}}.Fill(c.rules, original, form)
			if len(wrong) > 0 {
				return note, wrong[0].Path + " " + wrong[0].Code + " " + wrong[0].Message
			}
			return note, ""
		}
		_, said := fill(c.amount)
		if !strings.HasPrefix(said, "amount CREDIT_AMOUNT ") || !strings.Contains(said, "the next are "+c.first+", ") ||
			!strings.HasSuffix(said, "send one of them, and what is then left in another note") {
			t.Errorf("%s %s: %s is refused with %q", c.rules.Code(), c.example, c.amount, said)
		}
		for _, amount := range []string{c.first, c.rest} {
			note, said := fill(amount)
			if said != "" || !note.Totals.Total.Equal(money.MustParse(amount)) {
				t.Errorf("%s %s: the note of %s comes to %s: %s", c.rules.Code(), c.example, amount, note.Totals.Total, said)
			}
		}
	}
}
