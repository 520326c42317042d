package mongo

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"go.mongodb.org/mongo-driver/bson"
	"go.mongodb.org/mongo-driver/mongo"
	"go.mongodb.org/mongo-driver/mongo/options"

	"folio/tables"
)

// Get implements tables.Store.
func (s *Store) Get(ctx context.Context, name, id string) (tables.Document, error) {
	t, err := s.table(ctx, name)
	if err != nil {
		return tables.Document{}, fmt.Errorf("get: %w", err)
	}
	var d tables.Document
	raw, err := t.c.FindOne(ctx, bson.D{{Key: "_id", Value: id}})
	if errors.Is(err, mongo.ErrNoDocuments) {
		err = tables.ErrNotFound
	} else if err == nil {
		d, err = t.decode(raw, false)
	}
	if err != nil {
		return tables.Document{}, fmt.Errorf("get %.80q of %s: %w", id, name, err)
	}
	return d, nil
}

// decode reads a stored document.
func (t *table) decode(raw bson.Raw, bodiesOnly bool) (d tables.Document, err error) {
	field := func(name string) string { v, _ := raw.Lookup(name).StringValueOK(); return v }
	d.ID, d.List = field("_id"), field("list")
	if d.At, err = position(field("at")); err != nil {
		return d, err
	}
	d.Ordinal, _ = raw.Lookup("ord").AsInt64OK()
	if len(t.Attributes) > 0 && !bodiesOnly {
		d.Attributes = make(map[string]string, len(t.Attributes))
		for _, a := range t.Attributes {
			d.Attributes[a.Name] = a.Shown(field("a_" + a.Name))
		}
	}
	if body := field("body"); body != "" {
		d.Body = []byte(body)
	}
	return d, nil
}

// find reads the documents that a filter finds, as many as q asks for; cut says that its
// bytes ended them.
func (t *table) find(ctx context.Context, filter bson.D, opts *options.FindOptions,
	q tables.Query) (out []tables.Document, cut bool, err error) {
	bytes := 0
	err = t.c.Each(ctx, filter, opts, func(raw bson.Raw) (bool, error) {
		d, err := t.decode(raw, q.BodiesOnly)
		if err != nil {
			return false, err
		}
		out, bytes = append(out, d), bytes+len(d.Body)
		cut = q.Full(bytes)
		return !cut, nil
	})
	return out, cut, err
}

// GetMany implements tables.Store.
func (s *Store) GetMany(ctx context.Context, name string, ids []string) (map[string]tables.Document, error) {
	t, err := s.table(ctx, name)
	if err != nil {
		return nil, fmt.Errorf("get many: %w", err)
	}
	found := make(map[string]tables.Document, len(ids))
	for chunk := range slices.Chunk(ids, 1000) {
		docs, _, err := t.find(ctx, bson.D{{Key: "_id", Value: bson.D{{Key: "$in", Value: chunk}}}}, nil, tables.Query{})
		if err != nil {
			return nil, fmt.Errorf("get %d documents of %s: %w", len(ids), name, err)
		}
		for _, d := range docs {
			found[d.ID] = d
		}
	}
	return found, nil
}

// Scan implements tables.Store.
func (s *Store) Scan(ctx context.Context, name, after string, limit int) (out []tables.Row, err error) {
	t, err := s.table(ctx, name)
	if err != nil {
		return nil, fmt.Errorf("scan: %w", err)
	}
	err = t.c.Each(ctx, bson.D{{Key: "_id", Value: bson.D{{Key: "$gt", Value: after}}}},
		options.Find().SetSort(bson.D{{Key: "_id", Value: 1}}).SetLimit(int64(limit)), func(raw bson.Raw) (bool, error) {
			d, err := t.decode(raw, true)
			r := tables.Row{Document: d, Kept: make([]string, 2*len(t.Attributes))}
			for i, a := range t.Attributes {
				r.Kept[2*i], _ = raw.Lookup("a_" + a.Name).StringValueOK()
				r.Kept[2*i+1], _ = raw.Lookup("f_" + a.Name).StringValueOK()
			}
			out = append(out, r)
			return true, err
		})
	if err != nil {
		return nil, fmt.Errorf("scan %s: %w", name, err)
	}
	return out, nil
}

// Page implements tables.Store.
func (s *Store) Page(ctx context.Context, q tables.Query) (p tables.Page, err error) {
	t, err := s.table(ctx, q.Table)
	if err != nil {
		return p, fmt.Errorf("page: %w", err)
	}
	if err := q.Validate(t.Schema); err != nil {
		return p, err
	}
	sort := options.Find().SetSort(t.orderBy(q))
	if q.BodiesOnly {
		sort.SetProjection(bson.D{{Key: "at", Value: 1}, {Key: "list", Value: 1}, {Key: "ord", Value: 1},
			{Key: "body", Value: 1}})
	}
	read := t.filtered
	if t.Listed && len(q.Filters) == 0 && q.Sort == "" {
		read = t.byOrdinal
	}
	if p, err = read(ctx, q, sort); err != nil {
		return tables.Page{}, fmt.Errorf("page of %s: %w", q.Table, err)
	}
	return p, nil
}

