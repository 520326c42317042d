package cl_test

import (
	"testing"

	"folio/country"
	"folio/country/cl"
	"folio/country/countrytest"
	"folio/events"
	"folio/money"

	"pgregory.net/rapid"

	_ "folio/rapidseed"
)

var row = countrytest.Row

// priced is a document of these lines with totals as the caller states them.
func priced(kind string, items []events.Item, sub, discount, total string, rows ...events.TotalTax) events.Document {
	d := document(kind)
	d.Items = calculated(events.Document{Type: kind, Currency: d.Currency, Items: items}, "0").Items
	d.Totals = events.Totals{SubTotal: dec(sub), Discount: dec(discount), Total: dec(total), Taxes: rows}
	return d
}

// What SII is told for each way of pricing: net, exempt, IVA, other, not invoiceable,
// MntTotal. Every row is given as a caller states it.
func TestTotals(t *testing.T) {
	mixed := []events.Item{item("1", "10000", "0", "iva19"), item("1", "5000", "0", "exempt")}
	for _, c := range []struct {
		name                                   string
		d                                      events.Document
		net, exe, iva, other, nonbilled, total string
	}{
		{"a taxed line", priced("FAC", one("2", "10500", "0", "iva19"), "21000", "0", "24990", row("iva19", "21000", "3990")),
			"21000", "0", "3990", "0", "0", "24990"},
		{"half a peso rounds up: 2.5 × 1 is 3",
			priced("FAC", one("2.5", "1", "0", "iva19"), "3", "0", "4", row("iva19", "3", "1")), "3", "0", "1", "0", "0", "4"},
		{"half a peso of each line", priced("FAC",
			[]events.Item{item("1", "10.5", "0", "iva19"), item("1", "10.5", "0", "iva19")}, "22", "0", "26",
			row("iva19", "22", "4")), "22", "0", "4", "0", "0", "26"},
		{"IVA of 50 is 9.5, hence 10", priced("FAC", one("1", "50", "0", "iva19"), "50", "0", "60", row("iva19", "50", "10")),
			"50", "0", "10", "0", "0", "60"},
		{"a discount of a line", priced("FAC", one("3", "1000", "500", "iva19"), "3000", "500", "2975",
			row("iva19", "2500", "475")), "2500", "0", "475", "0", "0", "2975"},
		{"taxed and exempt", priced("FAC", mixed, "15000", "0", "16900", row("iva19", "10000", "1900"),
			row("exempt", "5000", "0")), "10000", "5000", "1900", "0", "0", "16900"},
		{"a discount on the whole, in proportion",
			priced("FAC", mixed, "15000", "1500", "15210", row("iva19", "9000", "1710"), row("exempt", "4500", "0")), "9000",
			"4500", "1710", "0", "0", "15210"},
		{"a discount on what is taxed only", priced("FAC", mixed, "15000", "1500", "15115", row("iva19", "8500", "1615"),
			row("exempt", "5000", "0")), "8500", "5000", "1615", "0", "0", "15115"},
		{"a discount of a line and one on the whole, IVA of 427.5",
			priced("FAC", one("3", "1000", "500", "iva19"), "3000", "750", "2678", row("iva19", "2250", "428")), "2250", "0",
			"428", "0", "0", "2678"},
		{"half a peso of an exempt line", priced("FEX", one("1.5", "333", "0", "exempt"), "500", "0", "500",
			row("exempt", "500", "0")), "0", "500", "0", "0", "0", "500"},
		{"half a peso of a gross price", priced("BOL", one("0.5", "1191", "0", "iva19"), "596", "0", "596",
			row("iva19", "501", "95")), "501", "0", "95", "0", "0", "596"},
		{"a gross price less a discount on the whole",
			priced("BOL", one("1", "1000", "0", "iva19"), "1000", "190", "810", row("iva19", "681", "129")), "681", "0", "129",
			"0", "0", "810"},
		{"what is not invoiceable", priced("FAC",
			[]events.Item{item("1", "10000", "0", "iva19"), item("1", "300", "0", "not_invoiceable")}, "10300", "0", "12200",
			row("iva19", "10000", "1900"), row("not_invoiceable", "300", "0")), "10000", "0", "1900", "0", "300", "11900"},
		{"an additional tax", priced("FAC", one("1", "10000", "0", "iva19", "27"), "10000", "0", "12900",
			row("iva19", "10000", "1900"), row("27", "10000", "1000")), "10000", "0", "1900", "1000", "0", "12900"},
		{"31.5 % of 10.001 is 3.150,315", priced("FAC", one("1", "10001", "0", "iva19", "24"), "10001", "0", "15051",
			row("iva19", "10001", "1900"), row("24", "10001", "3150")), "10001", "0", "1900", "3150", "0", "15051"},
		{"IVA retained in whole", priced("FCO", one("1", "10000", "0", "iva19", "15"), "10000", "0", "10000",
			row("iva19", "10000", "1900"), row("15", "10000", "-1900")), "10000", "0", "1900", "-1900", "0", "10000"},
		{"IVA retained in part", priced("FCO", one("1", "10000", "0", "iva19", "30"), "10000", "0", "10900",
			row("iva19", "10000", "1900"), row("30", "10000", "-1000")), "10000", "0", "1900", "-1000", "0", "10900"},
		{"an exempt invoice", priced("FEX", one("1", "5000", "0", "exempt"), "5000", "0", "5000", row("exempt", "5000", "0")),
			"0", "5000", "0", "0", "0", "5000"},
		{"an exempt invoice without rows", priced("FEX", one("1", "5000", "0"), "5000", "500", "4500"), "0", "4500", "0", "0",
			"0", "4500"},
		{"a boleta of 1.190", priced("BOL", one("1", "1190", "0", "iva19"), "1190", "0", "1190", row("iva19", "1000", "190")),
			"1000", "0", "190", "0", "0", "1190"},
		{"a boleta of 680, whose IVA is the rest",
			priced("BOL", one("1", "680", "0", "iva19"), "680", "0", "680", row("iva19", "571", "109")), "571", "0", "109", "0",
			"0", "680"},
		{"a boleta of 86.710", priced("BOL", one("1", "86710", "0", "iva19"), "86710", "0", "86710",
			row("iva19", "72866", "13844")), "72866", "0", "13844", "0", "0", "86710"},
		{"a boleta of one peso", priced("BOL", one("1", "1", "0", "iva19"), "1", "0", "1", row("iva19", "1", "0")), "1", "0",
			"0", "0", "0", "1"},
		{"a boleta, mixed with discounts", priced("BOL",
			[]events.Item{item("2", "1000", "100", "iva19"), item("1", "500", "0", "exempt")}, "2500", "340", "2160",
			row("iva19", "1395", "265"), row("exempt", "500", "0")), "1395", "500", "265", "0", "0", "2160"},
		{"an exempt invoice that does not say so",
			countrytest.Unsaid(priced("FEX", append(one("1", "5000", "0"), item("2", "100", "0")), "5200", "200", "5000")), "0",
			"5000", "0", "0", "0", "5000"},
		{"an export that does not say that it is exempt",
			countrytest.Unsaid(priced("FXE", one("3", "1234.565", "0"), "3703.70", "0.70", "3703")), "0", "3703", "0", "0", "0",
			"3703"},
		{"an exempt boleta", priced("BEX", one("1", "990", "0"), "990", "0", "990"), "0", "990", "0", "0", "0", "990"},
		{"an export in dollars", priced("FXE", one("3", "10.555", "0"), "31.67", "0.67", "31"), "0", "31.00", "0", "0", "0",
			"31"},
		{"a guía of nothing", priced("GUI", one("5", "0", "0", "iva19"), "0", "0", "0", row("iva19", "0", "0")), "0", "0",
			"0", "0", "0", "0"},
	} {
		t.Run(c.name, func(t *testing.T) {
			a := mustAccept(t, c.d).Taxes.Amounts
			countrytest.Figure(t, "net", a.Net, c.net)
			countrytest.Figure(t, "exempt", a.Exempt, c.exe)
			countrytest.Figure(t, "IVA", a.Tax, c.iva)
			countrytest.Figure(t, "other", a.Other, c.other)
			countrytest.Figure(t, "not invoiceable", a.Untaxed, c.nonbilled)
			countrytest.Figure(t, "total", a.Total, c.total)
		})
	}
}

