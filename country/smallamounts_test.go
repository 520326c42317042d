package country_test

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"folio/country"
	"folio/events"
	"folio/fault"
	"folio/money"
)

// discountPlaces are the decimals that a country takes in the discount of a line.
var discountPlaces = map[string]int{"AR": 6, "CL": 0, "UY": 2}

// What is calculated passes the check where lines, their discounts and that on the whole come
// to parts of a cent or of a peso.
func TestWhatIsCalculatedOfSmallAmountsPassesTheCheck(t *testing.T) {
	for _, r := range everywhere {
		priced := slices.DeleteFunc(r.Examples(friday), func(x country.Example) bool {
			return x.Document.Totals.Total.IsZero() || isRemito(r, x.Document) // no prices, or no discounts
		})
		t.Run(r.Code(), func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				like := rapid.SampledFrom(priced).Draw(t, "example").Document
				d, err := r.Calculate(smallDocument(t, r, country.CloneDocument(like)))
				if err != nil {
					t.Fatal(err)
				}
				vs := slices.DeleteFunc(checked(r, d), func(v fault.Violation) bool {
					return isOfLargeAmounts(v) || v.Code == "CL-TOTAL-10" // what is taxed comes to nothing
				})
				if len(vs) > 0 && d.Totals.Total.Sign() > 0 { // a document of nothing is refused by rules of its own
					t.Fatalf("%s: %v\n%+v\n%+v", d.Type, vs, d.Items, d.Totals)
				}
			})
		})
	}
}

// smallDocument gives a document other lines, of small amounts.
func smallDocument(t *rapid.T, r country.Rules, d events.Document) events.Document {
	small := func(label string, limit int64) money.Decimal {
		unit := money.MustParse(rapid.SampledFrom([]string{"1", "0.1", "0.01", "0.001"}).Draw(t, label+" unit"))
		return money.FromInt(rapid.Int64Range(1, limit).Draw(t, label)).Mul(unit)
	}
	places := rapid.IntRange(0, discountPlaces[r.Code()]).Draw(t, "decimals of a discount")
	items, lines := make([]events.Item, rapid.IntRange(1, 6).Draw(t, "lines")), money.Zero
	for i := range items {
		like := d.Items[0] // what a kind must have
		if i > 0 {
			like = rapid.SampledFrom(d.Items).Draw(t, "line")
		}
		item := country.CloneDocument(events.Document{Items: []events.Item{like}}).Items[0]
		item.Quantity, item.UnitPrice = small(fmt.Sprint("quantity ", i), 99), small(fmt.Sprint("price ", i), 99)
		gross := item.Quantity.Mul(item.UnitPrice)
		item.Discount = gross.Percent(money.FromInt(rapid.Int64Range(0, 100).Draw(t, "percent"))).Round(places)
		rounded := gross.Round(country.Places(r))
		if rounded.Less(item.Discount) || gross.Less(item.Discount) {
			item.Discount = money.Zero
		}
		items[i], lines = item, lines.Add(rounded.Sub(item.Discount))
	}
	d.Items, d.Totals = items, events.Totals{}
	d.Totals.Discount = money.Sum(country.Collect(items, func(i events.Item) money.Decimal { return i.Discount })...)
	if rapid.Bool().Draw(t, "discounted") {
		percent := money.FromInt(rapid.Int64Range(0, 90).Draw(t, "whole"))
		if whole := lines.Percent(percent).Round(places); !lines.Less(whole) {
			d.Totals.Discount = d.Totals.Discount.Add(whole)
		}
	}
	for i := range d.GlobalTaxes {
		d.GlobalTaxes[i].BaseAmount, d.GlobalTaxes[i].Amount = money.Zero, money.Zero
	}
	return d
}
