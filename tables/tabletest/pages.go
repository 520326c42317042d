package tabletest

import (
	"fmt"
	"slices"
	"testing"

	"folio/tables"
)

// ordinals are what a page holds, for comparing.
func ordinals(p tables.Page) (out []int64) {
	for _, d := range p.Documents {
		out = append(out, d.Ordinal)
	}
	return out
}

func page(t *testing.T, s tables.Store, q tables.Query) tables.Page {
	t.Helper()
	p, err := s.Page(t.Context(), q)
	must(t, err)
	return p
}

// fill defines the invoices table and puts n documents in list a, one in list b.
func fill(t *testing.T, s tables.Store, n int) {
	t.Helper()
	must(t, s.Define(t.Context(), invoices))
	docs := []tables.Document{invoice("b", 1)}
	for i := range n {
		docs = append(docs, invoice("a", i+1))
	}
	put(t, s, invoices.Name, docs...)
}

func ref(n int64) *int64 { return &n }

// scanned reads a table whole, a few rows at a time.
func scanned(t *testing.T, s tables.Store, table string) (out []tables.Row) {
	t.Helper()
	for after := ""; ; after = out[len(out)-1].ID {
		rows, err := s.Scan(t.Context(), table, after, 3)
		must(t, err)
		if out = append(out, rows...); len(rows) < 3 {
			return out
		}
	}
}