func TestWrongTotalsAreRefused(t *testing.T) {
	two := []events.Item{item("1", "10000", "0", "iva19"), item("1", "5000", "0", "exempt")}
	iva, exempt := row("iva19", "10000", "1900"), row("exempt", "5000", "0")
	for _, c := range []struct {
		name string
		d    events.Document
		want []string
	}{
		{"a total one peso off", priced("FAC", two, "15000", "0", "16901", iva, exempt),
			[]string{"totals.total CL-TOTAL-01"}},
		{"a sub_total one peso off", priced("FAC", two, "14999", "0", "16900", iva, exempt),
			[]string{"totals.sub_total CL-TOTAL-02", "totals.total CL-TOTAL-01"}},
		{"IVA one peso off", priced("FAC", two, "15000", "0", "16901", row("iva19", "10000", "1901"), exempt),
			[]string{"totals.taxes[0].amount CL-TOTAL-07"}},
		{"decimals", priced("FAC", two, "15000", "0", "16900.5", iva, exempt), []string{"totals.total CL-LIMIT-05"}},
		{"an additional tax bears what falls on exempt lines", priced("FAC",
			[]events.Item{item("1", "1000", "0", "iva19", "27"), item("1", "1000", "0", "exempt")}, "2000", "500", "1740",
			row("iva19", "1000", "190"), row("27", "500", "50"), row("exempt", "500", "0")),
			[]string{"totals.taxes[1].base_amount CL-TOTAL-06"}},
		{"an additional tax on more than is left", priced("FAC", one("1", "1000", "0", "iva19", "27"), "1000", "500", "695",
			row("iva19", "500", "95"), row("27", "1000", "100")), []string{"totals.taxes[1].base_amount CL-TOTAL-06"}},
		{"a row is missing", priced("FAC", two, "15000", "0", "16900", iva), []string{"totals.taxes CL-TOTAL-04"}},
		{"a row twice", priced("FAC", two, "15000", "0", "16900", iva, exempt, exempt),
			[]string{"totals.taxes[2].type CL-TOTAL-05"}},
		{"a row that no line has", priced("FAC", two, "15000", "0", "17900", iva, exempt, row("27", "10000", "1000")),
			[]string{"totals.taxes[2].type CL-TOTAL-05", "totals.total CL-TOTAL-01"}},
		{"an unknown row", priced("FAC", two, "15000", "0", "16900", iva, exempt, row("iva21", "0", "0")),
			[]string{"totals.taxes[2].type CL-TOTAL-05"}},
		{"a base of other lines", priced("FAC", two, "15000", "0", "17090", row("iva19", "11000", "2090"), exempt),
			[]string{"totals.taxes[0].base_amount CL-TOTAL-06"}},
		{"a discount that no base has", priced("FAC", two, "15000", "1000", "15900", iva, exempt),
			[]string{"totals.taxes CL-TOTAL-06"}},
		{"a discount above the lines", priced("FAC", two, "15000", "15001", "0", iva, exempt),
			[]string{"totals.discount CL-TOTAL-03", "totals.total CL-TOTAL-09"}},
		{"a discount below that of the lines", priced("FAC", one("1", "1000", "100", "iva19"), "1000", "0", "1071",
			row("iva19", "900", "171")), []string{"totals.discount CL-TOTAL-03"}},
		{"IVA on top of a boleta's prices", priced("BOL", one("1", "1000", "0", "iva19"), "1000", "0", "1190",
			row("iva19", "1000", "190")), []string{"totals.taxes[0].base_amount CL-TOTAL-06", "totals.total CL-TOTAL-01"}},
		{"a boleta's IVA computed from its base",
			priced("BOL", one("1", "680", "0", "iva19"), "680", "0", "679", row("iva19", "571", "108")),
			[]string{"totals.taxes[0].base_amount CL-TOTAL-06", "totals.total CL-TOTAL-01"}},
		{"a boleta divided wrongly", priced("BOL", one("1", "680", "0", "iva19"), "680", "0", "680",
			row("iva19", "572", "108")), []string{"totals.taxes[0].base_amount CL-TOTAL-07"}},
		{"a positive retention", priced("FCO", one("1", "10000", "0", "iva19", "15"), "10000", "0", "13800",
			row("iva19", "10000", "1900"), row("15", "10000", "1900")), []string{"totals.taxes[1].amount CL-TOTAL-07"}},
		{"a factura of nothing", priced("FAC", one("1", "0", "0", "iva19"), "0", "0", "0", row("iva19", "0", "0")),
			[]string{"totals.total CL-TOTAL-09"}},
		{"a factura afecta of exempt lines", priced("FAC", one("1", "100", "0", "exempt"), "100", "0", "100",
			row("exempt", "100", "0")), []string{"invoice_type CL-TOTAL-10"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, vs := check(c.d)
			countrytest.MustRefuse(t, vs, c.want...)
		})
	}
}

