package ar_test

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"folio/country"
	"folio/country/ar"
	"folio/events"
	"folio/money"
)

var lineTypes = []string{"iva0", "iva25", "iva5", "iva105", "iva21", "iva27", "exempt", "untaxed"}

// amounts draws money with up to six decimals, small and large alike.
func amounts(t *rapid.T, label string, limit int64) money.Decimal {
	unit := rapid.SampledFrom([]string{"1", "0.1", "0.01", "0.001", "0.000001"}).Draw(t, label+" unit")
	return money.FromInt(rapid.Int64Range(1, limit).Draw(t, label)).Mul(dec(unit))
}

// drawItems are lines of any rate; discounts take at most the whole line.
func drawItems(t *rapid.T, taxed bool) []events.Item {
	items := make([]events.Item, rapid.IntRange(1, 40).Draw(t, "lines"))
	for i := range items {
		label := fmt.Sprint("line ", i)
		quantity, price := amounts(t, label+" quantity", 9_999), amounts(t, label+" price", 999_999)
		discount := money.Zero
		if rapid.Bool().Draw(t, label+" discounted") {
			percent := money.FromInt(rapid.Int64Range(0, 100).Draw(t, label+" percent"))
			discount = quantity.Mul(price).Percent(percent).RoundEven(rapid.IntRange(2, 6).Draw(t, label+" decimals"))
			if quantity.Mul(price).Less(discount) {
				discount = money.Zero
			}
		}
		tax := ""
		if taxed {
			tax = rapid.SampledFrom(lineTypes).Draw(t, label+" tax")
		}
		items[i] = item(quantity.String(), price.String(), discount.String(), tax)
	}
	return items
}

// drawGlobal are tributos whose amounts follow their rates.
func drawGlobal(t *rapid.T) []events.GlobalTax {
	var list []events.GlobalTax
	for i := range rapid.IntRange(0, 3).Draw(t, "tributos") {
		g := events.GlobalTax{Type: rapid.SampledFrom([]string{"iibb", "perc_iva", "perc_mun", "internal"}).Draw(t,
			"tributo"),
			Rate: money.FromInt(int64(i + 1)), BaseAmount: amounts(t, "tributo base", 99_999).Round(2)}
		if g.Amount = g.BaseAmount.Percent(g.Rate).Round(2); g.Amount.Sign() > 0 {
			list = append(list, g)
		}
	}
	return list
}

// What ARCA compares, written again from the manual: within 0.01, or within 0.01 %.
func arcaTakes(t *rapid.T, x events.TaxInformation) {
	takes := func(told, want money.Decimal, n int64) bool {
		off := told.Sub(want).Abs()
		return off.RoundEven(2).Cmp(dec("0.01").Mul(money.FromInt(n))) <= 0 || off.Cmp(told.Abs().Mul(dec("0.0001"))) <= 0
	}
	base, tax := money.Zero, money.Zero
	for _, r := range x.Rates {
		if !takes(r.Amount, r.Base.Percent(r.Rate), 1) || r.Base.Sign() <= 0 || r.Amount.Sign() < 0 ||
			r.Base.Decimals() > 2 || r.Amount.Decimals() > 2 {
			t.Fatalf("ARCA refuses the rate %+v", r)
		}
		base, tax = base.Add(r.Base), tax.Add(r.Amount)
	}
	a := x.Amounts
	if len(x.Rates) > 0 && (!base.Equal(a.Net) || !tax.Equal(a.Tax)) {
		t.Fatalf("rates come to %s and %s, told are %s and %s", base, tax, a.Net, a.Tax)
	}
	if parts := money.Sum(a.Net, a.Untaxed, a.Exempt, a.Tax, a.Other); !takes(a.Total, parts, 1) {
		t.Fatalf("the total %s is not the sum of its parts, %s", a.Total, parts)
	}
	if len(x.Rates) > 0 && a.Tax.IsZero() && !x.Rates[len(x.Rates)-1].Rate.IsZero() {
		t.Fatalf("ARCA refuses VAT of 0 with %+v", x.Rates)
	}
}

func TestWhatTheCalculatorMakesIsAccepted(t *testing.T) {
	for name, order := range map[string]ar.Order{"rounded per line": ar.PerLine, "rounded per rate": ar.PerRate} {
		for class, kind := range map[string]string{"A": "FCA", "B": "FCB", "C": "FCC"} {
			t.Run(name+" in class "+class, func(t *testing.T) {
				rapid.Check(t, func(t *rapid.T) {
					k, _ := ar.Rules{}.DocumentType(kind)
					d, who := example(k)
					d.Items, d.GlobalTaxes = drawItems(t, class != "C"), drawGlobal(t)
					whole := money.Zero
					if _, plain, err := ar.Calculate(d.Items, nil, money.Zero, order); err == nil &&
						rapid.Bool().Draw(t, "discounted") {
						net := plain.SubTotal.Sub(plain.Discount)
						whole = net.Percent(money.FromInt(rapid.Int64Range(0, 100).Draw(t, "whole"))).RoundEven(2)
					}
					items, totals, err := ar.Calculate(d.Items, d.GlobalTaxes, whole, order)
					if err != nil {
						t.Fatal(err)
					}
					d.Items, d.Totals = items, totals
					checked, vs := ar.Rules{}.Check(d, who, now, country.Config{})
					if len(vs) > 0 {
						t.Fatalf("%v\n%+v", vs, d.Totals)
					}
					arcaTakes(t, checked.Taxes)
				})
			})
		}
	}
}

// A caller that adds up the rounded taxes of its lines is accepted as far as ARCA
// would accept it, and no further.
func TestSumsOfRoundedLinesFollowTheAuthority(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := product("FCA")
		price := money.FromInt(rapid.Int64Range(1, 99_999).Draw(t, "cents")).Mul(dec("0.01"))
		n := rapid.IntRange(1, 100).Draw(t, "lines")
		d.Items = nil
		for range n {
			d.Items = append(d.Items, item("1", price.String(), "0", "iva21"))
		}
		recalculate(&d, ar.PerRate)
		tax := money.Zero
		for _, i := range d.Items {
			tax = tax.Add(i.Taxes[0].Amount)
		}
		d.Totals.Taxes[0].Amount, d.Totals.Total = tax, d.Totals.SubTotal.Add(tax)
		off := tax.Sub(d.Totals.SubTotal.Percent(dec("21"))).Abs()
		takes := tax.Sign() > 0 && (off.RoundEven(2).Cmp(dec("0.01")) <= 0 || off.Cmp(tax.Mul(dec("0.0001"))) <= 0)
		if _, vs := check(d); (len(vs) == 0) != takes {
			t.Fatalf("%d lines of %s with VAT %s: off by %s, %v", n, price, tax, off, vs)
		}
	})
}

func TestTheCalculatorRefusesWhatCannotBeAddedUp(t *testing.T) {
	if _, _, err := ar.Calculate(one("9999999999999", "9999999999999", "0", "iva21"), nil, money.Zero,
		ar.PerRate); err == nil {
		t.Error("a product of 26 digits was calculated")
	}
	if _, _, err := ar.Calculate(one("1", "1", "0", "iva21"), nil, dec("0.0000001"), ar.PerRate); err == nil {
		t.Error("a discount of 0.0000001 was calculated")
	}
}
