package pdf

import (
	"slices"
	"strconv"

	"folio/country"
)

// layout is one document on its way to sheets of marks.
type layout struct {
	form     country.Form
	face     typeface
	logo     logo
	code     qrCode
	bars     barcode
	second   *country.Copy // nil while the first copy is composed
	sheets   []*sheet
	overflow []textLine // of the head
}

// compose fills l.sheets.
func (l *layout) compose() {
	t := l.newTable(l.form.Columns, l.form.Rows, itemsLook, inner)
	f := &flow{paper: a4, room: l.newSheet, titles: t.titles(), carry: l.carry(inner)}
	f.begin()
	f.place(l.opening())
	rows := t.pieces(l.form.Carried)
	notes := append(l.notes(), l.addenda()...)
	if len(rows) > 0 {
		// The totals never stand alone on a page: the last items go with them.
		rows[len(rows)-1].keep = len(notes) == 0 || notes[len(notes)-1].keep && notes[0].keep
		for i := max(0, len(rows)-3); i < len(rows)-1; i++ {
			rows[i].keep = true
		}
	}
	f.place(slices.Concat(rows, notes, l.closing()))
	for i, s := range l.sheets {
		l.foot(s, i+1)
	}
}

// carry is the line of a subtotal between pages so wide; nil for a document without.
func (l *layout) carry(width float64) func(string) textLine {
	if l.form.Carried == nil {
		return nil
	}
	st := style{size: 8, bold: true, ink: text}
	return func(sum string) textLine {
		return textLine{st.line() + 2, func(s *sheet, x, y float64) {
			s.writeRight(l.face, x+width-itemsLook.gutter, y+1, l.form.Carried.Caption+"  "+sum, st)
		}}
	}
}

// newSheet begins a page: the full head on the first, a short one on the others.
func (l *layout) newSheet() (*sheet, float64) {
	s := &sheet{marks: make([]mark, 0, 128)}
	l.sheets = append(l.sheets, s)
	if l.form.Watermark != "" {
		l.watermark(s)
	}
	first := len(l.sheets) == 1
	switch {
	case l.form.Box != nil && first:
		return s, l.boxHead(s)
	case l.form.Box != nil:
		l.shortBoxHead(s)
	case first:
		return s, l.head(s)
	default:
		l.shortHead(s)
	}
	return s, laterTop
}

// watermark lies under everything else, so that every text stays readable.
func (l *layout) watermark(s *sheet) {
	const diagonal = 250.0
	st := fit(l.face, oneLine(l.form.Watermark), style{size: 76, bold: true, ink: ghost}, diagonal, 12)
	words := cut(l.face, l.form.Watermark, st, diagonal)
	s.marks = append(s.marks, mark{kind: ghostMark, x: middle, y: pageHeight / 2,
		w: width(l.face, words, st), h: st.em(), text: words, style: st})
}

// foot numbers a page; all but the last repeat the authorization in small print.
func (l *layout) foot(s *sheet, number int) {
	st := style{size: 7.5, ink: faint}
	y := pageHeight - 11.5
	page := "Página " + strconv.Itoa(number) + " de " + strconv.Itoa(len(l.sheets))
	s.writeRight(l.face, right, y, page, st)
	if number == len(l.sheets) {
		return
	}
	short := ""
	for _, a := range l.form.Authorization {
		if short != "" {
			short += "  ·  "
		}
		short += a.Caption + " " + a.Value
	}
	s.write(l.face, left, y, cut(l.face, short, st, inner-40), st)
}
