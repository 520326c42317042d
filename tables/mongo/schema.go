package mongo

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"go.mongodb.org/mongo-driver/bson"
	"go.mongodb.org/mongo-driver/mongo"
	"go.mongodb.org/mongo-driver/mongo/options"

	"folio/mongodb"
	"folio/tables"
)

// table is a defined table with its collection. A document holds, beside its own
// fields, each attribute as a_<name> and without case as f_<name>.
type table struct {
	tables.Schema
	c     *mongodb.Collection
	order string // the field that pages follow
}

func (s *Store) newTable(schema tables.Schema) *table {
	t := &table{Schema: schema, c: s.db.Collection("t_" + schema.Name), order: "_id"}
	if schema.Listed {
		t.order = "ord"
	}
	return t
}

// indexes: one per indexed attribute for selective filters, and one that holds all
// attributes, so that counting what an unselective filter finds reads no document.
func (t *table) indexes() (models []mongo.IndexModel) {
	covering := []string{t.order}
	lead := []string{}
	if t.HasLists() {
		lead = append(lead, "list")
	}
	for _, a := range t.Attributes {
		field := "a_" + a.Name
		covering = append(covering, field)
		if a.Fold {
			field = "f_" + a.Name
			covering = append(covering, field)
		}
		if a.Indexed {
			models = append(models, index("x_"+a.Name, append(lead[:len(lead):len(lead)], field, t.order)...))
		}
	}
	if t.HasLists() {
		models = append(models, index("covering", append(lead, covering...)...))
	}
	return models
}

// Define implements tables.Store.
func (s *Store) Define(ctx context.Context, list ...tables.Schema) error {
	for _, want := range list {
		if err := want.Validate(); err != nil {
			return fmt.Errorf("define: %w", err)
		}
	}
	for _, want := range list {
		if err := s.define(ctx, want); err != nil {
			return fmt.Errorf("define table %s: %w", want.Name, err)
		}
	}
	return nil
}

// define writes the shape first and the indexes second: whoever finds the shape makes
// the indexes again, so that a crash in between leaves none out.
func (s *Store) define(ctx context.Context, want tables.Schema) error {
	text, err := json.Marshal(want)
	if err != nil {
		return err
	}
	have, err := s.shape(ctx, want.Name)
	if errors.Is(err, tables.ErrNoTable) {
		err = s.db.Collection(schemas).Insert(ctx,
			bson.D{{Key: "_id", Value: want.Name}, {Key: "shape", Value: string(text)}})
		if mongo.IsDuplicateKeyError(err) {
			have, err = s.shape(ctx, want.Name)
		} else {
			have = want
		}
	}
	if err != nil {
		return err
	}
	if !have.Equal(want) {
		return fmt.Errorf("%w: raise the version in its name", tables.ErrSchemaChanged)
	}
	t := s.newTable(want)
	return ensure(ctx, t.c, t.indexes()...)
}

func (s *Store) shape(ctx context.Context, name string) (schema tables.Schema, err error) {
	var stored struct{ Shape string }
	raw, err := s.db.Collection(schemas).FindOne(ctx, bson.D{{Key: "_id", Value: name}})
	if err == nil {
		err = bson.Unmarshal(raw, &stored)
	}
	if errors.Is(err, mongo.ErrNoDocuments) {
		return schema, fmt.Errorf("%.60q: %w", name, tables.ErrNoTable)
	} else if err != nil {
		return schema, err
	}
	if err := json.Unmarshal([]byte(stored.Shape), &schema); err != nil {
		return schema, fmt.Errorf("stored shape of %.60s: %w", name, err)
	}
	return schema, nil
}

// table finds a definition, made by this process or by another one.
func (s *Store) table(ctx context.Context, name string) (*table, error) {
	s.mu.RLock()
	t := s.tables[name]
	s.mu.RUnlock()
	if t != nil {
		return t, nil
	}
	schema, err := s.shape(ctx, name)
	if err != nil {
		return nil, err
	}
	t = s.newTable(schema)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.tables[name] = t
	return t, nil
}

// Drop implements tables.Store.
func (s *Store) Drop(ctx context.Context, name string) error {
	if err := tables.CheckName("table", name); err != nil {
		return fmt.Errorf("drop: %w", err)
	}
	err := s.db.Collection("t_" + name).Drop(ctx)
	if err == nil {
		err = s.db.Collection(schemas).Delete(ctx, bson.D{{Key: "_id", Value: name}})
	}
	if err != nil {
		return fmt.Errorf("drop table %s: %w", name, err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.tables, name)
	return nil
}

// Truncate implements tables.Store.
func (s *Store) Truncate(ctx context.Context, name string) error {
	t, err := s.table(ctx, name)
	if err == nil {
		_, err = t.c.DeleteAll(ctx, bson.D{})
	}
	if err != nil {
		return fmt.Errorf("truncate: %w", err)
	}
	return nil
}

// Tables implements tables.Store.
func (s *Store) Tables(ctx context.Context) ([]tables.Schema, error) {
	var stored []struct{ Shape string }
	err := s.db.Collection(schemas).Each(ctx, bson.D{}, options.Find().SetSort(bson.D{{Key: "_id", Value: 1}}),
		func(raw bson.Raw) (bool, error) {
			stored = append(stored, struct{ Shape string }{})
			return true, bson.Unmarshal(raw, &stored[len(stored)-1])
		})
	if err != nil {
		return nil, fmt.Errorf("list tables: %w", err)
	}
	list := make([]tables.Schema, len(stored))
	for i, st := range stored {
		if err := json.Unmarshal([]byte(st.Shape), &list[i]); err != nil {
			return nil, fmt.Errorf("list tables: stored shape: %w", err)
		}
	}
	return list, nil
}
