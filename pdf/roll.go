package pdf

import (
	"fmt"
	"slices"
)

// Measures of the roll in millimetres. Printers for paper of 80 mm reach 72 of them.
const (
	rollWidth  = 80.0
	rollInner  = 72.0
	rollLeft   = (rollWidth - rollInner) / 2
	rollMargin = 4.0             // above and below what is printed
	rollLater  = rollMargin + 14 // where the flow begins after the first page
	rollFoot   = rollMargin + 7  // of the page number and the white below it
	rollLong   = 5000.0          // most of one page
	dgiLong    = 356.0           // most of one page in Uruguay
	dgiShort   = 150.0           // least of one page there
	codeLeft   = (rollInner - codeRoom) / 2
	wordsSize  = 8.0 // points of most texts
)

// A printer of 8 dots to the millimetre (203 dpi) makes a module of two dots, one of 12 of
// three. With a width that is no whole number of dots scanners of what it prints fail.
// Twelve columns are as many as the roll has room for. SII wants rows of three modules, and
// a stamp of 2 × 4.5 cm at least on a roll: it is up to 5 cm high here.
const (
	rollModule  = 0.25
	rollColumns = 12
)

// rollBars is the PDF417 code in the middle of the roll.
func (l *layout) rollBars() textLine {
	w, h := float64(l.bars.width)*rollModule, float64(l.bars.height)*rollModule
	if w == 0 {
		return gap(0)
	}
	return barBox(rollInner, w, h)
}

// MaxRoll is how long all pages of a ticket are at most, all copies together, in millimetres.
const MaxRoll = 140_000.0

// A roll printer has one ink, and what is grey it would print as dots.
func (s *sheet) blacken() {
	s.marks = slices.DeleteFunc(s.marks, func(m mark) bool { return m.kind == fillMark })
	for i := range s.marks {
		s.marks[i].style.ink = black
	}
}

// end is where the lowest mark ends.
func (s *sheet) end() float64 {
	end := rollMargin
	for _, m := range s.marks {
		if m.kind == textMark {
			end = max(end, m.y+descent*m.style.em())
		} else {
			end = max(end, m.y+m.h)
		}
	}
	return end
}

// composeRoll fills l.sheets with the pages of a ticket.
func (l *layout) composeRoll() {
	long, short := rollLong, 0.0
	if l.form.Frames != nil {
		long, short = dgiLong, dgiShort
	}
	f := &flow{paper: paper{rollLeft, long - rollFoot, rollLater}, room: l.newRoll, titles: l.rollTitles(),
		carry: l.carry(rollInner)}
	f.begin()
	f.place(slices.Concat(l.rollHead(), l.rollItems(), l.rollClosing()))
	for i, s := range l.sheets {
		st := style{size: 7, ink: text}
		end := s.end() + 1.5
		s.writeCentred(l.face, rollWidth/2, end, fmt.Sprintf("Página %d de %d", i+1, len(l.sheets)), st)
		s.roll = max(short, end+st.line()+rollMargin)
		s.blacken()
	}
}

// newRoll begins a page of the roll. All but the first say which document they belong to.
func (l *layout) newRoll() (*sheet, float64) {
	s := &sheet{marks: make([]mark, 0, 128), roll: rollLong}
	l.sheets = append(l.sheets, s)
	if len(l.sheets) == 1 {
		return s, rollMargin
	}
	number := joinLabels(l.form.HeadLines, 1)
	if l.form.Box != nil && len(l.form.Box.Lines) > 0 {
		number = l.form.Box.Lines[len(l.form.Box.Lines)-1]
	}
	st, y := style{size: wordsSize, bold: true, ink: text}, rollMargin
	for _, txt := range []string{l.form.IssuerName, l.form.Heading + "  " + number, l.form.Watermark} {
		s.write(l.face, rollLeft, y, cut(l.face, txt, st, rollInner), st)
		y += st.line()
	}
	s.line(rollLeft, rollLater-2, rollInner, 0, stroke{0.7, rule})
	return s, rollLater
}

// rolled is how long all pages of the roll are together.
func (l *layout) rolled() float64 {
	sum := 0.0
	for _, s := range l.sheets {
		sum += s.roll
	}
	return sum
}

// loose are lines that a page break may part.
func loose(lines []textLine) []piece {
	pieces := wide(lines)
	for i := range pieces {
		pieces[i].keep = false
	}
	return pieces
}

// together are lines that go to the next page as one, if a page can hold them.
func together(lines []textLine) []piece {
	pieces := wide(lines)
	if len(pieces) > 0 {
		pieces[len(pieces)-1].keep = false
	}
	return pieces
}

// ruled is a line from side to side with white around it.
func ruled() textLine {
	return textLine{3, func(s *sheet, x, y float64) { s.line(x, y+1.5, rollInner, 0, stroke{0.5, rule}) }}
}

// said is a text so large in the middle of the roll; no lines for none.
func (l *layout) said(txt string, size float64) []textLine {
	if txt == "" {
		return nil
	}
	return centred(l.face, txt, style{size: size, bold: true, ink: text}, rollInner, rollInner)
}

// worthless is a frame with the words of the watermark, at both ends of a ticket: a roll has no room for large letters
// across, and a printer without grey no way to set them behind others.
func (l *layout) worthless() []textLine {
	if l.form.Watermark == "" {
		return nil
	}
	inside := centred(l.face, l.form.Watermark, style{size: 13, bold: true, ink: text}, rollInner-4, rollInner)
	height := heightOf(inside) + 3
	return []textLine{{height, func(s *sheet, x, y float64) {
		s.frame(x, y, rollInner, height, stroke{1.2, text})
		drawLines(inside, s, x, y+1.5)
	}}, gap(2)}
}
