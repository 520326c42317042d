package tabletest

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"folio/money"
	"folio/tables"
)

// sales is an owned table with an attribute of each kind.
var sales = tables.Schema{Name: "sales_v1", Owned: true, Attributes: []tables.Attribute{
	{Name: "month", Indexed: true, Kind: tables.Month},
	{Name: "amount", Indexed: true, Kind: tables.Decimal},
	{Name: "due", Indexed: true, Kind: tables.Date},
	{Name: "seen", Indexed: true, Kind: tables.Time},
}}

func sale(owner, id string, attributes ...string) tables.Document {
	d := tables.Document{ID: id, At: at(1), List: owner,
		Attributes: map[string]string{"month": "", "amount": "", "due": "", "seen": ""}, Body: []byte(`{}`)}
	for i := 0; i < len(attributes); i += 2 {
		d.Attributes[attributes[i]] = attributes[i+1]
	}
	return d
}

func ids(p tables.Page) (out []string) {
	for _, d := range p.Documents {
		out = append(out, d.ID)
	}
	return out
}

// numbers in their order, as they are read back.
var numbers = []string{"-12345678901234567890123.5", "-100", "-12.5", "-12.49", "-12", "-1.5", "-1", "-0.51", "-0.5",
	"0", "0.049", "0.5", "1",
	"1.01", "1.1", "9.99", "10", "12345678901234567890123", "12345678901234567890123.01"}

