package pdf

import "folio/country"

const (
	stampWidth  = 84.0 // most that the PDF417 code takes; SII: 2 × 5 to 4 × 9 cm
	stampHeight = 39.0
	stampGap    = 8.0
)

// stampBytes are the bytes of a stamp: one for each character.
func stampBytes(text string) []byte {
	out := make([]byte, 0, len(text))
	for _, r := range text {
		if r > 0xff {
			r = '?'
		}
		out = append(out, byte(r))
	}
	return out
}

// composeSecond adds the pages of the second copy behind those of the first.
func (l *layout) composeSecond(compose func(*layout)) {
	if l.form.Second == nil {
		return
	}
	second := *l
	second.sheets, second.overflow, second.second = nil, nil, l.form.Second
	second.form.Copy = l.form.Second.Name
	compose(&second)
	l.sheets = append(l.sheets, second.sheets...)
}

// stamp is the foot of a document with a PDF417 code: the code with what is said under
// it, and at its right what the second copy has to be signed with.
func (l *layout) stamp() []piece {
	bars := l.barLine(stampWidth)
	said, rest := split(l.stamped(stampWidth), 40)
	receipt := l.receipt(inner - stampWidth - stampGap)
	height := max(bars.height+1+heightOf(said), heightOf(receipt))
	return append(wide(rest), space(4, true), piece{textLine: textLine{height, func(s *sheet, x, y float64) {
		bars.draw(s, x, y)
		drawLines(said, s, x, y+bars.height+1)
		drawLines(receipt, s, x+stampWidth+stampGap, y)
	}}})
}

// barLine is the PDF417 code in the middle of so much width; of no height without one.
func (l *layout) barLine(width float64) textLine {
	if l.bars.width == 0 {
		return gap(0)
	}
	w, h := width, width*float64(l.bars.height)/float64(l.bars.width)
	if h > stampHeight {
		w, h = w*stampHeight/h, stampHeight
	}
	return barBox(width, w, h)
}

// barBox is the code so wide and high in the middle of so much width.
func barBox(width, w, h float64) textLine {
	return textLine{h, func(s *sheet, x, y float64) {
		// A watermark under the code would keep scanners from reading it.
		s.fill(x, y, width, h, white)
		s.marks = append(s.marks, mark{kind: barMark, x: x + (width-w)/2, y: y, w: w, h: h})
	}}
}

// stamped is what is said under the code.
func (l *layout) stamped(width float64) []textLine {
	var said []textLine
	for i, txt := range l.form.Stamped {
		said = append(said, centred(l.face, txt, style{size: 7.5, bold: i == 0, ink: text}, width, width)...)
	}
	return said
}

// receipt is what the second copy has to be signed with, and its name in large.
func (l *layout) receipt(room float64) []textLine {
	if l.second == nil {
		return nil
	}
	var lines []textLine
	if l.second.Fields != nil {
		lines = l.signed(l.second, room)
	}
	large := style{size: 11, bold: true, ink: text}
	lines = append(lines, gap(2))
	for _, words := range wrap(l.face, l.second.Name, large, room) {
		lines = append(lines, textLine{large.line(),
			func(s *sheet, x, y float64) { s.writeRight(l.face, x+room, y, words, large) }})
	}
	return lines
}

// signed is a frame of fields with a line behind each to write on.
func (l *layout) signed(c *country.Copy, room float64) []textLine {
	const pad = 2.5
	st := style{size: 8, ink: text}
	inside := []textLine{gap(pad)}
	if c.Fields.Title != "" {
		bold := st
		bold.bold = true
		inside = append(append(inside, inset(paragraph(l.face, c.Fields.Title, bold, room-2*pad), pad)...), gap(1))
	}
	for _, label := range c.Fields.Lines {
		caption := cut(l.face, label.Caption, st, room/2)
		from := width(l.face, caption, st) + captionGap
		inside = append(inside, textLine{st.line() + 1.6, func(s *sheet, x, y float64) {
			s.write(l.face, x+pad, y+1.2, caption, st)
			s.line(x+pad+from, y+1.2+st.line(), room-2*pad-from, 0, stroke{0.4, rule})
		}})
	}
	small := style{size: 6.5, ink: text}
	inside = append(append(inside, gap(1.2)), inset(paragraph(l.face, c.Text, small, room-2*pad), pad)...)
	inside = append(inside, gap(pad))
	height := heightOf(inside)
	return []textLine{{height, func(s *sheet, x, y float64) {
		s.frame(x, y, room, height, stroke{0.7, rule})
		drawLines(inside, s, x, y)
	}}}
}
