package ar_test

import (
	"strings"
	"testing"

	"folio/country"
	"folio/country/ar"
	"folio/country/countrytest"
	"folio/events"
	"folio/money"
)

// row is one line of totals.taxes.
var row = countrytest.Row

// priced is a class A document of these lines with totals as the caller states them.
func priced(items []events.Item, sub, discount, total string, rows ...events.TotalTax) events.Document {
	d := product("FCA")
	d.Items = items
	recalculate(&d, ar.PerRate)
	d.Totals = events.Totals{SubTotal: dec(sub), Discount: dec(discount), Total: dec(total), Taxes: rows}
	return d
}

func one(quantity, price, discount, tax string) []events.Item {
	return []events.Item{item(quantity, price, discount, tax)}
}

// known-faults B, by row.
func TestTheRoundingCasesThatHurtOthers(t *testing.T) {
	exempted := []events.Item{item("1", "90.30", "0", "exempt"), item("0.45", "2.54", "0", "iva5"),
		item("0.28", "6.87", "0", "iva5")}
	for _, c := range []struct {
		name string
		d    events.Document
		want []string
	}{
		{"25: a total off by 0.01 passes", priced(one("1", "1000", "0", "iva21"), "1000", "0", "1210.01",
			row("iva21", "1000", "210")), nil},
		{"25: below as well as above", priced(one("1", "1000", "0", "iva21"), "1000", "0", "1209.99",
			row("iva21", "1000", "210")), nil},
		{"25: a total off by 0.02 does not", priced(one("1", "1000", "0", "iva21"), "1000", "0", "1210.02",
			row("iva21", "1000", "210")), []string{"totals.total AR-TOTAL-01"}},
		{"25: nor below", priced(one("1", "1000", "0", "iva21"), "1000", "0", "1209.98", row("iva21", "1000", "210")),
			[]string{"totals.total AR-TOTAL-01"}},
		{"25: nor on a large invoice, where ARCA's 0.01 % would",
			priced(one("1", "900000", "0", "iva21"), "900000", "0", "1089000.02", row("iva21", "900000", "189000")),
			[]string{"totals.total AR-TOTAL-01"}},
		{"a tax row off by 0.02 with a total that follows it",
			priced(one("1", "1000", "0", "iva21"), "1000", "0", "1210.02", row("iva21", "1000", "210.02")),
			[]string{"totals.taxes[0].amount AR-TOTAL-07"}},
		{"a tax row off by 0.01 with a total that follows it passes",
			priced(one("1", "1000", "0", "iva21"), "1000", "0", "1210.01", row("iva21", "1000", "210.01")), nil},
		{"29: 27 % is a rate", priced(one("1", "100", "0", "iva27"), "100", "0", "127", row("iva27", "100", "27")), nil},
		{"31: rounded per rate", priced(one("16", "348.35", "222.944", "iva21"), "5573.60", "222.94", "6474.29",
			row("iva21", "5350.66", "1123.64")), nil},
		{"31: rounded per line", priced(one("16", "348.35", "222.944", "iva21"), "5573.60", "222.94", "6474.30",
			row("iva21", "5350.66", "1123.64")), nil},
		{"33: the exempt line stays as it is", priced(exempted, "93.37", "0", "93.52", row("exempt", "90.30", "0"),
			row("iva5", "3.07", "0.15")), nil},
		{"33: a cent pushed onto the exempt line is reported",
			priced(exempted, "93.37", "0", "93.52", row("exempt", "90.31", "0"), row("iva5", "3.06", "0.15")),
			[]string{"totals.taxes[0].base_amount AR-TOTAL-06"}},
		{"35: a subtotal a cent below its lines",
			priced(one("4", "25", "0", "iva21"), "99.99", "0", "121.00", row("iva21", "100", "21")),
			[]string{"totals.sub_total AR-TOTAL-02"}},
		{"lazaro 16: the tax of prices rounded before",
			priced(one("1", "1240", "0", "iva21"), "1240", "0", "1500.33", row("iva21", "1240", "260.33")),
			[]string{"totals.taxes[0].amount AR-TOTAL-07"}},
		{"a discount that the lines do not have is one on the whole",
			priced(one("1", "1000", "0", "iva21"), "1000", "100", "1089", row("iva21", "900", "189")), nil},
		{"a discount below that of the lines", priced(one("1", "1000", "100", "iva21"), "1000", "90", "1099",
			row("iva21", "900", "189")), []string{"totals.discount AR-TOTAL-03", "totals.total AR-TOTAL-01"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, vs := check(c.d)
			countrytest.MustRefuse(t, vs, c.want...)
		})
	}
}

