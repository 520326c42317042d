package mongo

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.mongodb.org/mongo-driver/bson"

	"folio/tables"
)

// A list that is walked by an attribute has an index in that order: see tables/sqlite for the plan.
func TestAnIndexedAttributeOfAListIsInItsOrder(t *testing.T) {
	schema := tables.Schema{Name: "invoices_v1", Listed: true,
		Attributes: []tables.Attribute{{Name: "updated", Indexed: true}}}
	var got []bson.D
	for _, m := range (&table{Schema: schema, order: "ord"}).indexes() {
		got = append(got, m.Keys.(bson.D))
	}
	want := []bson.D{{{Key: "list", Value: 1}, {Key: "a_updated", Value: 1}, {Key: "ord", Value: 1}},
		{{Key: "list", Value: 1}, {Key: "ord", Value: 1}, {Key: "a_updated", Value: 1}}}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}
