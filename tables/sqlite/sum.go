package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"

	"folio/sqlfile"
	"folio/tables"
)

// Sum implements tables.Store.
func (s *Store) Sum(ctx context.Context, q tables.Sums) ([]tables.Group, error) {
	t, err := s.table(ctx, q.Table)
	if err != nil {
		return nil, fmt.Errorf("sum: %w", err)
	}
	if err := q.Validate(t.Schema); err != nil {
		return nil, err
	}
	groups, err := s.sum(ctx, t, q)
	if err != nil {
		return nil, fmt.Errorf("sum of %s: %w", q.Table, s.gone(t, err))
	}
	return groups, nil
}

func (s *Store) sum(ctx context.Context, t *table, q tables.Sums) (groups []tables.Group, err error) {
	tx, err := s.read.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, sqlfile.Rollback(tx)) }()
	tally := tables.NewTally(q, t.Schema)
	query, args, err := t.sums(ctx, tx, q, tally.Attributes())
	if err != nil {
		return nil, err
	}
	rows, err := tx.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	stored := make([]string, len(tally.Attributes()))
	into := make([]any, len(stored), len(stored)+1)
	for i := range stored {
		into[i] = &stored[i]
	}
	for rows.Next() {
		if err := rows.Scan(append(into, new(int))...); err != nil {
			return nil, errors.Join(err, rows.Close())
		}
		if err := tally.Add(stored); err != nil {
			return nil, errors.Join(err, rows.Close())
		}
	}
	return tally.Groups(), errors.Join(rows.Err(), rows.Close())
}

// sums reads the attributes through an index: that of a filter when it finds few documents,
// otherwise the one that holds all attributes.
func (t *table) sums(ctx context.Context, tx *sql.Tx, q tables.Sums, of []tables.Attribute) (string, []any, error) {
	page := tables.Query{List: q.List, Filters: q.Filters}
	index, err := "", error(nil)
	if t.HasLists() || len(t.Attributes) > 0 {
		index, err = t.narrow(ctx, tx, page)
	}
	where := t.where(page, "")
	var columns strings.Builder
	for _, a := range of {
		columns.WriteString("a_" + a.Name + ", ")
	}
	return fmt.Sprintf("SELECT %s1 FROM %s%s WHERE %s", columns.String(), t.name, index, where.text), where.args, err
}
