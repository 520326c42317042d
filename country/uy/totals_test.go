package uy_test

import (
	"testing"

	"folio/country/countrytest"
	"folio/country/uy"
	"folio/events"
	"folio/money"
)

var row = countrytest.Row

// priced is a document of these lines with totals as the caller states them.
func priced(kind string, items []events.Item, sub, discount, total string, rows ...events.TotalTax) events.Document {
	d := document(kind)
	d.Items = calculated(events.Document{Type: kind, HeaderInfo: d.HeaderInfo, Items: items}, "0").Items
	d.Totals = events.Totals{SubTotal: dec(sub), Discount: dec(discount), Total: dec(total), Taxes: rows}
	return d
}

// gross is the same with IVA in the prices.
func gross(kind string, items []events.Item, sub, discount, total string, rows ...events.TotalTax) events.Document {
	d := priced(kind, items, sub, discount, total, rows...)
	d.HeaderInfo = []byte(`{"gross_prices":true,"recipient":{"city":"Pando"}}`)
	d.Items = calculated(events.Document{Type: kind, HeaderInfo: d.HeaderInfo, Items: items}, "0").Items
	return d
}

// What DGI is told for each way of pricing: net of both rates, exempt, IVA, not
// invoiceable, MntTotal. Every row is given as a caller states it.
func TestTotals(t *testing.T) {
	mixed := []events.Item{item("1", "10000", "0", "iva22"), item("1", "5000", "0", "iva10"),
		item("1", "2500", "0", "exempt")}
	thirds := []events.Item{item("1", "0.335", "0", "iva22"), item("1", "0.335", "0", "iva22"),
		item("1", "0.335", "0", "iva22")}
	for _, c := range []struct {
		name                        string
		d                           events.Document
		net, exe, iva, other, total string
	}{
		{"a line at the basic rate", priced("EFA", one("2", "1000", "0", "iva22"), "2000", "0", "2440",
			row("iva22", "2000", "440")), "2000", "0", "440", "0", "2440"},
		{"a line at the minimum rate", priced("EFA", one("2", "1000", "0", "iva10"), "2000", "0", "2200",
			row("iva10", "2000", "200")), "2000", "0", "200", "0", "2200"},
		{"an exempt line", priced("EFA", one("2", "1000", "0", "exempt"), "2000", "0", "2000", row("exempt", "2000", "0")),
			"0", "2000", "0", "0", "2000"},
		{"iva0 is exempt", priced("EFA", one("2", "1000", "0", "iva0"), "2000", "0", "2000", row("iva0", "2000", "0")), "0",
			"2000", "0", "0", "2000"},
		{"both rates and an exempt line", priced("EFA", mixed, "17500", "0", "20200", row("iva22", "10000", "2200"),
			row("iva10", "5000", "500"), row("exempt", "2500", "0")), "15000", "2500", "2700", "0", "20200"},
		{"half a cent rounds up: 0.5 × 0.25 is 0.13",
			priced("EFA", one("0.5", "0.25", "0", "exempt"), "0.13", "0", "0.13", row("exempt", "0.13", "0")), "0", "0.13", "0",
			"0", "0.13"},
		{"half a cent of each line", priced("EFA",
			[]events.Item{item("1", "0.125", "0", "exempt"), item("1", "0.125", "0", "exempt")}, "0.26", "0", "0.26",
			row("exempt", "0.26", "0")), "0", "0.26", "0", "0", "0.26"},
		{"IVA of 0.25 is 0.055, hence 0.06", priced("EFA", one("1", "0.25", "0", "iva22"), "0.25", "0", "0.31",
			row("iva22", "0.25", "0.06")), "0.25", "0", "0.06", "0", "0.31"},
		{"IVA of 0.05 at 10 is 0.005, hence 0.01",
			priced("EFA", one("1", "0.05", "0", "iva10"), "0.05", "0", "0.06", row("iva10", "0.05", "0.01")), "0.05", "0",
			"0.01", "0", "0.06"},
		{"a discount of a line", priced("EFA", one("3", "1000", "500", "iva22"), "3000", "500", "3050",
			row("iva22", "2500", "550")), "2500", "0", "550", "0", "3050"},
		{"a discount on the whole, in proportion",
			priced("EFA", mixed, "17500", "1750", "18180", row("iva22", "9000", "1980"), row("iva10", "4500", "450"),
				row("exempt", "2250", "0")), "13500", "2250", "2430", "0", "18180"},
		{"a discount on the basic rate only", priced("EFA", mixed, "17500", "1000", "18980", row("iva22", "9000", "1980"),
			row("iva10", "5000", "500"), row("exempt", "2500", "0")), "14000", "2500", "2480", "0", "18980"},
		{"what is not invoiceable", priced("EFA",
			[]events.Item{item("1", "1000", "0", "iva22"), item("1", "30", "0", "not_invoiceable")}, "1030", "0", "1250",
			row("iva22", "1000", "220"), row("not_invoiceable", "30", "0")), "1000", "0", "220", "30", "1220"},
		{"a rounding in the buyer's favour", priced("EFA",
			[]events.Item{item("1", "1000", "0", "iva22"), item("1", "-0.40", "0", "not_invoiceable")}, "999.60", "0", "1219.60",
			row("iva22", "1000", "220"), row("not_invoiceable", "-0.40", "0")), "1000", "0", "220", "-0.40", "1220"},
		{"a free line needs no row", priced("EFA",
			[]events.Item{item("12", "10", "0", "iva22"), item("1", "0", "0", "iva10")}, "120", "0", "146.40",
			row("iva22", "120", "26.40")), "120", "0", "26.40", "0", "146.40"},
		{"a price with 22 % in it", gross("EFA", one("1", "122", "0", "iva22"), "122", "0", "122", row("iva22", "100", "22")),
			"100", "0", "22", "0", "122"},
		{"a price with 10 % in it", gross("TIC", one("1", "110", "0", "iva10"), "110", "0", "110", row("iva10", "100", "10")),
			"100", "0", "10", "0", "110"},
		{"0.14 is 0.11 and 0.02: a cent is missing",
			gross("EFA", one("1", "0.14", "0", "iva22"), "0.14", "0", "0.13", row("iva22", "0.11", "0.02")), "0.11", "0", "0.02",
			"0", "0.13"},
		{"the missing cent as a line", gross("EFA",
			[]events.Item{item("1", "0.14", "0", "iva22"), item("1", "0.01", "0", "not_invoiceable")}, "0.15", "0", "0.14",
			row("iva22", "0.11", "0.02"), row("not_invoiceable", "0.01", "0")), "0.11", "0", "0.02", "0.01", "0.13"},
		{"a sum with IVA in it is divided, not each line",
			gross("EFA", []events.Item{item("1", "0.14", "0", "iva22"), item("1", "0.14", "0", "iva22")}, "0.28", "0", "0.28",
				row("iva22", "0.23", "0.05")), "0.23", "0", "0.05", "0", "0.28"},
		{"gross prices at both rates", gross("EFA", mixed, "17500", "0", "17500", row("iva22", "8196.72", "1803.28"),
			row("iva10", "4545.45", "454.55"), row("exempt", "2500", "0")), "12742.17", "2500", "2257.83", "0", "17500"},
		{"gross prices, a discount on the whole",
			gross("EFA", mixed, "17500", "1750", "15750", row("iva22", "7377.05", "1622.95"), row("iva10", "4090.91", "409.09"),
				row("exempt", "2250", "0")), "11467.96", "2250", "2032.04", "0", "15750"},
		{"a line of half a cent, discounted to nothing",
			priced("EFA", []events.Item{item("0.5", "1.13", "0.57", "iva22"), item("1", "10", "0", "iva22")}, "10.57", "0.57",
				"12.20", row("iva22", "10", "2.20")), "10", "0", "2.20", "0", "12.20"},
		{"a sub_total rounded once, the cents in the base",
			priced("EFA", thirds, "1.01", "0", "1.23", row("iva22", "1.01", "0.22")), "1.01", "0", "0.22", "0", "1.23"},
		{"a sub_total rounded once, bases of rounded lines",
			priced("EFA", thirds, "1.01", "0", "1.24", row("iva22", "1.02", "0.22")), "1.02", "0", "0.22", "0", "1.24"},
		{"a sub_total rounded once, above the rounded lines",
			priced("EFA", []events.Item{item("1", "0.334", "0", "iva22"), item("1", "0.333", "0", "iva22"),
				item("1", "0.333", "0", "iva22")}, "1.00", "0", "1.22", row("iva22", "1.00", "0.22")), "1", "0", "0.22", "0",
			"1.22"},
		{"an export in dollars", priced("EFX", one("3", "10.555", "0"), "31.67", "0.67", "31"), "0", "31.00", "0", "0", "31"},
		{"an export that does not say that it is exempt",
			countrytest.Unsaid(priced("EFX", append(one("3", "10.555", "0"), item("1", "4", "0")), "35.67", "0.67", "35")), "0",
			"35.00", "0", "0", "35"},
		{"an export remito that does not", countrytest.Unsaid(priced("REX", one("3", "10.50", "0"), "31.50", "0", "31.50")),
			"0", "31.50", "0", "0", "31.50"},
		{"an export remito", priced("REX", one("3", "10.50", "0"), "31.50", "0", "31.50"), "0", "31.50", "0", "0", "31.50"},
		{"a remito has no amounts", priced("REM", one("5", "0", "0"), "0", "0", "0"), "0", "0", "0", "0", "0"},
	} {
		t.Run(c.name, func(t *testing.T) {
			a := mustAccept(t, c.d).Taxes.Amounts
			countrytest.Figure(t, "net", a.Net, c.net)
			countrytest.Figure(t, "exempt", a.Exempt, c.exe)
			countrytest.Figure(t, "IVA", a.Tax, c.iva)
			countrytest.Figure(t, "not invoiceable", a.Untaxed, c.other)
			countrytest.Figure(t, "MntTotal", a.Total, c.total)
		})
	}
}

