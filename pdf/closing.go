package pdf

import (
	"slices"

	"folio/country"
)

// notes are the observations under the items.
func (l *layout) notes() []piece {
	var pieces []piece
	st := style{size: 8, ink: text}
	for i, note := range l.form.Notes {
		pieces = append(pieces, space(1.8, true))
		lines := inset(paragraph(l.face, note, st, inner-2*itemsLook.gutter), itemsLook.gutter)
		for n, line := range lines {
			last := n == len(lines)-1 && i < len(l.form.Notes)-1
			pieces = append(pieces, piece{textLine: line, keep: (n == 0 || n >= len(lines)-2) && !last})
		}
	}
	// A few lines move as one; a long text may be cut by a page break.
	if few := len(pieces) <= 10; few {
		for i := range pieces {
			pieces[i].keep = true
		}
	}
	return pieces
}

// closing is what belongs together at the foot of the last page: totals, legends,
// authorization.
func (l *layout) closing() []piece {
	pieces := append([]piece{space(4, true)}, l.sums()...)
	pieces[0].pin = true
	small := style{size: 7.5, ink: text}
	words := style{size: 8, ink: text}
	if l.form.Words != "" {
		pieces = append(pieces, space(1.5, true))
		pieces = append(pieces, wide(paragraph(l.face, l.form.Words, words, inner))...)
	}
	for _, legend := range l.form.Legends {
		pieces = append(pieces, space(1.2, true))
		pieces = append(pieces, wide(paragraph(l.face, legend, small, inner))...)
	}
	if l.bars.width > 0 || l.second != nil || len(l.form.Stamped) > 0 {
		pieces = append(pieces, l.stamp()...)
	}
	if l.form.Frames != nil {
		return append(pieces, l.framedFoot()...)
	}
	return append(pieces, l.authorization()...)
}

// wide are lines from margin to margin that stay together.
func wide(lines []textLine) []piece {
	return country.Collect(lines, func(line textLine) piece { return piece{textLine: line, keep: true} })
}

const (
	totalsWidth = 72.0
	sumsGap     = 6.0
)

// sums are Law 27.743's block at the left, the taxes by rate and the totals at the
// right, side by side; below each other if no page could hold them.
func (l *layout) sums() []piece {
	room := inner - totalsWidth - sumsGap
	// Either alone has all the room beside the totals.
	blockRoom, tableRoom := room, room
	if l.form.Transparency != nil && l.form.Breakdown != nil {
		blockRoom = room * 0.45
		tableRoom = room - blockRoom - sumsGap
	}
	block, breakdown := l.transparency(blockRoom), l.breakdown(tableRoom)
	totals := l.totals(totalsWidth)
	height := max(heightOf(block), heightOf(breakdown), heightOf(totals))
	if height > (bottom-laterTop)/2 {
		return l.stacked()
	}
	return []piece{{keep: true, textLine: textLine{height, func(s *sheet, x, y float64) {
		// All three end on one line, the one under the total.
		if len(block) > 0 {
			h := heightOf(block)
			s.frame(x, y+height-h, blockRoom, h, stroke{0.7, rule})
			drawLines(block, s, x, y+height-h)
		}
		drawLines(breakdown, s, right-totalsWidth-sumsGap-tableRoom, y+height-heightOf(breakdown))
		drawLines(totals, s, right-totalsWidth, y+height-heightOf(totals))
	}}}}
}

// stacked is the same below each other, line by line.
func (l *layout) stacked() []piece {
	var pieces []piece
	for _, lines := range [][]textLine{l.transparency(inner), l.breakdown(inner), l.totals(inner)} {
		for _, line := range lines {
			pieces = append(pieces, piece{textLine: line})
		}
	}
	if len(pieces) > 0 {
		pieces[len(pieces)-1].keep = true
	}
	return pieces
}

// transparency is the block of Law 27.743 (RG 5614).
func (l *layout) transparency(room float64) []textLine {
	if l.form.Transparency == nil {
		return nil
	}
	const pad = 2.0
	lines := []textLine{gap(1.5)}
	lines = append(lines, inset(paragraph(l.face, l.form.Transparency.Title,
		style{size: 7.5, bold: true, ink: text}, room-2*pad), pad)...)
	lines = append(lines, gap(0.8))
	for _, label := range l.form.Transparency.Lines {
		lines = append(lines, inset(l.amount(label, style{size: 7.5, ink: text}, room-2*pad), pad)...)
	}
	return append(lines, gap(1.5))
}

