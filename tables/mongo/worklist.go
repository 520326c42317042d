package mongo

import (
	"context"
	"fmt"
	"time"

	"go.mongodb.org/mongo-driver/bson"
	"go.mongodb.org/mongo-driver/mongo"
	"go.mongodb.org/mongo-driver/mongo/options"

	"folio/events"
	"folio/mongodb"
	"folio/tables"
)

// item is a document of the work collection; all worklists share it.
type item struct {
	ID    string `bson:"_id"` // worklist, "/", key
	List  string `bson:"l"`
	Key   string `bson:"k"`
	Group string `bson:"g"`
	Order string `bson:"o"`
	Due   int64  `bson:"due"` // microseconds
	At    string `bson:"at"`
	Gone  bool   `bson:"gone"`
	Body  string `bson:"body"`
}

func (it item) guarded() guarded {
	return guarded{it.ID, it.At, bson.D{{Key: "_id", Value: it.ID}, {Key: "l", Value: it.List}, {Key: "k", Value: it.Key},
		{Key: "g", Value: it.Group}, {Key: "o", Value: it.Order}, {Key: "due", Value: it.Due}, {Key: "at", Value: it.At},
		{Key: "gone", Value: it.Gone}, {Key: "body", Value: it.Body}}}
}

func (it item) open() (out tables.Item, err error) {
	out = tables.Item{Key: it.Key, Group: it.Group, Due: tables.FromMicros(it.Due)}
	if it.Body != "" {
		out.Body = []byte(it.Body)
	}
	if out.Order, err = position(it.Order); err == nil {
		out.At, err = position(it.At)
	}
	return out, err
}

// change applies puts, then removals, then postponements. The trace of a removal is the item, emptied.
func (s *Store) change(c tables.WorklistChange) step {
	puts, removals := make([]guarded, len(c.Put)), make([]guarded, len(c.Remove))
	for i, p := range c.Put {
		puts[i] = item{ID: c.Worklist + "/" + p.Key, List: c.Worklist, Key: p.Key, Group: p.Group, Order: width(p.Order),
			Due: tables.Micros(p.Due), At: width(p.At), Body: string(p.Body)}.guarded()
	}
	for i, r := range c.Remove {
		removals[i] = item{ID: c.Worklist + "/" + r.Key, List: c.Worklist, Key: r.Key, Order: width(events.Position{}),
			At: width(r.At), Gone: true}.guarded()
	}
	items := s.db.Collection(work)
	return step{"worklist " + c.Worklist, []*settlement{settling(items, "$lt", puts), settling(items, "$lte", removals)},
		func(ctx context.Context) error { return s.postpone(ctx, c.Worklist, c.Postpone) }}
}

func (s *Store) postpone(ctx context.Context, list string, ps []tables.Postponement) error {
	if len(ps) == 0 {
		return nil
	}
	models := make([]mongo.WriteModel, len(ps))
	for i, p := range ps {
		models[i] = mongo.NewUpdateOneModel().
			SetFilter(bson.D{{Key: "_id", Value: list + "/" + p.Key}, {Key: "l", Value: list}, {Key: "gone", Value: false}}).
			SetUpdate(bson.D{{Key: "$set", Value: bson.D{{Key: "due", Value: tables.Micros(p.Due)}}}})
	}
	return s.db.Collection(work).Bulk(ctx, models, true)
}

// Worklist implements tables.Store.
func (s *Store) Worklist(name string) tables.Worklist {
	return worklist{s, s.db.Collection(work), name}
}

type worklist struct {
	s    *Store
	c    *mongodb.Collection
	name string
}

// run checks the name and adds it to whatever goes wrong.
func (w worklist) run(operation string, fn func() error) error {
	err := tables.CheckName("worklist", w.name)
	if err == nil {
		err = fn()
	}
	if err != nil {
		return fmt.Errorf("%s worklist %.60s: %w", operation, w.name, err)
	}
	return nil
}

func (w worklist) Put(ctx context.Context, items ...tables.Item) error {
	return w.s.Apply(ctx, tables.Batch{Work: []tables.WorklistChange{{Worklist: w.name, Put: items}}})
}

func (w worklist) Remove(ctx context.Context, key string, at events.Position) error {
	return w.s.Apply(ctx, tables.Batch{Work: []tables.WorklistChange{
		{Worklist: w.name, Remove: []tables.Removal{{Key: key, At: at}}}}})
}

// live is the filter of items that were not removed.
func (w worklist) live(more ...bson.E) bson.D {
	return append(bson.D{{Key: "l", Value: w.name}, {Key: "gone", Value: false}}, more...)
}

