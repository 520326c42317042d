package pdf

import (
	"strings"

	"folio/country"
)

// look is how a table is set.
type look struct {
	title, cell style
	pad         float64 // above and below a row
	gutter      float64 // at both sides of a cell
}

var (
	itemsLook = look{
		title: style{size: 7.5, bold: true, ink: text}, cell: style{size: 8, ink: text}, pad: 1.1, gutter: 1.5}
	breakdownLook = look{
		title: style{size: 7, bold: true, ink: text}, cell: style{size: 7.5, ink: text}, pad: 0.5, gutter: 1.5}
)

// table is a table with the widths of its columns found.
type table struct {
	face    typeface
	columns []country.Column
	rows    [][]string
	look    look
	widths  []float64
	total   float64
}

// newTable shares the total width out by the columns' relative widths, after each
// got what it needs: numbers to stay in one line, texts for their longest word, the
// widest text column a quarter of the table.
func (l *layout) newTable(columns []country.Column, rows [][]string, lk look, total float64) *table {
	t := &table{face: l.face, columns: columns, rows: rows, look: lk, total: total}
	if len(columns) == 0 {
		return t
	}
	shares, widest := 0.0, 0
	for i, c := range columns {
		shares += c.Width
		if !c.Right && (columns[widest].Right || c.Width > columns[widest].Width) {
			widest = i
		}
	}
	least, wanted := make([]float64, len(columns)), make([]float64, len(columns))
	for i, c := range columns {
		wanted[i] = total * c.Width / shares
		least[i] = t.least(i)
	}
	if !columns[widest].Right {
		least[widest] = max(least[widest], min(wanted[widest], total/4))
	}
	t.widths = share(wanted, least, total)
	return t
}

// least is the width that column i needs.
func (t *table) least(i int) float64 {
	const most = 0.18 // of the table, for a word
	need := longestWord(t.face, t.columns[i].Title, t.look.title)
	for _, row := range t.rows {
		switch {
		case i >= len(row):
		case t.columns[i].Right:
			need = max(need, width(t.face, row[i], t.look.cell))
		default:
			need = max(need, min(longestWord(t.face, row[i], t.look.cell), t.total*most))
		}
	}
	return need + 2*t.look.gutter + 0.1
}

// longestWord is the width of the longest word of a text.
func longestWord(face typeface, s string, st style) float64 {
	longest := 0.0
	for word := range strings.FieldsSeq(s) {
		longest = max(longest, width(face, word, st))
	}
	return longest
}

// share gives every column its least and as much of its wanted width as is left; the
// result sums up to the total.
func share(wanted, least []float64, total float64) []float64 {
	missing, spare, sum := 0.0, 0.0, 0.0
	for i := range wanted {
		missing += max(0, least[i]-wanted[i])
		spare += max(0, wanted[i]-least[i])
		sum += least[i]
	}
	widths := make([]float64, len(wanted))
	for i := range wanted {
		switch {
		case sum >= total:
			widths[i] = least[i] * total / sum
		case wanted[i] <= least[i]:
			widths[i] = least[i]
		default:
			widths[i] = wanted[i] - (wanted[i]-least[i])*missing/spare
		}
	}
	return widths
}

// mostTitleLines bounds the band: names of columns come from the country's rules, and
// one that grows beyond all measure may not push the items off the page.
const mostTitleLines = 6

// titles is the band with the columns' names.
func (t *table) titles() textLine {
	cells, lines := t.cells(titlesOf(t.columns), t.look.title)
	if lines == 0 {
		return gap(0)
	}
	for i, cell := range cells {
		if len(cell.lines) > mostTitleLines {
			cells[i].lines = cell.lines[:mostTitleLines]
			cells[i].lines[mostTitleLines-1] = "…"
		}
	}
	lines = min(lines, mostTitleLines)
	line := t.look.title.line()
	height := float64(lines)*line + 2*t.look.pad + 0.8
	return textLine{height + t.look.pad/2, func(s *sheet, x, y float64) {
		s.fill(x, y, t.total, height, band)
		for i, cell := range cells {
			// Titles of one line stand at the bottom beside those of two.
			down := t.look.pad + 0.4 + float64(lines-len(cell.lines))*line
			t.write(s, x, y+down, i, cell)
		}
	}}
}

// titlesOf are the columns' names as a row.
func titlesOf(columns []country.Column) []string {
	return country.Collect(columns, func(c country.Column) string { return c.Title })
}

// cell is the lines of one cell and how they are set.
type cell struct {
	lines  []string
	style  style
	height float64 // of a line of the row
}

// cells breaks the texts of a row and counts the lines of the longest. A number is
// made smaller before it is broken.
func (t *table) cells(row []string, st style) (cells []cell, lines int) {
	cells = make([]cell, len(row))
	for i, txt := range row {
		if txt == "" {
			continue
		}
		room := t.widths[i] - 2*t.look.gutter
		cells[i].style, cells[i].height = st, st.line()
		if t.columns[i].Right {
			cells[i].style = fit(t.face, oneLine(txt), st, room, st.size*0.65)
		}
		cells[i].lines = wrap(t.face, txt, cells[i].style, room)
		lines = max(lines, len(cells[i].lines))
	}
	return cells, lines
}

// write sets the lines of the cell in column i, x being the left of the table.
func (t *table) write(s *sheet, x, y float64, i int, c cell) {
	for _, w := range t.widths[:i] {
		x += w
	}
	y += c.height - c.style.line() // a smaller number stands on the same base line
	for _, txt := range c.lines {
		if t.columns[i].Right {
			s.writeRight(t.face, x+t.widths[i]-t.look.gutter, y, txt, c.style)
		} else {
			s.write(t.face, x+t.look.gutter, y, txt, c.style)
		}
		y += c.height
	}
}

// tall rows may be broken between pages, two lines at least on either side.
const tall = 6

// pieces are the rows, each with a hair line below it, and what they come to if that is
// carried from page to page.
func (t *table) pieces(carried *country.Carried) []piece {
	pieces := make([]piece, 0, len(t.rows))
	for n, row := range t.rows {
		if n > 0 && carried != nil {
			pieces[len(pieces)-1].after = carried.After[n-1]
		}
		cells, lines := t.cells(row, t.look.cell)
		lines = max(lines, 1)
		if lines < tall {
			pieces = append(pieces, t.piece(cells, 0, lines, lines))
			continue
		}
		pieces = append(pieces, t.piece(cells, 0, 2, lines))
		for i := 2; i < lines-2; i++ {
			pieces = append(pieces, t.piece(cells, i, i+1, lines))
		}
		pieces = append(pieces, t.piece(cells, lines-2, lines, lines))
	}
	if n := len(t.rows); n > 0 && carried != nil {
		pieces[len(pieces)-1].after = carried.After[n-1]
	}
	return pieces
}

// piece is the lines from..to of a row of so many lines.
func (t *table) piece(cells []cell, from, to, lines int) piece {
	line, above, below := t.look.cell.line(), 0.0, 0.0
	if from == 0 {
		above = t.look.pad
	}
	if to == lines {
		below = t.look.pad
	}
	height := above + float64(to-from)*line + below
	return piece{row: true, textLine: textLine{height, func(s *sheet, x, y float64) {
		for i, cell := range cells {
			if from < len(cell.lines) {
				cell.lines = cell.lines[from:min(to, len(cell.lines))]
				t.write(s, x, y+above, i, cell)
			}
		}
		if below > 0 {
			s.line(x, y+height, t.total, 0, stroke{0.4, hair})
		}
	}}}
}
