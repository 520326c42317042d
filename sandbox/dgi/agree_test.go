package dgi

import (
	"slices"
	"strings"
	"testing"

	"github.com/beevik/etree"
	"pgregory.net/rapid"

	_ "folio/rapidseed"

	"folio/country"
	"folio/country/uy"
	"folio/events"
	"folio/money"
)

// edge is a line at the edges of rounding: quantities and prices whose product has half
// cents, and discounts up to all of it.
func edge(t *rapid.T) events.Item {
	draw := func(name, pattern string) money.Decimal {
		return money.MustParse(rapid.StringMatching(pattern).Draw(t, name))
	}
	i := events.Item{UnitOfMeasure: "u", Description: "Artículo",
		Quantity:  draw("quantity", `([1-9][0-9]{0,4}|0\.5|[0-9]\.[0-9]{2}5|12\.5)`),
		UnitPrice: draw("price", `([0-9]{1,7}\.[0-9]{1}[1-9]|[0-9]\.[0-9]{2}5|[0-9]{1,3}\.[0-9]{5}5)`),
		Taxes: []events.ItemTax{{Type: rapid.SampledFrom([]string{"iva22", "iva10", "exempt", "not_invoiceable"}).Draw(t,
			"tax")}}}
	gross := i.Quantity.Mul(i.UnitPrice).Round(2)
	switch rapid.IntRange(0, 3).Draw(t, "discount") {
	case 0:
		i.Discount = gross
	case 1:
		i.Discount = gross.Percent(money.FromInt(rapid.Int64Range(0, 100).Draw(t, "percent"))).Round(2)
	}
	return i
}

// atOnce are totals of a caller who rounds once at the end: the cents between that and
// the rounded lines are in the base of one row.
func atOnce(t *rapid.T, items []events.Item, totals events.Totals) events.Totals {
	exact := money.Zero
	for _, i := range items {
		exact = exact.Add(i.Quantity.Mul(i.UnitPrice))
	}
	off := exact.Round(2).Sub(totals.SubTotal)
	totals.SubTotal, totals.Taxes = exact.Round(2), slices.Clone(totals.Taxes)
	row := &totals.Taxes[rapid.IntRange(0, len(totals.Taxes)-1).Draw(t, "row")]
	rates := map[string]int64{"iva22": 22, "iva10": 10}
	row.BaseAmount = row.BaseAmount.Add(off)
	row.Amount = row.BaseAmount.Percent(money.FromInt(rates[row.Type])).Round(2)
	totals.Total = money.Zero
	for _, r := range totals.Taxes {
		totals.Total = money.Sum(totals.Total, r.BaseAmount, r.Amount)
	}
	return totals
}

// The program and the sandbox keep their own arithmetic. Whatever amounts the program
// takes, the sandbox makes the same of what it writes.
func TestWhatTheRulesAcceptTheAuthorityMakesAgain(t *testing.T) {
	h := newHouse(t)
	taken := map[string]int{}
	rapid.Check(t, func(rt *rapid.T) {
		gross, once := rapid.Bool().Draw(rt, "gross"), rapid.Bool().Draw(rt, "rounded once")
		items := rapid.SliceOfN(rapid.Custom(edge), 1, 8).Draw(rt, "items")
		_, plain, err := uy.Calculate("EFA", gross, items, money.Zero)
		if err != nil {
			rt.Fatal(err)
		}
		whole := plain.SubTotal.Sub(plain.Discount).Percent(
			money.FromInt(rapid.SampledFrom([]int64{0, 0, 7, 50, 100}).Draw(rt, "whole"))).Round(2)
		d := invoiced(gross)
		if d.Items, d.Totals, err = uy.Calculate("EFA", gross, items, whole); err != nil {
			rt.Fatal(err)
		}
		if once && !gross {
			d.Totals = atOnce(rt, d.Items, d.Totals)
		}
		checked, wrong := uy.Rules{}.Check(d, issuer, noon, country.Config{})
		if len(wrong) > 0 {
			if !once {
				rt.Fatalf("%v", wrong)
			}
			return // such as a base below 0
		}
		text, err := uy.CFE(country.Issued{Document: checked.Document, Taxes: checked.Taxes, Profile: issuer.Profile,
			Number: 1},
			uy.CAE{RUC: company, Type: 111, Series: "A", From: 1, To: 9}, noon)
		if err != nil {
			rt.Fatal(err)
		}
		tree := etree.NewDocument()
		if err := tree.ReadFromBytes(text); err != nil {
			rt.Fatal(err)
		}
		x := &examination{call: &call{Server: h.server},
			d: cfe{root: tree.Root(), body: tree.Root().ChildElements()[0], kind: 111}}
		x.totals()
		if len(x.out.Remarks) > 0 {
			rt.Fatalf("%v\n%s", x.out.Remarks, text)
		}
		taken[strings.Join([]string{name(gross, "gross"), name(once, "once")}, "")]++
	})
	if taken["once"] == 0 || taken["gross"] == 0 || taken[""] == 0 {
		t.Errorf("too few were taken: %v", taken)
	}
}

func name(is bool, text string) string {
	if is {
		return text
	}
	return ""
}

// invoiced is an e-Factura without its lines.
func invoiced(gross bool) events.Document {
	d := events.Document{Type: "EFA", Date: "2026-11-27 10:00:00",
		Currency: events.Currency{Code: "UYU", Rate: money.FromInt(1)},
		Issuer:   events.Party{LegalName: "Almacén Ñandú", DocumentType: "RUT", DocumentNumber: company},
		Recipient: events.Party{LegalName: "Dirección", DocumentType: "RUT", DocumentNumber: buyer,
			Address: events.Address{Country: "UY", Address: "Ruta 8"}},
		HeaderInfo: []byte(`{"recipient":{"city":"Pando"}}`)}
	if gross {
		d.HeaderInfo = []byte(`{"gross_prices":true,"recipient":{"city":"Pando"}}`)
	}
	return d
}