func TestBothFiguresAreInTheMessage(t *testing.T) {
	_, vs := check(priced(one("4", "25", "0", "iva21"), "99.99", "0", "121.00", row("iva21", "100", "21")))
	if len(vs) != 1 || !strings.Contains(vs[0].Message, "100") || !strings.Contains(vs[0].Message, "99.99") {
		t.Errorf("%v", vs)
	}
	d := product("FCA") // known-faults 23: net 8, VAT 2
	d.Items = one("1", "8", "0", "iva21")
	recalculate(&d, ar.PerRate)
	d.Items[0].Taxes[0].Amount = dec("2")
	_, vs = check(d)
	countrytest.MustRefuse(t, vs, "items[0].taxes[0].amount AR-TAX-05")
	if !strings.Contains(vs[0].Message, "1.68") {
		t.Errorf("%v", vs)
	}
}

func TestRowsOfTotals(t *testing.T) {
	two := []events.Item{item("1", "100", "0", "iva21"), item("1", "50", "0", "exempt")}
	for _, c := range []struct {
		name string
		rows []events.TotalTax
		want []string
	}{
		{"every kind has its row", []events.TotalTax{row("iva21", "100", "21"), row("exempt", "50", "0")}, nil},
		{"order and case do not matter", []events.TotalTax{row("EXEMPT", "50", "0"), row("Iva21", "100", "21")}, nil},
		{"a row of nothing does not hurt", []events.TotalTax{row("iva21", "100", "21"), row("exempt", "50", "0"),
			row("iva105", "0", "0")}, nil},
		{"a missing row", []events.TotalTax{row("iva21", "100", "21")},
			[]string{"totals.taxes AR-TOTAL-04", "totals.total AR-TOTAL-01"}},
		{"a row twice", []events.TotalTax{row("iva21", "100", "21"), row("exempt", "50", "0"), row("iva21", "100", "21")},
			[]string{"totals.taxes[2].type AR-TOTAL-05"}},
		{"a row that no line has", []events.TotalTax{row("iva21", "100", "21"), row("exempt", "50", "0"),
			row("iva27", "0", "1")}, []string{"totals.taxes[2].type AR-TOTAL-05", "totals.total AR-TOTAL-01"}},
		{"an unknown kind", []events.TotalTax{row("iva21", "100", "21"), row("exempt", "50", "0"), row("iva19", "0", "0")},
			[]string{"totals.taxes[2].type AR-TOTAL-05"}},
		{"a taxed exemption", []events.TotalTax{row("iva21", "100", "21"), row("exempt", "50", "0.01")},
			[]string{"totals.taxes[1].amount AR-TOTAL-07"}},
		{"parts of a cent", []events.TotalTax{row("iva21", "100", "21.001"), row("exempt", "50", "0")},
			[]string{"totals.taxes[0].amount AR-LIMIT-04"}},
		{"a tributo without global_taxes", []events.TotalTax{row("iva21", "100", "21"), row("exempt", "50", "0"),
			row("perc_iibb", "100", "3")}, []string{"totals.taxes[2].amount AR-TOTAL-09"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, vs := check(priced(two, "150", "0", "171", c.rows...))
			countrytest.MustRefuse(t, vs, c.want...)
		})
	}
}

func TestClassC(t *testing.T) {
	refused := func(change func(*events.Document), want ...string) {
		t.Helper()
		d, who := simple()
		change(&d)
		_, vs := ar.Rules{}.Check(d, who, now, country.Config{})
		countrytest.MustRefuse(t, vs, want...)
	}
	refused(func(d *events.Document) {
		d.Items[0].Taxes = []events.ItemTax{{Type: "iva21", Rate: dec("21"), Amount: dec("210")}}
	},
		"items[0].taxes AR-TAX-01")
	refused(func(d *events.Document) { d.Totals.Taxes = []events.TotalTax{row("iva21", "1000", "210")} },
		"totals.taxes[0].type AR-TOTAL-08")
	refused(func(d *events.Document) { d.Totals.Total = dec("1210") }, "totals.total AR-TOTAL-01")
	d, who := simple() // known-faults 27
	d.Items[0].UnitPrice, d.Totals = dec("100"), events.Totals{SubTotal: dec("100"), Total: dec("121")}
	_, vs := ar.Rules{}.Check(d, who, now, country.Config{})
	countrytest.MustRefuse(t, vs, "totals.total AR-TOTAL-01")
	if !strings.Contains(vs[0].Message, "class C") {
		t.Errorf("the rule of class C is not in %q", vs[0].Message)
	}
	d, who = simple()
	d.Items[0].Discount, d.GlobalTaxes = dec("100"),
		[]events.GlobalTax{{Type: "perc_iibb", Rate: dec("3"), BaseAmount: dec("900"), Amount: dec("27")}}
	recalculate(&d, ar.PerRate)
	checked, vs := ar.Rules{}.Check(d, who, now, country.Config{})
	countrytest.MustRefuse(t, vs)
	a := checked.Taxes.Amounts
	if a.Net.String() != "900.00" || a.Other.String() != "27.00" || a.Total.String() != "927.00" || !a.Tax.IsZero() ||
		checked.Taxes.Rates != nil {
		t.Errorf("told %+v", checked.Taxes)
	}
}

