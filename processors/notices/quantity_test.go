package notices

import (
	"fmt"
	"testing"

	"folio/country"
	"folio/country/cl"
	"folio/country/uy"
)

// TestTheFirstNoticeByQuantityOfEveryKind is the specification's schedule: boletas and
// e-Tickets at 50, invoices and exports at 20, notes and guides at 10, or at a fifth of
// the total when that is more.
func TestTheFirstNoticeByQuantityOfEveryKind(t *testing.T) {
	figures := map[string]map[int]int64{
		"CL": {33: 20, 34: 20, 39: 50, 41: 50, 46: 20, 52: 10, 56: 10, 61: 10, 110: 20, 111: 10, 112: 10},
		"UY": {101: 50, 102: 10, 103: 10, 111: 20, 112: 10, 113: 10, 121: 20, 122: 10, 123: 10, 124: 10, 181: 10},
	}
	for _, rules := range []country.Rules{cl.Rules{}, uy.Rules{}} {
		kinds := rules.DocumentTypes()
		if want := figures[rules.Code()]; len(kinds) != len(want) {
			t.Errorf("%s issues %d kinds, the table has %d", rules.Code(), len(kinds), len(want))
		}
		for _, kind := range kinds {
			figure := rules.(country.Ranged).NoticeThreshold(kind.Code)
			if want := figures[rules.Code()][kind.Code]; figure != want {
				t.Errorf("%s %d: first notice at %d, want %d", rules.Code(), kind.Code, figure, want)
			}
			for total, first := range map[int64]int64{100: max(figure, 20), 200: max(figure, 40), 500: 100, 10_000: 2_000} {
				for left, want := range map[int64]int{total: 0, first + 1: 0, first: 1, first - 1: 1, 2: 1, 1: 2, 0: 3} {
					if got := level(left, total, figure, left == total); got != want {
						t.Errorf("%s: notice %d, want %d", fmt.Sprintf("%s %d, %d of %d left", rules.Code(), kind.Code, left, total), got,
							want)
					}
				}
			}
		}
	}
}
