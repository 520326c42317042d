package mongo

import (
	"context"
	"fmt"
	"slices"

	"go.mongodb.org/mongo-driver/bson"
	"go.mongodb.org/mongo-driver/mongo/options"

	"folio/tables"
)

// Sum implements tables.Store. MongoDB hands over the attributes, which the index that holds
// all of them answers alone, and the numbers are added here: exactly, whatever their size.
func (s *Store) Sum(ctx context.Context, q tables.Sums) ([]tables.Group, error) {
	t, err := s.table(ctx, q.Table)
	if err != nil {
		return nil, fmt.Errorf("sum: %w", err)
	}
	if err := q.Validate(t.Schema); err != nil {
		return nil, err
	}
	tally := tables.NewTally(q, t.Schema)
	fields := bson.D{{Key: "_id", Value: 0}, {Key: t.order, Value: 1}}
	if t.order == "_id" {
		fields = bson.D{{Key: "_id", Value: 1}}
	}
	for _, a := range tally.Attributes() {
		if field := "a_" + a.Name; !has(fields, field) {
			fields = append(fields, bson.E{Key: field, Value: 1})
		}
	}
	stored := make([]string, len(tally.Attributes()))
	err = t.c.Each(ctx, all(t.conditions(q.List, q.Filters)), options.Find().SetProjection(fields),
		func(raw bson.Raw) (bool, error) {
			for i, a := range tally.Attributes() {
				stored[i], _ = raw.Lookup("a_" + a.Name).StringValueOK()
			}
			return true, tally.Add(stored)
		})
	if err != nil {
		return nil, fmt.Errorf("sum of %s: %w", q.Table, err)
	}
	return tally.Groups(), nil
}

func has(fields bson.D, name string) bool {
	return slices.ContainsFunc(fields, func(f bson.E) bool { return f.Key == name })
}
