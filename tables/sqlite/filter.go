package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"

	"folio/sqlfile"
	"folio/tables"
)

// An attribute's index is better than reading the covering index of the whole list when
// it finds at most few documents, or one in share of a longer list: each is a search.
const (
	few   = 1000
	share = 8
)

// condition is SQL with its arguments.
type condition struct {
	text string
	args []any
}

func (c *condition) and(text string, args ...any) {
	c.text += " AND " + text
	c.args = append(c.args, args...)
}

// filter adds one filter of attribute a.
func (c *condition) filter(a tables.Attribute, f tables.Filter) {
	raw := "a_" + a.Name
	if a.Kind != tables.Text {
		f.Value, _ = a.Stored(f.Value) // the query was validated
		if f.Op != tables.Equal {
			c.and(raw + " > ''")
		}
	}
	switch f.Op {
	case tables.Equal:
		if a.Fold {
			c.and("f_"+a.Name+" = ?", tables.Fold(f.Value)) // finds it by the index
		}
		c.and(raw+" = ?", f.Value)
	case tables.EqualFold:
		if a.Fold {
			c.and("f_"+a.Name+" = ?", tables.Fold(f.Value))
		} else {
			c.and("folio_fold("+raw+") = ?", tables.Fold(f.Value))
		}
	case tables.AtLeast:
		c.and(raw+" >= ?", f.Value)
	case tables.AtMost:
		c.and(raw+" <= ?", f.Value)
	case tables.Prefix:
		c.and(raw+" >= ?", f.Value)
		if end, ok := tables.PrefixEnd(f.Value); ok {
			c.and(raw+" < ?", end)
		}
	}
}

// usable says whether a's index narrows what f lets through.
func usable(a tables.Attribute, f tables.Filter) bool {
	return a.Indexed && (a.Fold && f.Op <= tables.EqualFold || !a.Fold && f.Op != tables.EqualFold)
}

// filtered counts and reads through indexes only; bodies are read for the page alone.
func (s *Store) filtered(ctx context.Context, t *table, q tables.Query) (p tables.Page, err error) {
	tx, err := s.read.BeginTx(ctx, &sql.TxOptions{ReadOnly: true}) // one snapshot for count and page
	if err != nil {
		return p, err
	}
	defer func() { err = errors.Join(err, sqlfile.Rollback(tx)) }()
	index, err := t.choose(ctx, tx, q)
	if err != nil {
		return p, err
	}
	where := t.where(q, "")
	if !q.Uncounted {
		if err := tx.QueryRowContext(ctx, "SELECT count(*) FROM "+t.name+index+" WHERE "+where.text, where.args...).
			Scan(&p.Total); err != nil || int64(q.Offset) >= p.Total {
			return p, err
		}
	}
	if q.AfterOrdinal != nil {
		where.and("ord > ?", *q.AfterOrdinal)
	}
	if q.BeforeOrdinal != nil {
		where.and("ord < ?", *q.BeforeOrdinal)
	}
	order := t.orderBy(q)
	if q.AfterID != "" {
		where.and(map[bool]string{false: "id > ?", true: "id < ?"}[q.NewestFirst], q.AfterID)
	}
	rows, err := tx.QueryContext(ctx, fmt.Sprintf(
		"SELECT %s FROM %s WHERE rowid IN (SELECT rowid FROM %s%s WHERE %s%s LIMIT ? OFFSET ?)%s",
		t.read(q.BodiesOnly), t.name, t.name, index, where.text, order, order), append(where.args, q.Limit, q.Offset)...)
	p.Documents, p.Cut, err = t.collect(q, rows, err)
	return p, err
}

// orderBy is the order of a page.
func (t *table) orderBy(q tables.Query) string {
	direction := ""
	if q.NewestFirst {
		direction = " DESC"
	}
	order := t.order + direction
	if q.Sort != "" {
		order = "a_" + q.Sort + direction + ", " + order
	}
	return " ORDER BY " + order
}

// where is the condition of q's list and filters, or of those on one attribute only.
func (t *table) where(q tables.Query, only string) condition {
	c := condition{text: t.inList()}
	if t.HasLists() {
		c.args = append(c.args, q.List)
	}
	for _, f := range q.Filters {
		if a, _ := t.Attribute(f.Attribute); only == "" || only == a.Name {
			c.filter(a, f)
		}
	}
	return c
}

// choose picks the index. SQLite's planner knows no frequencies without ANALYZE and
// would walk half a list through an index on a status, reading every document on the
// way to test the other filters; a bounded count tells which index finds few.
func (t *table) choose(ctx context.Context, tx *sql.Tx, q tables.Query) (string, error) {
	if len(q.Filters) == 0 {
		return t.sorted(q, ""), nil
	}
	if f := q.Filters[0]; q.Sort == "" && len(q.Filters) == 1 {
		a, _ := t.Attribute(f.Attribute)
		if usable(a, f) && (f.Op == tables.Equal && !a.Fold || f.Op == tables.EqualFold) {
			return " INDEXED BY " + t.index(a), nil // it covers the filter and is in the right order
		}
	}
	best, err := t.narrow(ctx, tx, q)
	if err == nil && best == " INDEXED BY "+t.covering() {
		best = t.sorted(q, best)
	}
	return best, err
}

// narrow is the index that finds few documents, or else the one that holds all attributes.
func (t *table) narrow(ctx context.Context, tx *sql.Tx, q tables.Query) (string, error) {
	limit := few
	if t.Listed {
		var highest int
		if err := tx.StmtContext(ctx, t.highest).QueryRowContext(ctx, q.List).Scan(&highest); err != nil {
			return "", err
		}
		limit = max(few, highest/share)
	}
	best, least := " INDEXED BY "+t.covering(), limit+1
	for i, f := range q.Filters {
		a, _ := t.Attribute(f.Attribute)
		if !usable(a, f) {
			continue
		}
		index := " INDEXED BY " + t.index(a)
		if repeated(q.Filters[:i], f.Attribute) {
			continue
		}
		where := t.where(q, a.Name)
		var n int
		err := tx.QueryRowContext(ctx, fmt.Sprintf("SELECT count(*) FROM (SELECT 1 FROM %s%s WHERE %s LIMIT %d)",
			t.name, index, where.text, limit+1), where.args...).Scan(&n)
		if err != nil {
			return "", err
		}
		if n < least {
			best, least = index, n
		}
	}
	return best, nil
}

// sorted is the index in whose order the page is, when nothing but its attribute is looked
// at; otherwise it is the other one.
func (t *table) sorted(q tables.Query, other string) string {
	a, ok := t.Attribute(q.Sort)
	for _, f := range q.Filters {
		ok = ok && f.Attribute == q.Sort
	}
	if !ok {
		return other
	}
	return " INDEXED BY " + t.index(a)
}

func repeated(fs []tables.Filter, attribute string) bool {
	return slices.ContainsFunc(fs, func(f tables.Filter) bool { return f.Attribute == attribute })
}
