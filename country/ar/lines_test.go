package ar_test

import (
	"strings"
	"testing"

	"folio/country/countrytest"
	"folio/events"
)

func TestLines(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(*events.Item)
		want   []string
	}{
		{"no description", func(i *events.Item) { i.Description = "" }, []string{"items[0].description AR-ITEM-02"}},
		{"a description of 4001 letters", func(i *events.Item) { i.Description = strings.Repeat("ñ", 4001) },
			[]string{"items[0].description AR-LIMIT-01"}},
		{"a description that is read backwards", func(i *events.Item) { i.Description = "a\u202eb" },
			[]string{"items[0].description AR-LIMIT-02"}},
		{"a bell in the description", func(i *events.Item) { i.Description = "tin\x07" },
			[]string{"items[0].description AR-LIMIT-02"}},
		{"an unknown unit", func(i *events.Item) { i.UnitOfMeasure = "parsec" },
			[]string{"items[0].code_unit_of_measure AR-ITEM-03"}},
		{"no unit", func(i *events.Item) { i.UnitOfMeasure = "" }, []string{"items[0].code_unit_of_measure AR-ITEM-03"}},
		{"an unknown type of code", func(i *events.Item) { i.Code = &events.ItemCode{Type: "isbn13", Value: "1"} },
			[]string{"items[0].code.type AR-ITEM-04"}},
		{"a code without value", func(i *events.Item) { i.Code = &events.ItemCode{Type: "sku"} },
			[]string{"items[0].code.value AR-ITEM-04"}},
		{"a quantity of nothing", func(i *events.Item) { i.Quantity = dec("0") },
			[]string{"items[0].quantity AR-ITEM-05", "items[0].taxes[0].amount AR-TAX-05", "totals.sub_total AR-TOTAL-02",
				"totals.taxes[0].base_amount AR-TOTAL-06"}},
		{"seven decimals of a price", func(i *events.Item) { i.UnitPrice = dec("1000.0000001") },
			[]string{"items[0].unit_price AR-LIMIT-04"}},
		{"fourteen digits of a quantity", func(i *events.Item) { i.Quantity = dec("10000000000000") },
			[]string{"items[0].quantity AR-LIMIT-03"}},
		{"twenty-six digits of a product", func(i *events.Item) {
			i.Quantity, i.UnitPrice = dec("9999999999999"), dec("9999999999999")
		}, []string{"items[0].unit_price AR-LIMIT-03"}},
		{"a discount above the line", func(i *events.Item) { i.Discount = dec("1000.01") },
			[]string{"items[0].discount_amount AR-ITEM-06", "items[0].taxes[0].amount AR-TAX-05", "totals.discount AR-TOTAL-03",
				"totals.taxes[0].base_amount AR-TOTAL-06"}},
		{"no tax at all", func(i *events.Item) { i.Taxes = nil },
			[]string{"items[0].taxes AR-TAX-02", "totals.taxes[0].type AR-TOTAL-05"}},
		{"two taxes", func(i *events.Item) { i.Taxes = append(i.Taxes, i.Taxes[0]) },
			[]string{"items[0].taxes AR-TAX-02", "totals.taxes[0].type AR-TOTAL-05"}},
		{"an unknown tax", func(i *events.Item) { i.Taxes[0].Type = "iva19" },
			[]string{"items[0].taxes[0].type AR-TAX-03", "totals.taxes[0].type AR-TOTAL-05"}},
		{"a tributo on a line", func(i *events.Item) { i.Taxes[0].Type = "perc_iibb" },
			[]string{"items[0].taxes[0].type AR-TAX-03", "totals.taxes[0].type AR-TOTAL-05"}},
		{"a type and a rate that disagree", func(i *events.Item) { i.Taxes[0].Rate = dec("10.5") },
			[]string{"items[0].taxes[0].rate AR-TAX-04"}},
		{"four decimals of a tax (known-faults 21)", func(i *events.Item) { i.Taxes[0].Amount = dec("1.2474") },
			[]string{"items[0].taxes[0].amount AR-LIMIT-04"}},
		{"a tax off by 0.02", func(i *events.Item) { i.Taxes[0].Amount = dec("210.02") },
			[]string{"items[0].taxes[0].amount AR-TAX-05"}},
		{"a tax off by 0.01", func(i *events.Item) { i.Taxes[0].Amount = dec("210.01") }, nil},
		{"zeros behind the cents", func(i *events.Item) { i.Taxes[0].Amount = dec("210.0000") }, nil},
		{"ARCA's number of the unit", func(i *events.Item) { i.UnitOfMeasure = "7" }, nil},
		{"a unit in capitals", func(i *events.Item) { i.UnitOfMeasure = "KG" }, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := product("FCA")
			c.change(&d.Items[0])
			_, vs := check(d)
			countrytest.MustRefuse(t, vs, c.want...)
		})
	}
}

