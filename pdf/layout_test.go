package pdf

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"folio/country"
)

// composed lays a form out on A4 pages without painting it.
func composed(t testing.TB, f country.Form, picture []byte) *layout {
	t.Helper()
	l := prepared(t, f, picture)
	l.compose()
	return l
}

// prepared is the layout of a form with no sheets yet.
func prepared(t testing.TB, f country.Form, picture []byte) *layout {
	t.Helper()
	f, face := prepare(f)
	image, err := readLogo(picture)
	if err != nil {
		t.Fatal(err)
	}
	code, err := encodeQR(f.QR)
	if err != nil {
		t.Fatal(err)
	}
	return &layout{form: f, face: face, logo: image, code: code}
}

type box struct {
	x0, y0, x1, y1 float64
	name           string
}

// boxes are what must not touch: texts, pictures, and lines.
func boxes(s *sheet) (solid, lines []box) {
	for _, m := range s.marks {
		b := box{m.x, m.y, m.x + m.w, m.y + m.h, m.text}
		switch m.kind {
		case textMark:
			b.y0, b.y1 = m.y-0.72*m.style.em(), m.y+descent*m.style.em()
			solid = append(solid, b)
		case logoMark, codeMark, barMark:
			b.name = "picture"
			solid = append(solid, b)
		case lineMark:
			b.name = "line"
			lines = append(lines, b)
		}
	}
	return solid, lines
}

func touch(a, b box) bool {
	const near = 0.02
	return a.x0 < b.x1-near && b.x0 < a.x1-near && a.y0 < b.y1-near && b.y0 < a.y1-near
}

// checkSheet fails where marks of a page touch each other or leave the page.
func checkSheet(t *testing.T, s *sheet, page int) {
	t.Helper()
	solid, lines := boxes(s)
	area := box{left, top, right, pageHeight - 5, ""}
	if s.roll > 0 {
		area = box{rollLeft, rollMargin, rollWidth - rollLeft, s.roll - rollMargin, ""}
	}
	// In the order of their upper edges, only neighbours can touch.
	all := append(solid, lines...)
	slices.SortFunc(all, func(a, b box) int { return cmp.Compare(a.y0, b.y0) })
	for i, a := range all {
		if a.x0 < area.x0-0.01 || a.x1 > area.x1+0.01 || a.y0 < area.y0-0.01 || a.y1 > area.y1 {
			t.Fatalf("page %d: %q leaves the page: %+v", page, a.name, a)
		}
		for _, b := range all[i+1:] {
			if b.y0 >= a.y1 {
				break
			}
			if touch(a, b) && (a.name != "line" || b.name != "line") {
				t.Fatalf("page %d: %q %+v and %q %+v touch", page, a.name, a, b.name, b)
			}
		}
	}
}

func textOf(s *sheet) string {
	var b strings.Builder
	for _, m := range s.marks {
		if m.kind == textMark {
			b.WriteString(m.text)
			b.WriteByte('\n')
		}
	}
	return b.String()
}

func TestEveryNumberOfItemsFitsItsPages(t *testing.T) {
	picture := sampleLogo(t)
	for name, form := range map[string]func(int) country.Form{"A": formA, "B": formB, "FCE": formFCE} {
		for n := 1; n <= 120; n++ {
			logo := picture
			if n%3 == 0 {
				logo = nil
			}
			f := form(n)
			l := composed(t, f, logo)
			checkPages(t, l, fmt.Sprintf("%s with %d items", name, n))
			for i, s := range l.sheets {
				checkSheet(t, s, i+1)
			}
			whole := ""
			for _, s := range l.sheets {
				whole += textOf(s)
			}
			for _, row := range f.Rows {
				if !strings.Contains(whole, row[0]+"\n") {
					t.Fatalf("%s with %d items: %s is missing", name, n, row[0])
				}
			}
		}
	}
}

// checkPages looks at what every page must show.
func checkPages(t *testing.T, l *layout, what string) {
	t.Helper()
	pages := len(l.sheets)
	for i, s := range l.sheets {
		txt := textOf(s)
		last := i == pages-1
		if want := fmt.Sprintf("Página %d de %d\n", i+1, pages); strings.Count(txt, want) != 1 {
			t.Fatalf("%s, page %d: %q stands there %d times", what, i+1, want, strings.Count(txt, want))
		}
		if strings.Contains(txt, "Importe total\n") != last {
			t.Fatalf("%s, page %d of %d: the total is on the wrong page", what, i+1, pages)
		}
		if strings.Contains(txt, "SKU-") != strings.Contains(txt, "Producto / Servicio\n") {
			t.Fatalf("%s, page %d: items without the titles of their columns, or titles without items", what, i+1)
		}
		if !strings.Contains(txt, "SKU-") {
			t.Fatalf("%s, page %d of %d has no item on it", what, i+1, pages)
		}
		if !strings.Contains(txt, l.form.HeadLines[0].Value) || !strings.Contains(txt, "76451234567812") {
			t.Fatalf("%s, page %d does not say which document it belongs to", what, i+1)
		}
		ghosts := 0
		for _, m := range s.marks {
			if m.kind == ghostMark && m.text == l.form.Watermark {
				ghosts++
			}
		}
		if l.form.Watermark != "" && ghosts != 1 {
			t.Fatalf("%s, page %d: %d watermarks", what, i+1, ghosts)
		}
	}
}

