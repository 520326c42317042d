package mongo

import (
	"context"
	"fmt"

	"go.mongodb.org/mongo-driver/bson"
	"go.mongodb.org/mongo-driver/mongo/options"

	"folio/tables"
)

// Checkpoints implements tables.Store.
func (s *Store) Checkpoints(ctx context.Context) ([]tables.Checkpoint, error) {
	all := []tables.Checkpoint{}
	err := s.db.Collection(checkpoints).Each(ctx, bson.D{}, options.Find().SetSort(bson.D{{Key: "_id", Value: 1}}),
		func(raw bson.Raw) (bool, error) {
			var c checkpoint
			if err := bson.Unmarshal(raw, &c); err != nil {
				return false, err
			}
			at, err := position(c.At)
			all = append(all, tables.Checkpoint{Name: c.Name, Store: c.Store, At: at})
			return true, err
		})
	if err != nil {
		return nil, fmt.Errorf("list the checkpoints: %w", err)
	}
	return all, nil
}