func TestHugeNumbersAreRefusedWithTheirPath(t *testing.T) { // known-faults 37
	for _, c := range []struct {
		name   string
		change func(*events.Document)
		want   string
	}{
		{"a total of 16 digits", func(d *events.Document) { d.Totals.Total = dec("1234567890123456") },
			"totals.total AR-LIMIT-03"},
		{"a subtotal of 19 digits", func(d *events.Document) { d.Totals.SubTotal = dec("9999999999999999999") },
			"totals.sub_total AR-LIMIT-03"},
		{"a discount of 0.0000001", func(d *events.Document) { d.Totals.Discount = dec("0.0000001") },
			"totals.discount AR-LIMIT-04"},
		{"a base of 14 digits", func(d *events.Document) { d.Totals.Taxes[0].BaseAmount = dec("10000000000000") },
			"totals.taxes[0].base_amount AR-LIMIT-03"},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := product("FCA")
			c.change(&d)
			_, vs := check(d)
			countrytest.MustRefuse(t, vs, c.want)
		})
	}
	d := product("FCA")
	d.Items[0].Quantity, d.Items[0].UnitPrice = dec("1e2"), dec("10.00")
	if got := mustAccept(t, d).Document.Items[0]; got.Quantity.String() != "100" || got.UnitPrice.String() != "10.00" {
		t.Errorf("amounts were not kept as given: %v × %v", got.Quantity, got.UnitPrice)
	}
}

func TestNumberOfItems(t *testing.T) {
	d := product("FCA")
	d.Items = nil
	_, vs := check(d)
	countrytest.MustRefuse(t, vs, "items AR-ITEM-01", "totals.sub_total AR-TOTAL-02", "totals.taxes[0].type AR-TOTAL-05")
	d = product("FCA")
	for len(d.Items) < 1000 {
		d.Items = append(d.Items, d.Items[0])
	}
	recalculate(&d, 0)
	mustAccept(t, d)
	d.Items = append(d.Items, d.Items[0])
	_, vs = check(d)
	countrytest.MustRefuse(t, vs, "items AR-ITEM-01")
}

func TestPaymentMethods(t *testing.T) {
	d := product("FCA")
	d.PaymentMethod = &events.PaymentMethod{Code: "con"}
	if got := mustAccept(t, d).Document.PaymentMethod.Code; got != "CON" {
		t.Errorf("con became %s", got)
	}
	d.PaymentMethod = &events.PaymentMethod{Code: "BARTER"}
	_, vs := check(d)
	countrytest.MustRefuse(t, vs, "payment_method.code AR-PAYMENT-01")
}

func TestTexts(t *testing.T) {
	d := product("FCA")
	d.Observations = strings.Repeat("x", 2001)
	d.ExternalReference = "a\x00b"
	d.Recipient.LegalName = strings.Repeat("Ñ", 201)
	_, vs := check(d)
	countrytest.MustRefuse(t, vs, "observations AR-LIMIT-01", "external_reference AR-LIMIT-02",
		"recipient.legal_name AR-LIMIT-01")
	d.Observations, d.ExternalReference, d.Recipient.LegalName = strings.Repeat("ñ", 2000), "dos\nlíneas",
		strings.Repeat("Ñ", 200)
	mustAccept(t, d)
}
