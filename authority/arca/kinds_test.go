package arca_test

import (
	"fmt"
	"slices"
	"testing"

	"folio/authority"
	"folio/country"
	"folio/country/ar"
	"folio/events"
	"folio/money"

	"pgregory.net/rapid"
)

// oddLine is a line of tiny, of large or of no amount, which a discount may take off in whole.
func oddLine(t *rapid.T, like events.Item) events.Item {
	draw := func(name, pattern string) money.Decimal {
		return money.MustParse(rapid.StringMatching(pattern).Draw(t, name))
	}
	i := like
	i.Taxes = slices.Clone(like.Taxes)
	i.Quantity = draw("quantity", `([1-9][0-9]{0,2}|0\.5|[1-9]\.[0-9]{2}5|0\.00000[1-9]|[1-9][0-9]{0,5})`)
	i.UnitPrice = draw("price", `([1-9][0-9]{0,3}|[1-9][0-9]{0,3}\.[0-9]{1,2}|0\.00000[1-9]|0|0\.0[1-9]|[1-9][0-9]{0,2}\.[0-9]{2}5)`)
	i.Discount = money.Zero
	if whole := i.Quantity.Mul(i.UnitPrice); rapid.Bool().Draw(t, "discounted") && whole.Decimals() <= 6 {
		percent := money.FromInt(rapid.SampledFrom([]int64{0, 1, 33, 100}).Draw(t, "percent"))
		i.Discount = whole.Percent(percent).Round(6)
	}
	if len(i.Taxes) == 1 {
		i.Taxes[0].Type = rapid.SampledFrom([]string{"iva0", "iva25", "iva21", "iva27", "exempt", "untaxed"}).Draw(t, "tax")
	}
	return i
}

// beside moves one figure of the totals by some cents.
func beside(t *rapid.T, totals *events.Totals) {
	figures := []*money.Decimal{&totals.SubTotal, &totals.Discount, &totals.Total}
	for i := range totals.Taxes {
		figures = append(figures, &totals.Taxes[i].BaseAmount, &totals.Taxes[i].Amount)
	}
	for range rapid.IntRange(1, 3).Draw(t, "figures") {
		f := rapid.SampledFrom(figures).Draw(t, "figure")
		*f = f.Add(money.FromInt(rapid.Int64Range(-2, 2).Draw(t, "cents")).Quo(money.FromInt(100)).Round(2))
	}
}

// drawn is a document of a kind like another one with other lines, and its issuer.
func drawn(t *rapid.T, k country.DocumentType, like events.Document) (events.Document, country.Issuer) {
	d, who := country.CloneDocument(like), country.Issuer{TaxIdentifier: issuer}
	if who.Profile.TaxCondition = "responsable_inscripto"; classC(k.Code) {
		who.Profile.TaxCondition = "monotributo"
	}
	if !exported(k.Code) && rapid.Bool().Draw(t, "foreign") {
		d.Currency = events.Currency{Code: "USD", Rate: money.MustParse("1450.123456")}
	}
	d.Items = nil
	for range rapid.IntRange(1, 5).Draw(t, "lines") {
		d.Items = append(d.Items, oddLine(t, like.Items[0]))
	}
	order := rapid.SampledFrom([]ar.Order{ar.PerRate, ar.PerLine}).Draw(t, "order")
	_, plain, err := ar.Calculate(d.Items, nil, money.Zero, order)
	if err != nil {
		t.Fatal(err)
	}
	whole := plain.SubTotal.Sub(plain.Discount).Percent(
		money.FromInt(rapid.SampledFrom([]int64{0, 0, 7, 50, 100}).Draw(t, "whole"))).Round(2)
	if d.Items, d.Totals, err = ar.Calculate(d.Items, d.GlobalTaxes, whole, order); err != nil {
		t.Fatal(err)
	}
	if rapid.Bool().Draw(t, "beside") {
		beside(t, &d.Totals)
	}
	return d, who
}

// Whatever the rules take of any kind, with tiny, large and no amounts, ARCA takes, and in
// contingency its report.
func TestWhatTheRulesAcceptOfEveryKindTheAuthorityTakes(t *testing.T) {
	for _, k := range (ar.Rules{}).DocumentTypes() {
		t.Run(k.InvoiceType, func(t *testing.T) {
			b, held := contingency(t, conditionOf(k.InvoiceType))
			next, reported := int64(1), int64(1)
			base := document(t, k.InvoiceType, nil)
			for _, r := range base.Document.BillingReference {
				if a, err := b.send(t, batch(r.Number, document(t, r.Type, nil))); err != nil {
					t.Fatal(a, err)
				}
			}
			rapid.Check(t, func(rt *rapid.T) {
				d, who := drawn(rt, k, base.Document)
				checked, wrong := ar.Rules{}.Check(d, who, noon, country.Config{})
				if len(wrong) > 0 {
					return // such as a total that is negative by its rounding
				}
				in := batch(next, checked)
				in.Documents[0].Invoice = fmt.Sprint(k.InvoiceType, next)
				p, err := b.driver.Prepare(t.Context(), b.cred, in)
				if err != nil {
					rt.Fatal(err)
				}
				a, err := b.driver.Send(t.Context(), b.cred, in, p, b.record)
				if err != nil || a.Outcomes[0].Result != events.Accepted {
					rt.Fatalf("%v %+v\n%s", err, a.Outcomes, p.Content)
				}
				next++
				if !slices.Contains(ar.Rules{}.ContingencyTypes(), k.Code) ||
					len(ar.Rules{}.CheckContingency(checked.Document, checked.Taxes, noon)) > 0 {
					return
				}
				series, f := b.freeze(t, checked, reported, held.Code)
				got, err := b.driver.Report(t.Context(), b.cred, series, []authority.Frozen{f}, b.record)
				if err != nil || got[0].Result == authority.ReportRefused {
					rt.Fatalf("reported: %v %+v\n%s", err, got, f.Content)
				}
				reported++
			})
			if next == 1 {
				t.Error("none was taken")
			}
		})
	}
}
