package projections_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"folio/events"
	"folio/projections"
	"folio/projections/engine"
	"folio/projections/projectiontest"
	"folio/tables"
	"folio/tables/sqlite"
)

func TestTheTwinOfOwnedDocumentsLooksAtEveryCompany(t *testing.T) {
	history := append([]given{{Stream: "company-C1", Event: events.CompanyRegistered{Company: "C1", Account: "A"}}},
		projectiontest.Sales(projectiontest.Sale{Company: "C1", Customer: "30", Date: "2026-11-03", Net: "100.00",
			Tax: "21.00"})...)
	store, src, p := openTables(t), newSource(history...), projections.VATTotals
	r, stop := start(t, options(store, src, "owner", p, projections.Companies))
	for _, name := range []string{p.Name(), "companies"} {
		waitFor(t, r, name, src.end())
		awaitStatus(t, r, name, func(s engine.Status) bool { return s.CaughtUp })
	}
	stop()
	compare := func() (int64, *engine.Mismatch) { return compared(t, store, src, p) }
	if n, found := compare(); n != 1 || found != nil {
		t.Fatalf("%d documents, %+v", n, found)
	}
	spoilt := tables.Document{ID: "C1/Production/2026-12/001", At: events.Position{Commit: 101, Prepare: 101}, List: "C1",
		Body: []byte(`{}`)}
	if err := store.Apply(t.Context(), tables.Batch{Writes: []tables.Write{{Table: "vat_totals_v3",
		Documents: []tables.Document{spoilt}}}}); err != nil {
		t.Fatal(err)
	}
	if _, found := compare(); found == nil || found.Document != spoilt.ID {
		t.Fatalf("a document that no event made was not found: %+v", found)
	}

	const real = "C1/Production/2026-11/001"
	moved, err := store.Get(t.Context(), "vat_totals_v3", real)
	if err != nil {
		t.Fatal(err)
	}
	moved.List = "nobody" // no walk through a company's documents comes by it
	for _, w := range []tables.Write{{Deletes: []string{real, spoilt.ID}}, {Documents: []tables.Document{moved}}} {
		w.Table = "vat_totals_v3"
		if err := store.Apply(t.Context(), tables.Batch{Writes: []tables.Write{w}}); err != nil {
			t.Fatal(err)
		}
	}
	if _, found := compare(); found == nil || found.Document != real || !strings.Contains(found.What, "nobody") {
		t.Fatalf("a document that was moved out of sight was not found: %+v", found)
	}
}

// compared folds the log once more beside the live documents and compares.
func compared(t *testing.T, store tables.Store, src *source, p engine.Projection) (int64, *engine.Mismatch) {
	t.Helper()
	c := twinned(t, src, engine.TwinConfig{Live: store, Scratch: openTables(t), Log: src, Of: []engine.Projection{p}})
	if len(c.Again) > 0 {
		c = twinned(t, src, engine.TwinConfig{Live: store, Scratch: openTables(t), Log: src, Of: c.Again, Rows: true})
	}
	return c.Documents, c.Found
}

