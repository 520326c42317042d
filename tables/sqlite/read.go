package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"

	"folio/events"
	"folio/tables"
)

// Get implements tables.Store.
func (s *Store) Get(ctx context.Context, name, id string) (tables.Document, error) {
	t, err := s.table(ctx, name)
	if err != nil {
		return tables.Document{}, fmt.Errorf("get: %w", err)
	}
	d, err := t.scan(t.get.QueryRowContext(brief(ctx), id), false)
	if errors.Is(err, sql.ErrNoRows) {
		err = tables.ErrNotFound
	}
	if err != nil {
		return tables.Document{}, fmt.Errorf("get %.80q of %s: %w", id, name, s.gone(t, err))
	}
	return d, nil
}

// brief is for statements that take microseconds: watching a context that can end costs
// the driver and database/sql a goroutine each, about as much as the statement itself.
func brief(ctx context.Context) context.Context {
	if ctx.Err() != nil {
		return ctx
	}
	return context.WithoutCancel(ctx)
}

// scan reads one row of t.read(bodiesOnly).
func (t *table) scan(row interface{ Scan(...any) error }, bodiesOnly bool) (tables.Document, error) {
	var d tables.Document
	var c, p int64
	into := make([]any, 0, 16)
	into = append(into, &d.ID, &c, &p, &d.List, &d.Ordinal)
	var values []string
	if !bodiesOnly {
		values = make([]string, len(t.Attributes))
		for i := range values {
			into = append(into, &values[i])
		}
	}
	if err := row.Scan(append(into, &d.Body)...); err != nil {
		return tables.Document{}, err
	}
	d.At = events.Position{Commit: uint64(c), Prepare: uint64(p)}
	if len(values) > 0 {
		d.Attributes = make(map[string]string, len(values))
		for i, a := range t.Attributes {
			d.Attributes[a.Name] = a.Shown(values[i])
		}
	}
	return d, nil
}

// collect reads the rows of t.read(q.BodiesOnly), as many as q asks for; cut says that its
// bytes ended them.
func (t *table) collect(q tables.Query, rows *sql.Rows, err error) (out []tables.Document, cut bool, _ error) {
	if err != nil {
		return nil, false, err
	}
	bytes := 0
	for !cut && rows.Next() {
		d, err := t.scan(rows, q.BodiesOnly)
		if err != nil {
			return nil, false, errors.Join(err, rows.Close())
		}
		out, bytes = append(out, d), bytes+len(d.Body)
		cut = q.Full(bytes)
	}
	return out, cut, errors.Join(rows.Err(), rows.Close())
}

// GetMany implements tables.Store. It reads through the connection that writes: whoever
// folds asks for many documents between two writes, and a reader's pages are forgotten
// with every one of them.
func (s *Store) GetMany(ctx context.Context, name string, ids []string) (map[string]tables.Document, error) {
	t, err := s.table(ctx, name)
	if err != nil {
		return nil, fmt.Errorf("get many: %w", err)
	}
	found := make(map[string]tables.Document, len(ids))
	if len(ids) == 0 {
		return found, nil
	}
	list, err := json.Marshal(ids)
	if err != nil {
		return nil, fmt.Errorf("get many: %w", err)
	}
	rows, err := t.many.QueryContext(brief(ctx), string(list))
	docs, _, err := t.collect(tables.Query{}, rows, err)
	if err != nil {
		return nil, fmt.Errorf("get %d documents of %s: %w", len(ids), name, s.gone(t, err))
	}
	for _, d := range docs {
		found[d.ID] = d
	}
	return found, nil
}

// Page implements tables.Store.
func (s *Store) Page(ctx context.Context, q tables.Query) (tables.Page, error) {
	t, err := s.table(ctx, q.Table)
	if err != nil {
		return tables.Page{}, fmt.Errorf("page: %w", err)
	}
	if err := q.Validate(t.Schema); err != nil {
		return tables.Page{}, err
	}
	read := s.filtered
	if t.Listed && len(q.Filters) == 0 && q.Sort == "" {
		read = s.byOrdinal
	}
	p, err := read(ctx, t, q)
	if err != nil {
		return tables.Page{}, fmt.Errorf("page of %s: %w", q.Table, s.gone(t, err))
	}
	return p, nil
}

// byOrdinal finds the page by counting, without passing over what comes before it.
func (s *Store) byOrdinal(ctx context.Context, t *table, q tables.Query) (tables.Page, error) {
	var p tables.Page
	ctx = brief(ctx)
	if err := t.highest.QueryRowContext(ctx, q.List).Scan(&p.Total); err != nil {
		return p, err
	}
	from, to := q.Ordinals(p.Total)
	if from > to {
		return p, nil
	}
	rows, err := t.pages[pageKind(q.BodiesOnly, q.NewestFirst)].QueryContext(ctx, q.List, from, to)
	p.Documents, p.Cut, err = t.collect(q, rows, err)
	return p, err
}