var pages = map[string]func(*testing.T, tables.Store){
	"a scan reads every row whole, in the order of ids, whatever its list": func(t *testing.T, s tables.Store) {
		fill(t, s, 7)
		rows := scanned(t, s, invoices.Name)
		same(t, "number of rows", len(rows), 8)
		for i, r := range rows {
			d := invoice("b", 1)
			if i < 7 {
				d = invoice("a", i+1)
			}
			kept, err := invoices.Kept(d)
			must(t, err)
			d.Attributes = nil
			same(t, "row", r, tables.Row{Document: d, Kept: kept})
		}
		must(t, s.Truncate(t.Context(), invoices.Name))
		same(t, "an empty table", len(scanned(t, s, invoices.Name)), 0)
		_, err := s.Scan(t.Context(), "nothing", "", 1)
		want(t, err, tables.ErrNoTable)
	},
	"every page of a list is found by ordinal": func(t *testing.T, s tables.Store) {
		fill(t, s, 25)
		list := tables.Query{Table: invoices.Name, List: "a", Limit: 10}
		for _, c := range []struct {
			name  string
			query func(*tables.Query)
			want  []int64
		}{
			{"first page", func(q *tables.Query) { q.Limit = 3 }, []int64{1, 2, 3}},
			{"newest first", func(q *tables.Query) { q.Limit, q.NewestFirst = 3, true }, []int64{25, 24, 23}},
			{"second page, newest first", func(q *tables.Query) { q.Limit, q.Offset, q.NewestFirst = 3, 3, true },
				[]int64{22, 21, 20}},
			{"last page is short", func(q *tables.Query) { q.Offset = 23 }, []int64{24, 25}},
			{"last page, newest first", func(q *tables.Query) { q.Offset, q.NewestFirst = 23, true }, []int64{2, 1}},
			{"past the end", func(q *tables.Query) { q.Offset = 25 }, nil},
			{"far past the end", func(q *tables.Query) { q.Offset, q.NewestFirst = 1<<62, true }, nil},
			{"after", func(q *tables.Query) { q.AfterOrdinal, q.Limit = ref(20), 2 }, []int64{21, 22}},
			{"before, newest first", func(q *tables.Query) { q.BeforeOrdinal, q.Limit, q.NewestFirst = ref(20), 2, true },
				[]int64{19, 18}},
			{"between", func(q *tables.Query) { q.AfterOrdinal, q.BeforeOrdinal = ref(3), ref(6) }, []int64{4, 5}},
			{"after the last", func(q *tables.Query) { q.AfterOrdinal = ref(25) }, nil},
			{"before the first", func(q *tables.Query) { q.BeforeOrdinal = ref(1) }, nil},
			{"bounds beyond both ends", func(q *tables.Query) {
				q.AfterOrdinal, q.BeforeOrdinal, q.Limit = ref(-5), ref(1<<62), 1
			}, []int64{1}},
			{"offset from a bound", func(q *tables.Query) {
				q.BeforeOrdinal, q.Offset, q.NewestFirst, q.Limit = ref(20), 5, true, 2
			}, []int64{14, 13}},
		} {
			q := list
			c.query(&q)
			p := page(t, s, q)
			same(t, c.name, ordinals(p), c.want)
			same(t, c.name+": total", p.Total, int64(25))
		}
	},
	"bodies can be had without attributes": func(t *testing.T, s tables.Store) {
		fill(t, s, 5)
		lean := invoice("a", 2)
		lean.Attributes = nil
		for _, filters := range [][]tables.Filter{nil, {{Attribute: "date", Value: "2026-01-03"}}} {
			q := tables.Query{Table: invoices.Name, List: "a", Filters: filters, Limit: 1, AfterOrdinal: ref(1),
				BodiesOnly: true}
			same(t, "document", page(t, s, q).Documents, []tables.Document{lean})
		}
	},
	"a page ends with the bytes that it may have, and the walk goes on": func(t *testing.T, s tables.Store) {
		fill(t, s, 9)
		body := len(invoice("a", 1).Body)
		for name, filters := range map[string][]tables.Filter{"by ordinal": nil,
			"filtered": {{Attribute: "date", Op: tables.AtLeast, Value: "2026"}}} {
			q := tables.Query{Table: invoices.Name, List: "a", Filters: filters, Limit: 7, NewestFirst: true, MaxBytes: body + 1}
			p := page(t, s, q)
			same(t, name, ordinals(p), []int64{9, 8})
			same(t, name+": cut", p.Cut, true)
			same(t, name+": total", p.Total, int64(9))
			q.BeforeOrdinal, q.MaxBytes = ref(8), 1
			same(t, name+": one at least", ordinals(page(t, s, q)), []int64{7})
			q.MaxBytes = 1 << 20
			p = page(t, s, q)
			same(t, name+": the rest", ordinals(p), []int64{7, 6, 5, 4, 3, 2, 1})
			same(t, name+": cut at its end", p.Cut, false)
		}
	},
	"lists do not see each other": func(t *testing.T, s tables.Store) {
		fill(t, s, 3)
		p := page(t, s, tables.Query{Table: invoices.Name, List: "b", Limit: 10})
		same(t, "list b", p, tables.Page{Documents: []tables.Document{invoice("b", 1)}, Total: 1})
		p = page(t, s, tables.Query{Table: invoices.Name, List: "c", Limit: 10})
		same(t, "list c", p, tables.Page{})
	},
	"a walk by cursor does not shift while documents come in": func(t *testing.T, s tables.Store) {
		fill(t, s, 12)
		q := tables.Query{Table: invoices.Name, List: "a", Limit: 5, NewestFirst: true}
		var seen []int64
		for next := 13; ; next++ {
			p := page(t, s, q)
			if len(p.Documents) == 0 {
				break
			}
			seen = append(seen, ordinals(p)...)
			q.BeforeOrdinal = ref(seen[len(seen)-1])
			put(t, s, invoices.Name, invoice("a", next))
		}
		same(t, "walk", seen, []int64{12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1})
	},
	"ties in an attribute lose and repeat no document across pages": func(t *testing.T, s tables.Store) {
		must(t, s.Define(t.Context(), invoices))
		var docs []tables.Document
		for i := range 60 {
			d := invoice("a", i+1)
			d.Attributes["date"] = "2026-01-01"
			docs = append(docs, d)
		}
		put(t, s, invoices.Name, docs...)
		var seen []int64
		for off := 0; off < 60; off += 25 {
			p := page(t, s, tables.Query{Table: invoices.Name, List: "a", Offset: off, Limit: 25,
				Filters: []tables.Filter{{Attribute: "date", Value: "2026-01-01"}}})
			same(t, "total", p.Total, int64(60))
			seen = append(seen, ordinals(p)...)
		}
		if len(seen) != 60 || !slices.IsSorted(seen) || len(slices.Compact(seen)) != 60 {
			t.Fatalf("saw %v", seen)
		}
	},
	"a table without lists pages by id": func(t *testing.T, s tables.Store) {
		must(t, s.Define(t.Context(), companies))
		for i, id := range []string{"c", "a", "b", "d"} {
			put(t, s, companies.Name, tables.Document{ID: id, At: at(1),
				Attributes: map[string]string{"account": fmt.Sprint(i % 2), "country": "AR"}})
		}
		ids := func(q tables.Query) (out []string, total int64) {
			q.Table = companies.Name
			p := page(t, s, q)
			for _, d := range p.Documents {
				out = append(out, d.ID)
			}
			return out, p.Total
		}
		got, total := ids(tables.Query{Limit: 2, Offset: 1})
		same(t, "second page", got, []string{"b", "c"})
		same(t, "total", total, int64(4))
		got, _ = ids(tables.Query{Limit: 3, NewestFirst: true})
		same(t, "descending", got, []string{"d", "c", "b"})
		got, total = ids(tables.Query{Limit: 9, Filters: []tables.Filter{{Attribute: "account", Value: "1"}}})
		same(t, "of one account", got, []string{"a", "d"})
		same(t, "total of one account", total, int64(2))
		got, total = ids(tables.Query{Limit: 3, NewestFirst: true,
			Filters: []tables.Filter{{Attribute: "country", Value: "AR"}}})
		same(t, "by an attribute without index", got, []string{"d", "c", "b"})
		same(t, "total by it", total, int64(4))
	},
	"questions that have no answer are refused": func(t *testing.T, s tables.Store) {
		must(t, s.Define(t.Context(), invoices, companies))
		for name, q := range map[string]tables.Query{
			"no limit":              {Table: invoices.Name, List: "a"},
			"huge limit":            {Table: invoices.Name, List: "a", Limit: tables.MaxLimit + 1},
			"negative offset":       {Table: invoices.Name, List: "a", Limit: 1, Offset: -1},
			"no list":               {Table: invoices.Name, Limit: 1},
			"list of a plain table": {Table: companies.Name, List: "a", Limit: 1},
			"bound without ordinal": {Table: companies.Name, Limit: 1, AfterOrdinal: ref(1)},
			"unknown attribute": {Table: companies.Name, Limit: 1,
				Filters: []tables.Filter{{Attribute: `a" OR 1`, Value: "x"}}},
			"unknown comparison": {Table: companies.Name, Limit: 1,
				Filters: []tables.Filter{{Attribute: "account", Op: 99}}},
			"bytes as value": {Table: companies.Name, Limit: 1,
				Filters: []tables.Filter{{Attribute: "account", Value: "\xff"}}},
		} {
			if _, err := s.Page(t.Context(), q); err == nil {
				t.Errorf("%s: no error", name)
			} else {
				want(t, err, tables.ErrInvalid)
			}
		}
	},
}