func TestRatesAreToldInOrder(t *testing.T) {
	d := priced("EFA", []events.Item{item("1", "5", "0", "iva10"), item("1", "10", "0", "iva22"),
		item("1", "0", "0", "exempt")}, "15", "0", "17.70",
		row("iva10", "5", "0.50"), row("iva22", "10", "2.20"))
	rates := mustAccept(t, d).Taxes.Rates
	if len(rates) != 2 || rates[0].Type != "iva22" || rates[0].Code != "3" || rates[1].Code != "2" ||
		!rates[1].Base.Equal(dec("5")) || !rates[0].Amount.Equal(dec("2.20")) {
		t.Errorf("%+v", rates)
	}
}

func TestWrongTotalsAreRefused(t *testing.T) {
	two := []events.Item{item("1", "1000", "0", "iva22"), item("1", "500", "0", "exempt")}
	iva, exempt := row("iva22", "1000", "220"), row("exempt", "500", "0")
	for _, c := range []struct {
		name string
		d    events.Document
		want []string
	}{
		{"a total one cent off", priced("EFA", two, "1500", "0", "1720.01", iva, exempt),
			[]string{"totals.total UY-TOTAL-01"}},
		{"a sub_total one cent off", priced("EFA", two, "1499.99", "0", "1720", iva, exempt),
			[]string{"totals.sub_total UY-TOTAL-02"}},
		{"a sub_total of neither rounding", priced("EFA",
			[]events.Item{item("1", "0.335", "0", "iva22"), item("1", "0.335", "0", "iva22"), item("1", "0.335", "0", "iva22")},
			"1.00", "0", "1.24", row("iva22", "1.02", "0.22")), []string{"totals.sub_total UY-TOTAL-02"}},
		{"IVA one cent off", priced("EFA", two, "1500", "0", "1720.01", row("iva22", "1000", "220.01"), exempt),
			[]string{"totals.taxes[0].amount UY-TOTAL-07"}},
		{"three decimals", priced("EFA", two, "1500", "0", "1720.005", iva, exempt), []string{"totals.total UY-LIMIT-05"}},
		{"a row is missing", priced("EFA", two, "1500", "0", "1720", iva),
			[]string{"totals.taxes UY-TOTAL-04", "totals.total UY-TOTAL-01"}},
		{"a row twice", priced("EFA", two, "1500", "0", "1720", iva, exempt, exempt),
			[]string{"totals.taxes[2].type UY-TOTAL-05"}},
		{"a row that no line has", priced("EFA", two, "1500", "0", "1720", iva, exempt, row("iva10", "10", "1")),
			[]string{"totals.taxes[2].type UY-TOTAL-05"}},
		{"a row of nothing that no line has", priced("EFA", two, "1500", "0", "1720", iva, exempt, row("iva10", "0", "0")),
			nil},
		{"an unknown row", priced("EFA", two, "1500", "0", "1720", iva, exempt, row("iva21", "0", "0")),
			[]string{"totals.taxes[2].type UY-TOTAL-05"}},
		{"a base of other lines", priced("EFA", two, "1500", "0", "1842", row("iva22", "1100", "242"), exempt),
			[]string{"totals.taxes[0].base_amount UY-TOTAL-06"}},
		{"a discount that no base has", priced("EFA", two, "1500", "100", "1720", iva, exempt),
			[]string{"totals.taxes UY-TOTAL-06"}},
		{"a discount that lifts a base", priced("EFA", two, "1500", "100", "1642", row("iva22", "1100", "242"),
			row("exempt", "300", "0")), []string{"totals.taxes UY-TOTAL-06"}},
		{"a discount that brings a base below 0", priced("EFA", two, "1500", "600", "1109", row("iva22", "950", "209"),
			row("exempt", "-50", "0")), []string{"totals.taxes[1].base_amount UY-TOTAL-06"}},
		{"a base below 0 of an export", priced("EFX", append(one("1", "1", "0", "exempt"), item("1", "100", "0",
			"not_invoiceable")), "101", "50.5", "50.5", row("exempt", "-9.5", "0"), row("not_invoiceable", "60", "0")),
			[]string{"totals.taxes[0].base_amount UY-TOTAL-06"}},
		{"a discount above the lines", priced("EFA", two, "1500", "1501", "0", iva, exempt),
			[]string{"totals.discount UY-TOTAL-03", "totals.total UY-TOTAL-01"}},
		{"a discount below that of the lines", priced("EFA", one("1", "1000", "100", "iva22"), "1000", "0", "1098",
			row("iva22", "900", "198")), []string{"totals.discount UY-TOTAL-03"}},
		{"a gross price taken for a net one", priced("EFA", one("1", "122", "0", "iva22"), "122", "0", "122",
			row("iva22", "100", "22")), []string{"totals.taxes[0].base_amount UY-TOTAL-06"}},
		{"a net price taken for a gross one", gross("EFA", one("1", "100", "0", "iva22"), "100", "0", "122",
			row("iva22", "100", "22")), []string{"totals.taxes[0].base_amount UY-TOTAL-06"}},
		{"the cent put into the IVA", gross("EFA", one("1", "0.14", "0", "iva22"), "0.14", "0", "0.14",
			row("iva22", "0.11", "0.03")), []string{"totals.taxes[0].amount UY-TOTAL-07"}},
		{"the price in place of the sum", gross("EFA", one("1", "0.14", "0", "iva22"), "0.14", "0", "0.14",
			row("iva22", "0.11", "0.02")), []string{"totals.total UY-TOTAL-01"}},
		{"gross bases that divide no discount",
			gross("EFA", one("1", "122", "0", "iva22"), "122", "12.20", "122", row("iva22", "100", "22")),
			[]string{"totals.taxes UY-TOTAL-06"}},
		{"less than nothing", priced("EFA", one("1", "-5", "0", "not_invoiceable"), "-5", "0", "-5",
			row("not_invoiceable", "-5", "0")), []string{"totals.total UY-TOTAL-09"}},
		{"an export with IVA", priced("EFX", one("1", "100", "0", "iva22"), "100", "0", "122", row("iva22", "100", "22")),
			[]string{"items[0].taxes[0].type UY-TAX-04"}},
		{"a remito with a price", priced("REM", one("1", "100", "0"), "100", "0", "0"),
			[]string{"items[0].unit_price UY-ITEM-07"}},
		{"a remito of an export with a discount on a line",
			priced("REX", one("1", "100", "1", "exempt"), "100", "1", "99", row("exempt", "99", "0")),
			[]string{"items[0].discount_amount UY-ITEM-08"}},
		{"a remito of an export with a discount on the whole",
			priced("REX", one("1", "100", "0", "exempt"), "100", "1", "99", row("exempt", "99", "0")),
			[]string{"totals.discount UY-TOTAL-10"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, vs := check(c.d)
			countrytest.MustRefuse(t, vs, c.want...)
		})
	}
}

// One such document would keep the report of its day from being written.
func TestMorePesosThanADayHoldsAreRefused(t *testing.T) {
	for rate, want := range map[string][]string{"99.999": nil, "100": {"totals.total UY-LIMIT-04"}} {
		d := priced("EFA", one("1", "9999999999", "0", "exempt"), "9999999999", "0", "9999999999",
			row("exempt", "9999999999", "0"))
		d.Items[0].Quantity = dec("1000")
		d.Totals.SubTotal, d.Totals.Total, d.Totals.Taxes[0].BaseAmount = dec("9999999999000"), dec("9999999999000"),
			dec("9999999999000")
		d.Currency = events.Currency{Code: "USD", Rate: dec(rate)}
		_, vs := check(d)
		countrytest.MustRefuse(t, vs, want...)
	}
}

func TestCalculateRefusesWhatItCannot(t *testing.T) {
	if _, _, err := uy.Calculate("FCA", false, nil, money.Zero); err != uy.ErrNoKind {
		t.Errorf("%v", err)
	}
	if _, _, err := uy.Calculate("EFA", false, one("9999999999999", "9999999999999", "0"),
		money.Zero); err != uy.ErrTooLarge {
		t.Errorf("%v", err)
	}
}
