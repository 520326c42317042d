package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"

	"folio/events"
	"folio/tables"
)

// Scan implements tables.Store.
func (s *Store) Scan(ctx context.Context, name, after string, limit int) ([]tables.Row, error) {
	t, err := s.table(ctx, name)
	if err != nil {
		return nil, fmt.Errorf("scan: %w", err)
	}
	rows, err := s.read.QueryContext(ctx, "SELECT "+strings.Join(append(t.folded(), t.columns...), ", ")+" FROM "+t.name+
		" WHERE id > ? ORDER BY id LIMIT ?", after, limit)
	var out []tables.Row
	for err == nil && rows.Next() {
		var r tables.Row
		if r, err = t.row(rows); err == nil {
			out = append(out, r)
		}
	}
	if rows != nil {
		err = errors.Join(err, rows.Err(), rows.Close())
	}
	if err != nil {
		return nil, fmt.Errorf("scan %s: %w", name, s.gone(t, err))
	}
	return out, nil
}

// row reads one row whole. Values without case that are in no column of their own are made when they are compared.
func (t *table) row(rows *sql.Rows) (r tables.Row, err error) {
	var c, p int64
	r.Kept = make([]string, 2*len(t.Attributes))
	into := make([]any, 0, len(t.columns)+len(t.Attributes))
	for i, a := range t.Attributes {
		if a.Fold {
			into = append(into, &r.Kept[2*i+1])
		}
	}
	into = append(into, &r.ID, &c, &p, &r.List, &r.Ordinal)
	for i := range t.Attributes {
		into = append(into, &r.Kept[2*i])
	}
	err = rows.Scan(append(into, &r.Body)...)
	for i, a := range t.Attributes {
		if !a.Fold {
			r.Kept[2*i+1] = tables.Fold(r.Kept[2*i])
		}
	}
	r.At = events.Position{Commit: uint64(c), Prepare: uint64(p)}
	return r, err
}
