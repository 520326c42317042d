package pdf

// Measures of the page in millimetres.
const (
	pageWidth  = 210.0
	pageHeight = 297.0
	left       = 12.0
	right      = pageWidth - 12.0
	inner      = right - left
	middle     = pageWidth / 2
	top        = 10.0
	bottom     = pageHeight - 15.0 // of what flows; the page number stands below
)

// Inks, from black to white.
const (
	black = 0
	text  = 25
	faint = 105 // captions
	rule  = 150 // frames
	hair  = 215 // between rows
	band  = 238 // behind titles
	ghost = 226 // watermark
	white = 255
)

// Two greys that nobody tells from black stand for the colours of Chile's frame.
const (
	red   = 1
	green = 2
)

type kind uint8

const (
	textMark kind = iota
	fillMark
	frameMark
	lineMark
	logoMark
	codeMark
	barMark   // PDF417
	ghostMark // the watermark: centred on x, y and turned along the page's diagonal
)

// A mark is one thing on a sheet, in millimetres from its upper left corner. For a
// text, x and y are the start of its base line and w its width.
type mark struct {
	kind       kind
	x, y, w, h float64
	text       string
	style      style
}

// A sheet is one page of marks, in the order in which they are painted.
type sheet struct {
	marks []mark
	roll  float64 // how long it is, of a roll; 0 for a page of A4
}

// height of the page.
func (s *sheet) height() float64 {
	if s.roll > 0 {
		return s.roll
	}
	return pageHeight
}

// write sets one line of text whose line box begins at y.
func (s *sheet) write(face typeface, x, y float64, txt string, st style) {
	if txt == "" {
		return
	}
	s.marks = append(s.marks, mark{kind: textMark, x: x, y: y + ascent*st.em() + (leading-ascent-descent)/2*st.em(),
		w: width(face, txt, st), h: st.em(), text: txt, style: st})
}

// writeRight is write with the end of the text at x.
func (s *sheet) writeRight(face typeface, x, y float64, txt string, st style) {
	s.write(face, x-width(face, txt, st), y, txt, st)
}

// writeCentred is write with the middle of the text at x.
func (s *sheet) writeCentred(face typeface, x, y float64, txt string, st style) {
	s.write(face, x-width(face, txt, st)/2, y, txt, st)
}

// fill paints a rectangle.
func (s *sheet) fill(x, y, w, h float64, ink uint8) {
	s.marks = append(s.marks, mark{kind: fillMark, x: x, y: y, w: w, h: h, style: style{ink: ink}})
}

// stroke is the thickness of a line, in points, and its ink.
type stroke struct {
	thick float64
	ink   uint8
}

// frame draws a rectangle.
func (s *sheet) frame(x, y, w, h float64, l stroke) {
	s.marks = append(s.marks, mark{kind: frameMark, x: x, y: y, w: w, h: h, style: style{size: l.thick, ink: l.ink}})
}

// line draws from x, y to x+w, y+h.
func (s *sheet) line(x, y, w, h float64, l stroke) {
	s.marks = append(s.marks, mark{kind: lineMark, x: x, y: y, w: w, h: h, style: style{size: l.thick, ink: l.ink}})
}

// shift moves the marks from the index on down the page.
func (s *sheet) shift(from int, down float64) {
	for i := from; i < len(s.marks); i++ {
		s.marks[i].y += down
	}
}
