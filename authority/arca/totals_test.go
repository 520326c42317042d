package arca_test

import (
	"testing"

	"folio/country"
	"folio/country/ar"
	"folio/events"
	"folio/money"

	"pgregory.net/rapid"
)

// TestWhatTheRulesAcceptTheAuthorityAccepts sends random documents, rounded both ways,
// through the rules, the driver and the sandbox's own arithmetic.
func TestWhatTheRulesAcceptTheAuthorityAccepts(t *testing.T) {
	b := newBench(t)
	next := map[string]int64{}
	rapid.Check(t, func(rt *rapid.T) {
		kind := rapid.SampledFrom([]string{"FCA", "FCB", "FCC", "FCM"}).Draw(rt, "kind")
		base := document(t, kind, nil)
		d, who := base.Document, country.Issuer{TaxIdentifier: issuer,
			Profile: events.IssuerProfile{TaxIdentifier: issuer, TaxCondition: "responsable_inscripto"}}
		d.Items = rapid.SliceOfN(rapid.Custom(line), 1, 8).Draw(rt, "items")
		if kind == "FCC" {
			who.Profile.TaxCondition = "monotributo"
			for i := range d.Items {
				d.Items[i].Taxes = nil
			}
		}
		if rapid.Bool().Draw(rt, "perceived") {
			base := money.FromInt(rapid.Int64Range(100, 9_999_999).Draw(rt, "base")).Quo(money.FromInt(100)).Round(2)
			d.GlobalTaxes = []events.GlobalTax{{Type: "perc_iibb", Rate: money.FromInt(3), BaseAmount: base,
				Amount: base.Percent(money.FromInt(3)).Round(2)}}
		}
		order := rapid.SampledFrom([]ar.Order{ar.PerRate, ar.PerLine}).Draw(rt, "order")
		whole := money.Zero
		if rapid.Bool().Draw(rt, "discounted") {
			_, plain, err := ar.Calculate(d.Items, nil, money.Zero, order)
			if err != nil {
				rt.Fatal(err)
			}
			whole = plain.SubTotal.Percent(money.FromInt(rapid.Int64Range(1, 99).Draw(rt, "percent"))).RoundEven(2)
		}
		items, totals, err := ar.Calculate(d.Items, d.GlobalTaxes, whole, order)
		if err != nil {
			rt.Fatal(err)
		}
		d.Items, d.Totals = items, totals
		checked, wrong := ar.Rules{}.Check(d, who, noon, country.Config{})
		if len(wrong) > 0 {
			return // such as a tax that rounds to nothing: the caller is told
		}
		if next[kind] == 0 {
			next[kind] = 1
		}
		in := batch(next[kind], checked)
		p, err := b.driver.Prepare(t.Context(), b.cred, in)
		if err != nil {
			rt.Fatal(err)
		}
		a, err := b.driver.Send(t.Context(), b.cred, in, p, b.record)
		if err != nil || a.Outcomes[0].Result != events.Accepted {
			rt.Fatalf("%v %+v\n%s", err, a.Outcomes, p.Content)
		}
		next[kind]++
	})
	if next["FCA"] < 5 || next["FCB"] < 5 || next["FCC"] < 5 || next["FCM"] < 5 {
		t.Errorf("too few got as far as the authority: %v", next)
	}
}

// line is one item with up to four decimals in quantity and price.
func line(rt *rapid.T) events.Item {
	decimal := func(name string, most int64, scale int) money.Decimal {
		d := money.FromInt(rapid.Int64Range(1, most).Draw(rt, name))
		for range scale {
			d = d.Quo(money.FromInt(10))
		}
		return d
	}
	return events.Item{
		Quantity: decimal("quantity", 99_999, 3), UnitPrice: decimal("price", 9_999_999, 4), UnitOfMeasure: "u",
		Description: "Artículo",
		Taxes: []events.ItemTax{{Type: rapid.SampledFrom([]string{"iva0", "iva25", "iva5", "iva105", "iva21", "iva27",
			"exempt", "untaxed"}).Draw(rt, "tax")}},
	}
}

// TestBothSidesDrawTheSameLine sends taxes at the edges of the margin, some cents beside
// what is due: the rules accept exactly what the sandbox's own arithmetic accepts.
func TestBothSidesDrawTheSameLine(t *testing.T) {
	b := newBench(t)
	next, refused := int64(1), 0
	rapid.Check(t, func(rt *rapid.T) {
		d := document(t, "FCA", nil).Document
		item := line(rt)
		item.Quantity, item.UnitPrice = money.FromInt(1),
			money.FromInt(rapid.Int64Range(1, 30_000).Draw(rt, "cents")).Quo(money.FromInt(100)).Round(2)
		item.Taxes[0].Type = rapid.SampledFrom([]string{"iva25", "iva5", "iva105", "iva21", "iva27"}).Draw(rt, "rate")
		d.Items = nil
		for range rapid.IntRange(1, 5).Draw(rt, "lines") {
			d.Items = append(d.Items, item)
		}
		items, totals, err := ar.Calculate(d.Items, nil, money.Zero, ar.PerRate)
		if err != nil {
			rt.Fatal(err)
		}
		d.Items, d.Totals = items, totals
		who := country.Issuer{TaxIdentifier: issuer}
		right, wrong := ar.Rules{}.Check(d, who, noon, country.Config{})
		if len(wrong) > 0 {
			return
		}
		off := money.FromInt(rapid.Int64Range(-2, 2).Draw(rt, "off")).Quo(money.FromInt(100)).Round(2)
		tax := d.Totals.Taxes[0].Amount.Add(off)
		if tax.Sign() <= 0 || tax.Cmp(money.FromInt(90)) > 0 { // above, 0.01 % is more than a cent
			return
		}
		d.Totals.Taxes[0].Amount, d.Totals.Total = tax, d.Totals.Total.Add(off)
		_, wrong = ar.Rules{}.Check(d, who, noon, country.Config{})
		sent := right
		sent.Taxes.Rates[0].Amount, sent.Taxes.Amounts.Tax, sent.Taxes.Amounts.Total = tax, tax, d.Totals.Total
		in := batch(next, sent)
		p, err := b.driver.Prepare(t.Context(), b.cred, in)
		if err != nil {
			rt.Fatal(err)
		}
		a, err := b.driver.Send(t.Context(), b.cred, in, p, b.record)
		if err != nil {
			rt.Fatal(err)
		}
		accepted := a.Outcomes[0].Result == events.Accepted
		if accepted {
			next++
		} else {
			refused++
		}
		if accepted != (len(wrong) == 0) {
			rt.Fatalf("the rules say %v, the authority %+v\n%s", wrong, a.Outcomes, p.Content)
		}
	})
	if next < 5 || refused < 5 {
		t.Errorf("%d were accepted and %d refused: too few of either", next-1, refused)
	}
}
