package mongo

import (
	"context"
	"errors"
	"fmt"

	"go.mongodb.org/mongo-driver/bson"
	"go.mongodb.org/mongo-driver/mongo"
	"golang.org/x/sync/errgroup"

	"folio/tables"
)

// Apply implements tables.Store: documents in order, then work, then the checkpoint. What
// must be known first is asked for at once, so that a batch waits for the server once for
// each table and list that it writes, and twice besides.
func (s *Store) Apply(ctx context.Context, b tables.Batch) error {
	steps, err := s.plan(ctx, b)
	if err != nil {
		return fmt.Errorf("apply: %w", err)
	}
	if err := s.ask(ctx, b, steps); err != nil {
		return fmt.Errorf("apply: %w", err)
	}
	for _, step := range steps {
		if err := step.write(ctx); err != nil {
			return fmt.Errorf("apply: %s: %w", step.what, err)
		}
	}
	if b.Checkpoint != nil {
		if err := s.advance(ctx, *b.Checkpoint); err != nil {
			return fmt.Errorf("apply: checkpoint %s: %w", b.Checkpoint.Name, err)
		}
	}
	return nil
}

// step is what a batch does to one table or worklist.
type step struct {
	what        string
	settlements []*settlement
	then        func(context.Context) error
}

func (s step) write(ctx context.Context) error {
	for _, w := range s.settlements {
		if err := w.settle(ctx); err != nil {
			return err
		}
	}
	return s.then(ctx)
}

// plan refuses the whole batch before anything is asked or written.
func (s *Store) plan(ctx context.Context, b tables.Batch) ([]step, error) {
	var steps []step
	for _, w := range b.Writes {
		t, err := s.table(ctx, w.Table)
		if err != nil {
			return nil, err
		}
		for _, d := range w.Documents {
			if err := t.Check(d); err != nil {
				return nil, err
			}
		}
		steps = append(steps, t.step(w))
	}
	for _, c := range b.Work {
		if err := c.Validate(); err != nil {
			return nil, err
		}
		steps = append(steps, s.change(c))
	}
	if b.Checkpoint != nil {
		return steps, b.Checkpoint.Validate()
	}
	return steps, nil
}

// ask looks for checkpoint, lease and what is written, all at the same time.
func (s *Store) ask(ctx context.Context, b tables.Batch, steps []step) error {
	var g errgroup.Group
	if c := b.Checkpoint; c != nil {
		g.Go(func() error {
			have, err := s.Checkpoint(ctx, c.Name)
			if errors.Is(err, tables.ErrNotFound) {
				return c.Follows(nil)
			} else if err != nil {
				return err
			}
			return c.Follows(&have)
		})
	}
	if l := b.Lease; l != nil {
		g.Go(func() error { return s.holds(ctx, *l) })
	}
	for _, step := range steps {
		for _, w := range step.settlements {
			g.Go(func() error { return w.look(ctx) })
		}
	}
	return g.Wait()
}

func (t *table) step(w tables.Write) step {
	writes := make([]guarded, len(w.Documents))
	for i, d := range w.Documents {
		at := width(d.At)
		doc := bson.D{{Key: "_id", Value: d.ID}, {Key: "at", Value: at}}
		if t.Listed {
			doc = append(doc, bson.E{Key: "list", Value: d.List}, bson.E{Key: "ord", Value: d.Ordinal})
		} else if t.Owned {
			doc = append(doc, bson.E{Key: "list", Value: d.List})
		}
		for _, a := range t.Attributes {
			v, _ := a.Stored(d.Attributes[a.Name]) // the document was checked
			doc = append(doc, bson.E{Key: "a_" + a.Name, Value: v}, bson.E{Key: "f_" + a.Name, Value: tables.Fold(v)})
		}
		writes[i] = guarded{d.ID, at, append(doc, bson.E{Key: "body", Value: string(d.Body)})}
	}
	return step{"table " + w.Table, []*settlement{settling(t.c, "$lt", writes)}, func(ctx context.Context) error {
		if len(w.Deletes) == 0 {
			return nil
		}
		_, err := t.c.DeleteAll(ctx, bson.D{{Key: "_id", Value: bson.D{{Key: "$in", Value: w.Deletes}}}})
		return err
	}}
}

// checkpoint is a document of that collection.
type checkpoint struct {
	Name  string `bson:"_id"`
	Store string `bson:"store"`
	At    string `bson:"at"`
}

// advance replaces the checkpoint that c follows on. The guards were asked before the
// documents were written; here the filter decides.
func (s *Store) advance(ctx context.Context, c tables.Checkpoint) error {
	coll := s.db.Collection(checkpoints)
	if c.After.IsZero() {
		if err := coll.Insert(ctx, checkpoint{c.Name, c.Store, width(c.At)}); !mongo.IsDuplicateKeyError(err) {
			return err
		}
	}
	found, err := coll.Update(ctx, bson.D{{Key: "_id", Value: c.Name}, {Key: "store", Value: c.Store},
		{Key: "at", Value: width(c.After)}},
		bson.D{{Key: "$set", Value: bson.D{{Key: "at", Value: width(c.At)}}}})
	if found || err != nil {
		return err
	}
	have, err := s.Checkpoint(ctx, c.Name)
	if errors.Is(err, tables.ErrNotFound) {
		return fmt.Errorf("it is gone: %w", tables.ErrCheckpointMoved)
	} else if err != nil {
		return err
	}
	return c.Follows(&have)
}

// Checkpoint implements tables.Store.
func (s *Store) Checkpoint(ctx context.Context, name string) (tables.Checkpoint, error) {
	raw, err := s.db.Collection(checkpoints).FindOne(ctx, bson.D{{Key: "_id", Value: name}})
	if errors.Is(err, mongo.ErrNoDocuments) {
		err = tables.ErrNotFound
	}
	var have checkpoint
	if err == nil {
		err = bson.Unmarshal(raw, &have)
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
	if err := s.db.Collection(checkpoints).Delete(ctx, bson.D{{Key: "_id", Value: name}}); err != nil {
		return fmt.Errorf("reset checkpoint %.60q: %w", name, err)
	}
	return nil
}
