package countrytest

import (
	"testing"

	"folio/events"
	"folio/money"
)

// Item is a line with its taxes still to be calculated.
func Item(quantity, price, discount string, taxes ...string) events.Item {
	i := events.Item{Quantity: money.MustParse(quantity), UnitOfMeasure: "u", UnitPrice: money.MustParse(price),
		Discount: money.MustParse(discount), Description: "Artículo"}
	for _, t := range taxes {
		i.Taxes = append(i.Taxes, events.ItemTax{Type: t})
	}
	return i
}

// One is a list of one Item.
func One(quantity, price, discount string, taxes ...string) []events.Item {
	return []events.Item{Item(quantity, price, discount, taxes...)}
}

// Row is a row of totals.taxes.
func Row(tax, base, amount string) events.TotalTax {
	return events.TotalTax{Type: tax, BaseAmount: money.MustParse(base), Amount: money.MustParse(amount)}
}

// Figure wants an amount to be what it should be, in any scale.
func Figure(t *testing.T, name string, got money.Decimal, want string) {
	t.Helper()
	if !got.Equal(money.MustParse(want)) {
		t.Errorf("%s is %s, want %s", name, got, want)
	}
}
