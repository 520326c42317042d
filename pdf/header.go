package pdf

import "folio/country"

const (
	stripHeight = 6.0
	headTop     = top + stripHeight
	headLimit   = 78.0 // most that the head may take of the first page
	boxWidth    = 16.0 // around the letter
	boxHeight   = 15.5
	padding     = 4.0
	shortHeight = 15.0
	laterTop    = top + shortHeight + 4 // where the flow begins after the first page
	logoWidth   = 62.0                  // most that a logo takes
	logoHeight  = 19.0
)

var headLook = labelStyle{size: 8, strong: 10.5, tab: 0.46}

// head draws the head of the first page and returns where the flow begins.
func (l *layout) head(s *sheet) float64 {
	l.strip(s)
	room := middle - boxWidth/2 - left - 2*padding
	// However much a company writes into its profile, the head leaves room for items.
	issuer, issuerRest := split(l.issuer(room), headLimit-2*padding-l.logoSpace())
	heading, headingRest := split(l.heading(room), headLimit-2*padding)
	l.overflow = append(issuerRest, headingRest...)

	height := max(l.logoSpace()+heightOf(issuer), heightOf(heading), boxHeight+6) + 2*padding
	s.frame(left, headTop, inner, height, stroke{0.7, rule})
	s.line(middle, headTop+boxHeight, 0, height-boxHeight, stroke{0.7, rule})
	l.letterBox(s, middle, headTop, letterLook{boxWidth, boxHeight, 27})

	y := headTop + padding
	if l.logo.format != "" {
		w, h := l.logo.size()
		s.marks = append(s.marks, mark{kind: logoMark, x: left + padding, y: y, w: w, h: h})
		y += l.logoSpace()
	}
	drawLines(issuer, s, left+padding, y)
	drawLines(heading, s, middle+boxWidth/2+padding, headTop+padding)
	return headTop + height + 2
}

// logoSpace is what the logo takes of the head, with the white below it.
func (l *layout) logoSpace() float64 {
	if l.logo.format == "" {
		return 0
	}
	_, h := l.logo.size()
	return h + 2.5
}

// strip is the band above the head with the word ORIGINAL. It says a second time
// that a document has no fiscal value.
func (l *layout) strip(s *sheet) {
	s.frame(left, top, inner, stripHeight, stroke{0.7, rule})
	st := style{size: 8.5, bold: true, ink: text}
	y := top + (stripHeight-st.line())/2
	word := cut(l.face, l.form.Copy, st, inner/3)
	s.writeCentred(l.face, middle, y, word, st)
	l.warn(s, top+stripHeight/2)
}

// warn sets the words of the watermark in small print at the right of a band.
func (l *layout) warn(s *sheet, centre float64) {
	st := style{size: 7, bold: true, ink: text}
	words := cut(l.face, l.form.Watermark, st, inner/3-padding)
	s.writeRight(l.face, right-padding/2, centre-st.line()/2, words, st)
}

// letterLook is how large the letter's box is, and its letter in points.
type letterLook struct{ w, h, size float64 }

// letterBox stands at the top of the head, in the middle (RG 1415, annex II).
func (l *layout) letterBox(s *sheet, centre, y float64, look letterLook) {
	w, h, size := look.w, look.h, look.size
	s.fill(centre-w/2, y, w, h, white)
	s.frame(centre-w/2, y, w, h, stroke{0.9, text})
	big := fit(l.face, oneLine(l.form.Letter), style{size: size, bold: true, ink: black}, w-2, size/3)
	small := fit(l.face, oneLine(l.form.LetterCode), style{size: size / 4, bold: true, ink: text}, w-1, size/6)
	y += (h-big.line()-small.line())/2 + 0.03*big.em()
	s.writeCentred(l.face, centre, y, cut(l.face, l.form.Letter, big, w-1), big)
	s.writeCentred(l.face, centre, y+big.line()-0.04*big.em(), cut(l.face, l.form.LetterCode, small, w-0.5), small)
}

// issuer is the name, larger when no logo stands for it, and the lines under it.
func (l *layout) issuer(room float64) []textLine {
	st := style{size: 14, bold: true, ink: text}
	if l.logo.format != "" {
		st.size = 11
	}
	if len(wrap(l.face, l.form.IssuerName, st, room)) > 2 {
		st.size = 10
	}
	lines := paragraph(l.face, l.form.IssuerName, st, room)
	lines = append(lines, gap(1.2))
	return append(lines, labelLines(l.face, l.form.IssuerLines, headLook, room)...)
}

// heading is the document's name with its number, date and identifiers.
func (l *layout) heading(room float64) []textLine {
	st := style{size: 18, bold: true, ink: text}
	if len(wrap(l.face, l.form.Heading, st, room)) > 1 {
		st.size = 13
	}
	lines := paragraph(l.face, l.form.Heading, st, room)
	lines = append(lines, gap(1.5))
	return append(lines, labelLines(l.face, l.form.HeadLines, headLook, room)...)
}

// gap is white between lines.
func gap(height float64) textLine {
	return textLine{height, func(*sheet, float64, float64) {}}
}

