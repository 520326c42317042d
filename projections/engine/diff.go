package engine

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"

	"folio/tables"
)

// Side is a table of a projection's documents in a store.
type Side struct {
	Store tables.Store
	Table string
}

// Comparison is two builds of a projection's documents.
type Comparison struct {
	Projection Projection
	// Owners are the documents whose ids own those of a projection that is Owned.
	Owners      Projection
	Left, Right Side
}

// Difference is a document that the two sides do not have alike; nil on the side that lacks it.
type Difference struct {
	ID          string
	Left, Right []byte
}

// Compared is how many documents were looked at, and how many of them differ.
type Compared struct{ Documents, Differ int64 }

// Diff hands over what differs between the two builds. Both sides should stand still.
func Diff(ctx context.Context, c Comparison, yield func(Difference) error) (out Compared, err error) {
	p, left, right := c.Projection, c.Left, c.Right
	lists, err := listsOf(ctx, p, c.Owners, left, right)
	if err != nil {
		return out, err
	}
	for _, list := range lists {
		err := walk(ctx, c, list, func(l, r tables.Document, both bool) error {
			out.Documents++
			if both && bytes.Equal(l.Body, r.Body) && maps.Equal(l.Attributes, r.Attributes) {
				return nil
			}
			out.Differ++
			return yield(Difference{l.ID, l.Body, r.Body})
		})
		if err == nil {
			err = walk(ctx, Comparison{Projection: p, Left: right, Right: left}, list,
				func(r, _ tables.Document, both bool) error {
					if both {
						return nil
					}
					out.Documents, out.Differ = out.Documents+1, out.Differ+1
					return yield(Difference{r.ID, nil, r.Body})
				})
		}
		if err != nil {
			return out, fmt.Errorf("compare projection %s: %w", p.name, err)
		}
	}
	return out, nil
}

// alone is one build beside itself.
func alone(p Projection, s Side) Comparison { return Comparison{Projection: p, Left: s, Right: s} }

// walk hands over each document of a list on the left with the one of the same id on the right.
func walk(ctx context.Context, c Comparison, list string,
	yield func(a, b tables.Document, both bool) error) error {
	q := tables.Query{Table: c.Left.Table, List: list, Limit: walkPart, Uncounted: true}
	for {
		page, err := c.Left.Store.Page(ctx, q)
		if errors.Is(err, tables.ErrNoTable) {
			return nil
		}
		if err != nil {
			return err
		}
		ids := make([]string, len(page.Documents))
		for i, d := range page.Documents {
			ids[i] = d.ID
		}
		found, err := c.Right.Store.GetMany(ctx, c.Right.Table, ids)
		if err != nil && !errors.Is(err, tables.ErrNoTable) {
			return err
		}
		for _, d := range page.Documents {
			b, both := found[d.ID]
			if err := yield(d, b, both); err != nil {
				return err
			}
		}
		if len(page.Documents) < walkPart {
			return nil
		}
		if last := page.Documents[walkPart-1]; c.Projection.counted != "" {
			q.AfterOrdinal = &last.Ordinal
		} else {
			q.AfterID = last.ID
		}
	}
}

// listsOf are the lists that a projection's documents are in, of either side.
func listsOf(ctx context.Context, p, owners Projection, sides ...Side) (lists []string, err error) {
	seen := map[string]bool{}
	add := func(list string) {
		if !seen[list] {
			seen[list] = true
			lists = append(lists, list)
		}
	}
	for _, s := range sides {
		switch {
		case p.counted != "":
			err = ids(ctx, s.Store, countersOf(s.Table), add)
		case p.owner != nil:
			err = allIDs(ctx, s.Store, owners, add)
		default:
			add("")
		}
		if err != nil {
			return nil, err
		}
	}
	return lists, nil
}

// allIDs are those of the documents of a listed projection.
func allIDs(ctx context.Context, store tables.Store, p Projection, add func(string)) error {
	at, err := locate(ctx, store, p)
	if err != nil {
		return err
	}
	var lists []string
	if err := ids(ctx, store, countersOf(at.serving), func(id string) { lists = append(lists, id) }); err != nil {
		return err
	}
	for _, list := range lists {
		err := walk(ctx, alone(p, Side{store, at.serving}), list,
			func(d, _ tables.Document, _ bool) error {
				add(d.ID)
				return nil
			})
		if err != nil {
			return err
		}
	}
	return nil
}

// ids are those of a table without lists; none of one that is not there.
func ids(ctx context.Context, store tables.Store, table string, add func(string)) error {
	return walk(ctx, alone(Projection{}, Side{store, table}), "",
		func(d, _ tables.Document, _ bool) error {
			add(d.ID)
			return nil
		})
}

// First are the first documents of a table, of all lists together; owners as in Comparison.
func First(ctx context.Context, p, owners Projection, side Side, limit int) (docs []tables.Document, err error) {
	lists, err := listsOf(ctx, p, owners, side)
	if err != nil {
		return nil, err
	}
	for _, list := range lists {
		err := walk(ctx, alone(p, side), list, func(d, _ tables.Document, _ bool) error {
			if len(docs) == limit {
				return errEnough
			}
			docs = append(docs, d)
			return nil
		})
		if err != nil && !errors.Is(err, errEnough) {
			return nil, fmt.Errorf("documents of projection %s: %w", p.name, err)
		}
	}
	return docs, nil
}

var errEnough = errors.New("these are enough")