func TestNothingNegativeOrEmptyIsTold(t *testing.T) {
	advance := func(price string) events.Document {
		d := product("FCA")
		d.Items = []events.Item{item("1", "1000", "0", "iva21"), item("1", price, "0", "iva21"),
			item("1", "50", "0", "exempt")}
		recalculate(&d, ar.PerRate)
		return d
	}
	got := mustAccept(t, advance("-400")).Taxes
	if got.Amounts.Net.String() != "600.00" || got.Amounts.Tax.String() != "126.00" {
		t.Errorf("an advance of 400 leaves %+v", got.Amounts)
	}
	// odoo 286005: a row of 21 % over nothing is refused with 10018.
	if got := mustAccept(t, advance("-1000")).Taxes; got.Rates != nil || got.Amounts.Exempt.String() != "50.00" {
		t.Errorf("an advance of the whole leaves %+v", got)
	}
	_, vs := check(advance("-1100"))
	countrytest.MustRefuse(t, vs, "totals.taxes[0].base_amount AR-TOTAL-10", "totals.total AR-TOTAL-10")
}

// 10045: ImpNeto of class C is sub_total − discount, and a tributo does not make up for it.
func TestASubtotalBelowZeroIsRefusedInClassC(t *testing.T) {
	d, who := simple()
	d.Items = append(d.Items, d.Items[0])
	d.Items[1].UnitPrice = dec("-1100")
	d.GlobalTaxes = []events.GlobalTax{{Type: "perc_iibb", BaseAmount: dec("2000"), Amount: dec("2000")}}
	recalculate(&d, ar.PerRate)
	_, vs := ar.Rules{}.Check(d, who, now, country.Config{})
	countrytest.MustRefuse(t, vs, "totals.discount AR-TOTAL-10")
}

func TestVATThatRoundsToNothing(t *testing.T) {
	d := priced(one("1", "0.02", "0", "iva21"), "0.02", "0", "0.02", row("iva21", "0.02", "0.00"))
	_, vs := check(d)
	countrytest.MustRefuse(t, vs, "totals.taxes AR-TOTAL-11")
	d = product("FCA")
	d.Items = one("1", "0.02", "0", "iva21")
	recalculate(&d, ar.PerRate)
	if got := mustAccept(t, d).Taxes.Amounts.Tax; !got.Equal(dec("0.01")) {
		t.Errorf("the calculator gives %s", got)
	}
	d.Items = one("1", "100", "0", "iva0")
	recalculate(&d, ar.PerRate)
	if got := mustAccept(t, d).Taxes; len(got.Rates) != 1 || got.Rates[0].Code != "3" {
		t.Errorf("a sale at 0 %% has its row: %+v", got.Rates)
	}
}

func TestADiscountOnTheWholeIsSpread(t *testing.T) {
	d := product("FCA")
	d.Items = []events.Item{item("1", "600", "0", "iva21"), item("1", "300", "0", "iva105"),
		item("1", "100", "0", "exempt")}
	items, totals, err := ar.Calculate(d.Items, nil, dec("100"), ar.PerRate)
	if err != nil {
		t.Fatal(err)
	}
	d.Items, d.Totals = items, totals
	got := mustAccept(t, d).Taxes.Amounts
	if got.Net.String() != "810.00" || got.Exempt.String() != "90.00" || got.Tax.String() != "141.75" ||
		got.Total.String() != "1041.75" {
		t.Errorf("told %+v", got)
	}
	for i, amount := range []string{"113.40", "28.35"} { // the lines may say their tax after the discount
		d.Items[i].Taxes[0].Amount = dec(amount)
	}
	mustAccept(t, d)
	d.Totals.Taxes[0].BaseAmount, d.Totals.Taxes[2].BaseAmount = dec("500"), dec("130")
	_, vs := check(d)
	countrytest.MustRefuse(t, vs, "totals.taxes[0].base_amount AR-TOTAL-06", "totals.taxes[0].amount AR-TOTAL-07",
		"totals.taxes[2].base_amount AR-TOTAL-06")
	d.Totals.Discount = money.FromInt(2000)
	if _, vs := check(d); len(vs) == 0 {
		t.Error("a discount above the lines was accepted")
	}
}
