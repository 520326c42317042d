package pdf

import "slices"

// The parts of a ticket from its head to its foot. They are those of the A4 page, below each other.

// rollHead is who issued what to whom.
func (l *layout) rollHead() []piece {
	lines := l.worthless()
	if l.form.Copy != "" {
		lines = append(append(lines, l.said(l.form.Copy, 8.5)...), gap(1.5))
	}
	if l.form.Box != nil {
		lines = slices.Concat(lines, inset(l.beside(), (rollInner-frameWidth)/2), []textLine{ruled()})
	}
	if l.logo.format != "" {
		w, h := l.logo.size()
		lines = append(lines, textLine{l.logoSpace(), func(s *sheet, x, y float64) {
			s.marks = append(s.marks, mark{kind: logoMark, x: x + (rollInner-w)/2, y: y, w: w, h: h})
		}})
	}
	lines = append(lines, l.issuer(rollInner)...)
	if l.form.Box == nil {
		lines = append(append(lines, ruled(), textLine{boxHeight + 1.5, func(s *sheet, x, y float64) {
			l.letterBox(s, x+rollInner/2, y, letterLook{boxWidth, boxHeight, 27})
		}}), l.said(l.form.Heading, 14)...)
		lines = append(append(lines, gap(1.5)), labelLines(l.face, l.form.HeadLines, headLook, rollInner)...)
	}
	look := labelStyle{size: wordsSize, strong: 9, tab: 0.5}
	for _, part := range [][]textLine{
		labelLines(l.face, l.form.Period, look, rollInner),
		l.regimeFrame(rollInner),
		l.rollRecipient(look),
		l.rollDetails(look),
	} {
		if len(part) > 0 {
			lines = append(append(lines, ruled()), part...)
		}
	}
	return loose(append(lines, ruled()))
}

// rollRecipient is who the document is for, with the buyer's frame under it.
func (l *layout) rollRecipient(look labelStyle) []textLine {
	lines := labelLines(l.face, l.form.RecipientLines, look, rollInner)
	if l.form.Frames == nil || len(l.form.Frames.Buyer) == 0 {
		return lines
	}
	frame, rest := l.framed(l.form.Frames.Buyer, buyerWidth, buyerHeight)
	lines = append(append(lines, gap(1.5)), inset([]textLine{frame}, (rollInner-buyerWidth)/2)...)
	return append(lines, rest...)
}

func (l *layout) rollDetails(look labelStyle) []textLine {
	if l.form.Details == nil {
		return nil
	}
	return append(l.detailsTitle(rollInner), labelLines(l.face, l.form.Details.Lines, look, rollInner)...)
}

// rollClosing is all that stands below the items.
func (l *layout) rollClosing() []piece {
	small, words := style{size: 7.5, ink: text}, style{size: wordsSize, ink: text}
	var notes []textLine
	for _, note := range l.form.Notes {
		notes = append(append(notes, gap(1)), paragraph(l.face, note, words, rollInner)...)
	}
	if len(notes) > 0 && l.form.Frames != nil && l.form.Frames.Addenda != nil {
		notes = append(notes, ruled())
	}
	notes = append(notes, l.addendaLines(rollInner)...)
	sums := append([]textLine{gap(2)}, l.breakdown(rollInner)...)
	sums = append(append(sums, gap(1)), l.totals(rollInner)...)
	if block := l.transparency(rollInner); len(block) > 0 {
		height := heightOf(block)
		sums = append(sums, gap(1), textLine{height, func(s *sheet, x, y float64) {
			s.frame(x, y, rollInner, height, stroke{0.7, rule})
			drawLines(block, s, x, y)
		}})
	}
	var legal []textLine
	if l.form.Words != "" {
		legal = append([]textLine{gap(1)}, paragraph(l.face, l.form.Words, words, rollInner)...)
	}
	for _, legend := range l.form.Legends {
		legal = append(append(legal, gap(1)), paragraph(l.face, legend, small, rollInner)...)
	}
	return slices.Concat(loose(notes), together(sums), loose(legal), l.rollProof())
}

// rollProof is how to know that the document is true: the stamp or the QR code with what the authority gave.
func (l *layout) rollProof() []piece {
	pieces := loose([]textLine{ruled()})
	if l.bars.width > 0 || len(l.form.Stamped) > 0 {
		stamp := append([]textLine{l.rollBars(), gap(1)}, l.stamped(rollInner)...)
		pieces = append(pieces, together(stamp)...)
	}
	if receipt := l.receipt(rollInner); len(receipt) > 0 {
		pieces = append(pieces, together(append([]textLine{gap(2)}, receipt...))...)
	}
	if code := l.codeBlock(); len(code) > 0 {
		pieces = append(pieces, together(append(inset(code, codeLeft), gap(1)))...)
	}
	given := l.said(l.form.Authority, 10)
	if f := l.form.Frames; f != nil {
		for _, txt := range f.Verify {
			given = append(given, paragraph(l.face, txt, style{size: 8.5, ink: text}, rollInner)...)
		}
	}
	given = append(given, gap(1))
	look := labelStyle{size: 8.5, strong: 10, tab: 0.5}
	given = append(given, labelLines(l.face, l.form.Authorization, look, rollInner)...)
	if f := l.form.Frames; f != nil && len(f.Expires) > 0 {
		frame, rest := l.framed(f.Expires, expiresWidth, expiresLeast)
		given = append(append(given, gap(1.5)), inset([]textLine{frame}, (rollInner-expiresWidth)/2)...)
		given = append(given, rest...)
	}
	pieces = append(pieces, loose(given)...)
	if last := l.worthless(); len(last) > 0 {
		pieces = append(pieces, loose(append([]textLine{gap(2)}, last...))...)
	}
	return pieces
}
