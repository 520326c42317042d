package ar_test

import (
	"testing"

	"pgregory.net/rapid"

	_ "folio/rapidseed"

	"folio/country"
	"folio/country/ar"
	"folio/country/countrytest"
	"folio/country/figures"
	"folio/events"
	"folio/money"
)

// anyNumber is whatever money.Decimal can hold, with a liking for the edges.
func anyNumber(t *rapid.T, label string) money.Decimal {
	if rapid.Bool().Draw(t, label+" ordinary") {
		return amounts(t, label, 9_999_999)
	}
	edge := rapid.SampledFrom([]string{"0", "1", "-1", "0.01", "9999999999999.999999", "9999999999999", "10000000000000",
		"9999999999999999999", "-9999999999999999999", "0.0000000000000000001", "999999999.9999999999", "-9999999999999.99"})
	return dec(edge.Draw(t, label))
}

// The bounds come before the arithmetic: no number in any field can overflow it.
func TestNoNumberMakesTheRulesPanic(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		kind := rapid.SampledFrom((ar.Rules{}).DocumentTypes()).Draw(t, "kind")
		d, who := example(kind)
		for i := range rapid.IntRange(1, 4).Draw(t, "lines") {
			if i > 0 {
				d.Items = append(d.Items, d.Items[0])
			}
			d.Items[i].Quantity, d.Items[i].UnitPrice = anyNumber(t, "quantity"), anyNumber(t, "price")
			d.Items[i].Discount = anyNumber(t, "discount")
			if len(d.Items[i].Taxes) > 0 {
				d.Items[i].Taxes = []events.ItemTax{{Type: rapid.SampledFrom(lineTypes).Draw(t, "tax"), Rate: anyNumber(t, "rate"),
					Amount: anyNumber(t, "tax amount")}}
			}
		}
		d.GlobalTaxes = []events.GlobalTax{{Type: "iibb", Rate: anyNumber(t, "iibb rate"),
			BaseAmount: anyNumber(t, "iibb base"), Amount: anyNumber(t, "iibb")}}
		d.Totals = events.Totals{SubTotal: anyNumber(t, "subtotal"), Discount: anyNumber(t, "total discount"),
			Total: anyNumber(t, "total")}
		for _, tax := range lineTypes {
			d.Totals.Taxes = append(d.Totals.Taxes,
				events.TotalTax{Type: tax, BaseAmount: anyNumber(t, "base"), Amount: anyNumber(t, "amount")})
		}
		d.Currency = events.Currency{Code: rapid.SampledFrom([]string{"ARS", "USD", "CLP"}).Draw(t, "currency"),
			Rate: anyNumber(t, "exchange rate")}
		ar.Rules{}.Check(d, who, now, countrytest.Figures("AR", figures.ConsumerThreshold, "2025-05-29",
			anyNumber(t, "threshold").String()))
		if items, totals, err := ar.Calculate(d.Items, nil, anyNumber(t, "whole"), ar.PerLine); err == nil {
			d.Items, d.Totals, d.GlobalTaxes = items, totals, nil
			ar.Rules{}.Check(d, who, now, country.Config{})
		}
	})
}
