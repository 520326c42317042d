package sqlite

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"folio/tables"
)

// BenchmarkPagesOfAMillion reads pages 1, 1,000 and 10,000 of a million invoices in turns, with
// the count over all of them, and tells how their times compare: the middle one of each.
func BenchmarkPagesOfAMillion(b *testing.B) {
	const perPage = 100
	s := filled(b, 1_000_000)
	pages := []int{1, 1_000, 10_000}
	took := make([][]time.Duration, len(pages))
	read := func(page int) time.Duration {
		began := time.Now()
		got, err := s.Page(b.Context(), tables.Query{Table: invoices.Name, List: "company",
			Offset: (page - 1) * perPage, Limit: perPage})
		if err != nil || len(got.Documents) != perPage || got.Total != 1_000_000 {
			b.Fatal(page, len(got.Documents), got.Total, err)
		}
		return time.Since(began)
	}
	for b.Loop() {
		for i, page := range pages {
			took[i] = append(took[i], read(page))
		}
	}
	for i := range pages {
		slices.Sort(took[i])
	}
	first := took[0][len(took[0])/2]
	for i, page := range pages[1:] {
		b.ReportMetric(float64(took[i+1][len(took[i+1])/2])/float64(first), fmt.Sprint("page", page, "/page1"))
	}
}

// BenchmarkSumsOfAMillion adds up a million sales of one company, and those of a month of twelve; and it reads a page
// of that month in its order, with the count.
func BenchmarkSumsOfAMillion(b *testing.B) {
	s := sold(b, 1_000_000)
	month := []tables.Filter{{Attribute: "date", Op: tables.AtLeast, Value: "2026-03-01"},
		{Attribute: "date", Op: tables.AtMost, Value: "2026-03-31"}}
	for _, c := range []struct {
		name    string
		filters []tables.Filter
		count   int64
	}{{"all", nil, 1_000_000}, {"a month", month, 83_334}} {
		b.Run("sum of "+c.name, func(b *testing.B) {
			defer cpu(b)()
			for b.Loop() {
				got, err := s.Sum(b.Context(), tables.Sums{Table: owned.Name, List: "company", Filters: c.filters,
					Of: []string{"amount"}})
				if err != nil || len(got) != 1 || got[0].Count != c.count {
					b.Fatal(got, err)
				}
			}
		})
	}
	b.Run("page of a month", func(b *testing.B) {
		defer cpu(b)()
		for b.Loop() {
			got, err := s.Page(b.Context(), tables.Query{Table: owned.Name, List: "company", Filters: month, Sort: "date",
				Limit: 100})
			if err != nil || len(got.Documents) != 100 || got.Total != 83_334 {
				b.Fatal(len(got.Documents), got.Total, err)
			}
		}
	})
}
