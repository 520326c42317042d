package mongo

import (
	"context"
	"errors"
	"fmt"

	"go.mongodb.org/mongo-driver/bson"
	"go.mongodb.org/mongo-driver/mongo"

	"folio/tables"
)

// Apply implements tables.Store: documents in order, then work, then the checkpoint.
func (s *Store) Apply(ctx context.Context, b tables.Batch) error {
	targets, err := s.check(ctx, b)
	if err != nil {
		return fmt.Errorf("apply: %w", err)
	}
	for i, w := range b.Writes {
		if err := targets[i].write(ctx, w); err != nil {
			return fmt.Errorf("apply: table %s: %w", w.Table, err)
		}
	}
	for _, c := range b.Work {
		if err := s.change(ctx, c); err != nil {
			return fmt.Errorf("apply: worklist %s: %w", c.Worklist, err)
		}
	}
	if b.Checkpoint != nil {
		if err := s.advance(ctx, *b.Checkpoint); err != nil {
			return fmt.Errorf("apply: checkpoint %s: %w", b.Checkpoint.Name, err)
		}
	}
	return nil
}

// check refuses the whole batch before anything is written.
func (s *Store) check(ctx context.Context, b tables.Batch) ([]*table, error) {
	targets := make([]*table, len(b.Writes))
	for i, w := range b.Writes {
		t, err := s.table(ctx, w.Table)
		if err != nil {
			return nil, err
		}
		for _, d := range w.Documents {
			if err := t.Check(d); err != nil {
				return nil, err
			}
		}
		targets[i] = t
	}
	for _, c := range b.Work {
		if err := c.Validate(); err != nil {
			return nil, err
		}
	}
	if c := b.Checkpoint; c != nil {
		if err := c.Validate(); err != nil {
			return nil, err
		}
		if have, err := s.Checkpoint(ctx, c.Name); err == nil {
			if err := sameLog(have, *c); err != nil {
				return nil, err
			}
		} else if !errors.Is(err, tables.ErrNotFound) {
			return nil, err
		}
	}
	if b.Lease != nil {
		return targets, s.holds(ctx, *b.Lease)
	}
	return targets, nil
}

func (t *table) write(ctx context.Context, w tables.Write) error {
	writes := make([]guarded, len(w.Documents))
	for i, d := range w.Documents {
		at := width(d.At)
		doc := bson.D{{Key: "_id", Value: d.ID}, {Key: "at", Value: at}}
		if t.Listed {
			doc = append(doc, bson.E{Key: "list", Value: d.List}, bson.E{Key: "ord", Value: d.Ordinal})
		}
		for _, a := range t.Attributes {
			v := d.Attributes[a.Name]
			doc = append(doc, bson.E{Key: "a_" + a.Name, Value: v}, bson.E{Key: "f_" + a.Name, Value: tables.Fold(v)})
		}
		writes[i] = guarded{d.ID, at, append(doc, bson.E{Key: "body", Value: string(d.Body)})}
	}
	if err := settle(ctx, t.c, "$lt", writes); err != nil || len(w.Deletes) == 0 {
		return err
	}
	_, err := t.c.DeleteMany(ctx, bson.D{{Key: "_id", Value: bson.D{{Key: "$in", Value: w.Deletes}}}})
	return err
}

// checkpoint is a document of that collection.
type checkpoint struct {
	Name  string `bson:"_id"`
	Store string `bson:"store"`
	At    string `bson:"at"`
}

func sameLog(have, want tables.Checkpoint) error {
	if have.Store != want.Store {
		return fmt.Errorf("checkpoint %s is of log %.60q, not of %.60q: %w", have.Name, have.Store, want.Store, tables.ErrOtherLog)
	}
	return nil
}

// advance moves a checkpoint forward, within the log that it belongs to.
func (s *Store) advance(ctx context.Context, c tables.Checkpoint) error {
	coll := s.db.Collection(checkpoints)
	want := checkpoint{c.Name, c.Store, width(c.At)}
	forward := func() (bool, error) {
		r, err := coll.UpdateOne(ctx, bson.D{{Key: "_id", Value: c.Name}, {Key: "store", Value: c.Store},
			{Key: "at", Value: bson.D{{Key: "$lt", Value: want.At}}}},
			bson.D{{Key: "$set", Value: bson.D{{Key: "at", Value: want.At}}}})
		return err == nil && r.MatchedCount > 0, err
	}
	if moved, err := forward(); moved || err != nil {
		return err
	}
	_, err := coll.InsertOne(ctx, want)
	if !mongo.IsDuplicateKeyError(err) {
		return err
	}
	if moved, err := forward(); moved || err != nil { // it may have been inserted just now
		return err
	}
	have, err := s.Checkpoint(ctx, c.Name)
	if err != nil {
		return err
	}
	return sameLog(have, c)
}

// Checkpoint implements tables.Store.
func (s *Store) Checkpoint(ctx context.Context, name string) (tables.Checkpoint, error) {
	var have checkpoint
	err := s.db.Collection(checkpoints).FindOne(ctx, bson.D{{Key: "_id", Value: name}}).Decode(&have)
	if errors.Is(err, mongo.ErrNoDocuments) {
		err = tables.ErrNotFound
	}
	out := tables.Checkpoint{Name: name, Store: have.Store}
	if err == nil {
		out.At, err = position(have.At)
	}
	if err != nil {
		return tables.Checkpoint{}, fmt.Errorf("checkpoint %.60q: %w", name, err)
	}
	return out, nil
}

// ResetCheckpoint implements tables.Store.
func (s *Store) ResetCheckpoint(ctx context.Context, name string) error {
	if _, err := s.db.Collection(checkpoints).DeleteOne(ctx, bson.D{{Key: "_id", Value: name}}); err != nil {
		return fmt.Errorf("reset checkpoint %.60q: %w", name, err)
	}
	return nil
}
