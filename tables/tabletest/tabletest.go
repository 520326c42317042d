// Package tabletest is the suite that every implementation of tables passes.
package tabletest

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"folio/events"
	"folio/tables"
)

// Run runs the suite; open gives an empty store that the test's clean-up closes.
func Run(t *testing.T, open func(t *testing.T) tables.Store) {
	for _, part := range []struct {
		name  string
		tests map[string]func(*testing.T, tables.Store)
	}{
		{"Tables", definitions}, {"Documents", documents}, {"Checkpoints", checkpoints},
		{"Pages", pages}, {"Filters", filters}, {"Typed", typed}, {"Worklists", worklists}, {"Leases", leases},
	} {
		t.Run(part.name, func(t *testing.T) {
			for name, test := range part.tests {
				t.Run(name, func(t *testing.T) { test(t, open(t)) })
			}
		})
	}
}

var invoices = tables.Schema{Name: "invoices_v1", Listed: true, Attributes: []tables.Attribute{
	{Name: "status", Indexed: true, Fold: true},
	{Name: "date", Indexed: true},
	{Name: "reference"},
}}

var companies = tables.Schema{Name: "companies_v1", Attributes: []tables.Attribute{
	{Name: "account", Indexed: true}, {Name: "country"},
}}

func at(n uint64) events.Position { return events.Position{Commit: n, Prepare: n} }

