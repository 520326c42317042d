package sqlite

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"folio/events"
	"folio/sqlfile"
	"folio/tables"
)

var invoices = tables.Schema{Name: "invoices_v1", Listed: true, Attributes: []tables.Attribute{
	{Name: "status", Indexed: true, Fold: true}, {Name: "invoice_type", Indexed: true, Fold: true},
	{Name: "date", Indexed: true}, {Name: "reference", Indexed: true, Fold: true}, {Name: "number"},
	{Name: "updated", Indexed: true},
}}

// filled opens a store with n invoices of one company: body of about 1 KB, nine of ten
// accepted, a new day every hundred.
func filled(tb testing.TB, n int) *Store {
	tb.Helper()
	s, err := Open(tb.Context(), filepath.Join(tb.TempDir(), "tables.db"))
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if err := s.Close(); err != nil {
			tb.Error(err)
		}
	})
	if err := s.Define(tb.Context(), invoices); err != nil {
		tb.Fatal(err)
	}
	for from := 1; from <= n; from += 500 {
		if err := s.Apply(tb.Context(), batch(from, min(500, n-from+1))); err != nil {
			tb.Fatal(err)
		}
	}
	return s
}

var filler = strings.Repeat("x", 1000)

func batch(from, n int) tables.Batch {
	docs := make([]tables.Document, n)
	for i := range docs {
		ord := from + i
		status := "Accepted"
		if ord%10 == 0 {
			status = "Rejected"
		}
		docs[i] = tables.Document{ID: id(ord), At: events.Position{Commit: uint64(ord), Prepare: uint64(ord)},
			List: "company", Ordinal: int64(ord), Body: fmt.Appendf(nil, `{"n":%d,"x":%q}`, ord, filler),
			Attributes: map[string]string{"status": status, "invoice_type": "FCA", "reference": fmt.Sprint("ref", ord),
				"date":   fmt.Sprintf("%04d-%02d-%02d", 2020+ord/33600, 1+ord/2800%12, 1+ord/100%28),
				"number": fmt.Sprintf("%08d", ord), "updated": fmt.Sprintf("%08d", ord)}}
	}
	last, before := docs[n-1].At, events.Position{Commit: uint64(from - 1), Prepare: uint64(from - 1)}
	return tables.Batch{Writes: []tables.Write{{Table: invoices.Name, Documents: docs}},
		Checkpoint: &tables.Checkpoint{Name: "invoices", Store: "log", At: last, After: before}}
}

// id scatters like a ULID's random part would not, and like hashes do: the worst case.
func id(ord int) string { return fmt.Sprintf("%08x%08d", uint32(ord)*2654435761, ord) }

