package country_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"folio/country"
	"folio/events"
	"folio/fault"
	"folio/money"
)

// creditedOf is what names some of the items of a document, or a part of them.
func creditedOf(t *rapid.T, d events.Document) (some []country.CreditedItem) {
	for i, item := range d.Items {
		if !rapid.Bool().Draw(t, "named") {
			continue
		}
		x := country.CreditedItem{Item: i}
		part := rapid.SampledFrom([]string{"1", "0.5", "0.1", "0.3"}).Draw(t, "part")
		if q := item.Quantity.Mul(money.MustParse(part)).Round(3); q.Sign() > 0 && q.Less(item.Quantity) {
			x.Quantity = &q
		}
		some = append(some, x)
	}
	return some
}

// noteOf is the credit note of some items of a document, in words why there is none, and what the rules say of it.
func noteOf(r country.Rules, d events.Document, some []country.CreditedItem) (note events.Document, none,
	wrong []fault.Violation) {
	form, _ := r.CreditForm(d, false)
	form.Note.Date, form.Note.Currency, form.Note.BranchOffice = d.Date, d.Currency, d.BranchOffice
	if form.Note.Recipient == (events.Party{}) {
		form.Note.Recipient = d.Recipient
	}
	ref := events.Reference{Type: d.Type, Number: 7, Date: d.Date[:10], BranchOffice: d.BranchOffice}
	if form.Reasoned {
		ref.ReasonCode = country.CorrectsAmount
	}
	if r.Code() == "UY" {
		ref.Series, ref.Currency, ref.Rate = "A", d.Currency.Code, &d.Currency.Rate
	}
	told := func(n events.Document) []fault.Violation {
		n.BillingReference = []events.Reference{ref}
		return slices.DeleteFunc(checked(r, n), func(v fault.Violation) bool {
			return v.Code == "AR-REFERENCE-10" // an FCE note that takes a debit note back names its invoice, too
		})
	}
	credit := country.Credit{Items: some, Text: "Crédito parcial",
		Fits: func(n events.Document) bool { return len(told(n)) == 0 }}
	if note, none = credit.Fill(r, d, form); len(none) > 0 {
		return note, none, nil
	}
	return note, nil, told(note)
}

// The note of some items of an accepted document is accepted, however small they are.
func TestCreditNotesOfSomeItemsAreAccepted(t *testing.T) {
	for _, r := range everywhere {
		examples := slices.DeleteFunc(r.Examples(friday), func(x country.Example) bool {
			_, ok := r.CreditForm(x.Document, false)
			return !ok || x.Document.Totals.Total.IsZero()
		})
		t.Run(r.Code(), func(t *testing.T) {
			taken := 0
			rapid.Check(t, func(t *rapid.T) {
				like := rapid.SampledFrom(examples).Draw(t, "example").Document
				d := smallDocument(t, r, country.CloneDocument(like))
				if rapid.Bool().Draw(t, "larger") {
					for i := range d.Items {
						d.Items[i].UnitPrice = d.Items[i].UnitPrice.Mul(money.FromInt(100))
					}
				}
				d, err := r.Calculate(d)
				if err != nil || len(checked(r, d)) > 0 {
					return // such as a total of nothing
				}
				some := creditedOf(t, d)
				note, _, wrong := noteOf(r, d, some) // none where the items come to nothing
				if r.Code() == "AR" && slices.ContainsFunc(note.Items, func(i events.Item) bool {
					return i.Quantity.Mul(i.UnitPrice).Less(i.Discount) // half a cent, with a discount that rounds to one
				}) {
					return
				}
				if len(wrong) > 0 {
					t.Fatalf("%v\nof %+v %+v\n%+v is %+v %+v", wrong, d.Items, d.Totals, some, note.Items, note.Totals)
				}
				taken++
			})
			if taken == 0 {
				t.Error("none was taken")
			}
		})
	}
}

// A line of an export in Chile has no discount in cents: they are taken off the whole, and the note comes to its part.
func TestAPartOfADiscountHasTheDecimalsOfTheCountry(t *testing.T) {
	for _, r := range everywhere {
		for _, x := range r.Examples(friday) {
			if x.Name != "FXE" {
				continue
			}
			d := x.Document
			d.Items[0].Quantity, d.Items[0].UnitPrice, d.Items[0].Discount = money.FromInt(7), money.FromInt(200),
				money.FromInt(14)
			d.Totals.Discount = money.FromInt(14)
			d, err := r.Calculate(d)
			if err != nil {
				t.Fatal(err)
			}
			part := money.MustParse("0.7")
			note, none, wrong := noteOf(r, d, []country.CreditedItem{{Item: 0, Quantity: &part}})
			if len(none)+len(wrong) > 0 || !note.Totals.Total.Equal(money.MustParse("138.6")) {
				t.Errorf("%v %v %+v", none, wrong, note.Totals)
			}
		}
	}
}
