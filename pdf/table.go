package pdf

import "folio/country"

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

// newTable shares the total width out: numbers get what they need to stay in one
// line, as far as texts keep a third; the rest goes by the columns' relative widths.
func (l *layout) newTable(columns []country.Column, rows [][]string, lk look, total float64) *table {
	t := &table{face: l.face, columns: columns, rows: rows, look: lk, total: total}
	sum, wanted := 0.0, make([]float64, len(columns))
	for _, c := range columns {
		sum += c.Width
	}
	numbers, texts := 0.0, 0.0
	for i, c := range columns {
		wanted[i] = total * c.Width / sum
		if !c.Right {
			texts += wanted[i]
			continue
		}
		for _, row := range rows {
			if i < len(row) {
				wanted[i] = max(wanted[i], width(l.face, row[i], lk.cell)+2*lk.gutter+0.1)
			}
		}
		numbers += wanted[i]
	}
	forNumbers := numbers
	if texts > 0 {
		forNumbers = min(numbers, total*2/3)
	}
	for i, c := range columns {
		switch {
		case c.Right:
			wanted[i] *= forNumbers / numbers
		default:
			wanted[i] *= (total - forNumbers) / texts
		}
	}
	if texts == 0 && numbers > 0 {
		for i := range wanted {
			wanted[i] *= total / numbers
		}
	}
	t.widths = wanted
	return t
}

// titles is the band with the columns' names.
func (t *table) titles() textLine {
	cells, lines := t.cells(titlesOf(t.columns), t.look.title)
	if lines == 0 {
		return gap(0)
	}
	line := t.look.title.line()
	height := float64(lines)*line + 2*t.look.pad + 0.8
	return textLine{height, func(s *sheet, x, y float64) {
		s.fill(x, y, t.total, height, band)
		for i, cell := range cells {
			// Titles of one line stand at the bottom beside those of two.
			down := t.look.pad + 0.4 + float64(lines-len(cell))*line
			t.write(s, x, i, cell, y+down, t.look.title)
		}
	}}
}

func titlesOf(columns []country.Column) []string {
	titles := make([]string, len(columns))
	for i, c := range columns {
		titles[i] = c.Title
	}
	return titles
}

// cells breaks the texts of a row and counts the lines of the longest.
func (t *table) cells(row []string, st style) (cells [][]string, lines int) {
	cells = make([][]string, len(row))
	for i, txt := range row {
		if txt == "" {
			continue
		}
		cells[i] = wrap(t.face, txt, st, t.widths[i]-2*t.look.gutter)
		lines = max(lines, len(cells[i]))
	}
	return cells, lines
}

// write sets the lines of the cell in column i, x being the left of the table.
func (t *table) write(s *sheet, x float64, i int, lines []string, y float64, st style) {
	for _, w := range t.widths[:i] {
		x += w
	}
	for _, line := range lines {
		if t.columns[i].Right {
			s.writeRight(t.face, x+t.widths[i]-t.look.gutter, y, line, st)
		} else {
			s.write(t.face, x+t.look.gutter, y, line, st)
		}
		y += st.line()
	}
}

// tall rows may be broken between pages, two lines at least on either side.
const tall = 6

// pieces are the rows, each with a hair line below it.
func (t *table) pieces() []piece {
	pieces := make([]piece, 0, len(t.rows))
	for _, row := range t.rows {
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
	return pieces
}

// piece is the lines from..to of a row of so many lines.
func (t *table) piece(cells [][]string, from, to, lines int) piece {
	st, above, below := t.look.cell, 0.0, 0.0
	if from == 0 {
		above = t.look.pad
	}
	if to == lines {
		below = t.look.pad
	}
	height := above + float64(to-from)*st.line() + below
	return piece{row: true, textLine: textLine{height, func(s *sheet, x, y float64) {
		for i, cell := range cells {
			if from < len(cell) {
				t.write(s, x, i, cell[from:min(to, len(cell))], y+above, st)
			}
		}
		if below > 0 {
			s.line(x, y+height, t.total, 0, 0.4, hair)
		}
	}}}
}