// waiting is the filter of items that are due by now. One that is due at Never is never due, so
// it is left out even when now is later than any clock shows.
func (w worklist) waiting(now time.Time) bson.D {
	return w.live(bson.E{Key: "due", Value: bson.D{{Key: "$lte",
		Value: min(tables.Micros(now), tables.Never.UnixMicro()-1)}}})
}

var (
	byDue   = bson.D{{Key: "due", Value: 1}, {Key: "o", Value: 1}, {Key: "k", Value: 1}}
	byOrder = bson.D{{Key: "o", Value: 1}, {Key: "k", Value: 1}}
)

func (w worklist) items(ctx context.Context, filter, sort bson.D, limit int) ([]tables.Item, error) {
	if limit < 1 { // MongoDB takes 0 for no limit
		return nil, nil
	}
	var out []tables.Item
	err := w.c.Each(ctx, filter, options.Find().SetSort(sort).SetLimit(int64(limit)), func(raw bson.Raw) (bool, error) {
		var f item
		if err := bson.Unmarshal(raw, &f); err != nil {
			return false, err
		}
		it, err := f.open()
		out = append(out, it)
		return true, err
	})
	return out, err
}

func (w worklist) Get(ctx context.Context, key string) (it tables.Item, err error) {
	err = w.run("get from", func() error {
		found, err := w.items(ctx, w.live(bson.E{Key: "_id", Value: w.name + "/" + key}), byDue, 1)
		if err == nil && len(found) == 0 {
			return fmt.Errorf("%.80q: %w", key, tables.ErrNotFound)
		} else if err == nil {
			it = found[0]
		}
		return err
	})
	return it, err
}

func (w worklist) Due(ctx context.Context, now time.Time, limit int) (out []tables.Item, err error) {
	err = w.run("due of", func() (err error) {
		out, err = w.items(ctx, w.waiting(now), byDue, limit)
		return err
	})
	return out, err
}

func (w worklist) InGroup(ctx context.Context, group string, limit int) (out []tables.Item, err error) {
	err = w.run("group of", func() (err error) {
		out, err = w.items(ctx, w.live(bson.E{Key: "g", Value: group}), byOrder, limit)
		return err
	})
	return out, err
}

func (w worklist) All(ctx context.Context, limit int) (out []tables.Item, err error) {
	err = w.run("all of", func() (err error) {
		out, err = w.items(ctx, w.live(), bson.D{{Key: "k", Value: 1}}, limit)
		return err
	})
	return out, err
}

// Groups walks the due index, which holds the groups too, until it met enough of them.
func (w worklist) Groups(ctx context.Context, now time.Time, limit int) (out []string, err error) {
	err = w.run("groups of", func() error {
		if limit < 1 {
			return nil
		}
		seen := map[string]bool{}
		return w.c.Each(ctx, w.waiting(now), options.Find().SetBatchSize(1000).SetProjection(
			bson.D{{Key: "_id", Value: 0}, {Key: "g", Value: 1}}).SetSort(append(byDue[:3:3], bson.E{Key: "g", Value: 1})),
			func(raw bson.Raw) (bool, error) {
				if g, _ := raw.Lookup("g").StringValueOK(); !seen[g] {
					seen[g] = true
					out = append(out, g)
				}
				return len(out) < limit, nil
			})
	})
	return out, err
}

func (w worklist) Postpone(ctx context.Context, key string, due time.Time) error {
	return w.run("postpone in", func() error {
		return w.s.postpone(ctx, w.name, []tables.Postponement{{Key: key, Due: due}})
	})
}

func (w worklist) NextDue(ctx context.Context) (next time.Time, ok bool, err error) {
	err = w.run("next due of", func() error {
		found, err := w.items(ctx, w.waiting(tables.Never), byDue, 1)
		if err == nil && len(found) > 0 {
			next, ok = found[0].Due, true
		}
		return err
	})
	return next, ok, err
}

func (w worklist) Count(ctx context.Context) (n int64, err error) {
	err = w.run("count", func() (err error) {
		n, err = w.c.Count(ctx, w.live())
		return err
	})
	return n, err
}

func (w worklist) PruneBefore(ctx context.Context, p events.Position) (n int64, err error) {
	err = w.run("prune", func() error {
		if err := tables.CheckPosition(p); err != nil {
			return err
		}
		n, err = w.c.DeleteAll(ctx, bson.D{{Key: "l", Value: w.name}, {Key: "gone", Value: true},
			{Key: "at", Value: bson.D{{Key: "$lt", Value: width(p)}}}})
		return err
	})
	return n, err
}

func (w worklist) Clear(ctx context.Context) error {
	return w.run("clear", func() error {
		_, err := w.c.DeleteAll(ctx, bson.D{{Key: "l", Value: w.name}})
		return err
	})
}
