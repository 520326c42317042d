package projections_test

import (
	"bytes"
	"context"
	"database/sql"
	"log/slog"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"folio/projections"
	"folio/projections/engine"
	"folio/tables/sqlite"
)

// byHand drops tables as a person does with sqlite3: Folio's notes of them stay, or go with them.
func byHand(t *testing.T, path string, notes bool, names ...string) {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for _, name := range names {
		if _, err := db.ExecContext(t.Context(), "DROP TABLE t_"+name); err != nil {
			t.Fatal(err)
		}
		if !notes {
			continue
		}
		if _, err := db.ExecContext(t.Context(), "DELETE FROM folio_schemas WHERE name = ?", name); err != nil {
			t.Fatal(err)
		}
	}
}

// awaitTable waits until another table than before is served.
func awaitTable(t *testing.T, r *engine.Runner, before string) {
	t.Helper()
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(time.Millisecond) {
		if now, err := r.Serving(t.Context(), "invoices"); err == nil && now != before {
			return
		}
	}
	t.Fatalf("%s is served still: %+v", before, r.Status())
}

func TestATableThatWasDroppedByHandIsBuiltAnew(t *testing.T) {
	for name, c := range map[string]struct {
		tables  []string
		notes   bool
		running bool // the service runs meanwhile
		rebuilt bool // somebody asked for a rebuild before
	}{
		"the documents":                    {tables: []string{"invoices_v4"}},
		"the documents and what is known":  {tables: []string{"invoices_v4"}, notes: true},
		"how many a list has":              {tables: []string{"invoices_v4_lists"}},
		"everything":                       {tables: []string{"invoices_v4", "invoices_v4_lists"}, notes: true},
		"beside a running service":         {tables: []string{"invoices_v4"}, running: true},
		"before a rebuild that was wanted": {tables: []string{"invoices_v4"}, rebuilt: true},
	} {
		t.Run(name, func(t *testing.T) {
			ctx, path := t.Context(), filepath.Join(t.TempDir(), "tables.db")
			store, err := sqlite.Open(context.Background(), path)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = store.Close() })
			src, said := newSource(history(9)...), &bytes.Buffer{}
			o := options(store, src, "one", projections.Invoices)
			o.Log = slog.New(slog.NewTextHandler(said, nil))
			r, stop := start(t, o)
			waitFor(t, r, "invoices", src.append())
			awaitStatus(t, r, "invoices", func(s engine.Status) bool { return s.CaughtUp })
			if !c.running {
				stop()
			}
			byHand(t, path, c.notes, c.tables...)
			if c.rebuilt {
				if err := engine.Rebuild(ctx, store, logID, projections.Invoices); err != nil {
					t.Fatal(err)
				}
			}
			if !c.running {
				if err := engine.Prepare(ctx, store, projections.Invoices); err != nil { // as each start does
					t.Fatal(err)
				}
				r, stop = start(t, o)
			}
			last := src.append()
			if c.running { // it hears of it with the next event
				last = src.append(created("C1", "I99", 1))
			}
			awaitTable(t, r, "invoices_v4")
			waitFor(t, r, "invoices", last)
			awaitStatus(t, r, "invoices", func(s engine.Status) bool { return s.CaughtUp && !s.Rebuilding })
			stop()
			serving, err := r.Serving(ctx, "invoices")
			if err != nil {
				t.Fatal(err)
			}
			whole := openTables(t)
			fresh, _ := start(t, options(whole, src, "another", projections.Invoices))
			waitFor(t, fresh, "invoices", last)
			if got, want := dump(t, store, serving, "C1", "C2"), dump(t, whole, "invoices_v4", "C1", "C2"); got != want {
				t.Errorf("shown is\n%s\nwant\n%s", got, want)
			}
			if !strings.Contains(said.String(), "which Folio did not drop") {
				t.Errorf("nobody was told:\n%s", said)
			}
		})
	}
}
