package uy_test

import (
	"encoding/json"
	"testing"

	"pgregory.net/rapid"

	_ "folio/rapidseed"

	"folio/country/countrytest"
	"folio/country/figures"
	"folio/country/uy"
	"folio/events"
	"folio/money"
)

var lineTypes = []string{"iva22", "iva10", "exempt", "not_invoiceable"}

// anyNumber is whatever money.Decimal can hold, with a liking for the edges.
func anyNumber(t *rapid.T, label string) money.Decimal {
	if rapid.Bool().Draw(t, label+" ordinary") {
		return dec(rapid.StringMatching(`-?[0-9]{1,7}(\.[0-9]{1,4})?`).Draw(t, label))
	}
	edge := rapid.SampledFrom([]string{"0", "1", "-1", "0.01", "9999999999999.99", "9999999999999", "10000000000000",
		"9999.999",
		"9999999999999999999", "-9999999999999999999", "0.0000000000000000001", "99999999999.999999", "-9999999999999.99"})
	return dec(edge.Draw(t, label))
}

// The bounds come before the arithmetic: no number in any field can overflow it.
func TestNoNumberMakesTheRulesPanic(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		kind := rapid.SampledFrom((uy.Rules{}).DocumentTypes()).Draw(t, "kind")
		d := document(kind.InvoiceType)
		for i := range rapid.IntRange(1, 4).Draw(t, "lines") {
			if i > 0 {
				d.Items = append(d.Items, d.Items[0])
			}
			d.Items[i].Quantity, d.Items[i].UnitPrice, d.Items[i].Discount = anyNumber(t, "quantity"), anyNumber(t, "price"),
				anyNumber(t, "discount")
			d.Items[i].Taxes = []events.ItemTax{{Type: rapid.SampledFrom(lineTypes).Draw(t, "tax"), Rate: anyNumber(t, "rate"),
				Amount: anyNumber(t, "tax amount")}}
		}
		d.Totals = events.Totals{SubTotal: anyNumber(t, "subtotal"), Discount: anyNumber(t, "total discount"),
			Total: anyNumber(t, "total")}
		for _, tax := range lineTypes {
			d.Totals.Taxes = append(d.Totals.Taxes,
				events.TotalTax{Type: tax, BaseAmount: anyNumber(t, "base"), Amount: anyNumber(t, "amount")})
		}
		gross := rapid.Bool().Draw(t, "gross")
		if gross {
			d.HeaderInfo = []byte(`{"gross_prices":true,"recipient":{"city":"Pando","department":"Canelones"}}`)
		}
		d.Currency = events.Currency{Code: rapid.SampledFrom([]string{"UYU", "USD", "UYI"}).Draw(t, "currency"),
			Rate: anyNumber(t, "exchange rate")}
		cfg := countrytest.Figures("UY", figures.UnitValue, "2026-01-01", anyNumber(t, "unit").String())
		uy.Rules{}.Check(d, company, now, cfg)
		if items, totals, err := uy.Calculate(d.Type, gross, d.Items, anyNumber(t, "whole")); err == nil {
			d.Items, d.Totals = items, totals
			uy.Rules{}.Check(d, company, now, cfg)
		}
	})
}

// Whatever the lines, what Calculate makes is accepted, and what DGI is told comes to
// what the buyer pays.
func TestWhatIsCalculatedIsAccepted(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		kind := rapid.SampledFrom([]string{"TIC", "NCT", "EFA", "NCF", "NDF", "EFX", "NCX", "REX"}).Draw(t, "kind")
		d := document(kind)
		k, _ := uy.Rules{}.DocumentType(kind)
		taxed, gross := !uy.IsExport(k.Code), rapid.Bool().Draw(t, "gross")
		if taxed && gross {
			d.HeaderInfo = []byte(`{"gross_prices":true,"recipient":{"city":"Pando"}}`)
		}
		if uy.IsTicket(k.Code) {
			d.Recipient = events.Party{DocumentType: "CI", DocumentNumber: "13353214"}
		}
		d.Items = one("1", "6000", "0", "exempt")
		for range rapid.IntRange(1, 8).Draw(t, "lines") {
			i := item(rapid.StringMatching(`[1-9][0-9]{0,2}(\.[0-9]{1,3})?`).Draw(t, "quantity"),
				rapid.StringMatching(`[1-9][0-9]{0,6}(\.[0-9]{1,6})?`).Draw(t, "price"), "0", "exempt")
			if taxed {
				i.Taxes[0].Type = rapid.SampledFrom(lineTypes).Draw(t, "tax")
			}
			tenths := money.FromInt(rapid.Int64Range(0, 10).Draw(t, "tenths"))
			if kind == "REX" { // it has no discounts
				d.Items = append(d.Items, i)
				continue
			}
			i.Discount = i.Quantity.Mul(i.UnitPrice).Round(2).Mul(tenths).Quo(money.FromInt(10)).Round(2)
			d.Items = append(d.Items, i)
		}
		if taxed && rapid.Bool().Draw(t, "rounded") {
			d.Items = append(d.Items, item("1", "-0.37", "0", "not_invoiceable"), item("1", "0", "0", "iva10"))
		}
		wholes := []string{"0", "0.01", "0.07", "99.99", "4999.99"}
		if kind == "REX" {
			wholes = wholes[:1]
		}
		d = calculated(d, rapid.SampledFrom(wholes).Draw(t, "whole"))
		checked, vs := check(d)
		if len(vs) > 0 {
			t.Fatalf("%v\n%+v", vs, d)
		}
		a := checked.Taxes.Amounts
		if parts := money.Sum(a.Net, a.Exempt, a.Tax); !parts.Equal(a.Total) ||
			!a.Total.Add(a.Untaxed).Equal(d.Totals.Total) {
			t.Fatalf("%+v, the total is %s", a, d.Totals.Total)
		}
	})
}

// FuzzCheck feeds any document that can be decoded, within and outside the bounds: Check
// must answer, and say where.
func FuzzCheck(f *testing.F) {
	for _, k := range (uy.Rules{}).DocumentTypes() {
		d := document(k.InvoiceType)
		raw, err := json.Marshal(d)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(raw)
		d.Items[0].Quantity, d.Items[0].UnitPrice, d.Currency.Rate, d.Totals.Total = dec("9999999999999"),
			dec("9999999999999.999999"), dec("-1"), dec("9999999999999999999")
		d.HeaderInfo, d.ExportInfo = []byte(`{"recipient":[]}`), []byte(`{"sale_mode":99999999999999999999}`)
		if raw, err = json.Marshal(d); err != nil {
			f.Fatal(err)
		}
		f.Add(raw)
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		var d events.Document
		if json.Unmarshal(raw, &d) != nil {
			return
		}
		checked, vs := check(d)
		countrytest.MustSay(t, vs)
		if a := checked.Taxes.Amounts; a.Net.Sign() < 0 || a.Tax.Sign() < 0 || a.Exempt.Sign() < 0 || a.Total.Sign() < 0 {
			t.Fatalf("something negative is told: %+v", a)
		}
	})
}
