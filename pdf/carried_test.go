package pdf

import (
	"fmt"
	"strings"
	"testing"

	"folio/country"
)

// A document of several pages says at the foot of each page, and again at the head of the
// next, what the rows so far come to; one of a single page says nothing.
func TestASubtotalIsCarriedFromPageToPage(t *testing.T) {
	for name, form := range map[string]func(int) country.Form{"A": formA, "B": formB} {
		for _, n := range []int{1, 14, 25, 26, 27, 28, 29, 30, 31, 32, 40, 55, 90, 130} {
			f := form(n)
			f.Carried = &country.Carried{Caption: "Transporte"}
			for i := range f.Rows {
				f.Carried.After = append(f.Carried.After, fmt.Sprintf("$ %d rows", i+1))
			}
			d, _ := render(t, f, sampleLogo(t))
			rows := 0
			for page := range d.pages {
				txt, want := d.text(page), 2
				if page == 0 {
					want--
				}
				if page == len(d.pages)-1 {
					want--
				}
				before := rows
				for _, row := range f.Rows {
					rows += strings.Count(txt, row[0]+"\n")
				}
				if got := strings.Count(txt, "Transporte"); got != want {
					t.Errorf("%s with %d items: page %d of %d carries %d subtotals, want %d", name, n, page+1, len(d.pages), got, want)
				}
				if page > 0 && !strings.Contains(txt, fmt.Sprintf("Transporte  $ %d rows\n", before)) {
					t.Errorf("%s with %d items: page %d does not begin with that of %d rows:\n%s", name, n, page+1, before, txt)
				}
				if page < len(d.pages)-1 && !strings.Contains(txt, fmt.Sprintf("Transporte  $ %d rows\n", rows)) {
					t.Errorf("%s with %d items: page %d does not end with that of %d rows", name, n, page+1, rows)
				}
			}
		}
	}
}
