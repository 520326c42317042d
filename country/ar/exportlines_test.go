package ar_test

import (
	"testing"

	"pgregory.net/rapid"

	"folio/country/ar"
	"folio/money"
)

// Whatever the calculator makes, WSFEXv1's own arithmetic accepts (1610, 1815).
func TestTotalsOfExports(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := export("FCX")
		d.Items = drawItems(t, false)
		order := rapid.SampledFrom([]ar.Order{ar.PerRate, ar.PerLine}).Draw(t, "order")
		whole := money.Zero
		if _, plain, err := ar.Calculate(d.Items, nil, money.Zero, order); err == nil && rapid.Bool().Draw(t, "discounted") {
			whole = plain.SubTotal.Sub(plain.Discount).Percent(
				money.FromInt(rapid.Int64Range(0, 100).Draw(t, "whole"))).RoundEven(2)
		}
		items, totals, err := ar.Calculate(d.Items, nil, whole, order)
		if err != nil {
			t.Fatal(err)
		}
		d.Items, d.Totals = items, totals
		got, vs := check(d)
		if len(vs) > 0 {
			t.Fatalf("%v\n%+v", vs, d.Totals)
		}
		lines, sum := ar.ExportOf(got.Document).Lines, money.Zero
		for _, l := range lines {
			sum = sum.Add(l.Total)
			off := l.Price.Mul(l.Quantity).Sub(l.Discount).Sub(l.Total).Abs()
			if l.Unit != 99 && dec("0.01").Less(off) || l.Unit == 99 && l.Total.Sign() >= 0 {
				t.Fatalf("1815: %+v", l)
			}
		}
		if dec("0.01").Mul(money.FromInt(int64(len(lines)))).Less(sum.Sub(got.Taxes.Amounts.Total).Abs()) {
			t.Fatalf("1610: %s for %s", got.Taxes.Amounts.Total, sum)
		}
	})
}

// A line's discount below a cent hides the cent that is taken off the whole: it is a line of
// its own where the lines would miss the total without it, and only there.
func TestAnExportOfPartsOfACent(t *testing.T) {
	for _, c := range []struct {
		name, lineDiscount, whole string
		order                     ar.Order
		lines                     int
	}{
		{"a cent off the whole, rounded per line", "0.005", "0.01", ar.PerLine, 2},
		{"nothing off the whole, rounded per line", "0.005", "0", ar.PerLine, 1},
		{"nothing off the whole, rounded per rate", "0.005", "0", ar.PerRate, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := export("FCX")
			items, totals, err := ar.Calculate(one("0.6", "0.04", c.lineDiscount, ""), nil, dec(c.whole), c.order)
			if err != nil {
				t.Fatal(err)
			}
			d.Items, d.Totals = items, totals
			if lines := ar.ExportOf(mustAccept(t, d).Document).Lines; len(lines) != c.lines {
				t.Errorf("%+v", lines)
			}
		})
	}
}