func TestALongDescriptionBreaksOverPagesLineByLine(t *testing.T) {
	for name, description := range map[string]string{
		"45 lines":                "",
		"words without end":       strings.Repeat("W", 3000),
		"sentences":               strings.Repeat("Provisión e instalación de luminarias, con ensayo. ", 120),
		"one word among short":    "x " + strings.Repeat("abc/def-", 300),
		"spaces only at the ends": "   " + strings.Repeat("m", 40) + "   ",
	} {
		t.Run(name, func(t *testing.T) {
			f := formA(3)
			if description == "" {
				for i := range 45 {
					description += fmt.Sprintf("renglón %d\n", i+1)
				}
				description = strings.TrimSuffix(description, "\n")
			}
			f.Rows[1][1] = description
			l := composed(t, f, nil)
			whole := ""
			for i, s := range l.sheets {
				checkSheet(t, s, i+1)
				for _, m := range s.marks {
					if m.kind == textMark && !m.style.bold && math.Abs(m.x-columnStart(l, 1)) < 0.01 {
						whole += m.text
					}
				}
			}
			if got, want := squeeze(whole), squeeze(description); !strings.Contains(got, want) {
				t.Errorf("the description is not whole: %d of %d characters", len(got), len(want))
			}
		})
	}
}

func columnStart(l *layout, column int) float64 {
	t := l.newTable(l.form.Columns, l.form.Rows, itemsLook, inner)
	x := left + itemsLook.gutter
	for _, w := range t.widths[:column] {
		x += w
	}
	return x
}

func squeeze(s string) string { return strings.Join(strings.Fields(s), "") }

func TestColumnsSumUpToTheTableAndKeepNumbersInOneLine(t *testing.T) {
	f := formA(4)
	f.Rows[1][4], f.Rows[2][6] = "9.999.999.999.999,999999", "9.999.999.999.999,99"
	l := composed(t, f, nil)
	table := l.newTable(l.form.Columns, l.form.Rows, itemsLook, inner)
	sum := 0.0
	for _, w := range table.widths {
		sum += w
	}
	if math.Abs(sum-inner) > 0.001 {
		t.Errorf("columns take %.3f mm of %.3f", sum, inner)
	}
	for i, row := range f.Rows {
		cells, _ := table.cells(row, itemsLook.cell)
		for c, column := range f.Columns {
			if column.Right && len(cells[c].lines) != 1 {
				t.Errorf("row %d: %q is broken into %d lines", i, row[c], len(cells[c].lines))
			}
		}
	}
}

func TestFewItemsLeaveTheTotalsAtTheFoot(t *testing.T) {
	for _, n := range []int{1, 5, 10} {
		s := composed(t, formA(n), nil).sheets[0]
		for _, m := range s.marks {
			if m.kind == codeMark && math.Abs(m.y+m.h-bottom) > 0.01 {
				t.Errorf("%d items: the QR code ends at %.2f mm, not at %.2f", n, m.y+m.h, bottom)
			}
		}
	}
}

func TestHugeFormsLoseNothing(t *testing.T) {
	long := strings.Repeat("Texto que no termina y ocupa muchos renglones de la hoja. ", 120)
	f := formFCE(2)
	f.IssuerName, f.Heading, f.Authority, f.Words = long, long, long, long
	f.Notes, f.Legends = []string{long, long, long, long}, []string{long, long}
	for i := range 90 {
		f.Totals = append(f.Totals, country.Label{Caption: fmt.Sprintf("Tributo %d", i), Value: "$ 1,00"})
		f.Breakdown.Rows = append(f.Breakdown.Rows, []string{fmt.Sprintf("Alícuota %d", i), "1,00", "1,00", "de más"})
		f.RecipientLines = append(f.RecipientLines, country.Label{Caption: "Campo", Value: long[:i*10]})
		f.Authorization = append(f.Authorization, country.Label{Caption: "Código", Value: fmt.Sprint(i)})
		f.IssuerLines = append(f.IssuerLines, country.Label{Caption: "Línea", Value: fmt.Sprint(i)})
	}
	l := composed(t, f, nil)
	for i, s := range l.sheets {
		checkSheet(t, s, i+1)
	}
	checkWhole(t, l)
}

// checkWhole compares how often each character was asked for and printed. Texts that
// may be shortened with an ellipsis, and the metadata, are not counted.
func checkWhole(t *testing.T, l *layout) {
	t.Helper()
	count := map[rune]int{}
	for _, s := range l.sheets {
		for _, m := range s.marks {
			if m.kind == textMark {
				for _, r := range m.text {
					count[r]++
				}
			}
		}
	}
	f := l.form
	f.ID, f.Title, f.Copy, f.Letter, f.LetterCode, f.Watermark = "", "", "", "", "", ""
	f, _ = prepare(f)
	for i := range f.Columns {
		f.Columns[i].Title = ""
	}
	if f.Breakdown != nil {
		for i := range f.Breakdown.Columns {
			f.Breakdown.Columns[i].Title = ""
		}
	}
	eachText(&f, func(s *string) {
		for _, r := range *s {
			count[r]--
		}
	})
	for r, n := range count {
		if n < 0 && r != ' ' && r != '\n' {
			t.Errorf("%q is printed %d times too few", r, -n)
		}
	}
}
