package pdf

import (
	"bytes"
	"fmt"
	"math"

	"github.com/jung-kurt/gofpdf"

	"folio/country"
)

// Plain composes the A4 pages of a form once and returns what draws them by gofpdf used plainly: a call of the library
// for each text, line and frame, as one would write who knows already where everything goes. Benchmarks hold Render,
// which also decides where everything goes, against it. It is for forms in Latin-1 with a QR code and without a logo
// or a stamp; their QR code is made anew for each drawing, as Render does.
func Plain(f country.Form) (func() ([]byte, error), error) {
	f, face := prepare(f)
	code, err := encodeQR(f.QR)
	if err != nil {
		return nil, fmt.Errorf("encode the QR code: %w", err)
	}
	l := &layout{form: f, face: face, code: code}
	l.compose()
	l.composeSecond((*layout).compose)
	return func() ([]byte, error) { return plainly(l) }, nil
}

func plainly(l *layout) ([]byte, error) {
	code, err := encodeQR(l.form.QR)
	if err != nil {
		return nil, err
	}
	doc := gofpdf.New("P", "mm", "A4", "")
	doc.SetAutoPageBreak(false, 0)
	describe(doc, l)
	translate := doc.UnicodeTranslatorFromDescriptor("")
	for _, s := range l.sheets {
		doc.AddPage()
		for _, m := range s.marks {
			plainMark(doc, m, translate, code)
		}
	}
	var out bytes.Buffer
	err = doc.Output(&out)
	return out.Bytes(), err
}

func plainMark(doc *gofpdf.Fpdf, m mark, translate func(string) string, code qrCode) {
	r, g, b := colour(m.style.ink)
	switch m.kind {
	case textMark:
		plainText(doc, m, translate)
	case fillMark:
		doc.SetFillColor(r, g, b)
		doc.Rect(m.x, m.y, m.w, m.h, "F")
	case frameMark:
		doc.SetDrawColor(r, g, b)
		doc.SetLineWidth(m.style.size * point)
		doc.Rect(m.x, m.y, m.w, m.h, "D")
	case lineMark:
		doc.SetDrawColor(r, g, b)
		doc.SetLineWidth(m.style.size * point)
		doc.Line(m.x, m.y, m.x+m.w, m.y+m.h)
	case codeMark:
		p := painter{doc: doc, height: pageHeight}
		p.code(m, float64(code.size), float64(code.size), code.path)
		p.flush()
	case ghostMark:
		doc.TransformBegin()
		doc.TransformRotate(math.Atan2(pageHeight, pageWidth)*180/math.Pi, m.x, m.y)
		m.x, m.y = m.x-m.w/2, m.y+m.h*0.36
		plainText(doc, m, translate)
		doc.TransformEnd()
	}
}

func plainText(doc *gofpdf.Fpdf, m mark, translate func(string) string) {
	weight := ""
	if m.style.bold {
		weight = "B"
	}
	doc.SetFont("Helvetica", weight, m.style.size)
	doc.SetTextColor(colour(m.style.ink))
	doc.Text(m.x, m.y, translate(m.text))
}

// colour is an ink as the library takes it.
func colour(ink uint8) (r, g, b int) {
	switch ink {
	case red:
		return 217, 0, 0
	case green:
		return 0, 128, 51
	}
	return int(ink), int(ink), int(ink)
}
