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
