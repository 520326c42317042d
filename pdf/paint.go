package pdf

import (
	"bytes"
	"math"
	"strconv"
	"time"

	"github.com/go-fonts/liberation/liberationsansbold"
	"github.com/go-fonts/liberation/liberationsansregular"
	"github.com/jung-kurt/gofpdf"
)

const (
	family   = "Folio"
	logoName = "logo"
)

// paint makes the PDF of the composed sheets.
func paint(l *layout, compress bool) ([]byte, error) {
	doc := gofpdf.New("P", "mm", "A4", "")
	doc.SetCompression(compress)
	doc.SetCatalogSort(true)
	doc.SetAutoPageBreak(false, 0)
	doc.SetMargins(0, 0, 0)
	describe(doc, l)
	p := &painter{doc: doc, layout: l, family: "Helvetica"}
	if l.face.embedded() {
		p.family = family
		// The library writes into the font's bytes while it cuts it: each document has its own.
		doc.AddUTF8FontFromBytes(family, "", bytes.Clone(liberationsansregular.TTF))
		doc.AddUTF8FontFromBytes(family, "B", bytes.Clone(liberationsansbold.TTF))
	}
	if l.logo.format != "" {
		doc.RegisterImageOptionsReader(logoName, gofpdf.ImageOptions{ImageType: l.logo.format}, bytes.NewReader(l.logo.data))
	}
	for _, s := range l.sheets {
		doc.AddPage()
		for _, m := range s.marks {
			p.mark(m)
		}
	}
	var out bytes.Buffer
	if err := doc.Output(&out); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// describe fills the PDF's metadata, which may not hold the present time.
func describe(doc *gofpdf.Fpdf, l *layout) {
	created := l.form.Created.UTC()
	if created.Year() < 1 || created.Year() > 9999 || created.IsZero() {
		created = time.Unix(0, 0).UTC()
	}
	doc.SetCreationDate(created)
	doc.SetModificationDate(created)
	doc.SetProducer("Folio", false)
	doc.SetTitle(oneLine(l.form.Title), true)
	doc.SetAuthor(oneLine(l.form.IssuerName), true)
	doc.SetSubject(oneLine(l.form.ID), true)
}

// painter paints marks on the current page of the document.
type painter struct {
	doc    *gofpdf.Fpdf
	layout *layout
	family string
}

func (p *painter) mark(m mark) {
	doc := p.doc
	ink := int(m.style.ink)
	switch m.kind {
	case textMark:
		p.text(m)
	case fillMark:
		doc.SetFillColor(ink, ink, ink)
		doc.Rect(m.x, m.y, m.w, m.h, "F")
	case frameMark:
		doc.SetDrawColor(ink, ink, ink)
		doc.SetLineWidth(m.style.size * point)
		doc.Rect(m.x, m.y, m.w, m.h, "D")
	case lineMark:
		doc.SetDrawColor(ink, ink, ink)
		doc.SetLineWidth(m.style.size * point)
		doc.Line(m.x, m.y, m.x+m.w, m.y+m.h)
	case logoMark:
		doc.ImageOptions(logoName, m.x, m.y, m.w, m.h, false, gofpdf.ImageOptions{ImageType: p.layout.logo.format}, 0, "")
	case codeMark:
		doc.RawWriteStr(codePath(m, p.layout.code))
	case ghostMark:
		doc.TransformBegin()
		doc.TransformRotate(math.Atan2(pageHeight, pageWidth)*180/math.Pi, m.x, m.y)
		m.x -= m.w / 2
		m.y += m.h * 0.36
		p.text(m)
		doc.TransformEnd()
	}
}

func (p *painter) text(m mark) {
	weight := ""
	if m.style.bold {
		weight = "B"
	}
	p.doc.SetFont(p.family, weight, m.style.size)
	ink := int(m.style.ink)
	p.doc.SetTextColor(ink, ink, ink)
	if p.layout.face.embedded() {
		p.doc.Text(m.x, m.y, visual(m.text))
		return
	}
	p.doc.Text(m.x, m.y, encode(m.text))
}

// codePath is the QR code scaled to its place.
func codePath(m mark, code qrCode) string {
	scale := strconv.FormatFloat(m.w/point/float64(code.size), 'f', 5, 64)
	x := strconv.FormatFloat(m.x/point, 'f', 2, 64)
	y := strconv.FormatFloat((pageHeight-m.y-m.h)/point, 'f', 2, 64)
	return "q 0 g " + scale + " 0 0 " + scale + " " + x + " " + y + " cm\n" + code.path + "f Q"
}