var typed = map[string]func(*testing.T, tables.Store){
	"numbers, dates and times are compared and sorted as such": func(t *testing.T, s tables.Store) {
		must(t, s.Define(t.Context(), sales))
		base := time.Date(2026, 3, 1, 23, 0, 0, 0, time.FixedZone("", -3*3600))
		var docs []tables.Document
		for i, n := range numbers {
			docs = append(docs, sale("a", fmt.Sprintf("%02d", i), "amount", n, "due", fmt.Sprintf("2026-03-%02d", 1+i),
				"seen", base.Add(time.Duration(i)*time.Millisecond).Format(time.RFC3339Nano)))
		}
		shuffled := slices.Clone(docs)
		rand.New(rand.NewPCG(1, 2)).Shuffle(len(shuffled),
			func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
		put(t, s, sales.Name, append(shuffled, sale("a", "none"))...)
		for _, by := range []string{"amount", "due", "seen"} {
			p := page(t, s, tables.Query{Table: sales.Name, List: "a", Sort: by, Limit: 100})
			want := append([]string{"none"}, ids(tables.Page{Documents: docs})...)
			same(t, "by "+by, ids(p), want)
			slices.Reverse(want)
			same(t, "by "+by+", highest first", ids(
				page(t, s, tables.Query{Table: sales.Name, List: "a", Sort: by, NewestFirst: true, Limit: 100})), want)
			var walked []string
			for off := 0; off < len(want); off += 7 {
				walked = append(walked, ids(page(t, s,
					tables.Query{Table: sales.Name, List: "a", Sort: by, NewestFirst: true, Offset: off, Limit: 7}))...)
			}
			same(t, "pages by "+by, walked, want)
			for i, d := range docs {
				f := func(op tables.Op) []tables.Filter {
					return []tables.Filter{{Attribute: by, Op: op, Value: d.Attributes[by]}}
				}
				q := tables.Query{Table: sales.Name, List: "a", Limit: 1}
				for op, n := range map[tables.Op]int{tables.AtLeast: len(docs) - i, tables.AtMost: i + 1, tables.Equal: 1} {
					q.Filters = f(op)
					same(t, fmt.Sprintf("%s, comparison %d with %s", by, op, d.Attributes[by]), page(t, s, q).Total, int64(n))
				}
			}
		}
		d, err := s.Get(t.Context(), sales.Name, "00")
		must(t, err)
		same(t, "values", d.Attributes, map[string]string{"month": "", "amount": numbers[0], "due": "2026-03-01",
			"seen": "2026-03-02T02:00:00.000000000Z"})
	},
	"another way to write a number or a time finds the same": func(t *testing.T, s tables.Store) {
		must(t, s.Define(t.Context(), sales))
		put(t, s, sales.Name, sale("a", "x", "amount", "010.50", "seen", "2026-03-01T12:00:00-03:00"))
		for attribute, value := range map[string]string{"amount": "10.5000", "seen": "2026-03-01T15:00:00.000Z"} {
			p := page(t, s, tables.Query{Table: sales.Name, List: "a", Limit: 1,
				Filters: []tables.Filter{{Attribute: attribute, Value: value}}})
			same(t, attribute, p.Total, int64(1))
		}
	},
	"owners do not see each other, and their pages follow ids": func(t *testing.T, s tables.Store) {
		must(t, s.Define(t.Context(), sales))
		put(t, s, sales.Name, sale("a", "3"), sale("a", "1"), sale("b", "2"), sale("a", "4", "month", "2026-12"),
			sale("a", "5", "month", "2026-12"))
		q := tables.Query{Table: sales.Name, List: "a", Limit: 2}
		same(t, "first", ids(page(t, s, q)), []string{"1", "3"})
		q.AfterID, q.Uncounted = "3", true
		p := page(t, s, q)
		same(t, "second", ids(p), []string{"4", "5"})
		same(t, "not counted", p.Total, int64(0))
		q.NewestFirst = true
		same(t, "down", ids(page(t, s, q)), []string{"1"})
		q = tables.Query{Table: sales.Name, List: "a", Limit: 5, AfterID: "4",
			Filters: []tables.Filter{{Attribute: "month", Value: "2026-12"}}}
		same(t, "filtered", ids(page(t, s, q)), []string{"5"})
		same(t, "nobody's", ids(page(t, s, tables.Query{Table: sales.Name, List: "c", Limit: 5})), []string(nil))
	},
	"counts and sums by group are exact": func(t *testing.T, s tables.Store) {
		must(t, s.Define(t.Context(), sales))
		var docs []tables.Document
		for i := range 3000 {
			docs = append(docs, sale("a", fmt.Sprintf("%05d", i), "month", fmt.Sprintf("2026-%02d", 1+i%3), "amount",
				fmt.Sprintf("%d.%02d", 99999999999999-i, i%100), "due", "2026-01-01"))
		}
		docs = append(docs, sale("b", "other", "amount", "1"), sale("a", "empty", "month", "2026-01"))
		put(t, s, sales.Name, docs...)
		for name, filters := range map[string][]tables.Filter{
			"all": nil, "few": {{Attribute: "amount", Op: tables.AtLeast, Value: "99999999999990"}},
			"one month": {{Attribute: "month", Value: "2026-02"}}} {
			got, err := s.Sum(t.Context(), tables.Sums{Table: sales.Name, List: "a", By: []string{"month"},
				Of: []string{"amount"}, Filters: filters})
			must(t, err)
			want := map[string]tables.Group{}
			for _, d := range docs {
				n, _ := money.ParseExact(d.Attributes["amount"])
				low, _ := money.ParseExact("99999999999990")
				if d.List != "a" || name == "few" && n.Cmp(low) < 0 || name == "one month" && d.Attributes["month"] != "2026-02" {
					continue
				}
				g := want[d.Attributes["month"]]
				if g.Sums == nil {
					g.Sums = make([]money.Exact, 1)
				}
				g.Values, g.Count = []string{d.Attributes["month"]}, g.Count+1
				g.Sums[0] = g.Sums[0].Add(n)
				want[d.Attributes["month"]] = g
			}
			same(t, name+": groups", len(got), len(want))
			for _, g := range got {
				w := want[g.Values[0]]
				same(t, name+": "+g.Values[0], fmt.Sprint(g.Count, g.Sums), fmt.Sprint(w.Count, w.Sums))
			}
		}
		got, err := s.Sum(t.Context(), tables.Sums{Table: sales.Name, List: "a"})
		must(t, err)
		same(t, "how many", fmt.Sprint(got), "[{[] 3001 []}]")
	},
	"what a kind does not have is refused": func(t *testing.T, s tables.Store) {
		must(t, s.Define(t.Context(), sales))
		for attribute, value := range map[string]string{"amount": "12,5", "due": "2026-02-30", "seen": "yesterday"} {
			err := s.Apply(t.Context(), tables.Batch{Writes: []tables.Write{{Table: sales.Name,
				Documents: []tables.Document{sale("a", "x", attribute, value)}}}})
			want(t, err, tables.ErrInvalid)
			_, err = s.Page(t.Context(), tables.Query{Table: sales.Name, List: "a", Limit: 1,
				Filters: []tables.Filter{{Attribute: attribute, Value: value}}})
			want(t, err, tables.ErrInvalid)
			_, err = s.Page(t.Context(), tables.Query{Table: sales.Name, List: "a", Limit: 1,
				Filters: []tables.Filter{{Attribute: attribute, Op: tables.Prefix, Value: ""}}})
			want(t, err, tables.ErrInvalid)
		}
		for name, q := range map[string]tables.Query{
			"no owner": {Table: sales.Name, Limit: 1}, "unknown order": {Table: sales.Name, List: "a", Limit: 1, Sort: "color"},
			"an id beside another order": {Table: sales.Name, List: "a", Limit: 1, Sort: "amount", AfterID: "x"},
		} {
			if _, err := s.Page(t.Context(), q); err == nil {
				t.Errorf("%s: no error", name)
			}
		}
		_, err := s.Sum(t.Context(), tables.Sums{Table: sales.Name, List: "a", Of: []string{"month"}})
		want(t, err, tables.ErrInvalid)
		_, err = s.Sum(t.Context(), tables.Sums{Table: "nothing", List: "a"})
		want(t, err, tables.ErrNoTable)
		want(t, s.Define(t.Context(), tables.Schema{Name: "x", Attributes: []tables.Attribute{{Name: "a", Kind: "colour"}}}),
			tables.ErrInvalid)
		want(t, s.Define(t.Context(), tables.Schema{Name: "x", Owned: true, Listed: true}), tables.ErrInvalid)
	},
}
