package pdf

import (
	"sync"
	"unicode"

	"github.com/go-fonts/liberation/liberationsansbold"
	"github.com/go-fonts/liberation/liberationsansregular"
	"github.com/jung-kurt/gofpdf"
	"golang.org/x/image/font"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
	"golang.org/x/text/encoding/charmap"
)

// A typeface is a regular and a bold font of one family. Both have the same
// characters.
type typeface interface {
	// advance is the width of r in thousandths of the font size, and whether the
	// typeface has it at all.
	advance(r rune, bold bool) (thousandths int, has bool)
	// embedded says that the document must carry the font.
	embedded() bool
}

// helvetica is one of the fonts that every PDF reader brings along (PDF 1.7,
// section 9.6.2.2), used with its cp1252 encoding. It costs nothing to set.
type helvetica struct{ widths *[2][256]uint16 }

var helveticaWidths = sync.OnceValue(func() *[2][256]uint16 {
	var widths [2][256]uint16
	doc := gofpdf.New("P", "mm", "A4", "")
	for i, style := range []string{"", "B"} {
		doc.SetFont("Helvetica", style, 10)
		for b := 32; b < 256; b++ {
			widths[i][b] = uint16(doc.GetStringSymbolWidth(string([]byte{byte(b)})))
		}
	}
	return &widths
})

func (h helvetica) advance(r rune, bold bool) (int, bool) {
	b, ok := cp1252(r)
	if !ok {
		return 0, false
	}
	if bold {
		return int(h.widths[1][b]), true
	}
	return int(h.widths[0][b]), true
}

func (helvetica) embedded() bool { return false }

// cp1252 is the byte of a printable character.
func cp1252(r rune) (byte, bool) {
	switch {
	case r < 0x20, r >= 0x7f && r < 0xa0:
		return 0, false
	case r < 0x7f, r <= 0xff:
		return byte(r), true
	}
	return charmap.Windows1252.EncodeRune(r)
}

// liberation is Liberation Sans: free to embed (SIL Open Font License 1.1), with the
// metrics of Helvetica, so that a page looks the same in either.
type liberation struct{ widths *[2][]uint16 }

const absent = 0xffff

var liberationWidths = sync.OnceValue(func() *[2][]uint16 {
	return &[2][]uint16{
		advances(liberationsansregular.TTF),
		advances(liberationsansbold.TTF),
	}
})

// advances lists the widths of the basic multilingual plane; the PDF library cannot
// set what lies beyond it.
func advances(ttf []byte) []uint16 {
	widths := make([]uint16, 0x10000)
	f, err := sfnt.Parse(ttf)
	var buf sfnt.Buffer
	for r := range widths {
		widths[r] = absent
		if err != nil || unicode.IsControl(rune(r)) || unicode.Is(unicode.Cf, rune(r)) {
			continue
		}
		glyph, missing := f.GlyphIndex(&buf, rune(r))
		if missing != nil || glyph == 0 {
			continue
		}
		w, unknown := f.GlyphAdvance(&buf, glyph, fixed.I(1000), font.HintingNone)
		if unknown == nil {
			widths[r] = uint16(w.Round())
		}
	}
	return widths
}

func (l liberation) advance(r rune, bold bool) (int, bool) {
	if r < 0 || r > 0xffff {
		return 0, false
	}
	w := l.widths[0][r]
	if bold {
		w = l.widths[1][r]
	}
	if w == absent {
		return 0, false
	}
	return int(w), true
}

func (liberation) embedded() bool { return true }