// invoice is document n of a company's list, shaped by the event at position n.
func invoice(company string, n int) tables.Document {
	return tables.Document{
		ID: fmt.Sprintf("%s-%05d", company, n), At: at(uint64(n)), List: company, Ordinal: int64(n),
		Attributes: map[string]string{
			"status":    []string{"Accepted", "accepted", "Rejected"}[n%3],
			"date":      fmt.Sprintf("2026-%02d-%02d", 1+n/28%12, 1+n%28),
			"reference": fmt.Sprintf("Ñandú-%d", n),
		},
		Body: fmt.Appendf(nil, `{"number":%d,"total":"12345678901234567890.10"}`, n),
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func want(t *testing.T, err, target error) {
	t.Helper()
	if !errors.Is(err, target) {
		t.Fatalf("got error %v, want %v", err, target)
	}
}

func same[T any](t *testing.T, what string, got, want T) {
	t.Helper()
	if d := cmp.Diff(want, got); d != "" {
		t.Fatalf("%s (-want +got):\n%s", what, d)
	}
}

// put writes documents to a table.
func put(t *testing.T, s tables.Store, table string, docs ...tables.Document) {
	t.Helper()
	must(t, s.Apply(t.Context(), tables.Batch{Writes: []tables.Write{{Table: table, Documents: docs}}}))
}

var definitions = map[string]func(*testing.T, tables.Store){
	"defining twice keeps the documents": func(t *testing.T, s tables.Store) {
		must(t, s.Define(t.Context(), invoices))
		put(t, s, invoices.Name, invoice("a", 1))
		must(t, s.Define(t.Context(), invoices, companies))
		_, err := s.Get(t.Context(), invoices.Name, "a-00001")
		must(t, err)
		got, err := s.Tables(t.Context())
		must(t, err)
		same(t, "tables", got, []tables.Schema{companies, invoices})
	},
	"another shape under a name in use is refused": func(t *testing.T, s tables.Store) {
		must(t, s.Define(t.Context(), companies))
		changed := companies
		changed.Attributes = []tables.Attribute{{Name: "account", Indexed: true}}
		want(t, s.Define(t.Context(), changed), tables.ErrSchemaChanged)
	},
	"names that are not plain are refused": func(t *testing.T, s tables.Store) {
		for _, name := range []string{"", "A", "1a", "a-b", `a" (id); --`, strings.Repeat("a", 49)} {
			want(t, s.Define(t.Context(), tables.Schema{Name: name}), tables.ErrInvalid)
			want(t, s.Drop(t.Context(), name), tables.ErrInvalid)
		}
		twice := tables.Schema{Name: "x", Attributes: []tables.Attribute{{Name: "a"}, {Name: "a"}}}
		want(t, s.Define(t.Context(), twice), tables.ErrInvalid)
	},
	"a dropped table is gone and can come back in another shape": func(t *testing.T, s tables.Store) {
		must(t, s.Define(t.Context(), companies))
		put(t, s, companies.Name, tables.Document{ID: "x", At: at(1)})
		must(t, s.Drop(t.Context(), companies.Name))
		must(t, s.Drop(t.Context(), companies.Name))
		_, err := s.Get(t.Context(), companies.Name, "x")
		want(t, err, tables.ErrNoTable)
		changed := companies
		changed.Attributes = []tables.Attribute{{Name: "country"}}
		must(t, s.Define(t.Context(), changed))
		_, err = s.Get(t.Context(), companies.Name, "x")
		want(t, err, tables.ErrNotFound)
	},
	"a truncated table is empty and accepts old positions again": func(t *testing.T, s tables.Store) {
		must(t, s.Define(t.Context(), invoices))
		put(t, s, invoices.Name, invoice("a", 1), invoice("a", 2))
		must(t, s.Truncate(t.Context(), invoices.Name))
		p, err := s.Page(t.Context(), tables.Query{Table: invoices.Name, List: "a", Limit: 10})
		must(t, err)
		same(t, "page", p, tables.Page{})
		put(t, s, invoices.Name, invoice("a", 1))
		_, err = s.Get(t.Context(), invoices.Name, "a-00001")
		must(t, err)
	},
	"an undefined table is an error of every call": func(t *testing.T, s tables.Store) {
		_, err := s.Get(t.Context(), "nothing", "x")
		want(t, err, tables.ErrNoTable)
		_, err = s.GetMany(t.Context(), "nothing", []string{"x"})
		want(t, err, tables.ErrNoTable)
		_, err = s.Page(t.Context(), tables.Query{Table: "nothing", Limit: 1})
		want(t, err, tables.ErrNoTable)
		want(t, s.Truncate(t.Context(), "nothing"), tables.ErrNoTable)
		want(t, s.Apply(t.Context(), tables.Batch{Writes: []tables.Write{{Table: "nothing"}}}), tables.ErrNoTable)
	},
	"documents that do not fit are refused before anything is written": func(t *testing.T, s tables.Store) {
		must(t, s.Define(t.Context(), invoices, companies))
		bad := map[string]func(*tables.Document){
			"no id":             func(d *tables.Document) { d.ID = "" },
			"endless id":        func(d *tables.Document) { d.ID = strings.Repeat("x", 513) },
			"NUL in id":         func(d *tables.Document) { d.ID = "a\x00b" },
			"no list":           func(d *tables.Document) { d.List = "" },
			"ordinal 0":         func(d *tables.Document) { d.Ordinal = 0 },
			"unknown attribute": func(d *tables.Document) { d.Attributes = map[string]string{"color": "red"} },
			"attribute bytes":   func(d *tables.Document) { d.Attributes = map[string]string{"date": "\xff"} },
			"body bytes":        func(d *tables.Document) { d.Body = []byte("\xff") },
			"end position":      func(d *tables.Document) { d.At = at(math.MaxUint64) },
		}
		for name, spoil := range bad {
			d := invoice("a", 2)
			spoil(&d)
			err := s.Apply(t.Context(), tables.Batch{Writes: []tables.Write{
				{Table: invoices.Name, Documents: []tables.Document{invoice("a", 1), d}}}})
			if !errors.Is(err, tables.ErrInvalid) {
				t.Errorf("%s: got %v", name, err)
			}
		}
		_, err := s.Get(t.Context(), invoices.Name, "a-00001")
		want(t, err, tables.ErrNotFound)
		err = s.Apply(t.Context(), tables.Batch{Writes: []tables.Write{
			{Table: companies.Name, Documents: []tables.Document{{ID: "x", List: "a", Ordinal: 1}}}}})
		want(t, err, tables.ErrInvalid)
	},
}