// byOrdinal finds the page by counting, without skipping what comes before it.
func (t *table) byOrdinal(ctx context.Context, q tables.Query, sort *options.FindOptions) (p tables.Page, err error) {
	last, err := t.c.FindOne(ctx, bson.D{{Key: "list", Value: q.List}}, options.FindOne().
		SetSort(bson.D{{Key: "ord", Value: -1}}).SetProjection(bson.D{{Key: "_id", Value: 0}, {Key: "ord", Value: 1}}))
	if errors.Is(err, mongo.ErrNoDocuments) {
		return p, nil
	} else if err != nil {
		return p, err
	}
	p.Total, _ = last.Lookup("ord").AsInt64OK()
	from, to := q.Ordinals(p.Total)
	if from > to {
		return p, nil
	}
	p.Documents, p.Cut, err = t.find(ctx, bson.D{{Key: "list", Value: q.List},
		{Key: "ord", Value: bson.D{{Key: "$gte", Value: from}, {Key: "$lte", Value: to}}}}, sort, q)
	return p, err
}

// filtered counts and reads with MongoDB's own choice of index.
func (t *table) filtered(ctx context.Context, q tables.Query, sort *options.FindOptions) (p tables.Page, err error) {
	conditions := t.conditions(q.List, q.Filters)
	if !q.Uncounted {
		if p.Total, err = t.c.Count(ctx, all(conditions)); err != nil || int64(q.Offset) >= p.Total {
			return p, err
		}
	}
	if q.AfterID != "" {
		conditions = append(conditions, compare("_id", map[bool]string{false: "$gt", true: "$lt"}[q.NewestFirst], q.AfterID))
	}
	if q.AfterOrdinal != nil {
		conditions = append(conditions, compare("ord", "$gt", *q.AfterOrdinal))
	}
	if q.BeforeOrdinal != nil {
		conditions = append(conditions, compare("ord", "$lt", *q.BeforeOrdinal))
	}
	p.Documents, p.Cut, err = t.find(ctx, all(conditions), sort.SetSkip(int64(q.Offset)).SetLimit(int64(q.Limit)), q)
	return p, err
}

// orderBy is the order of a page.
func (t *table) orderBy(q tables.Query) bson.D {
	direction := 1
	if q.NewestFirst {
		direction = -1
	}
	order := bson.D{{Key: t.order, Value: direction}}
	if q.Sort != "" {
		order = append(bson.D{{Key: "a_" + q.Sort, Value: direction}}, order...)
	}
	return order
}

// conditions are those of a list and filters.
func (t *table) conditions(list string, filters []tables.Filter) bson.A {
	conditions := bson.A{}
	if t.HasLists() {
		conditions = append(conditions, compare("list", "$eq", list))
	}
	for _, f := range filters {
		a, _ := t.Attribute(f.Attribute)
		conditions = append(conditions, conditionsOf(a, f)...)
	}
	return conditions
}

func compare(field, operator string, value any) bson.D {
	return bson.D{{Key: field, Value: bson.D{{Key: operator, Value: value}}}}
}

// all joins conditions; MongoDB refuses an empty $and.
func all(conditions bson.A) bson.D {
	if len(conditions) == 0 {
		return bson.D{}
	}
	return bson.D{{Key: "$and", Value: conditions}}
}

func conditionsOf(a tables.Attribute, f tables.Filter) (out bson.A) {
	raw, fold := "a_"+a.Name, "f_"+a.Name
	if a.Kind != tables.Text {
		f.Value, _ = a.Stored(f.Value) // the query was validated
		if f.Op != tables.Equal {
			out = append(out, compare(raw, "$gt", ""))
		}
	}
	switch f.Op {
	case tables.Equal:
		if a.Fold {
			out = append(out, compare(fold, "$eq", tables.Fold(f.Value))) // finds it by the index
		}
		return append(out, compare(raw, "$eq", f.Value))
	case tables.EqualFold:
		return bson.A{compare(fold, "$eq", tables.Fold(f.Value))}
	case tables.AtLeast:
		return append(out, compare(raw, "$gte", f.Value))
	case tables.AtMost:
		return append(out, compare(raw, "$lte", f.Value))
	}
	out = bson.A{compare(raw, "$gte", f.Value)}
	if end, ok := tables.PrefixEnd(f.Value); ok {
		out = append(out, compare(raw, "$lt", end))
	}
	return out
}
