package pdf

import (
	"bytes"
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
func paint(l *layout) ([]byte, error) {
	doc := gofpdf.New("P", "mm", "A4", "")
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
		if s.roll > 0 {
			doc.AddPageFormat("P", gofpdf.SizeType{Wd: rollWidth, Ht: s.roll})
		} else {
			doc.AddPage()
		}
		p.pen, p.height = pen{}, s.height()
		p.operator("2 J\n") // lines end square, so that corners are closed
		for _, m := range s.marks {
			p.mark(m)
		}
		p.flush()
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
