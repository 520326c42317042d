package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"

	"folio/tables"
)

// table is a defined table with its statements.
type table struct {
	tables.Schema
	name    string   // in SQL
	columns []string // of a document, the body last so that scans need not read it
	order   string   // the column that pages follow

	get, many, upsert, remove, highest *sql.Stmt
	pages                              [4]*sql.Stmt // by ordinal; see pageKind
}

// pageKind is the place of the statement for a page by ordinal.
func pageKind(bodiesOnly, newestFirst bool) (k int) {
	if bodiesOnly {
		k += 2
	}
	if newestFirst {
		k++
	}
	return k
}

func newTable(s tables.Schema) *table {
	t := &table{Schema: s, name: "t_" + s.Name, order: "id",
		columns: []string{"id", "at_c", "at_p", "list", "ord"}}
	if s.Listed {
		t.order = "ord"
	}
	for _, a := range s.Attributes {
		t.columns = append(t.columns, "a_"+a.Name)
	}
	t.columns = append(t.columns, "body")
	return t
}

// read are the columns that a reader asks for; each costs about as much as a short body.
func (t *table) read(bodiesOnly bool) string {
	if bodiesOnly {
		return "id, at_c, at_p, list, ord, body"
	}
	return strings.Join(t.columns, ", ")
}

// folded are the columns that hold values without case.
func (t *table) folded() (columns []string) {
	for _, a := range t.Attributes {
		if a.Fold {
			columns = append(columns, "f_"+a.Name)
		}
	}
	return columns
}

// index names the index that finds an attribute, and covering the one that a scan reads.
func (t *table) index(a tables.Attribute) string { return "x_" + t.Name + "_" + a.Name }
func (t *table) covering() string                { return "c_" + t.Name }

// inList is how every condition starts.
func (t *table) inList() string {
	if t.HasLists() {
		return "list = ?"
	}
	return "1"
}

// ddl creates the table. The covering index holds all that filters and order need, so
// that a scan of a list reads no document; the others find few documents at once.
func (t *table) ddl() []string {
	var cols, covered []string
	lead := ""
	if t.HasLists() {
		lead = "list, "
	}
	for _, a := range t.Attributes {
		cols = append(cols, "a_"+a.Name+" TEXT NOT NULL, ")
		covered = append(covered, "a_"+a.Name)
	}
	for _, f := range t.folded() {
		cols = append(cols, f+" TEXT NOT NULL, ")
		covered = append(covered, f)
	}
	out := []string{fmt.Sprintf(`CREATE TABLE %s (id TEXT PRIMARY KEY, at_c INTEGER NOT NULL, at_p INTEGER NOT NULL,
		list TEXT NOT NULL, ord INTEGER NOT NULL, %s body BLOB NOT NULL)`, t.name, strings.Join(cols, ""))}
	if t.HasLists() || len(covered) > 0 {
		out = append(out, fmt.Sprintf("CREATE INDEX %s ON %s (%s)", t.covering(), t.name,
			lead+strings.Join(append([]string{t.order}, covered...), ", ")))
	}
	for _, a := range t.Attributes {
		if a.Indexed {
			out = append(out, fmt.Sprintf("CREATE INDEX %s ON %s (%s%s, %s)", t.index(a), t.name, lead, column(a), t.order))
		}
	}
	return out
}

// column is the one that an attribute's index sorts by.
func column(a tables.Attribute) string {
	if a.Fold {
		return "f_" + a.Name
	}
	return "a_" + a.Name
}

// prepare makes the statements that every document goes through.
func (t *table) prepare(ctx context.Context, s *Store) error {
	written := append(t.folded(), t.columns...)
	var set []string
	for _, c := range written {
		if c != "id" {
			set = append(set, c+" = excluded."+c)
		}
	}
	from := " FROM " + t.name
	type statement struct {
		stmt **sql.Stmt
		db   *sql.DB
		text string
	}
	all := []statement{
		{&t.get, s.read, "SELECT " + t.read(false) + from + " WHERE id = ?"},
		{&t.many, s.write.DB, "SELECT " + t.read(false) + from + " WHERE id IN (SELECT value FROM json_each(?))"},
		{&t.highest, s.read, "SELECT coalesce(max(ord), 0)" + from + " WHERE list = ?"},
		{&t.remove, s.write.DB, "DELETE" + from + " WHERE id = ?"},
		{&t.upsert, s.write.DB, fmt.Sprintf(`INSERT INTO %s (%s) VALUES (?%s) ON CONFLICT (id) DO UPDATE SET %s
			WHERE (at_c, at_p) < (excluded.at_c, excluded.at_p)`, t.name, strings.Join(written, ", "),
			strings.Repeat(", ?", len(written)-1), strings.Join(set, ", "))},
	}
	for _, bodiesOnly := range []bool{false, true} {
		query := "SELECT " + t.read(bodiesOnly) + from + " WHERE list = ? AND ord BETWEEN ? AND ? ORDER BY ord"
		all = append(all, statement{&t.pages[pageKind(bodiesOnly, false)], s.read, query},
			statement{&t.pages[pageKind(bodiesOnly, true)], s.read, query + " DESC"})
	}
	for _, p := range all {
		stmt, err := p.db.PrepareContext(ctx, p.text)
		if err != nil {
			return fmt.Errorf("table %s: %w", t.Name, err)
		}
		*p.stmt = stmt
	}
	return nil
}

// close gives the statements back.
func (t *table) close() error {
	var errs []error
	for _, stmt := range append(t.pages[:], t.get, t.many, t.upsert, t.remove, t.highest) {
		if stmt != nil {
			errs = append(errs, stmt.Close())
		}
	}
	return errors.Join(errs...)
}