// Whatever the lines, what Calculate makes is accepted, and the parts that SII is told
// come to its total.
func TestWhatIsCalculatedIsAccepted(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		kind := rapid.SampledFrom([]string{"FAC", "FEX", "BOL", "BEX", "FCO", "GUI", "NDE", "NCE", "FXE"}).Draw(t, "kind")
		d := document(kind)
		taxed := kind != "FEX" && kind != "BEX" && kind != "FXE"
		d.Items = nil
		for range rapid.IntRange(1, 8).Draw(t, "lines") {
			price := money.MustParse(rapid.StringMatching(`[1-9][0-9]{0,6}(\.[0-9]{1,6})?`).Draw(t, "price"))
			quantity := money.MustParse(rapid.StringMatching(`[1-9][0-9]{0,2}(\.[0-9]{1,3})?`).Draw(t, "quantity"))
			i := events.Item{Quantity: quantity, UnitOfMeasure: "u", UnitPrice: price, Description: "Línea"}
			if whole := quantity.Mul(price).Round(0); whole.Sign() > 0 && kind != "FXE" {
				i.Discount = whole.Mul(money.FromInt(rapid.Int64Range(0, 3).Draw(t, "tenths"))).Quo(money.FromInt(10)).Round(0)
			}
			if way := rapid.IntRange(0, 5).Draw(t, "way"); !taxed {
				i.Taxes = []events.ItemTax{{Type: "exempt"}}
			} else {
				names := [][]string{{"iva19"}, {"iva19"}, {"iva19"}, {"exempt"}, {"not_invoiceable"}, {"iva19", "27"}}[way]
				if kind == "BOL" {
					names = names[:1]
				}
				for _, n := range names {
					i.Taxes = append(i.Taxes, events.ItemTax{Type: n})
				}
			}
			d.Items = append(d.Items, i)
		}
		if taxed {
			d.Items = append(d.Items, item("1", "100000", "0", "iva19"))
		}
		whole := rapid.SampledFrom([]string{"0", "1", "7", "999"}).Draw(t, "whole")
		net := money.Zero
		for _, i := range d.Items {
			net = net.Add(i.Quantity.Mul(i.UnitPrice).Sub(i.Discount))
		}
		if net.Cmp(money.FromInt(2000)) < 0 {
			whole = "0"
		}
		d = calculated(d, whole)
		checked, vs := cl.Rules{}.Check(d, company, now, nobodyIsAsked)
		if len(vs) > 0 {
			t.Fatalf("%v\n%+v", vs, d)
		}
		a := checked.Taxes.Amounts
		if parts := money.Sum(a.Net, a.Exempt, a.Tax, a.Other); !parts.Equal(a.Total) {
			t.Fatalf("%+v come to %s", a, parts)
		}
		if !a.Total.Add(a.Untaxed).Equal(d.Totals.Total) {
			t.Fatalf("%+v, the total is %s", a, d.Totals.Total)
		}
		dte := cl.NewDTE(checked.Document, checked.Taxes, company.Profile, 1)
		items, off := money.Zero, money.Zero
		for _, l := range dte.Detalle {
			items = items.Add(dec(l.MontoItem))
		}
		for _, x := range dte.DscRcgGlobal {
			off = off.Add(dec(x.ValorDR))
		}
		want := money.Sum(a.Net, a.Exempt, a.Untaxed)
		if kind == "BOL" {
			want = want.Add(a.Tax)
		}
		if got := items.Sub(off); !got.Equal(want) {
			t.Fatalf("lines %s less %s are not %s", items, off, want)
		}
	})
}

func TestCalculateRefusesWhatItCannot(t *testing.T) {
	if _, _, err := cl.Calculate("FCA", "CLP", nil, money.Zero); err != cl.ErrNoKind {
		t.Errorf("%v", err)
	}
	if _, _, err := cl.Calculate("FAC", "CLP",
		[]events.Item{{Quantity: dec("9999999999999"), UnitPrice: dec("9999999999999")}}, money.Zero); err != cl.ErrTooLarge {
		t.Errorf("%v", err)
	}
	if len(country.Registry{cl.Rules{}}.IdentifierNames()) != 1 {
		t.Error("the registry does not know Chile")
	}
}
