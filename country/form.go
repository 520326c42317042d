package country

import (
	"cmp"
	"slices"
	"time"
)

// Form is a printed document, free of any page: the country decides what is shown
// and in which words, package pdf decides where. Texts are UTF-8.
type Form struct {
	ID      string    // invoice id, for the PDF's metadata
	Name    string    // file name without extension: "FCA-0001-00000001"
	Title   string    // of the PDF
	Created time.Time // of the PDF: the time of acceptance, so that bytes never change
	Copy    string    // "ORIGINAL"

	Letter      string // in the box: "A"
	LetterCode  string // under it: "COD. 01"
	IssuerName  string
	IssuerLines []Label // under the name and logo
	Heading     string  // "FACTURA"
	HeadLines   []Label // number, date, identifiers
	Logo        string  // SHA-256 in the vault, empty for none

	Period         []Label // billed period and due date, side by side; empty for none
	RecipientLines []Label
	// under the recipient, in two columns: Chile's data for customs; nil for none
	Details *Block `json:",omitempty"`

	Columns []Column
	Rows    [][]string // one cell a column
	Carried *Carried   `json:",omitempty"` // Argentina's: carried from page to page; nil for none

	Notes        []string // observations, foreign currency, what the document corrects
	Transparency *Block   // Argentina's Law 27.743
	Breakdown    *Table   // bases and taxes by rate; nil for none
	Totals       []Label  // subtotal ... total; the last one stands out
	Words        string   // total in words, empty for none
	Legends      []string // legal texts

	QR            string  // text of the code, empty for none
	Authorization []Label // CAE and its expiry
	Authority     string  // "Comprobante autorizado", beside the code
	Watermark     string  // across the page: "SIN VALOR FISCAL"

	// Chile's stamp and red frame.
	Box     *Box     // at the upper right, in place of letter and heading; nil for none
	Stamp   string   // PDF417 code in place of the QR; a character is a byte (ISO-8859-1)
	Stamped []string // under it
	Second  *Copy    // printed behind the first, on pages of its own; nil for none

	Frames *Frames `json:",omitempty"` // Uruguay's; nil for none
}

// WithoutEmpty leaves out the columns of these titles that no row has anything in. The
// widest of the others, in which texts stand, gets their room.
func WithoutEmpty(columns []Column, rows [][]string, titles ...string) ([]Column, [][]string) {
	for _, title := range titles {
		at := slices.IndexFunc(columns, func(c Column) bool { return c.Title == title })
		if at < 0 || slices.ContainsFunc(rows, func(row []string) bool { return row[at] != "" }) {
			continue
		}
		room := columns[at].Width
		columns = slices.Delete(slices.Clone(columns), at, at+1)
		if len(columns) > 0 {
			widest := slices.MaxFunc(columns, func(a, b Column) int { return cmp.Compare(a.Width, b.Width) })
			columns[slices.Index(columns, widest)].Width += room
		}
		rows = Collect(rows, func(row []string) []string { return slices.Delete(slices.Clone(row), at, at+1) })
	}
	return columns, rows
}

// Carried is the subtotal that a document of several pages carries at the foot of each page
// and at the head of the next.
type Carried struct {
	Caption string   // "Transporte"
	After   []string // each row, what all rows up to it come to
}

// Box is a frame in colour with lines in its middle.
type Box struct {
	Lines []string // "R.U.T.: 76.192.083-9", "FACTURA ELECTRÓNICA", "N° 60"
	Below string   // under the frame: "S.I.I. - SANTIAGO CENTRO"
	Green bool     // red otherwise
	Black bool     `json:",omitempty"` // neither
}

// Frames are what a form must show in frames of their own, and around its QR code.
type Frames struct {
	Buyer   []string // beside the recipient: "RUC COMPRADOR" and the number
	Addenda *Block   // behind the items, whole width; nil for none
	Below   string   // under the QR code: "Código de seguridad: 3fQx7a"
	Verify  []string // beside the QR code: "Res. 4055/2024" ...
	Regime  []string `json:",omitempty"` // in a frame and large letters over the items: "Contribuyente IVA MINIMO"
	Expires []string // at the right of it: "Fecha de vencimiento" and the day
}

// Copy is what another copy of the same document has besides.
type Copy struct {
	Name   string // at the top and in large letters at the foot: "CEDIBLE"
	Fields *Block // to be filled in by hand: captions with a line behind each
	Text   string // under them
}

// Label is a caption with its value; Strong ones are set bold.
type Label struct {
	Caption string
	Value   string
	Strong  bool
}

// Column is one column of the items. Widths are relative to each other.
type Column struct {
	Title string
	Width float64
	Right bool // numbers stand right
}

// Block is a titled group of lines in a frame.
type Block struct {
	Title string
	Lines []Label
}

// Table is a small table beside the totals.
type Table struct {
	Columns []Column
	Rows    [][]string
}