func TestFiltersUseTheIndexThatFindsFew(t *testing.T) {
	s := filled(t, 3000)
	table, err := s.table(t.Context(), invoices.Name)
	if err != nil {
		t.Fatal(err)
	}
	f := func(a string, op tables.Op, v string) tables.Filter {
		return tables.Filter{Attribute: a, Op: op, Value: v}
	}
	for _, c := range []struct {
		name    string
		filters []tables.Filter
		index   string
	}{
		{"one value of many", []tables.Filter{f("reference", tables.EqualFold, "REF7")}, "x_invoices_v1_reference"},
		{"a frequent value alone", []tables.Filter{f("status", tables.EqualFold, "accepted")}, "x_invoices_v1_status"},
		{"a frequent and a rare value", []tables.Filter{f("status", tables.EqualFold, "accepted"),
			f("reference", tables.EqualFold, "ref7")}, "x_invoices_v1_reference"},
		{"frequent values only", []tables.Filter{f("status", tables.EqualFold, "accepted"),
			f("invoice_type", tables.EqualFold, "fca")}, "c_invoices_v1"},
		{"both ends of a short range", []tables.Filter{f("date", tables.AtLeast, "2020-01-03"),
			f("date", tables.AtMost, "2020-01-04")}, "x_invoices_v1_date"},
		{"a long range", []tables.Filter{f("date", tables.AtLeast, "2020-01-03")}, "c_invoices_v1"},
		{"no index of its own", []tables.Filter{f("number", tables.Equal, "00000007")}, "c_invoices_v1"},
	} {
		tx, err := s.read.BeginTx(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		got, err := table.choose(t.Context(), tx, tables.Query{List: "company", Filters: c.filters})
		if err != nil || got != " INDEXED BY "+c.index {
			t.Errorf("%s: %s, %v", c.name, got, err)
		}
		where := table.where(tables.Query{List: "company", Filters: c.filters}, "")
		plan := explain(t, s, "SELECT count(*) FROM "+table.name+got+" WHERE "+where.text, where.args)
		if c.index == "c_invoices_v1" && !strings.Contains(plan, "COVERING") {
			t.Errorf("%s: the scan reads documents: %s", c.name, plan)
		}
		if err := sqlfile.Rollback(tx); err != nil {
			t.Fatal(err)
		}
	}
}

var owned = tables.Schema{Name: "sales_v1", Owned: true, Attributes: []tables.Attribute{
	{Name: "date", Indexed: true, Kind: tables.Date}, {Name: "amount", Indexed: true, Kind: tables.Decimal}}}

// sold fills a store with n sales of one company, of each day of a year as many.
func sold(tb testing.TB, n int) *Store {
	tb.Helper()
	s := filled(tb, 1)
	if err := s.Define(tb.Context(), owned); err != nil {
		tb.Fatal(err)
	}
	const atOnce = 2500
	for from := 0; from < n; from += atOnce {
		docs := make([]tables.Document, 0, atOnce)
		for i := from; i < min(from+atOnce, n); i++ {
			docs = append(docs, tables.Document{ID: id(i), At: events.Position{Commit: 1, Prepare: 1}, List: "company",
				Body:       []byte("{}"),
				Attributes: map[string]string{"date": fmt.Sprintf("2026-%02d-%02d", 1+i%12, 1+i%28), "amount": fmt.Sprint(i)}})
		}
		if err := s.Apply(tb.Context(), tables.Batch{Writes: []tables.Write{{Table: owned.Name,
			Documents: docs}}}); err != nil {
			tb.Fatal(err)
		}
	}
	return s
}

func TestARangeAndASumReadAnIndexOnly(t *testing.T) {
	s := sold(t, 2500)
	table, err := s.table(t.Context(), owned.Name)
	if err != nil {
		t.Fatal(err)
	}
	month := []tables.Filter{{Attribute: "date", Op: tables.AtLeast, Value: "2026-03-01"},
		{Attribute: "date", Op: tables.AtMost, Value: "2026-03-31"}}
	for _, c := range []struct {
		name  string
		query tables.Query
		plan  string
	}{
		{"a range", tables.Query{Filters: month}, "SEARCH t_sales_v1 USING COVERING INDEX x_sales_v1_date (list=? AND " +
			"a_date>? AND a_date<?)"},
		{"a range in its order", tables.Query{Filters: month, Sort: "date"},
			"SEARCH t_sales_v1 USING COVERING INDEX x_sales_v1_date (list=? AND a_date>? AND a_date<?)"},
		{"an order alone", tables.Query{Sort: "amount"}, "SEARCH t_sales_v1 USING COVERING INDEX x_sales_v1_amount (list=?)"},
		{"a walk by id", tables.Query{AfterID: "5"}, "COVERING INDEX c_sales_v1 (list=? AND id>?)"},
	} {
		c.query.List = "company"
		tx, err := s.read.BeginTx(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		index, err := table.choose(t.Context(), tx, c.query)
		if err != nil {
			t.Fatal(err)
		}
		where := table.where(c.query, "")
		if c.query.AfterID != "" {
			where.and("id > ?", c.query.AfterID)
		}
		plan := explain(t, s, "SELECT rowid FROM "+table.name+index+" WHERE "+where.text+table.orderBy(c.query), where.args)
		inOrder := c.query.Sort != "" || c.query.AfterID != ""
		if !strings.Contains(plan, c.plan) || inOrder && strings.Contains(plan, "TEMP B-TREE") {
			t.Errorf("%s: %s", c.name, plan)
		}
		if err := sqlfile.Rollback(tx); err != nil {
			t.Fatal(err)
		}
	}
	tx, err := s.read.BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	q := tables.Sums{Table: owned.Name, List: "company", Of: []string{"amount"},
		Filters: []tables.Filter{{Attribute: "date", Op: tables.AtLeast, Value: "2026-03-01"}}}
	query, args, err := table.sums(t.Context(), tx, q, []tables.Attribute{{Name: "amount"}})
	if err != nil {
		t.Fatal(err)
	}
	if err := sqlfile.Rollback(tx); err != nil {
		t.Fatal(err)
	}
	if plan := explain(t, s, query, args); !strings.Contains(plan, "COVERING INDEX c_sales_v1 (list=?)") {
		t.Errorf("a sum reads documents: %s", plan)
	}
}

// However much of the list has changed since, a page in the order of changes reads no more than it shows.
func TestAPageOfChangesIsASearchInOrder(t *testing.T) {
	s := filled(t, 3000)
	table, err := s.table(t.Context(), invoices.Name)
	if err != nil {
		t.Fatal(err)
	}
	for _, since := range []string{"00000001", "00002990"} {
		q := tables.Query{List: "company", Sort: "updated", Filters: []tables.Filter{
			{Attribute: "updated", Op: tables.AtLeast, Value: since},
			{Attribute: "updated", Op: tables.AtMost, Value: "00002999"}}}
		tx, err := s.read.BeginTx(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		index, err := table.choose(t.Context(), tx, q)
		if err != nil {
			t.Fatal(err)
		}
		where := table.where(q, "")
		plan := explain(t, s, "SELECT rowid FROM "+table.name+index+" WHERE "+where.text+table.orderBy(q), where.args)
		want := "SEARCH t_invoices_v1 USING COVERING INDEX x_invoices_v1_updated (list=? AND a_updated>? AND a_updated<?)"
		if !strings.Contains(plan, want) || strings.Contains(plan, "TEMP B-TREE") {
			t.Errorf("since %s: %s", since, plan)
		}
		if err := sqlfile.Rollback(tx); err != nil {
			t.Fatal(err)
		}
	}
}

func TestPageByOrdinalIsASearchInOrder(t *testing.T) {
	s := filled(t, 10)
	for _, order := range []string{"ord", "ord DESC"} {
		plan := explain(t, s, "SELECT body FROM t_invoices_v1 WHERE list = ? AND ord BETWEEN ? AND ? ORDER BY "+order,
			[]any{"company", 1, 5})
		if !strings.Contains(plan, "SEARCH t_invoices_v1 USING INDEX c_invoices_v1 (list=? AND ord>? AND ord<?)") ||
			strings.Contains(plan, "TEMP B-TREE") {
			t.Errorf("plan: %s", plan)
		}
	}
	plan := explain(t, s, "SELECT coalesce(max(ord), 0) FROM t_invoices_v1 WHERE list = ?", []any{"company"})
	if !strings.Contains(plan, "SEARCH t_invoices_v1 USING COVERING INDEX c_invoices_v1 (list=?)") {
		t.Errorf("plan: %s", plan)
	}
}

func TestWorklistQueriesAreSearchesInOrder(t *testing.T) {
	s := filled(t, 1)
	for name, query := range map[string]string{
		"due":   "SELECT key, body" + waiting + "ORDER BY due, ord_c, ord_p, key LIMIT 10",
		"next":  "SELECT min(due)" + waiting,
		"group": "SELECT body FROM folio_work WHERE list = ? AND grp = ? AND gone = 0 ORDER BY ord_c, ord_p, key LIMIT 10",
		"prune": "DELETE FROM folio_work WHERE list = ? AND gone = 1 AND (at_c, at_p) < (?, 9)",
	} {
		plan := explain(t, s, query, []any{"w", 1})
		if !strings.Contains(plan, "SEARCH folio_work USING") || strings.Contains(plan, "TEMP B-TREE") {
			t.Errorf("%s: %s", name, plan)
		}
	}
}

func explain(t *testing.T, s *Store, query string, args []any) (plan string) {
	t.Helper()
	rows, err := s.read.QueryContext(t.Context(), "EXPLAIN QUERY PLAN "+query, args...)
	if err != nil {
		t.Fatal(err)
	}
	for rows.Next() {
		var a, b, c int
		var line string
		if err := rows.Scan(&a, &b, &c, &line); err != nil {
			t.Fatal(err)
		}
		plan += line + "; "
	}
	if err := rows.Close(); err != nil {
		t.Fatal(err)
	}
	return plan
}