func twinned(t *testing.T, src *source, config engine.TwinConfig) engine.TwinReport {
	t.Helper()
	twins, building, err := engine.NewTwins(t.Context(), config)
	if err != nil || len(building) > 0 {
		t.Fatalf("%v, %v", building, err)
	}
	for _, e := range src.log {
		if e, err = events.Open(e); err == nil {
			err = twins.Add(t.Context(), e)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	c, err := twins.Compare(t.Context(), func(context.Context) (events.Position, error) { return src.end(), nil })
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// Whatever is changed of a row is found: its columns for filters too, how many a list has, and the states that are
// joined.
func TestTheTwinComparesRowsWhole(t *testing.T) {
	history := append([]given{{Stream: "company-C1", Event: events.CompanyRegistered{Company: "C1", Account: "A"}}},
		projectiontest.Sales(projectiontest.Sale{Company: "C1", Customer: "30", Date: "2026-11-03", Net: "100.00",
			Tax: "21.00"}, projectiontest.Sale{Company: "C1", Customer: "31", Date: "2026-11-04", Net: "7.00", Tax: "1.47"})...)
	for name, c := range map[string]struct {
		of     engine.Projection
		change string // SQL
		finds  string
	}{
		"nothing":                 {of: projections.Invoices},
		"nothing of a joined one": {of: projections.VATBook},
		"a column of text without case": {projections.Invoices,
			"UPDATE t_%s SET f_external_reference = 'another'", "what it is found by"},
		"a column that is stored by its kind": {projections.VATBook, "UPDATE t_%s SET a_total = a_total || '0'",
			"what it is found by"},
		"the counter of a list": {projections.Invoices, `UPDATE t_%s_lists SET body = CAST('{"count":7}' AS BLOB)`,
			"_lists: its content"},
		"a counter that is gone": {projections.Invoices, "DELETE FROM t_%s_lists", "_lists: it is missing"},
		"a counter of no list": {projections.Invoices, `INSERT INTO t_%s_lists SELECT 'C9', at_c, at_p, list, ord, body
			FROM t_%[1]s_lists`, "_lists: the log makes no such document"},
		"a row of a list that nobody has": {projections.Invoices, `INSERT INTO t_%s SELECT 'X' || id, at_c, at_p, 'C9', ord,
			%[2]s body FROM t_%[1]s LIMIT 1`, "the log makes no such document"},
		"a row that claims an event to come": {projections.Invoices, "UPDATE t_%s SET at_c = 999999, at_p = 999999",
			"an event shaped it which the log does not have"},
		"a row that claims another event": {projections.Invoices, "UPDATE t_%s SET at_c = 1, at_p = 1", "shaped it last"},
		"a checkpoint that was put back": {projections.Invoices,
			"UPDATE folio_checkpoints SET at_c = 100, at_p = 100 WHERE name = '%s'", "has not come to"},
		"nothing of what one event makes": {of: projections.Facts},
		"a fact that is changed": {projections.Facts, `UPDATE t_%s SET body = CAST(replace(CAST(body AS TEXT),
			'InvoiceCreated', 'InvoiceRefused') AS BLOB) WHERE id = (SELECT id FROM t_%[1]s WHERE a_type = 'InvoiceCreated'
			LIMIT 1)`, "its content"},
		"a fact that is gone": {projections.Facts, "DELETE FROM t_%s WHERE at_c = (SELECT max(at_c) FROM t_%[1]s)",
			"it is missing"},
		"a fact that nobody recorded": {projections.Facts, `INSERT INTO t_%s SELECT 'X' || id, at_c, at_p, list, ord,
			%[2]s body FROM t_%[1]s LIMIT 1`, "the log makes no such document"},
		"two facts that are exchanged": {projections.Facts, `UPDATE t_%s SET body = (SELECT body FROM t_%[1]s b WHERE
			b.id <> t_%[1]s.id ORDER BY id LIMIT 1) WHERE id IN (SELECT id FROM t_%[1]s ORDER BY id LIMIT 2)`, "its content"},
		"an ordinal": {projections.Invoices, "UPDATE t_%s SET ord = ord + 10", "of the list C1"},
	} {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "tables.db")
			store, err := sqlite.Open(t.Context(), file)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = store.Close() })
			src := newSource(history...)
			r, stop := start(t, options(store, src, "owner", c.of))
			waitFor(t, r, c.of.Name(), src.end())
			awaitStatus(t, r, c.of.Name(), func(s engine.Status) bool { return s.CaughtUp })
			stop()
			if c.change != "" {
				vandalise(t, file, fmt.Sprintf("%s_v%d", c.of.Name(), c.of.Version()), c.change)
			}
			_, found := compared(t, store, src, c.of)
			if (found == nil) != (c.finds == "") || found != nil && !strings.Contains(found.What, c.finds) {
				t.Errorf("found %+v, want %q", found, c.finds)
			}
		})
	}
}

// vandalise changes a table behind its store's back. %[2]s are its columns for filters, each with a comma behind it.
func vandalise(t *testing.T, file, table, change string) {
	t.Helper()
	db, err := sql.Open("sqlite", file)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	rows, err := db.QueryContext(t.Context(), "SELECT name FROM pragma_table_info(?)", "t_"+table)
	if err != nil {
		t.Fatal(err)
	}
	columns := ""
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			t.Fatal(err)
		}
		if strings.HasPrefix(name, "a_") || strings.HasPrefix(name, "f_") {
			columns += name + ", "
		}
	}
	if err := errors.Join(rows.Err(), rows.Close()); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(change, "%[2]s") {
		change = fmt.Sprintf(change, table, columns)
	} else {
		change = strings.ReplaceAll(strings.ReplaceAll(change, "%[1]s", table), "%s", table)
	}
	done, err := db.ExecContext(t.Context(), change)
	if err != nil {
		t.Fatalf("%s: %v", change, err)
	}
	if n, err := done.RowsAffected(); err != nil || n == 0 {
		t.Fatalf("%s changed %d rows: %v", change, n, err)
	}
}