var filters = map[string]func(*testing.T, tables.Store){
	"each comparison lets through what it says, with the exact total": func(t *testing.T, s tables.Store) {
		fill(t, s, 30)
		f := func(a string, op tables.Op, v string) tables.Filter {
			return tables.Filter{Attribute: a, Op: op, Value: v}
		}
		for _, c := range []struct {
			name string
			fs   []tables.Filter
			keep func(tables.Document) bool
		}{
			{"equal, kept without case too", []tables.Filter{f("status", tables.Equal, "Accepted")},
				func(d tables.Document) bool { return d.Ordinal%3 == 0 }},
			{"equal without case, kept so", []tables.Filter{f("status", tables.EqualFold, "ACCEPTED")},
				func(d tables.Document) bool { return d.Ordinal%3 != 2 }},
			{"equal without case, compared so", []tables.Filter{f("reference", tables.EqualFold, "ÑANDÚ-7")},
				func(d tables.Document) bool { return d.Ordinal == 7 }},
			{"equal minds case", []tables.Filter{f("reference", tables.Equal, "ñandú-7")},
				func(tables.Document) bool { return false }},
			{"a range", []tables.Filter{f("date", tables.AtLeast, "2026-01-10"), f("date", tables.AtMost, "2026-01-12")},
				func(d tables.Document) bool { return d.Ordinal >= 9 && d.Ordinal <= 11 }},
			{"a prefix", []tables.Filter{f("reference", tables.Prefix, "Ñandú-2")},
				func(d tables.Document) bool { return d.Ordinal == 2 || d.Ordinal >= 20 && d.Ordinal < 30 }},
			{"a prefix is no pattern", []tables.Filter{f("reference", tables.Prefix, "Ñandú_")},
				func(tables.Document) bool { return false }},
			{"the empty prefix", []tables.Filter{f("date", tables.Prefix, "")},
				func(tables.Document) bool { return true }},
			{"two attributes", []tables.Filter{f("status", tables.EqualFold, "rejected"),
				f("date", tables.AtLeast, "2026-01-10")},
				func(d tables.Document) bool {
					return d.Ordinal%3 == 2 && d.Ordinal >= 9 && d.Ordinal < 28 || d.Ordinal == 29
				}},
			{"contradictions", []tables.Filter{f("date", tables.AtLeast, "2027"), f("date", tables.AtMost, "2026")},
				func(tables.Document) bool { return false }},
		} {
			var all []int64
			for i := range 30 {
				if d := invoice("a", i+1); c.keep(d) {
					all = append(all, d.Ordinal)
				}
			}
			q := tables.Query{Table: invoices.Name, List: "a", Filters: c.fs, Limit: 4}
			var got []int64
			for ; ; q.Offset += 4 {
				p := page(t, s, q)
				same(t, c.name+": total", p.Total, int64(len(all)))
				if len(p.Documents) == 0 {
					break
				}
				got = append(got, ordinals(p)...)
			}
			same(t, c.name, got, all)
			q.Offset, q.Limit, q.NewestFirst = 0, 100, true
			slices.Reverse(all)
			same(t, c.name+", newest first", ordinals(page(t, s, q)), all)
		}
	},
	"bounds narrow a filtered page, not its total": func(t *testing.T, s tables.Store) {
		fill(t, s, 30)
		p := page(t, s, tables.Query{Table: invoices.Name, List: "a", Limit: 2, NewestFirst: true, BeforeOrdinal: ref(15),
			Filters: []tables.Filter{{Attribute: "status", Value: "Rejected"}}})
		same(t, "ordinals", ordinals(p), []int64{14, 11})
		same(t, "total", p.Total, int64(10))
	},
	"a changed document is found by its new values only": func(t *testing.T, s tables.Store) {
		fill(t, s, 3)
		d := invoice("a", 2)
		d.At, d.Attributes["status"] = at(100), "Pending"
		put(t, s, invoices.Name, d)
		for value, n := range map[string]int64{"pending": 1, "rejected": 0} {
			p := page(t, s, tables.Query{Table: invoices.Name, List: "a", Limit: 5,
				Filters: []tables.Filter{{Attribute: "status", Op: tables.EqualFold, Value: value}}})
			same(t, value, p.Total, n)
		}
	},
}
