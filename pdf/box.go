package pdf

import "folio/country"

// The head of Chile and Uruguay: the issuer at the left and a frame at the right, in
// colour in Chile, in place of the frame around both and of the letter.

const (
	frameWidth = 70.0 // SII wants 1.5 × 5.5 to 4 × 8 cm
	frameLeft  = right - frameWidth
	frameThick = 1.6
)

// boxHead draws the head of the first page with the frame and returns where the
// flow begins.
func (l *layout) boxHead(s *sheet) float64 {
	y := top
	if l.form.Copy != "" || l.form.Watermark != "" {
		l.strip(s)
		y = headTop + 2
	}
	room := frameLeft - left - 8
	issuer, rest := split(l.issuer(room), headLimit-l.logoSpace())
	side := l.beside()
	side, sideRest := split(side, headLimit)
	l.overflow = append(rest, sideRest...)

	at := y
	if l.logo.format != "" {
		w, h := l.logo.size()
		s.marks = append(s.marks, mark{kind: logoMark, x: left, y: y, w: w, h: h})
		at += l.logoSpace()
	}
	drawLines(issuer, s, left, at)
	drawLines(side, s, frameLeft, y)
	return max(at+heightOf(issuer), y+heightOf(side)) + 4
}

// beside is the frame with what stands under it.
func (l *layout) beside() []textLine {
	ink := frameInk(l.form.Box)
	st := style{size: 12.5, bold: true, ink: ink}
	var inside []textLine
	for i, txt := range l.form.Box.Lines {
		if i > 0 {
			inside = append(inside, gap(1.6))
		}
		inside = append(inside, centred(l.face, txt, st, frameWidth-6, frameWidth)...)
	}
	inside, rest := split(inside, 44)
	height := max(heightOf(inside)+8, 26)
	frame := textLine{height, func(s *sheet, x, y float64) {
		s.frame(x, y, frameWidth, height, stroke{frameThick, ink})
		drawLines(inside, s, x, y+(height-heightOf(inside))/2)
	}}
	lines := append([]textLine{frame, gap(1.5)}, rest...)
	small := style{size: 9, bold: true, ink: ink}
	lines = append(lines, centred(l.face, l.form.Box.Below, small, frameWidth, frameWidth)...)
	if len(l.form.HeadLines) > 0 {
		lines = append(append(lines, gap(2)), labelLines(l.face, l.form.HeadLines, headLook, frameWidth)...)
	}
	return lines
}

func frameInk(b *country.Box) uint8 {
	switch {
	case b.Black:
		return text
	case b.Green:
		return green
	}
	return red
}

// shortBoxHead tells on every further page which document it belongs to.
func (l *layout) shortBoxHead(s *sheet) {
	s.frame(left, top, inner, shortHeight, stroke{0.7, rule})
	room := inner/2 - 2*padding
	name := style{size: 9.5, bold: true, ink: text}
	small := style{size: 8, ink: text}
	s.write(l.face, left+padding, top+2.6, cut(l.face, l.form.IssuerName, name, room), name)
	s.write(l.face, left+padding, top+8, cut(l.face, l.form.Copy, style{size: 8, bold: true, ink: text}, room),
		style{size: 8, bold: true, ink: text})
	title := name
	title.ink = frameInk(l.form.Box)
	number := ""
	if n := len(l.form.Box.Lines); n > 0 {
		number = l.form.Box.Lines[n-1]
	}
	s.writeRight(l.face, right-padding, top+2.6, cut(l.face, l.form.Heading+"  "+number, title, room), title)
	s.writeRight(l.face, right-padding, top+8, cut(l.face, joinLabels(l.form.HeadLines, 1), small, room*0.5), small)
	l.warnAt(s, middle+padding, top+8)
}

// warnAt is the watermark's words in small print from x on.
func (l *layout) warnAt(s *sheet, x, y float64) {
	st := style{size: 7, bold: true, ink: text}
	s.write(l.face, x, y, cut(l.face, l.form.Watermark, st, inner/4), st)
}
