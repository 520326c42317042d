package mongodb

import (
	"context"

	"go.mongodb.org/mongo-driver/bson"
	"go.mongodb.org/mongo-driver/mongo"
	"go.mongodb.org/mongo-driver/mongo/options"
)

// Collection runs commands with a deadline each. Errors are the driver's, explained by
// Explain; mongo.ErrNoDocuments and duplicate keys stay what they are.
type Collection struct {
	c *mongo.Collection
	*primary
}

// FindOne gives one document; mongo.ErrNoDocuments.
func (c *Collection) FindOne(ctx context.Context, filter any,
	opts ...*options.FindOneOptions) (raw bson.Raw, err error) {
	err = c.within(ctx, Patience, func(ctx context.Context) (err error) {
		raw, err = c.c.FindOne(ctx, filter, opts...).Raw()
		return err
	})
	return raw, err
}

// Each calls f with every document found until f returns false. Each batch that the server
// sends has a deadline of its own.
func (c *Collection) Each(ctx context.Context, filter any, opts *options.FindOptions,
	f func(bson.Raw) (more bool, err error)) error {
	var cur *mongo.Cursor
	err := c.within(ctx, Patience, func(ctx context.Context) (err error) {
		cur, err = c.c.Find(ctx, filter, opts)
		return err
	})
	if err != nil {
		return err
	}
	defer func() {
		// The server forgets a cursor by itself; closing only tells it sooner.
		_ = c.within(context.WithoutCancel(ctx), Patience, cur.Close)
	}()
	for {
		next := false
		err := c.within(ctx, Patience, func(ctx context.Context) error {
			next = cur.Next(ctx)
			return cur.Err()
		})
		if err != nil || !next {
			return err
		}
		for ; next; next = cur.RemainingBatchLength() > 0 && cur.Next(ctx) {
			if more, err := f(cur.Current); err != nil || !more {
				return err
			}
		}
	}
}

// Count counts what a filter finds.
func (c *Collection) Count(ctx context.Context, filter any, opts ...*options.CountOptions) (n int64, err error) {
	err = c.within(ctx, Patience, func(ctx context.Context) (err error) {
		n, err = c.c.CountDocuments(ctx, filter, opts...)
		return err
	})
	return n, err
}

// Insert writes a new document; a duplicate key says that one is there.
func (c *Collection) Insert(ctx context.Context, doc any) error {
	return c.within(ctx, Patience, func(ctx context.Context) error {
		_, err := c.c.InsertOne(ctx, doc)
		return err
	})
}

// Update changes one document and says whether the filter found it.
func (c *Collection) Update(ctx context.Context, filter, change any) (found bool, err error) {
	err = c.within(ctx, Patience, func(ctx context.Context) error {
		r, err := c.c.UpdateOne(ctx, filter, change)
		found = err == nil && r.MatchedCount > 0
		return err
	})
	return found, err
}

// Replace puts a document in another's place and says whether the filter found one.
func (c *Collection) Replace(ctx context.Context, filter, doc any,
	opts ...*options.ReplaceOptions) (found bool, err error) {
	err = c.within(ctx, Patience, func(ctx context.Context) error {
		r, err := c.c.ReplaceOne(ctx, filter, doc, opts...)
		found = err == nil && r.MatchedCount > 0
		return err
	})
	return found, err
}

// FindAndUpdate changes one document in one step and gives it as it is then;
// mongo.ErrNoDocuments.
func (c *Collection) FindAndUpdate(ctx context.Context, filter, change any) (raw bson.Raw, err error) {
	after := options.FindOneAndUpdate().SetReturnDocument(options.After)
	err = c.within(ctx, Patience, func(ctx context.Context) (err error) {
		raw, err = c.c.FindOneAndUpdate(ctx, filter, change, after).Raw()
		return err
	})
	return raw, err
}

// Bulk writes many changes at once, in order or each for itself.
func (c *Collection) Bulk(ctx context.Context, models []mongo.WriteModel, ordered bool) error {
	if len(models) == 0 {
		return nil
	}
	return c.within(ctx, Patience, func(ctx context.Context) error {
		_, err := c.c.BulkWrite(ctx, models, options.BulkWrite().SetOrdered(ordered))
		return err
	})
}

// Delete removes one document.
func (c *Collection) Delete(ctx context.Context, filter any) error {
	return c.within(ctx, Patience, func(ctx context.Context) error {
		_, err := c.c.DeleteOne(ctx, filter)
		return err
	})
}

// DeleteAll removes what a filter finds, however long the server needs for it (Building).
func (c *Collection) DeleteAll(ctx context.Context, filter any) (n int64, err error) {
	err = c.within(ctx, Building, func(ctx context.Context) error {
		r, err := c.c.DeleteMany(ctx, filter)
		if err == nil {
			n = r.DeletedCount
		}
		return err
	})
	return n, err
}

// Index makes an index unless it is there.
func (c *Collection) Index(ctx context.Context, m mongo.IndexModel) error {
	return c.within(ctx, Building, func(ctx context.Context) error {
		_, err := c.c.Indexes().CreateOne(ctx, m)
		return err
	})
}

// Drop removes the collection.
func (c *Collection) Drop(ctx context.Context) error {
	return c.within(ctx, Building, c.c.Drop)
}
