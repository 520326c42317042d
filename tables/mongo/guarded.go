package mongo

import (
	"context"
	"errors"
	"slices"

	"go.mongodb.org/mongo-driver/bson"
	"go.mongodb.org/mongo-driver/mongo"
	"go.mongodb.org/mongo-driver/mongo/options"
	"golang.org/x/sync/errgroup"

	"folio/mongodb"
)

// guarded is a document that may replace an earlier one only.
type guarded struct {
	id, at string
	doc    bson.D
}

// duplicate is MongoDB's code for a second document with the same _id.
const duplicate = 11000

// settlement writes documents under the guard that the stored "at" compares so ("$lt", or
// "$lte" for removals) with theirs. A plain upsert would do for one document; for many it
// costs an error per document that is already newer, and a concurrent first write can make
// the newer of two lose. So: look which exist, insert those that do not, and replace the
// others, with those that somebody else inserted meanwhile.
//
// What look finds is a hint: the filter of a replacement decides. So a batch looks for all
// that it writes at once, before the first write.
type settlement struct {
	c       *mongodb.Collection
	compare string
	writes  []guarded         // one a document
	known   map[string]string // the guards of those that exist
}

func settling(c *mongodb.Collection, compare string, writes []guarded) *settlement {
	return &settlement{c: c, compare: compare, writes: latest(writes), known: map[string]string{}}
}

// most is how many documents one command looks for or writes.
const most = 1000

func (s *settlement) look(ctx context.Context) error {
	for chunk := range slices.Chunk(s.writes, most) {
		ids := make(bson.A, len(chunk))
		for i, w := range chunk {
			ids[i] = w.id
		}
		err := s.c.Each(ctx, bson.D{{Key: "_id", Value: bson.D{{Key: "$in", Value: ids}}}},
			options.Find().SetProjection(bson.D{{Key: "at", Value: 1}}).SetBatchSize(most), func(raw bson.Raw) (bool, error) {
				id, _ := raw.Lookup("_id").StringValueOK()
				s.known[id], _ = raw.Lookup("at").StringValueOK()
				return true, nil
			})
		if err != nil {
			return err
		}
	}
	return nil
}

// settle writes: inserts and replacements, which are of different documents, at the same
// time.
func (s *settlement) settle(ctx context.Context) error {
	for chunk := range slices.Chunk(s.writes, most) {
		var inserts []mongo.WriteModel
		var fresh, replace, again []guarded
		for _, w := range chunk {
			switch at, exists := s.known[w.id]; {
			case !exists:
				inserts, fresh = append(inserts, mongo.NewInsertOneModel().SetDocument(w.doc)), append(fresh, w)
			case at < w.at || s.compare == "$lte" && at == w.at:
				replace = append(replace, w)
			}
		}
		var both errgroup.Group
		both.Go(func() error {
			late, err := duplicates(s.c.Bulk(ctx, inserts, false))
			for _, i := range late {
				again = append(again, fresh[i])
			}
			return err
		})
		both.Go(func() error { return s.replace(ctx, replace) })
		if err := both.Wait(); err != nil {
			return err
		}
		if err := s.replace(ctx, again); err != nil {
			return err
		}
	}
	return nil
}

// replace changes those whose stored guard is still earlier, and inserts none.
func (s *settlement) replace(ctx context.Context, writes []guarded) error {
	models := make([]mongo.WriteModel, len(writes))
	for i, w := range writes {
		models[i] = mongo.NewReplaceOneModel().SetReplacement(w.doc).SetFilter(bson.D{
			{Key: "_id", Value: w.id}, {Key: "at", Value: bson.D{{Key: s.compare, Value: w.at}}}})
	}
	return s.c.Bulk(ctx, models, false)
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
