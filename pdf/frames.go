package pdf

import "slices"

// The frames of Uruguay's forms, with the least measures that DGI asks for.

const (
	buyerWidth   = 52.0 // at least 40 × 10 mm
	buyerHeight  = 13.0
	expiresWidth = 44.0 // at least 20 × 10 mm, its letters 3 mm
	expiresLeast = 15.0
	regimeWidth  = 100.0
	regimeHeight = 12.0
	frameMost    = 60.0 // what one frame may take of a page
)

// framed sets the first line of a frame small and the others large, all in the middle.
// The rest is what no frame could hold.
func (l *layout) framed(lines []string, width, least float64) (frame textLine, rest []textLine) {
	var inside []textLine
	for i, txt := range lines {
		st := style{size: 12, bold: true, ink: text}
		if i == 0 && len(lines) > 1 {
			st = style{size: 8, ink: text}
		}
		st = fit(l.face, oneLine(txt), st, width-4, st.size*0.7)
		inside = append(inside, centred(l.face, txt, st, width-4, width)...)
	}
	inside, rest = split(inside, frameMost)
	height := max(heightOf(inside)+3, least)
	return textLine{height, func(s *sheet, x, y float64) {
		s.frame(x, y, width, height, stroke{0.9, text})
		drawLines(inside, s, x, y+(height-heightOf(inside))/2)
	}}, rest
}

// framedBuyer is the recipient at the left and the buyer's frame at the right.
func (l *layout) framedBuyer(look labelStyle) []textLine {
	const room = inner - 2*padding - buyerWidth - 6
	lines := labelLines(l.face, l.form.RecipientLines, look, room)
	first, rest := split(lines, frameMost)
	frame, unframed := l.framed(l.form.Frames.Buyer, buyerWidth, buyerHeight)
	both := textLine{max(heightOf(first), frame.height), func(s *sheet, x, y float64) {
		drawLines(first, s, x, y)
		frame.draw(s, x+room+6, y)
	}}
	return slices.Concat([]textLine{both}, rest, unframed)
}

// regime is the frame of a company with special CAEs: at least 40 × 10 mm, its letters at
// least 3 mm high, which these have at 12.5 points.
func (l *layout) regime() []piece {
	frame := l.regimeFrame(regimeWidth)
	if len(frame) == 0 {
		return nil
	}
	return []piece{{textLine: inset(frame, (inner-regimeWidth)/2)[0]}}
}

// regimeFrame is that frame so wide; none for a company of the general regime.
func (l *layout) regimeFrame(width float64) []textLine {
	if l.form.Frames == nil || len(l.form.Frames.Regime) == 0 {
		return nil
	}
	var inside []textLine
	for _, txt := range l.form.Frames.Regime {
		inside = append(inside, centred(l.face, txt, style{size: 12.5, bold: true, ink: text}, width-6, width)...)
	}
	height := max(heightOf(inside)+4, regimeHeight)
	return []textLine{{height, func(s *sheet, x, y float64) {
		s.frame(x, y, width, height, stroke{0.9, text})
		drawLines(inside, s, x, y+(height-heightOf(inside))/2)
	}}}
}

// addenda is the zone for what the issuer wants to say: a frame of the whole width, open
// where a page break cuts it.
func (l *layout) addenda() []piece {
	lines := l.addendaLines(inner - 2*padding)
	if len(lines) == 0 {
		return nil
	}
	pieces := append([]piece{space(2.5, true)}, boxed(lines, 1.8, 0)...)
	pieces[1].keep, pieces[len(pieces)-1].keep = true, true // the title goes with its text, the text with the totals
	if few := len(pieces) <= 14; few {
		for i := range pieces {
			pieces[i].keep = true
		}
	}
	return pieces
}

// addendaLines are the title and the texts of that zone.
func (l *layout) addendaLines(room float64) []textLine {
	if l.form.Frames == nil || l.form.Frames.Addenda == nil {
		return nil
	}
	a, st := l.form.Frames.Addenda, style{size: 8, ink: text}
	lines := append(paragraph(l.face, a.Title, style{size: 8, bold: true, ink: text}, room), gap(0.6))
	for _, label := range a.Lines {
		txt := label.Value
		if label.Caption != "" {
			txt = label.Caption + " " + label.Value
		}
		lines = append(lines, paragraph(l.face, txt, st, room)...)
	}
	return lines
}

const (
	codeMargin = 7.0                     // at either side of the QR code
	codeRoom   = codeSize + 2*codeMargin // of the code with the words under it
	codeAside  = codeRoom + 4            // where the words beside it begin
	codeMost   = codeSize + 12           // most that the code with its words is high
)

// framedFoot is the last line of a document: the QR code with the words under it, where
// the document can be verified, its CAE, and the frame with the last day of that.
func (l *layout) framedFoot() []piece {
	f := l.form.Frames
	const room = inner - codeAside - expiresWidth - 4
	var said []textLine
	for _, txt := range f.Verify {
		said = append(said, paragraph(l.face, txt, style{size: 8.5, ink: text}, room)...)
	}
	given := labelLines(l.face, l.form.Authorization, labelStyle{size: 8.5, strong: 9.5, tab: 0.5}, room)
	said, rest := split(append(append(said, gap(1.2)), given...), frameMost)
	code, coded := split(l.codeBlock(), codeMost)
	frame, unframed := textLine{}, []textLine(nil)
	if len(f.Expires) > 0 {
		frame, unframed = l.framed(f.Expires, expiresWidth, expiresLeast)
	}
	height := max(heightOf(code), heightOf(said)+2, frame.height+2)
	return append(wide(slices.Concat(rest, coded, unframed)), space(2.5, true),
		piece{textLine: textLine{2.5 + height, func(s *sheet, x, y float64) {
			s.line(x, y, inner, 0, stroke{0.7, rule})
			y += 2.5
			drawLines(code, s, x, y)
			drawLines(said, s, x+codeAside, y+1)
			if frame.height > 0 {
				frame.draw(s, right-expiresWidth, y+1)
			}
		}}})
}

// codeBlock is the QR code with the words under it.
func (l *layout) codeBlock() []textLine {
	var lines []textLine
	if l.code.size > 0 {
		lines = append(lines, textLine{codeSize + 1, func(s *sheet, x, y float64) { s.code(x+codeMargin, y) }})
	}
	if l.form.Frames == nil {
		return lines
	}
	return append(lines, centred(l.face, l.form.Frames.Below, style{size: 8, bold: true, ink: text}, codeRoom,
		codeRoom)...)
}
