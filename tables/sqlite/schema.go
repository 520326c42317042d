package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"folio/sqlfile"
	"folio/tables"
)

// Define implements tables.Store.
func (s *Store) Define(ctx context.Context, schemas ...tables.Schema) error {
	for _, want := range schemas {
		if err := want.Validate(); err != nil {
			return fmt.Errorf("define: %w", err)
		}
	}
	err := s.alone(ctx, func(ctx context.Context, tx *sql.Tx) error {
		for _, want := range schemas {
			if err := define(ctx, tx, want); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("define: %w", err)
	}
	return nil
}

// there is the condition that nobody dropped the table of a definition by hand.
const there = "EXISTS (SELECT 1 FROM sqlite_master m WHERE m.type = 'table' AND m.name = 't_' || folio_schemas.name)"

func define(ctx context.Context, tx *sql.Tx, want tables.Schema) error {
	switch have, err := shape(tx.QueryRowContext(ctx, "SELECT shape FROM folio_schemas WHERE name = ? AND "+there,
		want.Name)); {
	case err == nil && have.Equal(want):
		return nil
	case err == nil:
		return fmt.Errorf("%s: %w: raise the version in its name", want.Name, tables.ErrSchemaChanged)
	case !errors.Is(err, sql.ErrNoRows):
		return err
	}
	for _, stmt := range newTable(want).ddl() {
		if _, err := tx.ExecContext(ctx, stmt); err != nil {
			return fmt.Errorf("table %s: %w", want.Name, err)
		}
	}
	text, err := json.Marshal(want)
	if err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, "INSERT OR REPLACE INTO folio_schemas (name, shape) VALUES (?, ?)", want.Name,
		string(text))
	return err
}

func shape(row interface{ Scan(...any) error }) (tables.Schema, error) {
	var text string
	if err := row.Scan(&text); err != nil {
		return tables.Schema{}, err
	}
	var s tables.Schema
	if err := json.Unmarshal([]byte(text), &s); err != nil {
		return tables.Schema{}, fmt.Errorf("stored shape: %w", err)
	}
	return s, nil
}

// table finds a definition, made by this process or by another one.
func (s *Store) table(ctx context.Context, name string) (*table, error) {
	s.mu.RLock()
	t := s.tables[name]
	s.mu.RUnlock()
	if t != nil {
		return t, nil
	}
	have, err := shape(s.read.QueryRowContext(ctx, "SELECT shape FROM folio_schemas WHERE name = ?", name))
	if errors.Is(err, sql.ErrNoRows) {
		return nil, fmt.Errorf("%.60q: %w", name, tables.ErrNoTable)
	} else if err != nil {
		return nil, sqlfile.Explain(err)
	}
	t = newTable(have)
	if err := t.prepare(ctx, s); err != nil {
		return nil, errors.Join(s.gone(t, err), t.close())
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if known := s.tables[name]; known != nil {
		return known, t.close()
	}
	s.tables[name] = t
	return t, nil
}

// gone makes ErrNoTable of the error of a statement whose table was dropped while it was
// about to run, here or by another process, and forgets the definition.
func (s *Store) gone(t *table, err error) error {
	if err == nil {
		return nil
	}
	if !strings.Contains(err.Error(), "no such table: "+t.name) && !strings.Contains(err.Error(), "statement is closed") {
		return sqlfile.Explain(err)
	}
	return errors.Join(fmt.Errorf("%.60q: %w", t.Name, tables.ErrNoTable), s.forget(t))
}

// forget closes a definition's statements. Whoever still holds it finds the table gone.
func (s *Store) forget(t *table) error {
	s.mu.Lock()
	known := s.tables[t.Name] == t
	if known {
		delete(s.tables, t.Name)
	}
	s.mu.Unlock()
	if !known {
		return nil
	}
	return t.close()
}

// Drop implements tables.Store.
func (s *Store) Drop(ctx context.Context, name string) error {
	if err := tables.CheckName("table", name); err != nil {
		return fmt.Errorf("drop: %w", err)
	}
	err := s.alone(ctx, func(ctx context.Context, tx *sql.Tx) error {
		if _, err := tx.ExecContext(ctx, "DROP TABLE IF EXISTS t_"+name); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx, "DELETE FROM folio_schemas WHERE name = ?", name)
		return err
	})
	if err != nil {
		return fmt.Errorf("drop table %s: %w", name, err)
	}
	s.mu.RLock()
	t := s.tables[name]
	s.mu.RUnlock()
	if t != nil {
		return s.forget(t)
	}
	return nil
}

// Truncate implements tables.Store.
func (s *Store) Truncate(ctx context.Context, name string) error {
	t, err := s.table(ctx, name)
	if err == nil {
		_, err = s.write.Exec(ctx, "DELETE FROM "+t.name)
		err = s.gone(t, err)
	}
	if err != nil {
		return fmt.Errorf("truncate: %w", err)
	}
	return nil
}

// Tables implements tables.Store.
func (s *Store) Tables(ctx context.Context) (list []tables.Schema, err error) {
	rows, err := s.read.QueryContext(ctx, "SELECT shape FROM folio_schemas WHERE "+there+" ORDER BY name")
	if err != nil {
		return nil, fmt.Errorf("list tables: %w", sqlfile.Explain(err))
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		t, err := shape(rows)
		if err != nil {
			return nil, fmt.Errorf("list tables: %w", err)
		}
		list = append(list, t)
	}
	return list, rows.Err()
}
