package pdf

import (
	"bytes"
	"math"
	"strconv"

	"github.com/jung-kurt/gofpdf"
)

// painter paints marks on the current page of the document. It writes the operators
// of the page itself (PDF 1.7, annex A) and leaves fonts and pictures to the library:
// formatting each operator there took a third of the time.
type painter struct {
	doc    *gofpdf.Fpdf
	layout *layout
	family string
	height float64 // of the current page
	page   []byte  // written and not yet handed over
	pen    pen
}

// pen is what was last set on this page.
type pen struct {
	fill, stroke int // 1 + ink, 0 for nothing
	thick        float64
	size         float64
	bold         bool
}

func (p *painter) mark(m mark) {
	switch m.kind {
	case textMark:
		p.text(m)
	case fillMark:
		p.fillInk(m.style.ink)
		p.rectangle(m, "re f\n")
	case frameMark:
		p.stroke(m.style)
		p.rectangle(m, "re S\n")
	case lineMark:
		p.stroke(m.style)
		p.numbers(m.x/point, p.up(m.y))
		p.operator("m ")
		p.numbers((m.x+m.w)/point, p.up(m.y+m.h))
		p.operator("l S\n")
	case logoMark:
		p.flush()
		options := gofpdf.ImageOptions{ImageType: p.layout.logo.format}
		p.doc.ImageOptions(logoName, m.x, m.y, m.w, m.h, false, options, 0, "")
	case codeMark:
		p.code(m, float64(p.layout.code.size), float64(p.layout.code.size), p.layout.code.path)
	case barMark:
		p.code(m, float64(p.layout.bars.width), float64(p.layout.bars.height), p.layout.bars.path)
	case ghostMark:
		p.ghost(m)
	}
}

// up turns millimetres from the upper edge into points from the lower one.
func (p *painter) up(y float64) float64 { return (p.height - y) / point }

// numbers writes operands; a hundredth of a point is finer than any printer.
func (p *painter) numbers(values ...float64) {
	for _, v := range values {
		p.page = strconv.AppendFloat(p.page, v, 'f', 2, 64)
		p.page = append(p.page, ' ')
	}
}

func (p *painter) operator(op string) { p.page = append(p.page, op...) }

// flush hands over what was written, before the library writes itself.
func (p *painter) flush() {
	if len(p.page) > 0 {
		p.doc.RawWriteBuf(bytes.NewReader(p.page))
		p.page = p.page[:0]
	}
}

func (p *painter) rectangle(m mark, op string) {
	p.numbers(m.x/point, p.up(m.y+m.h), m.w/point, m.h/point)
	p.operator(op)
}

func (p *painter) fillInk(ink uint8) {
	if p.pen.fill != 1+int(ink) {
		p.pen.fill = 1 + int(ink)
		p.ink(ink, "g\n", "rg\n")
	}
}

// ink writes an ink with the operator for greys or the one for colours.
func (p *painter) ink(ink uint8, grey, colour string) {
	switch ink {
	case red:
		p.numbers(0.85, 0, 0)
		p.operator(colour)
	case green:
		p.numbers(0, 0.5, 0.2)
		p.operator(colour)
	default:
		p.numbers(float64(ink) / 255)
		p.operator(grey)
	}
}

func (p *painter) stroke(st style) {
	if p.pen.stroke != 1+int(st.ink) {
		p.pen.stroke = 1 + int(st.ink)
		p.ink(st.ink, "G\n", "RG\n")
	}
	if p.pen.thick != st.size {
		p.pen.thick = st.size
		p.numbers(st.size)
		p.operator("w\n")
	}
}

// text shows a line. The font is only named when it changes.
func (p *painter) text(m mark) {
	p.fillInk(m.style.ink)
	if p.pen.size != m.style.size || p.pen.bold != m.style.bold {
		p.pen.size, p.pen.bold = m.style.size, m.style.bold
		weight := ""
		if m.style.bold {
			weight = "B"
		}
		p.flush()
		p.doc.SetFont(p.family, weight, m.style.size)
	}
	if p.layout.face.embedded() {
		// The library must see the characters, to know which the font has to keep.
		p.flush()
		p.doc.Text(m.x, m.y, visual(m.text))
		return
	}
	p.operator("BT ")
	p.numbers(m.x/point, p.up(m.y))
	p.operator("Td (")
	p.page = appendEncoded(p.page, m.text)
	p.operator(") Tj ET\n")
}

// appendEncoded writes s in the bytes of a core font, as the inside of a PDF string.
// Every character was checked by clean.
func appendEncoded(b []byte, s string) []byte {
	for _, r := range s {
		c, _ := cp1252(r)
		if c == '(' || c == ')' || c == '\\' {
			b = append(b, '\\')
		}
		b = append(b, c)
	}
	return b
}

// code scales the path of a code, so many modules wide and high, to its place.
func (p *painter) code(m mark, width, height float64, path string) {
	p.operator("q 0 g ")
	p.page = strconv.AppendFloat(p.page, m.w/point/width, 'f', 5, 64)
	p.operator(" 0 0 ")
	p.page = strconv.AppendFloat(p.page, m.h/point/height, 'f', 5, 64)
	p.operator(" ")
	p.numbers(m.x/point, p.up(m.y+m.h))
	p.operator("cm\n")
	p.operator(path)
	p.operator("f Q\n")
}

// ghost turns the page around the middle of the watermark while it writes it.
func (p *painter) ghost(m mark) {
	p.flush()
	p.doc.TransformBegin()
	p.doc.TransformRotate(math.Atan2(pageHeight, pageWidth)*180/math.Pi, m.x, m.y)
	m.x -= m.w / 2
	m.y += m.h * 0.36 // half the height of a capital
	p.text(m)
	p.flush()
	p.doc.TransformEnd()
	p.pen = pen{} // the end of the transformation restores what was set before it
}
