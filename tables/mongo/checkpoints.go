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
	cursor, err := s.db.Collection(checkpoints).Find(ctx, bson.D{}, options.Find().SetSort(bson.D{{Key: "_id", Value: 1}}))
	if err != nil {
		return nil, fmt.Errorf("list the checkpoints: %w", err)
	}
	var found []checkpoint
	if err := cursor.All(ctx, &found); err != nil {
		return nil, fmt.Errorf("list the checkpoints: %w", err)
	}
	all := make([]tables.Checkpoint, len(found))
	for i, c := range found {
		at, err := position(c.At)
		if err != nil {
			return nil, fmt.Errorf("checkpoint %.60q: %w", c.Name, err)
		}
		all[i] = tables.Checkpoint{Name: c.Name, Store: c.Store, At: at}
	}
	return all, nil
}