// breakdown is the small table of taxes.
func (l *layout) breakdown(room float64) []textLine {
	if l.form.Breakdown == nil {
		return nil
	}
	t := l.newTable(l.form.Breakdown.Columns, l.form.Breakdown.Rows, breakdownLook, room)
	lines := []textLine{t.titles()}
	for _, p := range t.pieces(nil) {
		lines = append(lines, p.textLine)
	}
	return lines
}

// totals are the sums, the last in a band of its own.
func (l *layout) totals(room float64) []textLine {
	var lines []textLine
	const pad = 2.0
	for i, label := range l.form.Totals {
		if i < len(l.form.Totals)-1 {
			st := style{size: 8.5, ink: text, bold: label.Strong}
			lines = append(lines, inset(l.amount(label, st, room-2*pad), pad)...)
			lines = append(lines, gap(0.5))
			continue
		}
		st := style{size: 12, bold: true, ink: black}
		inside := l.amount(label, st, room-2*pad)
		height := heightOf(inside) + 3
		// The band has no height of its own: the text is drawn on top of it.
		lines = append(lines, gap(1), textLine{0, func(s *sheet, x, y float64) {
			s.fill(x, y, room, height, band)
			s.line(x, y, room, 0, stroke{0.9, text})
		}}, gap(1.5))
		lines = append(lines, inset(inside, pad)...)
		lines = append(lines, gap(1.5))
	}
	return lines
}

// amount sets a caption at the left and its value at the right; the value is made
// smaller before it is broken.
func (l *layout) amount(label country.Label, st style, room float64) []textLine {
	value := fit(l.face, oneLine(label.Value), st, room*0.62, st.size*0.7)
	values := wrap(l.face, label.Value, value, room*0.62)
	taken := 0.0
	for _, v := range values {
		taken = max(taken, width(l.face, v, value))
	}
	caption := st
	if !st.bold {
		caption.ink = faint
	}
	names := wrap(l.face, label.Caption, caption, room-taken-captionGap)
	var lines []textLine
	for i := range max(len(names), len(values)) {
		name, v := at(names, i), at(values, i)
		lines = append(lines, textLine{st.line(), func(s *sheet, x, y float64) {
			s.write(l.face, x, y, name, caption)
			s.writeRight(l.face, x+room, y+(st.em()-value.em())*ascent, v, value)
		}})
	}
	return lines
}

// inset moves lines to the right.
func inset(lines []textLine, by float64) []textLine {
	return country.Collect(lines, func(line textLine) textLine {
		return textLine{line.height, func(s *sheet, x, y float64) { line.draw(s, x+by, y) }}
	})
}

const codeSize = 28.0 // of the QR code with its white margin

// code sets the QR code. A watermark under its margin would keep scanners from finding it.
func (s *sheet) code(x, y float64) {
	s.fill(x, y, codeSize, codeSize, white)
	s.marks = append(s.marks, mark{kind: codeMark, x: x, y: y, w: codeSize, h: codeSize})
}

// authorization is the last line of a document: the QR code, what the authority
// says of it, its code and when that expires.
func (l *layout) authorization() []piece {
	const room = inner - codeSize - 6
	said := paragraph(l.face, l.form.Authority, style{size: 10, bold: true, ink: text}, room*0.45)
	if l.form.Authority == "" {
		said = nil
	}
	given, span := l.given(room * 0.5)
	// What no page could hold in this block goes before it.
	said, saidRest := split(said, codeSize*2)
	given, givenRest := split(given, codeSize*2)
	pieces := wide(slices.Concat(saidRest, givenRest))
	height := max(heightOf(said), heightOf(given)) + 4
	if l.code.size > 0 {
		height = max(height, codeSize)
	}
	if len(said)+len(given)+l.code.size == 0 {
		return nil
	}
	return append(pieces, space(2.5, true), piece{textLine: textLine{2.5 + height, func(s *sheet, x, y float64) {
		s.line(x, y, inner, 0, stroke{0.7, rule})
		y += 2.5
		if l.code.size > 0 {
			s.code(x, y)
			x += codeSize + 6
		}
		drawLines(said, s, x, y+2)
		drawLines(given, s, right-span, y+2)
	}}})
}

// given is the authorization, and how wide it is.
func (l *layout) given(most float64) (lines []textLine, span float64) {
	look := labelStyle{size: 9, strong: 10, tab: 0.55}
	tab := captions(l.face, l.form.Authorization, look, most)
	for _, label := range l.form.Authorization {
		_, st := look.of(label)
		span = max(span, tab+width(l.face, label.Value, st)+0.1)
	}
	span = min(span, most)
	for _, label := range l.form.Authorization {
		lines = append(lines, labelLine(l.face, label, look, tab, span)...)
	}
	return lines, span
}
