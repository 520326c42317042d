package mongo

import (
	"context"
	"errors"
	"slices"

	"go.mongodb.org/mongo-driver/bson"
	"go.mongodb.org/mongo-driver/mongo"
	"go.mongodb.org/mongo-driver/mongo/options"
)

// guarded is a document that may replace an earlier one only.
type guarded struct {
	id, at string
	doc    bson.D
}

// duplicate is MongoDB's code for a second document with the same _id.
const duplicate = 11000

// settle writes documents under the guard that the stored "at" compares so ("$lt", or
// "$lte" for removals) with theirs. A plain upsert would do for one document; for many
// it costs an error per document that is already newer, and a concurrent first write
// can make the newer of two lose. So: look which exist, insert those that do not, and
// replace the others, with those that somebody else inserted meanwhile.
func settle(ctx context.Context, c *mongo.Collection, compare string, writes []guarded) error {
	for chunk := range slices.Chunk(latest(writes), 1000) {
		known, err := stored(ctx, c, chunk)
		if err != nil {
			return err
		}
		var inserts []any
		var fresh, replace []guarded
		for _, w := range chunk {
			switch at, exists := known[w.id]; {
			case !exists:
				inserts, fresh = append(inserts, w.doc), append(fresh, w)
			case at < w.at || compare == "$lte" && at == w.at:
				replace = append(replace, w)
			}
		}
		if len(inserts) > 0 {
			_, err := c.InsertMany(ctx, inserts, options.InsertMany().SetOrdered(false))
			late, err := duplicates(err)
			if err != nil {
				return err
			}
			for _, i := range late {
				replace = append(replace, fresh[i])
			}
		}
		if err := replaceEarlier(ctx, c, compare, replace); err != nil {
			return err
		}
	}
	return nil
}

// latest keeps the latest write of each id, the first of equals, in the order given.
func latest(writes []guarded) []guarded {
	at := make(map[string]int, len(writes))
	out := make([]guarded, 0, len(writes))
	for _, w := range writes {
		if i, seen := at[w.id]; !seen {
			at[w.id] = len(out)
			out = append(out, w)
		} else if out[i].at < w.at {
			out[i] = w
		}
	}
	return out
}

// stored reads the guards of those that exist.
func stored(ctx context.Context, c *mongo.Collection, writes []guarded) (map[string]string, error) {
	ids := make(bson.A, len(writes))
	for i, w := range writes {
		ids[i] = w.id
	}
	cur, err := c.Find(ctx, bson.D{{Key: "_id", Value: bson.D{{Key: "$in", Value: ids}}}},
		options.Find().SetProjection(bson.D{{Key: "at", Value: 1}}))
	if err != nil {
		return nil, err
	}
	var found []struct {
		ID string `bson:"_id"`
		At string `bson:"at"`
	}
	if err := cur.All(ctx, &found); err != nil {
		return nil, err
	}
	known := make(map[string]string, len(found))
	for _, f := range found {
		known[f.ID] = f.At
	}
	return known, nil
}

// duplicates takes the E11000 out of an unordered write's error and tells which
// documents met one; every other failure stays an error.
func duplicates(err error) (indexes []int, _ error) {
	var bulk mongo.BulkWriteException
	if !errors.As(err, &bulk) || bulk.WriteConcernError != nil {
		return nil, err
	}
	for _, w := range bulk.WriteErrors {
		if w.Code != duplicate {
			return nil, err
		}
		indexes = append(indexes, w.Index)
	}
	return indexes, nil
}

// replaceEarlier changes those whose stored guard is still earlier, and inserts none.
func replaceEarlier(ctx context.Context, c *mongo.Collection, compare string, writes []guarded) error {
	if len(writes) == 0 {
		return nil
	}
	models := make([]mongo.WriteModel, len(writes))
	for i, w := range writes {
		models[i] = mongo.NewReplaceOneModel().SetReplacement(w.doc).SetFilter(bson.D{
			{Key: "_id", Value: w.id}, {Key: "at", Value: bson.D{{Key: compare, Value: w.at}}}})
	}
	_, err := c.BulkWrite(ctx, models, options.BulkWrite().SetOrdered(false))
	return err
}
