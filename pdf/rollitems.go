package pdf

import "folio/country"

// roles are the widest column of texts, which says what a line is, and the widest of numbers, which says what it
// comes to; -1 for none.
func roles(columns []country.Column) (name, sum int) {
	name, sum = -1, -1
	for i, c := range columns {
		at := &name
		if c.Right {
			at = &sum
		}
		if *at < 0 || c.Width > columns[*at].Width {
			*at = i
		}
	}
	return name, sum
}

// rollTitles name those two. The others stand before each of their values.
func (l *layout) rollTitles() textLine {
	name, sum := roles(l.form.Columns)
	titles := [2]string{}
	for i, at := range [2]int{name, sum} {
		if at >= 0 {
			titles[i] = l.form.Columns[at].Title
		}
	}
	st := style{size: 7.5, bold: true, ink: text}
	return textLine{st.line() + 2.5, func(s *sheet, x, y float64) {
		left := cut(l.face, titles[0], st, rollInner*0.6)
		s.write(l.face, x, y, left, st)
		right := cut(l.face, titles[1], st, rollInner-width(l.face, left, st)-captionGap)
		s.writeRight(l.face, x+rollInner, y, right, st)
		s.line(x, y+st.line()+0.8, rollInner, 0, stroke{0.5, rule})
	}}
}

// rollItems are the rows of the items.
func (l *layout) rollItems() []piece {
	name, sum := roles(l.form.Columns)
	var pieces []piece
	for n, row := range l.form.Rows {
		lines := l.rollRow(row, name, sum)
		for i, line := range lines {
			last := i == len(lines)-1
			p := piece{textLine: line, row: true, keep: !last && len(lines) < tall}
			if last && l.form.Carried != nil {
				p.after = l.form.Carried.After[n]
			}
			pieces = append(pieces, p)
		}
	}
	if len(pieces) > 0 {
		pieces = append(pieces, loose([]textLine{ruled()})...)
	}
	return pieces
}

// rollRow is one row: its name, then what else is known of it, and its sum at the right of the last line.
func (l *layout) rollRow(row []string, name, sum int) []textLine {
	var lines []textLine
	if name >= 0 && name < len(row) && row[name] != "" {
		lines = paragraph(l.face, row[name], style{size: wordsSize + 0.5, bold: true, ink: text}, rollInner)
	}
	small, large := style{size: 7.5, ink: text}, style{size: wordsSize + 0.5, bold: true, ink: text}
	var sums []string
	if sum >= 0 && sum < len(row) && row[sum] != "" {
		sums = wrap(l.face, row[sum], large, rollInner)
	}
	beside := 0.0 // of the last line, for the sum
	if len(sums) == 1 {
		beside = width(l.face, sums[0], large) + captionGap
	}
	about := l.rollAbout(l.rollPairs(row, name, sum), small, beside)
	first := len(about) // of the lines that have a part of the sum
	if beside > 0 && first > 0 && width(l.face, about[first-1], small)+beside <= rollInner {
		first--
	}
	for i := range max(len(about), first+len(sums)) {
		txt, amount := at(about, i), ""
		if i >= first {
			amount = at(sums, i-first)
		}
		lines = append(lines, textLine{large.line(), func(s *sheet, x, y float64) {
			s.write(l.face, x, y+(large.em()-small.em())*ascent, txt, small)
			s.writeRight(l.face, x+rollInner, y, amount, large)
		}})
	}
	return append(lines, gap(1.2))
}

// rollPairs are the other cells of a row, each behind the name of its column.
func (l *layout) rollPairs(row []string, name, sum int) []string {
	var pairs []string
	for i, txt := range row {
		if i == name || i == sum || txt == "" {
			continue
		}
		if title := l.form.Columns[i].Title; title != "" {
			txt = title + " " + txt
		}
		pairs = append(pairs, txt)
	}
	return pairs
}

// rollAbout sets pairs in lines, as many to each as it holds. The last line leaves room for the sum beside it, if only
// its last pair has to move for that.
func (l *layout) rollAbout(pairs []string, st style, beside float64) []string {
	const dot = " · "
	var lines []string
	used := ""
	for i, pair := range pairs {
		room := rollInner
		if i == len(pairs)-1 {
			room -= beside
		}
		switch {
		case used == "":
			used = pair
		case width(l.face, used+dot+pair, st) <= room:
			used += dot + pair
		default:
			lines, used = append(lines, wrap(l.face, used, st, rollInner)...), pair
		}
	}
	if used != "" {
		lines = append(lines, wrap(l.face, used, st, rollInner)...)
	}
	return lines
}
