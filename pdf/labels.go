package pdf

import "folio/country"

// A row of texts that is drawn at a given place.
type textLine struct {
	height float64
	draw   func(s *sheet, x, y float64)
}

// heightOf is how much room lines take below each other.
func heightOf(lines []textLine) float64 {
	sum := 0.0
	for _, line := range lines {
		sum += line.height
	}
	return sum
}

// drawLines draws lines below each other from y on.
func drawLines(lines []textLine, s *sheet, x, y float64) {
	for _, line := range lines {
		line.draw(s, x, y)
		y += line.height
	}
}

// paragraph is a text broken into lines.
func paragraph(face typeface, txt string, st style, limit float64) []textLine {
	var lines []textLine
	for _, line := range wrap(face, txt, st, limit) {
		lines = append(lines, textLine{st.line(), func(s *sheet, x, y float64) { s.write(face, x, y, line, st) }})
	}
	return lines
}

// centred are lines of at most room in the middle of so much width.
func centred(face typeface, txt string, st style, room, width float64) []textLine {
	var lines []textLine
	for _, words := range wrap(face, txt, st, room) {
		lines = append(lines, textLine{st.line(),
			func(s *sheet, x, y float64) { s.writeCentred(face, x+width/2, y, words, st) }})
	}
	return lines
}

// labelStyle is how labels are set: strong ones may be larger.
type labelStyle struct {
	size, strong float64
	tab          float64 // most that captions may take of the width, 0..1
}

// of is how the two halves of a label are set. Captions step back in grey, so that
// the eye finds the values.
func (ls labelStyle) of(l country.Label) (caption, value style) {
	size := ls.size
	if l.Strong {
		size = ls.strong
	}
	return style{size: ls.size, ink: faint}, style{size: size, bold: l.Strong, ink: text}
}

const captionGap = 2.0 // between a caption and its value

// captions is how wide the captions of the labels are, gap included, up to the most.
func captions(face typeface, labels []country.Label, ls labelStyle, limit float64) float64 {
	widest := 0.0
	for _, l := range labels {
		if l.Caption == "" {
			continue
		}
		st, _ := ls.of(l)
		for _, line := range wrap(face, l.Caption, st, limit*ls.tab) {
			widest = max(widest, width(face, line, st)+captionGap)
		}
	}
	return widest
}

// labelLines sets each label with its value at the tab; both are broken into lines.
// A label without a caption takes the whole width.
func labelLines(face typeface, labels []country.Label, ls labelStyle, limit float64) []textLine {
	tab := captions(face, labels, ls, limit)
	var lines []textLine
	for _, l := range labels {
		lines = append(lines, labelLine(face, l, ls, tab, limit)...)
	}
	return lines
}

// labelLine sets one label; caption and value are broken side by side.
func labelLine(face typeface, l country.Label, ls labelStyle, tab, limit float64) []textLine {
	capStyle, valStyle := ls.of(l)
	if l.Caption == "" {
		return paragraph(face, l.Value, valStyle, limit)
	}
	names := wrap(face, l.Caption, capStyle, tab-captionGap+0.01)
	values := wrap(face, l.Value, valStyle, limit-tab)
	height := valStyle.line()
	var lines []textLine
	for i := range max(len(names), len(values)) {
		name, value := at(names, i), at(values, i)
		lines = append(lines, textLine{height, func(s *sheet, x, y float64) {
			// Both stand on the base line of the larger one.
			s.write(face, x, y+(valStyle.em()-capStyle.em())*(ascent+(leading-ascent-descent)/2), name, capStyle)
			s.write(face, x+tab, y, value, valStyle)
		}})
	}
	return lines
}

// natural is the width of a label in one line.
func natural(face typeface, l country.Label, ls labelStyle) float64 {
	capStyle, valStyle := ls.of(l)
	return width(face, l.Caption, capStyle) + captionGap + width(face, l.Value, valStyle)
}

// at is a line, or nothing behind the last one.
func at(lines []string, i int) string {
	if i < len(lines) {
		return lines[i]
	}
	return ""
}

// grid sets labels in two columns, those that do not fit into a half in a row of
// their own, and returns the rows.
func grid(face typeface, labels []country.Label, ls labelStyle, limit float64) []textLine {
	const gutter = 6.0
	half := (limit - gutter) / 2
	var rows [][2]int // indexes, -1 for none
	var wide []bool
	tab := captions(face, labels, ls, half)
	for i, l := range labels {
		capStyle, valStyle := ls.of(l)
		long := tab+width(face, l.Value, valStyle) > half || width(face, l.Caption, capStyle) > tab
		last := len(rows) - 1
		if !long && last >= 0 && !wide[last] && rows[last][1] < 0 {
			rows[last][1] = i
			continue
		}
		rows = append(rows, [2]int{i, -1})
		wide = append(wide, long)
	}
	var sides [2][]country.Label
	for _, row := range rows {
		for side, i := range row {
			if i >= 0 {
				sides[side] = append(sides[side], labels[i])
			}
		}
	}
	// Each side has its own tab: captions of the right are often shorter.
	tabs := [2]float64{captions(face, sides[0], ls, half), captions(face, sides[1], ls, half)}
	var lines []textLine
	for n, row := range rows {
		room := half
		if wide[n] {
			room = limit
		}
		first := labelLine(face, labels[row[0]], ls, tabs[0], room)
		if row[1] < 0 {
			lines = append(lines, first...)
			continue
		}
		lines = append(lines, beside(first, labelLine(face, labels[row[1]], ls, tabs[1], half), half+gutter)...)
	}
	return lines
}

// beside puts two columns of lines next to each other, line by line.
func beside(a, b []textLine, offset float64) []textLine {
	var lines []textLine
	for i := range max(len(a), len(b)) {
		height := 0.0
		if i < len(a) {
			height = a[i].height
		}
		if i < len(b) {
			height = max(height, b[i].height)
		}
		lines = append(lines, textLine{height, func(s *sheet, x, y float64) {
			if i < len(a) {
				a[i].draw(s, x, y)
			}
			if i < len(b) {
				b[i].draw(s, x+offset, y)
			}
		}})
	}
	return lines
}
