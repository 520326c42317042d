package country_test

import (
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	_ "folio/rapidseed"

	"folio/country"
	"folio/country/ar"
	"folio/country/cl"
	"folio/country/uy"
	"folio/events"
	"folio/fault"
	"folio/money"
)

var everywhere = []country.Rules{ar.Rules{}, cl.Rules{}, uy.Rules{}}

// friday is noon in all three countries.
var friday = time.Date(2026, 11, 27, 15, 0, 0, 0, time.UTC)

// ownerOf is a company that may issue a document: in Argentina its condition follows from the
// letter.
func ownerOf(r country.Rules, d events.Document) country.Issuer {
	number := map[string]string{"AR": "30712345671", "CL": "77111222-6", "UY": "217111220014"}[r.Code()]
	out := country.Issuer{TaxIdentifier: number, Profile: events.IssuerProfile{LegalName: "Empresa", TaxIdentifier: number,
		TaxCondition: "responsable_inscripto", Address: events.Address{Country: r.Code(), Address: "Calle 1"}}}
	if d.Type[len(d.Type)-1] == 'C' {
		out.Profile.TaxCondition = "monotributo"
	}
	if r.Code() != "AR" {
		out.Profile.TaxCondition = ""
	}
	return out
}

func checked(r country.Rules, d events.Document) []fault.Violation {
	who := ownerOf(r, d)
	d.Issuer = events.Party{LegalName: "Empresa", DocumentType: r.IdentifierName(), DocumentNumber: who.TaxIdentifier}
	_, faults := r.Check(d, who, friday, country.Config{})
	return faults
}

func TestEveryDocumentTypeHasAnExampleThatIsAccepted(t *testing.T) {
	for _, r := range everywhere {
		all := r.Examples(friday)
		for _, k := range r.DocumentTypes() {
			if !slices.ContainsFunc(all, func(x country.Example) bool { return x.Name == k.InvoiceType }) {
				t.Errorf("%s has no example of %s", r.Code(), k.InvoiceType)
			}
		}
		names := map[string]bool{}
		for _, x := range all {
			if vs := checked(r, x.Document); len(vs) > 0 || names[x.Name] || x.Title == "" {
				t.Errorf("%s %s: %v", r.Code(), x.Name, vs)
			}
			names[x.Name] = true
		}
	}
}

// What is calculated passes the check, to the cent, whatever the items are.
func TestWhatIsCalculatedPassesTheCheck(t *testing.T) {
	for _, r := range everywhere {
		all := r.Examples(friday)
		t.Run(r.Code(), func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				d := country.CloneDocument(rapid.SampledFrom(all).Draw(t, "example").Document)
				places := rapid.IntRange(0, 3).Draw(t, "places")
				if d.Totals.Total.IsZero() {
					return // it has no prices
				}
				var items []events.Item
				net := money.Zero
				for n := range rapid.IntRange(1, 8).Draw(t, "lines") {
					like := d.Items[0] // what a kind must have
					if n > 0 {
						like = rapid.SampledFrom(d.Items).Draw(t, "line")
					}
					i := country.CloneDocument(events.Document{Items: []events.Item{like}}).Items[0]
					unit := money.FromInt(1)
					for range places {
						unit = unit.Quo(money.FromInt(10))
					}
					i.Quantity = money.FromInt(rapid.Int64Range(1, 99).Draw(t, "quantity"))
					i.UnitPrice = money.FromInt(rapid.Int64Range(1000, 99_999).Draw(t, "price")).Mul(unit)
					i.Discount = money.Zero
					items, net = append(items, i), net.Add(i.Quantity.Mul(i.UnitPrice).Round(0))
				}
				d.Items, d.Totals = items, events.Totals{}
				if rapid.Bool().Draw(t, "discounted") && !isRemito(r, d) {
					d.Totals.Discount = net.Percent(money.FromInt(rapid.Int64Range(0, 90).Draw(t, "percent"))).Round(0)
				}
				for i := range d.GlobalTaxes {
					d.GlobalTaxes[i].BaseAmount, d.GlobalTaxes[i].Amount = money.Zero, money.Zero
				}
				d, err := r.Calculate(d)
				if err != nil {
					t.Fatal(err)
				}
				if vs := slices.DeleteFunc(checked(r, d), isOfLargeAmounts); len(vs) > 0 {
					t.Fatalf("%s: %v\n%+v", d.Type, vs, d.Totals)
				}
			})
		})
	}
}

// isRemito says that a document has no discounts on the whole.
func isRemito(r country.Rules, d events.Document) bool {
	k, _ := r.DocumentType(d.Type)
	return k.Class == country.DispatchGuide
}

// isOfLargeAmounts are rules about what must be named from what amount on: the buyer, the means of payment.
func isOfLargeAmounts(v fault.Violation) bool {
	return namesTheBuyer(v) || v.Path == "payment_method.code"
}

// namesTheBuyer are rules about who must be named from what amount on.
func namesTheBuyer(v fault.Violation) bool { return len(v.Path) > 9 && v.Path[:9] == "recipient" }

// The whole of each document is credited, and each amount that the rules let pass is one. The note of an FCE debit
// note names its invoice too (10156), which only the caller knows.
func TestEveryDocumentThatIsCreditedHasANote(t *testing.T) {
	for _, r := range everywhere {
		for _, x := range r.Examples(friday) {
			k, _ := r.DocumentType(x.Document.Type)
			original := x.Document
			form, ok := r.CreditForm(original, true)
			if want := k.Class != country.CreditNote && k.Class != country.DispatchGuide; ok != want {
				t.Errorf("%s %s: credited %t", r.Code(), x.Name, ok)
			}
			if !ok || original.Totals.Total.IsZero() {
				continue
			}
			half := original.Totals.Total.Quo(money.FromInt(2)).Round(country.Places(r))
			for _, c := range []country.Credit{{}, {Amount: &half}, {Items: []country.CreditedItem{{Item: 0}}}} {
				c.Text, c.Fits = "Crédito parcial", func(events.Document) bool { return true }
				form.Note.Date, form.Note.BranchOffice = original.Date, original.BranchOffice
				form.Note.Currency = original.Currency
				if form.Note.Recipient == (events.Party{}) {
					form.Note.Recipient = original.Recipient
				}
				note, vs := c.Fill(r, original, form)
				if len(vs) > 0 {
					if vs[0].Code != "CREDIT_AMOUNT" {
						t.Errorf("%s %s: %v", r.Code(), x.Name, vs)
					}
					continue
				}
				ref := events.Reference{Type: original.Type, BranchOffice: original.BranchOffice, Number: 7,
					Date: original.Date[:10]}
				if form.Reasoned {
					ref.ReasonCode = country.CorrectsAmount
				}
				if r.Code() == "UY" {
					ref.Series = "A"
				}
				note.BillingReference = []events.Reference{ref}
				vs = checked(r, note)
				if slices.Contains([]string{"DMA", "DMB", "DMC"}, original.Type) && len(vs) == 1 {
					vs = slices.DeleteFunc(vs, func(v fault.Violation) bool { return v.Code == "AR-REFERENCE-10" })
				}
				if len(vs) > 0 {
					t.Errorf("%s %s: %v", r.Code(), x.Name, vs)
				}
			}
		}
	}
}