// split cuts lines where they exceed the limit.
func split(lines []textLine, limit float64) (fitting, rest []textLine) {
	sum := 0.0
	for i, line := range lines {
		if sum += line.height; sum > limit && i > 0 {
			return lines[:i], lines[i:]
		}
	}
	return lines, nil
}

// shortHead tells on every further page which document it belongs to.
func (l *layout) shortHead(s *sheet) {
	const w, h = 11.0, 10.5
	s.frame(left, top, inner, shortHeight, stroke{0.7, rule})
	l.letterBox(s, middle, top, letterLook{w, h, 18})
	s.line(middle, top+h, 0, shortHeight-h, stroke{0.7, rule})

	room := middle - w/2 - left - 2*padding
	name := style{size: 9.5, bold: true, ink: text}
	s.write(l.face, left+padding, top+2.6, cut(l.face, l.form.IssuerName, name, room), name)
	x := middle + w/2 + padding
	s.write(l.face, x, top+2.6, cut(l.face, l.form.Heading, name, room*0.6), name)
	small := style{size: 8, ink: text}
	s.write(l.face, x, top+8, cut(l.face, joinLabels(l.form.HeadLines, 2), small, room), small)
	l.warn(s, top+2.6+name.line()/2)
	st := style{size: 8, bold: true, ink: text}
	s.write(l.face, left+padding, top+8, cut(l.face, l.form.Copy, st, room), st)
}

// joinLabels is the first n labels in one line.
func joinLabels(labels []country.Label, n int) string {
	joined := ""
	for i, label := range labels {
		if i == n {
			break
		}
		if joined != "" {
			joined += "   "
		}
		if label.Caption != "" {
			joined += label.Caption + " "
		}
		joined += label.Value
	}
	return joined
}

// opening is what stands between the head and the items: what the head could not
// hold, the period and the recipient.
func (l *layout) opening() []piece {
	var pieces []piece
	look := labelStyle{size: 8, strong: 8.5, tab: 0.55}
	for _, box := range [][]piece{
		boxed(l.overflow, 2, 0),
		boxed(l.period(look), 1.3, band),
		l.regime(),
		boxed(l.recipient(look), 2, 0),
		boxed(l.details(look), 2, 0),
	} {
		if len(box) > 0 {
			pieces = append(append(pieces, box...), space(2, false))
		}
	}
	return append(pieces, space(1, false))
}

// recipient is who the document is for, in two columns, or in one beside the buyer's frame.
func (l *layout) recipient(look labelStyle) []textLine {
	if l.form.Frames != nil && len(l.form.Frames.Buyer) > 0 {
		return l.framedBuyer(look)
	}
	return grid(l.face, l.form.RecipientLines, look, inner-2*padding)
}

// details are what belongs to the sale beside its parties, in two columns.
func (l *layout) details(look labelStyle) []textLine {
	if l.form.Details == nil {
		return nil
	}
	const room = inner - 2*padding
	return append(l.detailsTitle(room), grid(l.face, l.form.Details.Lines, look, room)...)
}

func (l *layout) detailsTitle(room float64) []textLine {
	return append(paragraph(l.face, l.form.Details.Title, style{size: 8, bold: true, ink: text}, room), gap(0.6))
}

// period sets its labels side by side, or below each other where they are too long.
func (l *layout) period(look labelStyle) []textLine {
	const room = inner - 2*padding
	var line []textLine
	widths, sum := make([]float64, len(l.form.Period)), 0.0
	for i, label := range l.form.Period {
		widths[i] = natural(l.face, label, look)
		sum += widths[i]
	}
	between := (room - sum) / float64(max(1, len(widths)-1))
	if between < 5 {
		return labelLines(l.face, l.form.Period, look, room)
	}
	x := 0.0
	for i, label := range l.form.Period {
		st, _ := look.of(label)
		tab := width(l.face, label.Caption, st) + captionGap
		line = beside(line, labelLine(l.face, label, look, tab, widths[i]+1), x)
		x += widths[i] + min(between, 14)
	}
	return line
}

// space is white between pieces.
func space(height float64, keep bool) piece {
	return piece{textLine: gap(height), space: true, keep: keep}
}

// boxed puts a frame around lines of the whole width; ink fills it, 0 for nothing.
// A frame that a page break cuts is open there.
func boxed(lines []textLine, pad float64, ink uint8) []piece {
	pieces := make([]piece, 0, len(lines))
	for i, line := range lines {
		above, below := 0.0, 0.0
		if i == 0 {
			above = pad
		}
		if i == len(lines)-1 {
			below = pad
		}
		height := above + line.height + below
		pieces = append(pieces, piece{keep: i == 0 ||
			i == len(lines)-2, textLine: textLine{height, func(s *sheet, x, y float64) {
			if ink != 0 {
				s.fill(x, y, inner, height, ink)
			}
			s.line(x, y, 0, height, stroke{0.7, rule})
			s.line(x+inner, y, 0, height, stroke{0.7, rule})
			if above > 0 {
				s.line(x, y, inner, 0, stroke{0.7, rule})
			}
			if below > 0 {
				s.line(x, y+height, inner, 0, stroke{0.7, rule})
			}
			line.draw(s, x+padding, y+above)
		}}})
	}
	if len(pieces) > 0 {
		pieces[len(pieces)-1].keep = false
	}
	return pieces
}
